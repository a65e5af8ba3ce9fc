#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

// Eight doubles in step. With GCC and Clang they are one vector of the compiler's, which it maps to
// whatever the processor has; elsewhere they are an array and plain loops.
//
// KEMPE_PORTABLE builds what a compiler or processor unknown to this code would get: no vectors, no
// computed jumps, no directed rounding.

#if defined(__GNUC__) && !defined(KEMPE_PORTABLE)
#define KEMPE_VECTORS 1
#define KEMPE_INLINE inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"  // what returns Lanes is always inlined
#else
#define KEMPE_VECTORS 0
#define KEMPE_INLINE inline
#endif

// Before a loop of at most eight turns whose numbers are to stay in registers.
#if defined(__clang__)
#define KEMPE_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define KEMPE_UNROLL _Pragma("GCC unroll 8")
#else
#define KEMPE_UNROLL
#endif

namespace kempe {

inline constexpr int lane_count = 8;

#if KEMPE_VECTORS

using Lanes = double __attribute__((vector_size(64)));
using LaneBits = std::uint64_t __attribute__((vector_size(64)));

#else

struct alignas(64) Lanes {
    double lane[lane_count];
    double& operator[](int i) { return lane[i]; }
    double operator[](int i) const { return lane[i]; }
};

template <class Operation>
KEMPE_INLINE Lanes lane_by_lane(const Lanes& x, const Lanes& y, Operation operation) {
    Lanes result;
    for (int i = 0; i < lane_count; ++i) result[i] = operation(x[i], y[i]);
    return result;
}
KEMPE_INLINE Lanes operator+(const Lanes& x, const Lanes& y) {
    return lane_by_lane(x, y, [](double a, double b) { return a + b; });
}
KEMPE_INLINE Lanes operator-(const Lanes& x, const Lanes& y) {
    return lane_by_lane(x, y, [](double a, double b) { return a - b; });
}
KEMPE_INLINE Lanes operator*(const Lanes& x, const Lanes& y) {
    return lane_by_lane(x, y, [](double a, double b) { return a * b; });
}
KEMPE_INLINE Lanes operator/(const Lanes& x, const Lanes& y) {
    return lane_by_lane(x, y, [](double a, double b) { return a / b; });
}
KEMPE_INLINE Lanes operator-(const Lanes& x) {
    return lane_by_lane(x, x, [](double a, double) { return -a; });
}

#endif

// The bits of a number, of one lane or of eight.
KEMPE_INLINE std::uint64_t bits_of(double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}
KEMPE_INLINE double number_of(std::uint64_t bits) {
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}
#if KEMPE_VECTORS
KEMPE_INLINE LaneBits bits_of(const Lanes& x) { return reinterpret_cast<LaneBits>(x); }
KEMPE_INLINE Lanes number_of(const LaneBits& bits) { return reinterpret_cast<Lanes>(bits); }
#endif

}  // namespace kempe
