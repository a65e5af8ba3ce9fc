// Columns of small blocks as vectors, and sizes as constants where they are common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tape/lanes.hpp"

namespace kempe::schur {

using Index = std::int32_t;
template <int N> using Fixed = std::integral_constant<int, N>;

/// How far the vectors reach beyond the last number of a list.
inline constexpr std::size_t spill = lane_count;

/// Whether columns of so many rows are vectors.
template <class R> inline constexpr bool is_wide = KEMPE_VECTORS && R::value >= 4 && R::value <= 8;

KEMPE_INLINE Lanes load(const double* p) {
    Lanes x;
    std::memcpy(&x, p, sizeof x);
    return x;
}
KEMPE_INLINE void store(double* p, const Lanes& x) { std::memcpy(p, &x, sizeof x); }

/// The last column of a block: what follows it belongs to others.
template <int rows> KEMPE_INLINE void store_last(double* p, const Lanes& x) {
    for (int r = 0; r < rows; ++r) p[r] = x[r];
}

/// A whole block, column by column.
template <int rows, int columns> KEMPE_INLINE void store_block(double* p, const Lanes* x) {
    for (int k = 0; k + 1 < columns; ++k) store(p + k * rows, x[k]);
    store_last<rows>(p + (columns - 1) * rows, x[columns - 1]);
}

template <class F> void with_rows(Index rows, F f) {
    switch (rows) {
        case 1: f(Fixed<1>{}); break;
        case 2: f(Fixed<2>{}); break;
        case 3: f(Fixed<3>{}); break;
        case 4: f(Fixed<4>{}); break;
        case 5: f(Fixed<5>{}); break;
        case 6: f(Fixed<6>{}); break;
        default: f(Fixed<0>{});
    }
}

template <class F> void with_size(Index size, F f) {
    switch (size) {
        case 3: f(Fixed<3>{}); break;
        case 6: f(Fixed<6>{}); break;
        default: f(Fixed<0>{});
    }
}

template <class N> constexpr Index number(N, Index given) { return N::value != 0 ? N::value : given; }

}  // namespace kempe::schur
