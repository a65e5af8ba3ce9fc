#pragma once

#include "tape/tape.hpp"

// How an executor goes from one operation to the next. GCC and Clang jump from the end of each
// operation straight to the next one, which the processor predicts far better than one shared jump;
// elsewhere it is a loop around a switch. An executor of registers r reads
//
//   KEMPE_RUN                                            (i is its instruction pointer)
//   KEMPE_DO(add, r[i->d] = r[i->a] + r[i->b])
//   ... every operation ...
//   KEMPE_STOP

#if defined(__GNUC__) && !defined(KEMPE_PORTABLE)

#define KEMPE_LABEL(name, operands) &&at_##name,
#define KEMPE_RUN                                                                  \
    static const void* const labels[] = {KEMPE_OPERATIONS(KEMPE_LABEL) && at_end}; \
    goto* labels[static_cast<std::size_t>(i->op)];
#define KEMPE_DO(name, ...)                                                 \
    at_##name : {                                                           \
        const void* const next = labels[static_cast<std::size_t>(i[1].op)]; \
        { __VA_ARGS__; }                                                    \
        ++i;                                                                \
        goto* next;                                                         \
    }
#define KEMPE_STOP \
    at_end:        \
    return;

#else

// clang-format off
#define KEMPE_RUN for (;; ++i) { switch (i->op) {
#define KEMPE_DO(name, ...) case Op::name: { __VA_ARGS__; } break;
#define KEMPE_STOP case Op::end: return; } }
// clang-format on

#endif
