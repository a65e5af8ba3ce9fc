// Code for several generations of processors, chosen when the library is loaded.
#pragma once

// KEMPE_GENERATIONS stands before a function whose loops gain from wider vectors. No sum changes
// its order and nothing is contracted, so all generations give the same numbers.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && \
    !defined(KEMPE_PORTABLE) && !defined(__SANITIZE_ADDRESS__)
#define KEMPE_GENERATIONS __attribute__((flatten, target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define KEMPE_GENERATIONS
#endif
