// The small dense steps of the block solver, unrolled for the common block sizes.
//
// Blocks stand column by column. A size is a constant where it is a common one, else Fixed<0> with
// the number beside it; one text serves both.
#pragma once

#include <cstdint>
#include <type_traits>

namespace kempe::schur {

using Index = std::int32_t;
template <int N> using Fixed = std::integral_constant<int, N>;

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

template <class N> constexpr Index number(N, Index given) {
    return N::value != 0 ? N::value : given;
}

/// What of C is not zero: its diagonal; or in six rows also the last three by three; or all.
enum class WhitenerShape : std::uint8_t { diagonal, split, full };

/// Calls f with the number of leading rows of C that hold nothing but their diagonal.
template <class D, class F> void with_plain(D size, WhitenerShape shape, F f) {
    if (shape == WhitenerShape::full) {
        f(Fixed<0>{});
    } else if (D::value == 3 || shape == WhitenerShape::split) {
        f(Fixed<3>{});
    } else {
        f(size);
    }
}

/// y = C x
template <class D>
void multiply(D fixed, Index size_given, WhitenerShape shape, const double* __restrict c,
              const double* __restrict x, double* __restrict y) {
    const Index size = number(fixed, size_given);
    with_plain(fixed, shape, [&](auto plain) {
        for (Index k = 0; k < plain.value; ++k) {
            y[k] = c[k * size + k] * x[k];
        }
        for (Index k = plain.value; k < size; ++k) {
            double sum = 0.0;
            for (Index m = plain.value; m <= k; ++m) {
                sum += c[k * size + m] * x[m];
            }
            y[k] = sum;
        }
    });
}

/// y = C^T x
template <class D>
void multiply_transposed(D fixed, Index size_given, WhitenerShape shape,
                         const double* __restrict c, const double* __restrict x,
                         double* __restrict y) {
    const Index size = number(fixed, size_given);
    with_plain(fixed, shape, [&](auto plain) {
        for (Index k = 0; k < plain.value; ++k) {
            y[k] = c[k * size + k] * x[k];
        }
        for (Index k = plain.value; k < size; ++k) {
            double sum = 0.0;
            for (Index m = k; m < size; ++m) {
                sum += c[m * size + k] * x[m];
            }
            y[k] = sum;
        }
    });
}

/// Y = C J^T with J rows x size, row by row; Y holds `rows` numbers per velocity.
template <class R, class D>
void whiten(R fixed_rows, D fixed_size, Index rows_given, Index size_given, WhitenerShape shape,
            const double* __restrict c, const double* __restrict j, double* __restrict y) {
    const Index rows = number(fixed_rows, rows_given);
    const Index size = number(fixed_size, size_given);
    with_plain(fixed_size, shape, [&](auto plain) {
        for (Index k = 0; k < plain.value; ++k) {
            for (Index r = 0; r < rows; ++r) {
                y[k * rows + r] = c[k * size + k] * j[r * size + k];
            }
        }
        for (Index k = plain.value; k < size; ++k) {
            for (Index r = 0; r < rows; ++r) {
                double sum = 0.0;
                for (Index m = plain.value; m <= k; ++m) {
                    sum += c[k * size + m] * j[r * size + m];
                }
                y[k * rows + r] = sum;
            }
        }
    });
}

/// target += Y_left^T Y_right; of a diagonal block the lower triangle.
template <bool diagonal, class A, class B, class D>
void accumulate(A fixed_left, B fixed_right, D fixed_size, Index left_given, Index right_given,
                Index size_given, const double* __restrict left,
                const double* __restrict right, double* __restrict target) {
    const Index left_rows = number(fixed_left, left_given);
    const Index right_rows = number(fixed_right, right_given);
    const Index size = number(fixed_size, size_given);
    for (Index b = 0; b < right_rows; ++b) {
        for (Index a = diagonal ? b : 0; a < left_rows; ++a) {
            double sum = left[a] * right[b];
            for (Index k = 1; k < size; ++k) {
                sum += left[k * left_rows + a] * right[k * right_rows + b];
            }
            target[b * left_rows + a] += sum;
        }
    }
}

/// L D L^T of one diagonal block, lower triangle, in place; inverse receives 1 / D.
template <class R> void factor_diagonal(R fixed, Index rows_given, double* block, double* inverse) {
    const Index rows = number(fixed, rows_given);
    for (Index k = 0; k < rows; ++k) {
        const double reciprocal = 1.0 / block[k * rows + k];
        inverse[k] = reciprocal;
        for (Index j = k + 1; j < rows; ++j) {
            const double factor = block[k * rows + j] * reciprocal;
            for (Index i = j; i < rows; ++i) {
                block[j * rows + i] -= block[k * rows + i] * factor;
            }
        }
        for (Index i = k + 1; i < rows; ++i) {
            block[k * rows + i] *= reciprocal;
        }
    }
}

/// Z = S_ik L_k^-T, then L_ik = Z D^-1 in place of S_ik.
template <class R, class H>
void factor_below(R fixed_rows, H fixed_height, Index rows_given, Index height_given,
                  const double* __restrict diagonal, const double* __restrict inverse,
                  double* __restrict block, double* __restrict z) {
    const Index rows = number(fixed_rows, rows_given);
    const Index height = number(fixed_height, height_given);
    for (Index k = 0; k < rows; ++k) {
        for (Index a = 0; a < height; ++a) {
            double sum = block[k * height + a];
            for (Index j = 0; j < k; ++j) {
                sum -= z[j * height + a] * diagonal[j * rows + k];
            }
            z[k * height + a] = sum;
        }
    }
    for (Index k = 0; k < rows; ++k) {
        for (Index a = 0; a < height; ++a) {
            block[k * height + a] = z[k * height + a] * inverse[k];
        }
    }
}

/// S_ij -= Z_ik L_jk^T; of a diagonal block the lower triangle.
template <bool diagonal, class R, class H>
void update(R fixed_rows, H fixed_height, Index rows_given, Index tall_given, Index wide_given,
            const double* __restrict z, const double* __restrict l, double* __restrict target) {
    const Index rows = number(fixed_rows, rows_given);
    const Index tall = number(fixed_height, tall_given);
    const Index wide = number(fixed_height, wide_given);
    for (Index b = 0; b < wide; ++b) {
        for (Index a = diagonal ? b : 0; a < tall; ++a) {
            double sum = z[a] * l[b];
            for (Index k = 1; k < rows; ++k) {
                sum += z[k * tall + a] * l[k * wide + b];
            }
            target[b * tall + a] -= sum;
        }
    }
}

/// to += sign * A from, A tall x wide.
template <class T, class W>
void add_product(T fixed_tall, W fixed_wide, Index tall_given, Index wide_given, double sign,
                 const double* __restrict a, const double* __restrict from, double* __restrict to) {
    const Index tall = number(fixed_tall, tall_given);
    const Index wide = number(fixed_wide, wide_given);
    for (Index r = 0; r < tall; ++r) {
        double sum = a[r] * from[0];
        for (Index k = 1; k < wide; ++k) {
            sum += a[k * tall + r] * from[k];
        }
        to[r] += sign * sum;
    }
}

/// to -= A^T from, A tall x wide.
template <class T, class W>
void subtract_transposed(T fixed_tall, W fixed_wide, Index tall_given, Index wide_given,
                         const double* __restrict a, const double* __restrict from,
                         double* __restrict to) {
    const Index tall = number(fixed_tall, tall_given);
    const Index wide = number(fixed_wide, wide_given);
    for (Index k = 0; k < wide; ++k) {
        double sum = a[k * tall] * from[0];
        for (Index r = 1; r < tall; ++r) {
            sum += a[k * tall + r] * from[r];
        }
        to[k] -= sum;
    }
}

}  // namespace kempe::schur
