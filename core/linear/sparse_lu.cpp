#include "linear/sparse_lu.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "linear/bytes.hpp"
#include "linear/magnitude.hpp"

namespace kempe {
namespace {

using Index = std::int32_t;

constexpr int wide = 8;  // right-hand sides solved together

/// The largest magnitude, NaN where any number is not finite.
///
/// Four running maxima and sums, because one would wait for itself; a sum is finite exactly where
/// every number in it is.
template <class Magnitude> double largest(std::size_t count, Magnitude magnitude) {
    double m0 = 0.0, m1 = 0.0, m2 = 0.0, m3 = 0.0;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        const double x0 = magnitude(k), x1 = magnitude(k + 1);
        const double x2 = magnitude(k + 2), x3 = magnitude(k + 3);
        m0 = x0 > m0 ? x0 : m0;
        m1 = x1 > m1 ? x1 : m1;
        m2 = x2 > m2 ? x2 : m2;
        m3 = x3 > m3 ? x3 : m3;
        s0 += x0;
        s1 += x1;
        s2 += x2;
        s3 += x3;
    }
    for (; k < count; ++k) {
        const double x = magnitude(k);
        m0 = x > m0 ? x : m0;
        s0 += x;
    }
    return std::max(std::max(m0, m1), std::max(m2, m3)) + ((s0 + s1) + (s2 + s3)) * 0.0;
}

/// Pairs what is left over, in ascending order, so that a singular matrix still has a program.
PivotOrder completed(PivotOrder order) {
    order.rows.insert(order.rows.end(), order.left_rows.begin(), order.left_rows.end());
    order.cols.insert(order.cols.end(), order.left_cols.begin(), order.left_cols.end());
    order.left_rows.clear();
    order.left_cols.clear();
    return order;
}

}  // namespace

bool SparseLU::analyze(const Triplets& matrix, std::span<const double> values, std::int32_t samples,
                       const LuLimits& limits) {
    PivotOrder order = markowitz_order(matrix, values, samples, {}, limits.order);
    const bool complete = order.is_complete();
    const PivotPlace stop = complete ? PivotPlace{} : PivotPlace{order.left_rows[0], order.left_cols[0], 0.0};
    analyze_in_order(matrix, completed(std::move(order)), limits);
    stopped_ = stop;
    outcome_ = complete ? LuOutcome::empty : LuOutcome::singular;
    return complete;
}

void SparseLU::analyze_in_order(const Triplets& matrix, const PivotOrder& order, const LuLimits& limits) {
    limits_ = limits;
    rows_.assign(matrix.rows.begin(), matrix.rows.end());
    cols_.assign(matrix.cols.begin(), matrix.cols.end());
    reorderings_ = 0;
    adopt(elimination_program(matrix, order));
}

void SparseLU::adopt(EliminationProgram program) {
    program_ = std::move(program);
    values_.assign(program_.values(), 0.0);
    inverse_.assign(program_.size, 0.0);
    scale_.assign(program_.size, 0);
    merged_.assign(program_.merge_into.empty() ? 0 : program_.load_target.size(), 0.0);
    work_.assign(static_cast<std::size_t>(program_.size) * wide, 0.0);
    const auto ends = [this](const std::vector<Index>& steps) {
        std::vector<Index> found(program_.size, 0);
        for (const Index step : steps) ++found[step];
        std::partial_sum(found.begin(), found.end(), found.begin());
        return found;
    };
    lower_ends_ = ends(program_.lower_step);
    upper_ends_ = ends(program_.upper_step);
    outcome_ = LuOutcome::empty;
    stopped_ = {};
    smallest_ratio_ = 0.0;
}

std::size_t SparseLU::bytes() const {
    const EliminationProgram& p = program_;
    return bytes_of(p.row_of_step, p.col_of_step, p.levels, p.updates, p.panels, p.panel_targets, p.upper_step,
                    p.upper_col, p.lower_row, p.lower_step, p.merge_into, p.load_target, p.row_groups, p.group_step,
                    p.group_entry) +
           bytes_of(rows_, cols_, values_, inverse_, scale_, merged_, work_, lower_ends_, upper_ends_);
}

bool SparseLU::factor(const double* values) {
    load(values);
    eliminate();
    return judge();
}

bool SparseLU::refactor_with_new_order(const double* values) {
    const Triplets matrix{program_.size, rows_, cols_};
    const PivotOrder order = markowitz_order(matrix, {values, rows_.size()}, 1, {}, limits_.order);
    if (!order.is_complete()) {
        outcome_ = LuOutcome::singular;
        stopped_ = {order.left_rows[0], order.left_cols[0], 0.0};
        smallest_ratio_ = 0.0;
        return false;
    }
    adopt(elimination_program(matrix, order));
    ++reorderings_;
    const bool sound = factor(values);
    if (outcome_ == LuOutcome::vanished_pivot) outcome_ = LuOutcome::singular;
    return sound;
}

/// Puts the given values in their places, zeros in the fill, and notes each row's largest entry.
void SparseLU::load(const double* values) {
    const double* given = values;
    if (!program_.merge_into.empty()) {
        std::fill(merged_.begin(), merged_.end(), 0.0);
        for (std::size_t e = 0; e < program_.merge_into.size(); ++e) merged_[program_.merge_into[e]] += values[e];
        given = merged_.data();
    }
    std::fill(values_.begin(), values_.end(), 0.0);
    for (std::size_t e = 0; e < program_.load_target.size(); ++e) values_[program_.load_target[e]] = given[e];
    // Magnitudes are compared as integers: there NaN is above infinity and is not lost.
    std::uint64_t* scale = scale_.data();
    const Index* entry = program_.group_entry.data();
    for (const auto [length, count] : program_.row_groups) {
        std::fill_n(scale, count, std::uint64_t{0});
        for (Index k = 0; k < length; ++k, entry += count)
            for (Index row = 0; row < count; ++row)
                scale[row] = std::max(scale[row], magnitude_bits(given[entry[row]]));
        scale += count;
    }
}

/// Level by level: 1 / pivot, rows of U over their pivot, then a_ij -= l_ik u_kj.
void SparseLU::eliminate() {
    double* const w = values_.data();
    double* const upper = w + program_.size;
    double* const inverse = inverse_.data();
    const EliminationProgram::Update* update = program_.updates.data();
    const EliminationProgram::Panel* panel = program_.panels.data();
    const Index* const upper_step = program_.upper_step.data();
    Index step = 0;
    Index e = 0;
    for (const EliminationProgram::Level& level : program_.levels) {
        for (; step < level.step_end; ++step) inverse[step] = 1.0 / w[step];
        for (; e < level.upper_end; ++e) upper[e] *= inverse[upper_step[e]];
        for (const auto* end = program_.updates.data() + level.update_end; update != end; ++update)
            w[update->target] -= w[update->lower] * w[update->upper];
        for (const auto* end = program_.panels.data() + level.panel_end; panel != end; ++panel) {
            const Index* target = program_.panel_targets.data() + panel->targets_begin;
            for (Index i = 0; i < panel->lowers; ++i, target += panel->uppers) {
                const double factor = w[panel->lower_begin + i];
                const double* const row = w + panel->upper_begin;
                for (Index j = 0; j < panel->uppers; ++j) w[target[j]] -= factor * row[j];
            }
        }
    }
}

/// Compares every pivot with what is left of its row and with its row as it was given.
bool SparseLU::judge() {
    const auto size = static_cast<std::size_t>(program_.size);
    const double* const upper = values_.data() + size;
    const double beside = largest(program_.uppers, [&](std::size_t e) { return std::abs(upper[e]); });
    const double before = largest(size, [&](std::size_t k) {
        return std::bit_cast<double>(scale_[k]) * std::abs(inverse_[program_.group_step[k]]);
    });
    // Both are NaN where anything is not finite, and the comparisons are written so that NaN fails.
    const bool lives = before * limits_.vanished <= 1.0 && beside * limits_.vanished <= 1.0;
    const bool sound = lives && beside * limits_.weak <= 1.0;
    smallest_ratio_ = lives ? 1.0 / std::max({1.0, beside, before}) : 0.0;
    outcome_ = sound ? LuOutcome::factored : lives ? LuOutcome::weak_pivot : LuOutcome::vanished_pivot;
    stopped_ = lives ? PivotPlace{} : weakest_pivot();
    return sound;
}

PivotPlace SparseLU::weakest_pivot() const {
    std::vector<double> before(program_.size);
    for (Index k = 0; k < program_.size; ++k) {
        const Index step = program_.group_step[k];
        before[step] = std::bit_cast<double>(scale_[k]) * std::abs(inverse_[step]);
    }
    PivotPlace place;
    Index e = 0;
    for (Index step = 0; step < program_.size; ++step) {
        double worst = before[step];
        for (; e < program_.uppers && program_.upper_step[e] == step; ++e) {
            const double size = std::abs(values_[program_.size + e]);
            worst = size <= worst ? worst : size;
        }
        const double ratio = worst > 0.0 ? 1.0 / worst : 0.0;  // NaN and inf give 0
        if (place.row < 0 || ratio < place.ratio)
            place = {program_.row_of_step[step], program_.col_of_step[step], ratio};
    }
    return place;
}

/// L y = b, then U x = y, in place and in step order: what a step needs of others stays in registers.
template <int Lanes> void SparseLU::substitute() {
    double* const y = work_.data();
    const double* const upper = values_.data() + program_.size;
    const double* const lower = upper + program_.uppers;
    const Index *const lower_row = program_.lower_row.data(), *const upper_col = program_.upper_col.data();
    Index e = 0;
    for (Index step = 0; step < program_.size; ++step) {
        double* const from = y + static_cast<std::size_t>(step) * Lanes;
        for (int lane = 0; lane < Lanes; ++lane) from[lane] *= inverse_[step];
        for (const Index end = lower_ends_[step]; e < end; ++e) {
            double* const to = y + static_cast<std::size_t>(lower_row[e]) * Lanes;
            const double factor = lower[e];
            for (int lane = 0; lane < Lanes; ++lane) to[lane] -= factor * from[lane];
        }
    }
    e = program_.uppers - 1;
    for (Index step = program_.size - 1; step >= 0; --step) {
        double* const to = y + static_cast<std::size_t>(step) * Lanes;
        double sums[Lanes];
        std::copy_n(to, Lanes, sums);
        for (const Index begin = step > 0 ? upper_ends_[step - 1] : 0; e >= begin; --e) {
            const double* const from = y + static_cast<std::size_t>(upper_col[e]) * Lanes;
            const double factor = upper[e];
            for (int lane = 0; lane < Lanes; ++lane) sums[lane] -= factor * from[lane];
        }
        std::copy_n(sums, Lanes, to);
    }
}

template <int Lanes> void SparseLU::solve_lanes(const double* b, double* x) {
    const auto size = static_cast<std::size_t>(program_.size);
    for (std::size_t step = 0; step < size; ++step)
        for (int lane = 0; lane < Lanes; ++lane)
            work_[step * Lanes + lane] = b[lane * size + program_.row_of_step[step]];
    substitute<Lanes>();
    for (std::size_t step = 0; step < size; ++step)
        for (int lane = 0; lane < Lanes; ++lane)
            x[lane * size + program_.col_of_step[step]] = work_[step * Lanes + lane];
}

void SparseLU::solve(const double* b, double* x) { solve_lanes<1>(b, x); }

void SparseLU::solve_several(const double* b, double* x, std::int32_t count) {
    const auto size = static_cast<std::size_t>(program_.size);
    Index k = 0;
    for (; k + wide <= count; k += wide) solve_lanes<wide>(b + k * size, x + k * size);
    for (; k < count; ++k) solve_lanes<1>(b + k * size, x + k * size);
}

/// U^T z = b, then L^T x = z.
void SparseLU::solve_transposed(const double* b, double* x) {
    double* const z = work_.data();
    const double* const upper = values_.data() + program_.size;
    const double* const lower = upper + program_.uppers;
    for (Index step = 0; step < program_.size; ++step) z[step] = b[program_.col_of_step[step]];
    for (Index e = 0; e < program_.uppers; ++e) z[program_.upper_col[e]] -= upper[e] * z[program_.upper_step[e]];
    for (Index e = program_.lowers - 1; e >= 0; --e) {
        const Index row = program_.lower_row[e];
        z[program_.lower_step[e]] -= lower[e] * (z[row] * inverse_[row]);
    }
    for (Index step = 0; step < program_.size; ++step) x[program_.row_of_step[step]] = z[step] * inverse_[step];
}

}  // namespace kempe
