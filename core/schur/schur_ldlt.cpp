#include "schur/schur_ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/bytes.hpp"
#include "schur/schur_kernels.hpp"
#include "schur/schur_whitener.hpp"
#include "tape/generations.hpp"

namespace kempe {
namespace {

using schur::Index;
using schur::with_rows;
using schur::with_size;

constexpr double infinity = std::numeric_limits<double>::infinity();
}  // namespace

SchurLDLT::SchurLDLT(const SaddleLayout& layout, const SchurLimits& limits)
    : program_(schur_program(layout)), limits_(limits), is_white_(layout.is_white),
      whitener_start_(program_.bodies.size()), whitener_shape_(program_.bodies.size(), schur::WhitenerShape::full),
      white_(is_white_ ? 0 : program_.jacobian_values + spill), blocks_(program_.block_values + spill),
      diagonal_(program_.rows), inverse_(program_.rows), scratch_(program_.scratch_values + spill),
      body_(program_.velocities), joint_(program_.rows + spill), lam_(program_.rows) {}

std::size_t SchurLDLT::bytes() const {
    const SchurProgram& p = program_;
    return bytes_of(p.bodies, p.touches, p.touch_runs, p.pairs, p.blocks, p.columns, p.steps, p.below, p.targets,
                    p.given_row, p.joint_order) +
           bytes_of(whitener_, whitener_start_, whitener_shape_, white_, blocks_, diagonal_, inverse_, scratch_, body_,
                    joint_, lam_);
}

bool SchurLDLT::factor(const double* blocks) {
    given_white_ = is_white_ ? blocks : nullptr;
    eliminate(blocks, 0.0);
    return check_factors(blocks);
}

bool SchurLDLT::factor_and_solve(const double* blocks, const double* f, const double* g, double* a, double* lam) {
    given_white_ = is_white_ ? blocks : nullptr;
    whiten_forces(f);
    begin_residual(g);
    eliminate_with_right(blocks);
    if (!check_factors(blocks) || damped_) {
        if (factored_) solve(f, g, a, lam);
        return factored_;
    }
    misfit_ = 0.0;
    scale(joint_.data());
    substitute_back(joint_.data());
    push_bodies();
    give_bodies(a);
    for (Index r = 0; lam != nullptr && r < program_.rows; ++r) lam[program_.given_row[r]] = joint_[r];
    return true;
}

/// Judges the pivots; where one is too small, factors once more, damped.
bool SchurLDLT::check_factors(const double* blocks) {
    smallest_ratio_ = smallest_ratio();
    damped_ = !(smallest_ratio_ > limits_.pivot);
    factored_ = true;
    worst_row_ = damped_ ? worst_row() : -1;
    if (damped_) {
        eliminate(blocks, limits_.damping);
        // S + damping diag(S) has no pivot below damping times its diagonal, rounding apart.
        factored_ = smallest_ratio() > 0.1 * limits_.damping;
        worst_row_ = factored_ ? worst_row_ : worst_row();
    }
    return factored_;
}

/// Blocks of Y, unless they are given; with the right-hand side also their part in J M^-1 f.
template <bool with_right> void SchurLDLT::whiten(const double* blocks, Index begin, Index end) {
    if (is_white_ && !with_right) return;
    for (Index t = begin; t < end; ++t) {
        const SchurProgram::Touch& touch = program_.touches[t];
        const double* const body = body_.data() + touch.velocity;
        double* const joint = joint_.data() + touch.row;
        with_rows(touch.rows, [&](auto rows) {
            with_size(touch.size, [&](auto size) {
                if (is_white_) {
                    schur::add_product(rows, size, touch.rows, touch.size, 1.0, blocks + touch.white, body, joint);
                    return;
                }
                schur::whiten<with_right>(rows, size, touch.rows, touch.size, whitener_shape_[touch.body],
                                          whitener_.data() + whitener_start_[touch.body], blocks + touch.jacobian,
                                          white_.data() + touch.white, body, joint);
            });
        });
    }
}

/// The blocks of S = Y^T Y in one column; the diagonal is kept for the pivots to be compared with.
void SchurLDLT::make(const SchurProgram::Column& column, Index block, Index pair, double damping) {
    for (; block < column.block_end; ++block) {
        const SchurProgram::SchurBlock& made = program_.blocks[block];
        double* const target = blocks_.data() + made.target;
        if (pair == made.pair_end) std::fill_n(target, made.left_rows * made.right_rows, 0.0);
        const SchurProgram::Pair* const terms = program_.pairs.data() + pair;
        const Index count = made.pair_end - pair;
        pair = made.pair_end;
        if (count == 0) continue;
        with_rows(made.left_rows == made.right_rows ? made.left_rows : 0, [&](auto rows) {
            with_size(made.size, [&](auto size) {
                schur::accumulate(rows, size, made.left_rows, made.right_rows, white(), terms, count, target);
            });
        });
    }
    double* const diagonal = diagonal_.data() + column.row;
    for (Index r = 0; r < column.rows; ++r) {
        double& entry = blocks_[column.block + r * column.rows + r];
        diagonal[r] = entry;
        if (damping > 0.0) {
            // a row that touches nothing gets a diagonal of its own
            diagonal[r] = diagonal[r] > 0.0 ? diagonal[r] : 1.0;
            entry += damping * diagonal[r];
        }
    }
}

/// Block L D L^T of S + damping diag(S) in the frozen order. Every block of J is whitened, and every
/// column of S made, just before the first step that needs it: what is made is still at hand.
template <bool with_right>
void SchurLDLT::eliminate_columns(const double* jacobian, double damping) {
    double* const blocks = blocks_.data();
    const Index last = static_cast<Index>(program_.columns.size()) - 1;
    Index column = 0, touch = 0, block = 0, pair = 0;
    for (const SchurProgram::Step& step : program_.steps) {
        for (; column < step.column_end; ++column) {
            const SchurProgram::Column& next = program_.columns[column];
            // one column ahead: what has just been written is not yet ready to be read
            const Index ahead = program_.columns[std::min(column + 1, last)].touch_end;
            whiten<with_right>(jacobian, touch, ahead);
            make(next, block, pair, damping);
            touch = ahead;
            block = next.block_end;
            pair = program_.blocks[block - 1].pair_end;
        }
        with_rows(step.shape, [&](auto rows) {
            double* const diagonal = blocks + step.block;
            double* const inverse = inverse_.data() + step.row;
            double* const x = joint_.data() + step.row;
            schur::factor_diagonal(rows, step.rows, diagonal, inverse);
            if constexpr (with_right) schur::substitute_down(rows, step.rows, diagonal, x);
            const Index* target = program_.targets.data() + step.target_begin;
            for (Index i = step.below_begin; i < step.below_end; ++i) {
                const SchurProgram::Below& tall = program_.below[i];
                double* const z = scratch_.data() + tall.scratch;
                schur::factor_below<with_right>(rows, rows, step.rows, tall.rows, diagonal, inverse,
                                                blocks + tall.block, z, x, joint_.data() + tall.row);
                for (Index j = step.below_begin; j < i; ++j) {
                    const SchurProgram::Below& wide = program_.below[j];
                    schur::update<false>(rows, rows, step.rows, tall.rows, wide.rows, z, blocks + wide.block,
                                         blocks + *target++);
                }
                schur::update<true>(rows, rows, step.rows, tall.rows, tall.rows, z, blocks + tall.block,
                                    blocks + *target++);
            }
        });
    }
}

KEMPE_GENERATIONS void SchurLDLT::eliminate(const double* blocks, double damping) {
    eliminate_columns<false>(blocks, damping);
}

/// The same, and L D x = x for the right-hand side that stands in joint_ and body_, up to D.
KEMPE_GENERATIONS void SchurLDLT::eliminate_with_right(const double* blocks) { eliminate_columns<true>(blocks, 0.0); }

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
        if (!(inverse_[r] > 0.0) || !(size < infinity)) return r;  // what comes after it follows from it
        if (size > most) {
            most = size;
            worst = r;
        }
    }
    return worst;
}

SaddlePlace SchurLDLT::weakest() const {
    if (bad_body_ >= 0 || worst_row_ < 0) return {bad_body_, -1, -1};
    const auto after = std::upper_bound(program_.steps.begin(), program_.steps.end(), worst_row_,
                                        [](Index row, const SchurProgram::Step& step) { return row < step.row; });
    const auto step = static_cast<Index>(after - program_.steps.begin()) - 1;
    return {-1, program_.joint_order[step], worst_row_ - program_.steps[step].row};
}

}  // namespace kempe
