#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tape/lanes.hpp"

// Sums, products, quotients and roots that are never below the exact value.
//
// With directed rounding the processor is told once, for a whole batch, to round upward (UpwardMode),
// and each operation is an ordinary one. Compilers assume rounding to nearest: they would turn
// (-x) * y into -(x * y) or move an operation across a change of the mode. So operands and results
// pass through `opaque`, which they cannot see through and must keep in order.
//
// On a compiler or processor not named below every result to nearest is moved up to the next double.

#if defined(KEMPE_PORTABLE) ||                                                                      \
    (!(defined(__x86_64__) && defined(__GNUC__)) && !(defined(__aarch64__) && defined(__GNUC__)) && \
     !(defined(_MSC_VER) && defined(_M_X64)))
#define KEMPE_STEPPED_ROUNDING 1
#else
#define KEMPE_STEPPED_ROUNDING 0
#endif

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#else
#include <cfenv>
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#pragma fenv_access(on)
#endif

namespace kempe {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// The same number, of which the compiler knows nothing any more, not even when it was made.
KEMPE_INLINE double opaque(double x) {
#if defined(__GNUC__) && defined(__x86_64__)
    asm volatile("" : "+x"(x));
    return x;
#elif defined(__GNUC__) && defined(__aarch64__)
    asm volatile("" : "+w"(x));
    return x;
#else
    volatile double hidden = x;
    return hidden;
#endif
}

// The next double above x; that of the largest is infinity, that of infinity itself.
inline double next_up(double x) {
    if (!(x < infinity)) return x;
    if (x == 0.0) return std::numeric_limits<double>::denorm_min();
    const std::uint64_t bits = bits_of(x);
    return number_of(x > 0.0 ? bits + 1 : bits - 1);
}
inline double next_down(double x) { return -next_up(-x); }

// The processor's floating-point mode: how it rounds and whether it drops subnormal numbers.
class Mode {
  public:
#if defined(__x86_64__) || defined(_M_X64)
    using Word = unsigned int;
    static constexpr Word nearest = 0x1f80;  // every exception masked, subnormals kept
    static constexpr Word upward = 0x5f80;
    static Word word() { return _mm_getcsr(); }
    static void set(Word word) { _mm_setcsr(word); }
#else
    using Word = int;
    static constexpr Word nearest = FE_TONEAREST;
#if defined(FE_UPWARD)
    static constexpr Word upward = FE_UPWARD;
#endif
    static Word word() { return std::fegetround(); }
    static void set(Word word) { std::fesetround(word); }
#endif
};

// Rounds upward while it lives, and puts the caller's mode back. New threads inherit the mode, so
// none may be started meanwhile.
class UpwardMode {
  public:
    UpwardMode() : before_(Mode::word()) {
#if KEMPE_STEPPED_ROUNDING
        Mode::set(Mode::nearest);
#else
        Mode::set(Mode::upward);
#endif
    }
    ~UpwardMode() { Mode::set(before_); }
    UpwardMode(const UpwardMode&) = delete;
    UpwardMode& operator=(const UpwardMode&) = delete;

  private:
    Mode::Word before_;
};

// function(operands ...) rounded to nearest, called while rounding upward: the C library is wrong,
// and on the wrong side, under directed rounding.
template <class Function, class... Numbers>
inline double at_nearest(Function function, Numbers... operands) {
#if KEMPE_STEPPED_ROUNDING
    return function(operands...);
#else
    Mode::set(Mode::nearest);
    const double result = opaque(function(opaque(operands)...));
    Mode::set(Mode::upward);
    return result;
#endif
}

#if KEMPE_STEPPED_ROUNDING

inline constexpr const char* rounding_name = "stepped";

// Zero is exact in a sum (IEEE: a sum underflows nowhere) and in a product with a zero.
KEMPE_INLINE double add_up(double x, double y) {
    const double sum = x + y;
    return sum == 0.0 ? sum : (sum == -infinity ? -DBL_MAX : next_up(sum));
}
KEMPE_INLINE double mul_up(double x, double y) {
    const double product = x * y;
    return x == 0.0 || y == 0.0 ? product : (product == -infinity ? -DBL_MAX : next_up(product));
}
KEMPE_INLINE double div_up(double x, double y) {
    const double quotient = x / y;
    return x == 0.0 ? quotient : (quotient == -infinity ? -DBL_MAX : next_up(quotient));
}
KEMPE_INLINE double sqrt_up(double x) { return x == 0.0 ? 0.0 : next_up(std::sqrt(x)); }
KEMPE_INLINE double sqrt_down(double x) { return x == 0.0 ? 0.0 : next_down(std::sqrt(x)); }

#else

inline constexpr const char* rounding_name = "upward";

KEMPE_INLINE double add_up(double x, double y) { return opaque(opaque(x) + opaque(y)); }
KEMPE_INLINE double mul_up(double x, double y) { return opaque(opaque(x) * opaque(y)); }
KEMPE_INLINE double div_up(double x, double y) { return opaque(opaque(x) / opaque(y)); }
KEMPE_INLINE double sqrt_up(double x) { return opaque(std::sqrt(opaque(x))); }
// A root rounded up is also a lower bound if even its square rounded up does not exceed x.
KEMPE_INLINE double sqrt_down(double x) {
    const double root = sqrt_up(x);
    return mul_up(root, root) <= x ? root : next_down(root);
}

#endif

}  // namespace kempe
