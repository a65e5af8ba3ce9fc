// Numbers of eight elements into lanes and back, four neighbours at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tape/lanes.hpp"

// Vectors that can be shuffled by constants.
#if KEMPE_VECTORS && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define KEMPE_QUADS 1
#endif
#endif
#ifndef KEMPE_QUADS
#define KEMPE_QUADS 0
#endif

namespace kempe {

/// Eight elements of a stream; those beyond `width` are the first once more.
template <class Number> struct Eight {
    Number *a, *b, *c, *d, *e, *f, *g, *h;

    Eight(Number* numbers, const std::int32_t* base, std::size_t width) {
        const auto at = [&](std::size_t lane) { return numbers + base[lane < width ? lane : 0]; };
        a = at(0), b = at(1), c = at(2), d = at(3), e = at(4), f = at(5), g = at(6), h = at(7);
    }
};

// Written out: the loops are too short for a compiler to unroll on its own.
KEMPE_INLINE void gather_one(const Eight<const double>& from, std::ptrdiff_t offset, double* to) {
    to[0] = from.a[offset];
    to[1] = from.b[offset];
    to[2] = from.c[offset];
    to[3] = from.d[offset];
    to[4] = from.e[offset];
    to[5] = from.f[offset];
    to[6] = from.g[offset];
    to[7] = from.h[offset];
}

KEMPE_INLINE void scatter_one(const double* from, const Eight<double>& to, std::ptrdiff_t offset) {
    to.a[offset] = from[0];
    to.b[offset] = from[1];
    to.c[offset] = from[2];
    to.d[offset] = from[3];
    to.e[offset] = from[4];
    to.f[offset] = from[5];
    to.g[offset] = from[6];
    to.h[offset] = from[7];
}

#if KEMPE_QUADS

using Quad = double __attribute__((vector_size(32)));

KEMPE_INLINE Quad load_quad(const double* p) {
    Quad x;
    std::memcpy(&x, p, sizeof x);
    return x;
}
KEMPE_INLINE void store_quad(double* p, const Quad& x) { std::memcpy(p, &x, sizeof x); }

KEMPE_INLINE void transpose(Quad& a, Quad& b, Quad& c, Quad& d) {
    const Quad ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    const Quad ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Quad cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const Quad cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
    c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
    d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

/// Four neighbours of every element into four registers of the tile.
KEMPE_INLINE void gather_four(const Eight<const double>& from, std::ptrdiff_t offset, double* tile,
                              const std::int32_t* registers) {
    Quad a = load_quad(from.a + offset), b = load_quad(from.b + offset);
    Quad c = load_quad(from.c + offset), d = load_quad(from.d + offset);
    Quad e = load_quad(from.e + offset), f = load_quad(from.f + offset);
    Quad g = load_quad(from.g + offset), h = load_quad(from.h + offset);
    transpose(a, b, c, d);
    transpose(e, f, g, h);
    const auto put = [&](int k, const Quad& low, const Quad& high) {
        double* const to = tile + lane_count * registers[k];
        store_quad(to, low);
        store_quad(to + 4, high);
    };
    put(0, a, e);
    put(1, b, f);
    put(2, c, g);
    put(3, d, h);
}

/// Four registers of the tile to four neighbours of every element.
KEMPE_INLINE void scatter_four(const double* tile, const std::int32_t* registers, const Eight<double>& to,
                               std::ptrdiff_t offset) {
    const auto low = [&](int k) { return load_quad(tile + lane_count * registers[k]); };
    const auto high = [&](int k) { return load_quad(tile + lane_count * registers[k] + 4); };
    Quad a = low(0), b = low(1), c = low(2), d = low(3);
    Quad e = high(0), f = high(1), g = high(2), h = high(3);
    transpose(a, b, c, d);
    transpose(e, f, g, h);
    store_quad(to.a + offset, a);
    store_quad(to.b + offset, b);
    store_quad(to.c + offset, c);
    store_quad(to.d + offset, d);
    store_quad(to.e + offset, e);
    store_quad(to.f + offset, f);
    store_quad(to.g + offset, g);
    store_quad(to.h + offset, h);
}

#else

KEMPE_INLINE void gather_four(const Eight<const double>& from, std::ptrdiff_t offset, double* tile,
                              const std::int32_t* registers) {
    for (int k = 0; k < 4; ++k) gather_one(from, offset + k, tile + lane_count * registers[k]);
}

KEMPE_INLINE void scatter_four(const double* tile, const std::int32_t* registers, const Eight<double>& to,
                               std::ptrdiff_t offset) {
    for (int k = 0; k < 4; ++k) scatter_one(tile + lane_count * registers[k], to, offset + k);
}

#endif

}  // namespace kempe
