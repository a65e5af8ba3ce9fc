#include "schur_ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "generations.hpp"
#include "schur_kernels.hpp"

namespace kempe {
namespace {

using schur::Fixed;
using schur::Index;
using schur::with_rows;
using schur::with_size;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double mass_floor = 1e-14;  // a pivot of M below this times its diagonal is rounding

/// C with C M C^T = I, lower triangular; false where M is not positive definite.
bool whitener(const double* mass, Index size, double* c) {
    std::vector<double> l(mass, mass + static_cast<std::size_t>(size) * size);
    for (Index k = 0; k < size; ++k) {
        for (Index j = 0; j < k; ++j) {
            l[k * size + k] -= l[k * size + j] * l[k * size + j];
        }
        const double pivot = l[k * size + k];
        if (!(pivot > mass_floor * mass[k * size + k]) || !(pivot < infinity)) {
            return false;
        }
        l[k * size + k] = std::sqrt(pivot);
        for (Index i = k + 1; i < size; ++i) {
            for (Index j = 0; j < k; ++j) {
                l[i * size + k] -= l[i * size + j] * l[k * size + j];
            }
            l[i * size + k] /= l[k * size + k];
        }
    }
    std::fill_n(c, size * size, 0.0);
    for (Index col = 0; col < size; ++col) {  // C = L^-1, column by column
        c[col * size + col] = 1.0 / l[col * size + col];
        for (Index i = col + 1; i < size; ++i) {
            double sum = 0.0;
            for (Index j = col; j < i; ++j) {
                sum -= l[i * size + j] * c[j * size + col];
            }
            c[i * size + col] = sum / l[i * size + i];
        }
    }
    return true;
}

schur::WhitenerShape shape_of(const double* c, Index size) {
    using schur::WhitenerShape;
    WhitenerShape shape = WhitenerShape::diagonal;
    for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < i; ++j) {
            if (c[i * size + j] != 0.0) {
                const bool rotational = size == 6 && i >= 3 && j >= 3;
                shape = std::max(shape, rotational ? WhitenerShape::split : WhitenerShape::full);
            }
        }
    }
    return shape;
}

}  // namespace

SchurLDLT::SchurLDLT(const SaddleLayout& layout, const SchurLimits& limits)
    : program_(schur_program(layout)), limits_(limits), whitener_(program_.mass_values),
      whitener_shape_(program_.bodies.size(), schur::WhitenerShape::full),
      white_(program_.jacobian_values), blocks_(program_.block_values), diagonal_(program_.rows),
      inverse_(program_.rows), scratch_(program_.scratch_values), body_(program_.velocities),
      joint_(program_.rows), lam_(program_.rows) {}

bool SchurLDLT::set_mass(const double* blocks) {
    has_mass_ = false;
    factored_ = false;
    for (std::size_t b = 0; b < program_.bodies.size(); ++b) {
        const SchurProgram::Body& body = program_.bodies[b];
        double* const c = whitener_.data() + body.mass;
        if (!whitener(blocks + body.mass, body.size, c)) {
            bad_body_ = static_cast<Index>(b);
            return false;
        }
        whitener_shape_[b] = shape_of(c, body.size);
    }
    has_mass_ = true;
    bad_body_ = -1;
    return true;
}

bool SchurLDLT::factor(const double* blocks) {
    each_touch([&](auto rows, auto size, const SchurProgram::Touch& touch) {
        schur::whiten(rows, size, touch.rows, touch.size, whitener_shape_[touch.body],
                      whitener_.data() + touch.mass, blocks + touch.jacobian,
                      white_.data() + touch.white);
    });
    assemble();
    eliminate();
    smallest_ratio_ = smallest_ratio();
    damped_ = !(smallest_ratio_ > limits_.pivot);
    factored_ = true;
    worst_row_ = damped_ ? worst_row() : -1;
    if (damped_) {
        assemble();
        damp();
        eliminate();
        // S + damping diag(S) has no pivot below damping times its diagonal, rounding apart.
        factored_ = smallest_ratio() > 0.1 * limits_.damping;
        worst_row_ = factored_ ? worst_row_ : worst_row();
    }
    return factored_;
}

/// S = Y^T Y, lower blocks; its diagonal is kept for the pivots to be compared with.
KEMPE_GENERATIONS void SchurLDLT::assemble() {
    std::fill(blocks_.begin(), blocks_.end(), 0.0);
    for (const auto [begin, end] : program_.pair_runs) {
        const SchurProgram::Pair* const pairs = program_.pairs.data();
        const SchurProgram::Pair& first = pairs[begin];
        const auto run = [&]<bool diagonal>(auto left, auto right, auto size) {
            for (Index p = begin; p < end; ++p) {
                const SchurProgram::Pair& pair = pairs[p];
                schur::accumulate<diagonal>(left, right, size, pair.left_rows, pair.right_rows,
                                            pair.size, white_.data() + pair.left,
                                            white_.data() + pair.right,
                                            blocks_.data() + pair.target);
            }
        };
        with_rows(first.left_rows, [&](auto left) {
            with_size(first.size, [&](auto size) {
                if (first.left == first.right) {
                    run.template operator()<true>(left, left, size);
                } else if (first.left_rows == first.right_rows) {
                    run.template operator()<false>(left, left, size);
                } else {
                    run.template operator()<false>(left, Fixed<0>{}, size);
                }
            });
        });
    }
    for (const SchurProgram::Step& step : program_.steps) {
        for (Index r = 0; r < step.rows; ++r) {
            diagonal_[step.row + r] = blocks_[step.block + r * step.rows + r];
        }
    }
}

/// S + damping diag(S); a row that touches nothing gets a diagonal of its own.
void SchurLDLT::damp() {
    for (const SchurProgram::Step& step : program_.steps) {
        for (Index r = 0; r < step.rows; ++r) {
            double& diagonal = diagonal_[step.row + r];
            diagonal = diagonal > 0.0 ? diagonal : 1.0;
            blocks_[step.block + r * step.rows + r] += limits_.damping * diagonal;
        }
    }
}

/// Block L D L^T in the frozen order, in place.
KEMPE_GENERATIONS void SchurLDLT::eliminate() {
    double* const blocks = blocks_.data();
    for (const SchurProgram::Step& step : program_.steps) {
        with_rows(step.shape, [&](auto rows) {
            double* const diagonal = blocks + step.block;
            double* const inverse = inverse_.data() + step.row;
            schur::factor_diagonal(rows, step.rows, diagonal, inverse);
            const Index* target = program_.targets.data() + step.target_begin;
            for (Index i = step.below_begin; i < step.below_end; ++i) {
                const SchurProgram::Below& tall = program_.below[i];
                double* const z = scratch_.data() + tall.scratch;
                schur::factor_below(rows, rows, step.rows, tall.rows, diagonal, inverse,
                                    blocks + tall.block, z);
                for (Index j = step.below_begin; j < i; ++j) {
                    const SchurProgram::Below& wide = program_.below[j];
                    schur::update<false>(rows, rows, step.rows, tall.rows, wide.rows, z,
                                         blocks + wide.block, blocks + *target++);
                }
                schur::update<true>(rows, rows, step.rows, tall.rows, tall.rows, z,
                                    blocks + tall.block, blocks + *target++);
            }
        });
    }
}

/// Pivots are compared as diagonal / pivot: no division. NaN and infinity give 0.
double SchurLDLT::smallest_ratio() const {
    const double* const d = diagonal_.data();
    const double* const p = inverse_.data();
    double most_even = 0.0, most_odd = 0.0;  // two of each, because one would wait for itself
    double least_even = infinity, least_odd = infinity;
    double sum_even = 0.0, sum_odd = 0.0;  // finite exactly where every number in them is
    Index r = 0;
    for (; r + 2 <= program_.rows; r += 2) {
        const double even = d[r] * p[r];
        const double odd = d[r + 1] * p[r + 1];
        most_even = even > most_even ? even : most_even;
        most_odd = odd > most_odd ? odd : most_odd;
        least_even = p[r] < least_even ? p[r] : least_even;
        least_odd = p[r + 1] < least_odd ? p[r + 1] : least_odd;
        sum_even += even;
        sum_odd += odd;
    }
    if (r < program_.rows) {
        most_even = std::max(most_even, d[r] * p[r]);
        least_even = std::min(least_even, p[r]);
        sum_even += d[r] * p[r];
    }
    const bool finite = (sum_even + sum_odd) * 0.0 == 0.0;
    const bool positive = std::min(least_even, least_odd) > 0.0;
    return finite && positive ? 1.0 / std::max({1.0, most_even, most_odd}) : 0.0;
}

/// The row of the smallest pivot over its diagonal, or the first that is not positive.
std::int32_t SchurLDLT::worst_row() const {
    double most = 0.0;
    Index worst = -1;
    for (Index r = 0; r < program_.rows; ++r) {
        const double size = diagonal_[r] * inverse_[r];
        if (!(inverse_[r] > 0.0) || !(size < infinity)) {
            return r;  // what comes after it follows from it
        }
        if (size > most) {
            most = size;
            worst = r;
        }
    }
    return worst;
}

SaddlePlace SchurLDLT::weakest() const {
    if (bad_body_ >= 0 || worst_row_ < 0) {
        return {bad_body_, -1, -1};
    }
    const auto after = std::upper_bound(
        program_.steps.begin(), program_.steps.end(), worst_row_,
        [](Index row, const SchurProgram::Step& step) { return row < step.row; });
    const auto step = static_cast<Index>(after - program_.steps.begin()) - 1;
    return {-1, program_.joint_order[step], worst_row_ - program_.steps[step].row};
}

}  // namespace kempe
