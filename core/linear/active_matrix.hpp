// The part of a sparse matrix that is left while pivots are taken from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "linear/buckets.hpp"
#include "linear/order.hpp"

namespace kempe {
/// One entry as its row or its column sees it: the other index, and where its values are kept.
struct Place {
    std::int32_t other;
    std::int32_t slot;
};

/// Growing lists of places in one pool; a list that outgrows its room moves to the end.
class Lines {
  public:
    explicit Lines(std::int32_t lines) : begin_(lines, 0), length_(lines, 0), room_(lines, 0) {}

    void reserve_room(const std::vector<std::int32_t>& counts) {
        std::int32_t start = 0;
        for (std::size_t line = 0; line < counts.size(); ++line) {
            begin_[line] = start;
            room_[line] = counts[line] + 2;  // two fills come without moving
            start += room_[line];
        }
        pool_.reserve(2 * static_cast<std::size_t>(start));
        pool_.resize(start);
    }

    [[nodiscard]] std::int32_t length(std::int32_t line) const { return length_[line]; }
    [[nodiscard]] Place& at(std::int32_t line, std::int32_t k) { return pool_[begin_[line] + k]; }
    [[nodiscard]] std::span<const Place> places(std::int32_t line) const {
        return {pool_.data() + begin_[line], static_cast<std::size_t>(length_[line])};
    }
    void shorten(std::int32_t line, std::int32_t length) { length_[line] = length; }

    void append(std::int32_t line, Place place) {
        if (length_[line] == room_[line]) {
            const auto start = static_cast<std::int32_t>(pool_.size());
            room_[line] = 2 * length_[line] + 2;
            pool_.resize(pool_.size() + room_[line]);
            std::copy_n(pool_.begin() + begin_[line], length_[line], pool_.begin() + start);
            begin_[line] = start;
        }
        pool_[begin_[line] + length_[line]++] = place;
    }

  private:
    std::vector<Place> pool_;
    std::vector<std::int32_t> begin_;
    std::vector<std::int32_t> length_;
    std::vector<std::int32_t> room_;
};

/// Rows and columns left, with their values in every sample, queued by their counts.
///
/// A row is strong where some entry of it is large enough beside the others in every sample; only
/// strong rows are queued. A column in which no entry is large enough can be parked: it comes back
/// to its queue when one of its rows changes.
class ActiveMatrix {
  public:
    using Index = std::int32_t;

    ActiveMatrix(const Triplets& matrix, std::span<const double> values, Index samples,
                 std::span<const std::uint8_t> unit, const MarkowitzLimits& limits);

    [[nodiscard]] Index size() const { return size_; }
    [[nodiscard]] const Buckets& row_queue() const { return row_queue_; }
    [[nodiscard]] const Buckets& col_queue() const { return col_queue_; }
    [[nodiscard]] std::span<const Place> row(Index row) const { return rows_.places(row); }
    /// Rows of a column that are left; drops those that are done on the way.
    [[nodiscard]] std::span<const Place> col(Index col);
    [[nodiscard]] Index col_count(Index col) const { return col_count_[col]; }
    [[nodiscard]] bool is_unit(Index slot) const { return unit_[slot] != 0; }
    [[nodiscard]] bool is_strong(Index row) const { return row_strong_[row] != 0; }
    [[nodiscard]] bool is_row_done(Index row) const { return row_done_[row] != 0; }
    [[nodiscard]] bool is_col_done(Index col) const { return col_done_[col] != 0; }
    /// Whether the row has vanished in some sample.
    [[nodiscard]] bool has_vanished(Index row) const { return row_vanished_[row] != 0; }
    /// The largest ratio of any entry of the row.
    [[nodiscard]] double best_ratio(Index row) const { return row_best_[row]; }

    /// |entry| / (largest left in its row), the worst over the samples in which the row lives.
    [[nodiscard]] double ratio(Index row, Index slot) const {
        const double* inverse = row_inverse_.data() + at(row);
        const double* value = values_.data() + at(slot);
        double worst = none_alive;
        for (Index s = 0; s < samples_; ++s)
            if (inverse[s] > 0.0) worst = std::min(worst, std::abs(value[s]) * inverse[s]);
        return worst == none_alive ? 0.0 : worst;
    }

    void park(Index col);
    /// Takes the pivot's row and column out: a_ij -= a_iq a_pj / a_pq for the rest.
    void eliminate(Index pivot_row, Index pivot_col, Index pivot_slot);

  private:
    static constexpr double none_alive = 2.0;  // no ratio is above 1

    [[nodiscard]] std::size_t at(Index line) const {
        return static_cast<std::size_t>(line) * static_cast<std::size_t>(samples_);
    }
    void load(const Triplets& matrix, std::span<const double> values, std::span<const std::uint8_t> unit);
    Index new_slot();
    [[nodiscard]] double largest(Index row, Index sample) const;
    void weigh(Index row);
    void update(Index row, Index factor_slot, Index pivot_col);
    void subtract(Index slot, Index factor_slot, Index k);

    Index size_;
    Index samples_;
    MarkowitzLimits limits_;
    Lines rows_;
    Lines cols_;
    Buckets row_queue_;
    Buckets col_queue_;
    std::vector<Index> col_count_;
    std::vector<std::uint8_t> row_done_;
    std::vector<std::uint8_t> col_done_;
    std::vector<std::uint8_t> row_strong_;
    std::vector<std::uint8_t> row_vanished_;
    std::vector<std::uint8_t> parked_;
    std::vector<double> row_best_;
    std::vector<double> row_scale_;    // largest entry of each row as it came, per sample
    std::vector<double> row_inverse_;  // 1 / largest entry left, 0 where the row has vanished
    std::vector<double> values_;       // slot by slot, sample by sample
    std::vector<std::uint8_t> unit_;
    std::vector<Index> pivot_row_;     // columns of the pivot's row, without the pivot
    std::vector<double> scaled_;       // their entries over the pivot
    std::vector<Index> in_pivot_row_;  // 1 + position in pivot_row_, else 0
    std::vector<Index> met_;           // last row that already had this column
};

}  // namespace kempe
