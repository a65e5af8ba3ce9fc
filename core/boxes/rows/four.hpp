#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "interval/interval.hpp"

// Four doubles in step: two vectors of two, which every 64-bit processor has; elsewhere plain numbers.
// Sums and products are plain ones, under whatever rounding is in force.

namespace kempe::boxes {

using kempe::larger;
using kempe::smaller;

#if KEMPE_VECTORS

using Pair = double __attribute__((vector_size(16)));

KEMPE_INLINE Pair size_of(Pair x) {
    using Bits = std::uint64_t __attribute__((vector_size(16)));
    constexpr std::uint64_t mask = ~(std::uint64_t{1} << 63);
    return reinterpret_cast<Pair>(reinterpret_cast<Bits>(x) & Bits{mask, mask});
}

KEMPE_INLINE Pair lesser(Pair x, Pair y) { return x < y ? x : y; }
KEMPE_INLINE Pair greater(Pair x, Pair y) { return x > y ? x : y; }

#else

struct Pair {
    double at[2];
    double& operator[](std::size_t k) { return at[k]; }
    double operator[](std::size_t k) const { return at[k]; }
};
KEMPE_INLINE Pair operator+(Pair x, Pair y) { return {{x[0] + y[0], x[1] + y[1]}}; }
KEMPE_INLINE Pair operator-(Pair x, Pair y) { return {{x[0] - y[0], x[1] - y[1]}}; }
KEMPE_INLINE Pair operator*(Pair x, Pair y) { return {{x[0] * y[0], x[1] * y[1]}}; }
KEMPE_INLINE Pair size_of(Pair x) { return {{std::abs(x[0]), std::abs(x[1])}}; }
KEMPE_INLINE Pair lesser(Pair x, Pair y) { return {{x[0] < y[0] ? x[0] : y[0], x[1] < y[1] ? x[1] : y[1]}}; }
KEMPE_INLINE Pair greater(Pair x, Pair y) { return {{x[0] > y[0] ? x[0] : y[0], x[1] > y[1] ? x[1] : y[1]}}; }

#endif

struct Four {
    Pair low, high;

    KEMPE_INLINE double operator[](std::size_t k) const { return k < 2 ? low[k] : high[k - 2]; }
    static KEMPE_INLINE Four of(double x) { return {Pair{x, x}, Pair{x, x}}; }
    static KEMPE_INLINE Four of(double x, double y, double z, double w) { return {Pair{x, y}, Pair{z, w}}; }
};

KEMPE_INLINE Four operator+(Four x, Four y) { return {x.low + y.low, x.high + y.high}; }
KEMPE_INLINE Four operator-(Four x, Four y) { return {x.low - y.low, x.high - y.high}; }
KEMPE_INLINE Four operator*(Four x, Four y) { return {x.low * y.low, x.high * y.high}; }
KEMPE_INLINE Four operator*(Four x, double y) { return x * Four::of(y); }
KEMPE_INLINE Four size_of(Four x) { return {size_of(x.low), size_of(x.high)}; }
KEMPE_INLINE Four smaller(Four x, Four y) { return {lesser(x.low, y.low), lesser(x.high, y.high)}; }
KEMPE_INLINE Four larger(Four x, Four y) { return {greater(x.low, y.low), greater(x.high, y.high)}; }

}  // namespace kempe::boxes
