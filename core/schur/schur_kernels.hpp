// The small dense steps of the block solver, unrolled for the common block sizes.
//
// Blocks stand column by column. A size is a constant where it is a common one, else Fixed<0> with
// the number beside it; one text serves both. Columns of four to eight numbers are worked on as one
// vector, which reads into the next column and is written before it: the sums are the same.
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

/// to += sign * A from, A tall x wide.
template <class T, class W>
void add_product(T fixed_tall, W fixed_wide, Index tall_given, Index wide_given, double sign,
                 const double* __restrict a, const double* __restrict from, double* __restrict to) {
    const Index tall = number(fixed_tall, tall_given);
    const Index wide = number(fixed_wide, wide_given);
    if constexpr (is_wide<T> && W::value != 0) {
        Lanes sum = load(a) * from[0];
        for (Index k = 1; k < W::value; ++k) sum += load(a + k * T::value) * from[k];
        store_last<T::value>(to, load(to) + sign * sum);
        return;
    }
    for (Index r = 0; r < tall; ++r) {
        double sum = a[r] * from[0];
        for (Index k = 1; k < wide; ++k) sum += a[k * tall + r] * from[k];
        to[r] += sign * sum;
    }
}

/// Y_left^T Y_right, column by column of the right.
template <class R, class D>
KEMPE_INLINE void multiply_white(R, D, const double* __restrict left, const double* __restrict right, Lanes* sums) {
    for (Index b = 0; b < R::value; ++b) sums[b] = load(left) * right[b];
    for (Index k = 1; k < D::value; ++k) {
        const Lanes column = load(left + k * R::value);
        for (Index b = 0; b < R::value; ++b) sums[b] += column * right[k * R::value + b];
    }
}

/// target = sum of Y_left^T Y_right over `count` pairs of places in Y. `fixed` is the number of rows
/// of both, where they have equally many.
template <class R, class D, class Pair>
void accumulate(R fixed, D fixed_size, Index left_given, Index right_given, const double* __restrict white,
                const Pair* pairs, Index count, double* __restrict target) {
    const Index left_rows = number(fixed, left_given);
    const Index right_rows = number(fixed, right_given);
    if constexpr (is_wide<R> && D::value != 0) {
        // the sum stays in registers: what has just been written is slow to read
        Lanes sums[R::value];
        multiply_white(fixed, fixed_size, white + pairs[0].left, white + pairs[0].right, sums);
        for (Index p = 1; p < count; ++p) {
            Lanes more[R::value];
            multiply_white(fixed, fixed_size, white + pairs[p].left, white + pairs[p].right, more);
            for (Index b = 0; b < R::value; ++b) sums[b] += more[b];
        }
        store_block<R::value, R::value>(target, sums);
        return;
    }
    for (Index p = 0; p < count; ++p) {
        const double* const left = white + pairs[p].left;
        const double* const right = white + pairs[p].right;
        const Index size = number(fixed_size, pairs[p].size);
        for (Index b = 0; b < right_rows; ++b) {
            for (Index a = 0; a < left_rows; ++a) {
                double sum = left[a] * right[b];
                for (Index k = 1; k < size; ++k) sum += left[k * left_rows + a] * right[k * right_rows + b];
                double& entry = target[b * left_rows + a];
                entry = p == 0 ? sum : entry + sum;
            }
        }
    }
}

template <class R>
KEMPE_INLINE void factor_lower(R fixed, Index rows_given, double* __restrict l, double* __restrict inverse) {
    const Index rows = number(fixed, rows_given);
    KEMPE_UNROLL
    for (Index k = 0; k < rows; ++k) {
        const double reciprocal = 1.0 / l[k * rows + k];
        inverse[k] = reciprocal;
        KEMPE_UNROLL
        for (Index j = k + 1; j < rows; ++j) {
            const double factor = l[k * rows + j] * reciprocal;
            KEMPE_UNROLL
            for (Index i = j; i < rows; ++i) l[j * rows + i] -= l[k * rows + i] * factor;
        }
        KEMPE_UNROLL
        for (Index i = k + 1; i < rows; ++i) l[k * rows + i] *= reciprocal;
    }
}

/// L D L^T of one diagonal block, lower triangle, in place; inverse receives 1 / D.
template <class R>
void factor_diagonal(R, Index rows_given, double* __restrict block, double* __restrict inverse) {
    if constexpr (R::value == 0) {
        factor_lower(R{}, rows_given, block, inverse);
    } else {  // small blocks are worked on in registers
        constexpr int rows = R::value;
        double l[rows * rows];
        KEMPE_UNROLL
        for (Index k = 0; k < rows; ++k) {
            KEMPE_UNROLL
            for (Index i = k; i < rows; ++i) l[k * rows + i] = block[k * rows + i];
        }
        factor_lower(R{}, rows, l, inverse);
        KEMPE_UNROLL
        for (Index k = 0; k < rows; ++k) {
            KEMPE_UNROLL
            for (Index i = k; i < rows; ++i) block[k * rows + i] = l[k * rows + i];
        }
    }
}

/// Z = S_ik L_k^-T, then L_ik = Z D^-1 in place of S_ik; then to -= L_ik from, where that is wanted.
/// Z has room for eight numbers a column.
template <bool with_right, class R, class H>
void factor_below(R fixed_rows, H fixed_height, Index rows_given, Index height_given, const double* __restrict diagonal,
                  const double* __restrict inverse, double* __restrict block, double* __restrict z,
                  const double* __restrict from, double* __restrict to) {
    const Index rows = number(fixed_rows, rows_given);
    const Index height = number(fixed_height, height_given);
    if constexpr (is_wide<H> && R::value != 0) {
        Lanes columns[R::value];
        for (Index k = 0; k < R::value; ++k) {
            columns[k] = load(block + k * H::value);
            for (Index j = 0; j < k; ++j) columns[k] -= columns[j] * diagonal[j * R::value + k];
        }
        for (Index k = 0; k < R::value; ++k) store(z + k * lane_count, columns[k]);
        for (Index k = 0; k < R::value; ++k) columns[k] *= inverse[k];
        store_block<H::value, R::value>(block, columns);
        if constexpr (with_right) {
            Lanes product = columns[0] * from[0];
            for (Index k = 1; k < R::value; ++k) product += columns[k] * from[k];
            store_last<H::value>(to, load(to) - product);
        }
        return;
    }
    for (Index k = 0; k < rows; ++k) {
        for (Index a = 0; a < height; ++a) {
            double sum = block[k * height + a];
            for (Index j = 0; j < k; ++j) sum -= z[j * height + a] * diagonal[j * rows + k];
            z[k * height + a] = sum;
        }
    }
    for (Index k = 0; k < rows; ++k)
        for (Index a = 0; a < height; ++a) block[k * height + a] = z[k * height + a] * inverse[k];
    if constexpr (with_right) add_product(fixed_height, fixed_rows, height_given, rows_given, -1.0, block, from, to);
}

/// S_ij -= Z_ik L_jk^T; of a diagonal block at least the lower triangle.
template <bool diagonal, class R, class H>
void update(R fixed_rows, H fixed_height, Index rows_given, Index tall_given, Index wide_given,
            const double* __restrict z, const double* __restrict l, double* __restrict target) {
    const Index rows = number(fixed_rows, rows_given);
    const Index tall = number(fixed_height, tall_given);
    const Index wide = number(fixed_height, wide_given);
    if constexpr (is_wide<H> && R::value != 0) {
        Lanes sums[H::value];
        for (Index b = 0; b < H::value; ++b) sums[b] = load(z) * l[b];
        for (Index k = 1; k < R::value; ++k) {
            const Lanes column = load(z + k * lane_count);
            for (Index b = 0; b < H::value; ++b) sums[b] += column * l[k * H::value + b];
        }
        for (Index b = 0; b < H::value; ++b) sums[b] = load(target + b * H::value) - sums[b];
        store_block<H::value, H::value>(target, sums);
        return;
    }
    for (Index b = 0; b < wide; ++b) {
        for (Index a = diagonal ? b : 0; a < tall; ++a) {
            double sum = z[a] * l[b];
            for (Index k = 1; k < rows; ++k) sum += z[k * tall + a] * l[k * wide + b];
            target[b * tall + a] -= sum;
        }
    }
}

/// to -= A^T from, A tall x wide.
template <class T, class W>
void subtract_transposed(T fixed_tall, W fixed_wide, Index tall_given, Index wide_given, const double* __restrict a,
                         const double* __restrict from, double* __restrict to) {
    const Index tall = number(fixed_tall, tall_given);
    const Index wide = number(fixed_wide, wide_given);
    KEMPE_UNROLL
    for (Index k = 0; k < wide; ++k) {
        double sum = a[k * tall] * from[0];
        KEMPE_UNROLL
        for (Index r = 1; r < tall; ++r) sum += a[k * tall + r] * from[r];
        to[k] -= sum;
    }
}

/// L x = x of one diagonal block, whose diagonal is 1.
template <class R>
void substitute_down(R fixed, Index rows_given, const double* __restrict l, double* __restrict x) {
    const Index rows = number(fixed, rows_given);
    KEMPE_UNROLL
    for (Index k = 0; k < rows; ++k) {
        KEMPE_UNROLL
        for (Index i = k + 1; i < rows; ++i) x[i] -= l[k * rows + i] * x[k];
    }
}

/// L^T x = x of one diagonal block.
template <class R>
void substitute_up(R fixed, Index rows_given, const double* __restrict l, double* __restrict x) {
    const Index rows = number(fixed, rows_given);
    KEMPE_UNROLL
    for (Index k = rows - 1; k >= 0; --k) {
        KEMPE_UNROLL
        for (Index i = k + 1; i < rows; ++i) x[k] -= l[k * rows + i] * x[i];
    }
}

}  // namespace kempe::schur
