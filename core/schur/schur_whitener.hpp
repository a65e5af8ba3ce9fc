// Whitening: C with C M C^T = I, packed, and what is multiplied by it.
#pragma once

#include "schur/schur_kernels.hpp"

namespace kempe::schur {

/// What of C is not zero: its diagonal; or in six rows also the last three by three; or all.
enum class WhitenerShape : std::uint8_t { diagonal, split, full };

/// Calls f with the number of leading rows of C that hold nothing but their diagonal.
template <class D, class F> void with_plain(D size, WhitenerShape shape, F f) {
    if (shape == WhitenerShape::full) f(Fixed<0>{});
    else if (D::value == 3 || shape == WhitenerShape::split) f(Fixed<3>{});
    else f(size);
}

/// Where row k of a packed C starts, minus its first column: its plain diagonal comes first, then
/// what is left of each row.
constexpr Index packed_row(Index plain, Index k) { return plain + (k - plain) * (k - plain + 1) / 2 - plain; }

/// y = C x, or y = C^T x
template <bool transposed, class D>
void multiply(D fixed, Index size_given, WhitenerShape shape, const double* __restrict c, const double* __restrict x,
              double* __restrict y) {
    const Index size = number(fixed, size_given);
    with_plain(fixed, shape, [&](auto plain) {
        for (Index k = 0; k < plain.value; ++k) y[k] = c[k] * x[k];
        for (Index k = plain.value; k < size; ++k) {
            double sum = 0.0;
            if constexpr (transposed)
                for (Index m = k; m < size; ++m) sum += c[packed_row(plain.value, m) + k] * x[m];
            else
                for (Index m = plain.value; m <= k; ++m) sum += c[packed_row(plain.value, k) + m] * x[m];
            y[k] = sum;
        }
    });
}

/// C^T y = x
template <class D>
void solve_transposed(D fixed, Index size_given, WhitenerShape shape, const double* __restrict c,
                      const double* __restrict x, double* __restrict y) {
    const Index size = number(fixed, size_given);
    with_plain(fixed, shape, [&](auto plain) {
        for (Index k = 0; k < plain.value; ++k) y[k] = x[k] / c[k];
        for (Index k = size - 1; k >= plain.value; --k) {
            double sum = x[k];
            for (Index m = k + 1; m < size; ++m) sum -= c[packed_row(plain.value, m) + k] * y[m];
            y[k] = sum / c[packed_row(plain.value, k) + k];
        }
    });
}

/// Y = C J^T with J rows x size; Y holds `rows` numbers per velocity. Then to += Y from, where that is
/// wanted: at once, because what has just been written in parts is slow to read as a whole.
template <bool with_right, class R, class D>
void whiten(R fixed_rows, D fixed_size, Index rows_given, Index size_given, WhitenerShape shape,
            const double* __restrict c, const double* __restrict j, double* __restrict y, const double* __restrict from,
            double* __restrict to) {
    const Index rows = number(fixed_rows, rows_given);
    const Index size = number(fixed_size, size_given);
    with_plain(fixed_size, shape, [&](auto plain) {
        if constexpr (is_wide<R> && D::value != 0) {
            Lanes product{};
            const auto done = [&](Index k, const Lanes& column) {
                store(y + k * rows, column);  // the next column or block is not written yet
                if constexpr (with_right) product = k == 0 ? column * from[0] : product + column * from[k];
            };
            KEMPE_UNROLL
            for (Index k = 0; k < plain.value; ++k) done(k, c[k] * load(j + k * rows));
            KEMPE_UNROLL
            for (Index k = plain.value; k < size; ++k) {
                Lanes sum = c[packed_row(plain.value, k) + plain.value] * load(j + plain.value * rows);
                for (Index m = plain.value + 1; m <= k; ++m)
                    sum += c[packed_row(plain.value, k) + m] * load(j + m * rows);
                done(k, sum);
            }
            if constexpr (with_right) store_last<R::value>(to, load(to) + product);
        } else {
            for (Index k = 0; k < plain.value; ++k)
                for (Index r = 0; r < rows; ++r) y[k * rows + r] = c[k] * j[k * rows + r];
            for (Index k = plain.value; k < size; ++k) {
                for (Index r = 0; r < rows; ++r) {
                    double sum = c[packed_row(plain.value, k) + plain.value] * j[plain.value * rows + r];
                    for (Index m = plain.value + 1; m <= k; ++m)
                        sum += c[packed_row(plain.value, k) + m] * j[m * rows + r];
                    y[k * rows + r] = sum;
                }
            }
            if constexpr (with_right) add_product(fixed_rows, fixed_size, rows_given, size_given, 1.0, y, from, to);
        }
    });
}

}  // namespace kempe::schur
