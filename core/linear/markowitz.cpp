// Markowitz order with a threshold on the values of several samples.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear/active_matrix.hpp"
#include "linear/diagonal_blocks.hpp"
#include "linear/order.hpp"

namespace kempe {
namespace {

using Index = std::int32_t;

struct Candidate {
    Index row = Buckets::none;
    Index col = Buckets::none;
    Index slot = Buckets::none;
    std::int64_t cost = 0;
    bool unit = false;
    double ratio = 0.0;

    [[nodiscard]] bool found() const { return row != Buckets::none; }
    [[nodiscard]] bool beats(const Candidate& other) const {
        if (!other.found() || cost != other.cost) return !other.found() || cost < other.cost;
        return unit != other.unit ? unit : ratio > other.ratio;
    }
};

class PivotSearch {
  public:
    PivotSearch(ActiveMatrix& matrix, bool has_units, const MarkowitzLimits& limits)
        : matrix_(matrix), has_units_(has_units), limits_(limits) {}

    [[nodiscard]] Candidate next() {
        const Candidate strong = cheapest();
        return strong.found() ? strong : strongest_of_the_weak();
    }

  private:
    void consider(Index row, Index col, Index slot, double ratio, std::int64_t cost) {
        const Candidate here{row, col, slot, cost, matrix_.is_unit(slot), ratio};
        best_ = here.beats(best_) ? here : best_;
    }

    /// Looks through one column; false where no entry of it is large enough in its row.
    bool look_through_col(Index col, std::int64_t count) {
        bool any = false;
        for (const auto& [row, slot] : matrix_.col(col)) {
            const double ratio = matrix_.is_strong(row) ? matrix_.ratio(row, slot) : 0.0;
            if (ratio >= limits_.threshold) {
                any = true;
                const auto others = static_cast<std::int64_t>(matrix_.row(row).size()) - 1;
                consider(row, col, slot, ratio, (count - 1) * others);
            }
        }
        return any;
    }

    void look_through_row(Index row, std::int64_t count) {
        for (const auto& [col, slot] : matrix_.row(row)) {
            const double ratio = matrix_.ratio(row, slot);
            if (ratio >= limits_.threshold) consider(row, col, slot, ratio, (count - 1) * (matrix_.col_count(col) - 1));
        }
    }

    /// Whether nothing that costs at least `bound` can beat the best.
    [[nodiscard]] bool is_settled(std::int64_t bound) const {
        return best_.found() && (best_.cost < bound || (best_.cost == bound && (best_.unit || !has_units_)));
    }

    /// The cheapest strong pivot in the few shortest columns and rows.
    [[nodiscard]] Candidate cheapest() {
        best_ = {};
        Index looked = 0;
        for (Index count = 1; count <= matrix_.size(); ++count) {
            const std::int64_t bound = (std::int64_t{count} - 1) * (count - 1);
            if (is_settled(bound)) return best_;
            Index next = Buckets::none;
            for (Index col = matrix_.col_queue().first(count); col != Buckets::none; col = next) {
                next = matrix_.col_queue().after(col);
                if (!look_through_col(col, count)) matrix_.park(col);
                else if (++looked >= limits_.lines || is_settled(bound)) return best_;
            }
            for (Index row = matrix_.row_queue().first(count); row != Buckets::none;
                 row = matrix_.row_queue().after(row)) {
                look_through_row(row, count);
                if (++looked >= limits_.lines || is_settled(bound)) return best_;
            }
        }
        return best_;
    }

    /// Where no entry is large enough in every sample: the row that comes closest.
    [[nodiscard]] Candidate strongest_of_the_weak() const {
        constexpr double vanished_somewhere = 1e-6;  // such a row waits for all others
        Index chosen = Buckets::none;
        double most = 0.0;
        for (Index row = 0; row < matrix_.size(); ++row) {
            const double worth = matrix_.best_ratio(row) * (matrix_.has_vanished(row) ? vanished_somewhere : 1.0);
            if (!matrix_.is_row_done(row) && worth > most) {
                most = worth;
                chosen = row;
            }
        }
        Candidate best;
        if (chosen != Buckets::none) {
            for (const auto& [col, slot] : matrix_.row(chosen)) {
                const double ratio = matrix_.ratio(chosen, slot);
                if (ratio > best.ratio) best = {chosen, col, slot, 0, matrix_.is_unit(slot), ratio};
            }
        }
        return best;
    }

    ActiveMatrix& matrix_;
    bool has_units_;
    MarkowitzLimits limits_;
    Candidate best_;
};

/// The entries that stand in diagonal blocks: the others change no pivot.
struct Inside {
    Inside(const Triplets& matrix, std::span<const double> all, std::int32_t samples,
           std::span<const std::uint8_t> flags, const DiagonalBlocks& blocks) {
        std::vector<std::size_t> mine;
        const auto entries = matrix.rows.size();
        for (std::size_t e = 0; e < entries; ++e) {
            if (blocks.of_row[matrix.rows[e]] == blocks.of_column[matrix.cols[e]]) {
                mine.push_back(e);
                rows.push_back(matrix.rows[e]);
                cols.push_back(matrix.cols[e]);
                if (!flags.empty()) unit.push_back(flags[e]);
            }
        }
        values.reserve(mine.size() * static_cast<std::size_t>(samples));
        for (std::int32_t s = 0; s < samples; ++s) {
            const double* sample = all.data() + static_cast<std::size_t>(s) * entries;
            for (const std::size_t e : mine) values.push_back(sample[e]);
        }
    }

    std::vector<Index> rows, cols;
    std::vector<double> values;
    std::vector<std::uint8_t> unit;
};

/// Pivots of blocks that others need before those of the others.
void sort_by_rank(PivotOrder& order, const DiagonalBlocks& blocks) {
    std::vector<std::size_t> steps(order.rows.size());
    std::iota(steps.begin(), steps.end(), std::size_t{0});
    std::ranges::stable_sort(steps, {}, [&](std::size_t k) { return blocks.ranks[blocks.of_row[order.rows[k]]]; });
    std::vector<Index> rows, cols;
    for (const std::size_t k : steps) {
        rows.push_back(order.rows[k]);
        cols.push_back(order.cols[k]);
    }
    order.rows = std::move(rows);
    order.cols = std::move(cols);
}

}  // namespace

PivotOrder markowitz_order(const Triplets& matrix, std::span<const double> values, std::int32_t samples,
                           std::span<const std::uint8_t> unit, const MarkowitzLimits& limits) {
    const bool finite = std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
    const DiagonalBlocks blocks = finite ? diagonal_blocks(matrix) : one_block(matrix.size);
    const Inside inside(matrix, values, samples, unit, blocks);
    ActiveMatrix active({matrix.size, inside.rows, inside.cols}, inside.values, samples, inside.unit, limits);
    PivotSearch search(active, !unit.empty(), limits);
    PivotOrder order;
    for (Candidate pivot = search.next(); pivot.found(); pivot = search.next()) {
        const double ratio = active.has_vanished(pivot.row) ? 0.0 : pivot.ratio;
        order.weakest_ratio = std::min(order.weakest_ratio, ratio);
        order.rows.push_back(pivot.row);
        order.cols.push_back(pivot.col);
        active.eliminate(pivot.row, pivot.col, pivot.slot);
    }
    sort_by_rank(order, blocks);
    for (Index line = 0; line < active.size(); ++line) {
        if (!active.is_row_done(line)) order.left_rows.push_back(line);
        if (!active.is_col_done(line)) order.left_cols.push_back(line);
    }
    return order;
}

}  // namespace kempe
