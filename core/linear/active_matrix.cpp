#include "linear/active_matrix.hpp"

#include "linear/magnitude.hpp"

namespace kempe {

using Index = ActiveMatrix::Index;

ActiveMatrix::ActiveMatrix(const Triplets& matrix, std::span<const double> values, Index samples,
                           std::span<const std::uint8_t> unit, const MarkowitzLimits& limits)
    : size_(matrix.size), samples_(samples), limits_(limits), rows_(size_), cols_(size_), row_queue_(size_, size_ + 1),
      col_queue_(size_, size_ + 1), col_count_(size_, 0), row_done_(size_, 0), col_done_(size_, 0),
      row_strong_(size_, 0), row_vanished_(size_, 0), parked_(size_, 0), row_best_(size_, 0.0),
      row_scale_(at(size_), 0.0), row_inverse_(at(size_), 0.0), in_pivot_row_(size_, 0) {
    load(matrix, values, unit);
    for (Index row = 0; row < size_; ++row) {
        for (Index s = 0; s < samples_; ++s) row_scale_[at(row) + s] = largest(row, s);
        weigh(row);
    }
    for (Index col = 0; col < size_; ++col) col_queue_.append(col, col_count_[col]);
}

/// Fills the lines; entries given at the same place are summed and are no units.
void ActiveMatrix::load(const Triplets& matrix, std::span<const double> values, std::span<const std::uint8_t> unit) {
    const std::size_t entries = matrix.rows.size();
    std::vector<Index> row_count(size_, 0);
    std::vector<Index> col_count(size_, 0);
    for (std::size_t e = 0; e < entries; ++e) {
        ++row_count[matrix.rows[e]];
        ++col_count[matrix.cols[e]];
    }
    rows_.reserve_room(row_count);
    cols_.reserve_room(col_count);
    values_.reserve(2 * entries * samples_);
    unit_.reserve(2 * entries);
    for (std::size_t e = 0; e < entries; ++e) rows_.append(matrix.rows[e], {matrix.cols[e], static_cast<Index>(e)});
    std::vector<Index> slot_of_col(size_, Buckets::none);
    for (Index row = 0; row < size_; ++row) {
        Index kept = 0;
        for (Index k = 0; k < rows_.length(row); ++k) {
            const auto [col, e] = rows_.at(row, k);
            const bool again = slot_of_col[col] != Buckets::none;
            const Index slot = again ? slot_of_col[col] : new_slot();
            for (Index s = 0; s < samples_; ++s) values_[at(slot) + s] += values[s * entries + e];
            unit_[slot] = !again && !unit.empty() && unit[e] != 0;
            if (!again) {
                slot_of_col[col] = slot;
                rows_.at(row, kept++) = {col, slot};
                cols_.append(col, {row, slot});
                ++col_count_[col];
            }
        }
        rows_.shorten(row, kept);
        for (const Place& place : rows_.places(row)) slot_of_col[place.other] = Buckets::none;
    }
}

Index ActiveMatrix::new_slot() {
    values_.resize(values_.size() + samples_, 0.0);
    unit_.push_back(0);
    return static_cast<Index>(unit_.size()) - 1;
}

/// The largest magnitude in the row; NaN or infinity where it holds one.
double ActiveMatrix::largest(Index row, Index sample) const {
    std::uint64_t most = 0;
    for (const Place& place : rows_.places(row))
        most = std::max(most, magnitude_bits(values_[at(place.slot) + sample]));
    return std::bit_cast<double>(most);
}

/// Finds the row's largest entry in each sample and whether it may give a pivot now.
void ActiveMatrix::weigh(Index row) {
    row_vanished_[row] = 0;
    for (Index s = 0; s < samples_; ++s) {
        const double most = largest(row, s);
        const bool lives = most > limits_.vanished * row_scale_[at(row) + s];  // not if NaN
        row_inverse_[at(row) + s] = lives ? 1.0 / most : 0.0;
        row_vanished_[row] |= lives ? 0 : 1;
    }
    double best = samples_ == 1 && row_vanished_[row] == 0 ? 1.0 : 0.0;
    if (samples_ > 1)
        for (const Place& place : rows_.places(row)) best = std::max(best, ratio(row, place.slot));
    row_best_[row] = best;
    row_strong_[row] = row_vanished_[row] == 0 && best >= limits_.threshold;
    if (row_strong_[row] != 0) row_queue_.move(row, rows_.length(row));
    else row_queue_.remove(row);
}

std::span<const Place> ActiveMatrix::col(Index col) {
    Index kept = 0;
    for (Index k = 0; k < cols_.length(col); ++k) {
        const Place place = cols_.at(col, k);
        if (row_done_[place.other] == 0) cols_.at(col, kept++) = place;
    }
    cols_.shorten(col, kept);
    return cols_.places(col);
}

void ActiveMatrix::park(Index col) {
    col_queue_.remove(col);
    parked_[col] = 1;
}

void ActiveMatrix::eliminate(Index pivot_row, Index pivot_col, Index pivot_slot) {
    row_done_[pivot_row] = 1;
    col_done_[pivot_col] = 1;
    row_queue_.remove(pivot_row);
    col_queue_.remove(pivot_col);
    pivot_row_.clear();
    scaled_.clear();
    for (const auto& [col, slot] : rows_.places(pivot_row)) {
        if (col == pivot_col) continue;
        pivot_row_.push_back(col);
        in_pivot_row_[col] = static_cast<Index>(pivot_row_.size());
        for (Index s = 0; s < samples_; ++s) {  // in a sample without the row there is no step
            const bool lives = row_inverse_[at(pivot_row) + s] > 0.0;
            const double divisor = values_[at(pivot_slot) + s];
            scaled_.push_back(lives ? values_[at(slot) + s] / divisor : 0.0);
        }
        --col_count_[col];
    }
    met_.assign(pivot_row_.size(), Buckets::none);
    for (Index k = 0; k < cols_.length(pivot_col); ++k) {
        const auto [row, slot] = cols_.at(pivot_col, k);  // a copy: fills move the lists
        if (row_done_[row] == 0) update(row, slot, pivot_col);
    }
    for (const Index col : pivot_row_) {
        in_pivot_row_[col] = 0;
        parked_[col] = 0;
        col_queue_.move(col, col_count_[col]);
    }
}

/// Subtracts the pivot row from one row; the entry in the pivot's column leaves.
void ActiveMatrix::update(Index row, Index factor_slot, Index pivot_col) {
    Index kept = 0;
    for (Index k = 0; k < rows_.length(row); ++k) {
        const Place place = rows_.at(row, k);
        if (place.other == pivot_col) continue;
        rows_.at(row, kept++) = place;
        if (const Index met = in_pivot_row_[place.other]; met != 0) {
            met_[met - 1] = row;
            subtract(place.slot, factor_slot, met - 1);
        } else if (parked_[place.other] != 0) {
            parked_[place.other] = 0;
            col_queue_.append(place.other, col_count_[place.other]);
        }
    }
    rows_.shorten(row, kept);
    for (std::size_t k = 0; k < pivot_row_.size(); ++k) {
        if (met_[k] != row) {
            const Index slot = new_slot();
            rows_.append(row, {pivot_row_[k], slot});
            cols_.append(pivot_row_[k], {row, slot});
            ++col_count_[pivot_row_[k]];
            subtract(slot, factor_slot, static_cast<Index>(k));
        }
    }
    weigh(row);
}

void ActiveMatrix::subtract(Index slot, Index factor_slot, Index k) {
    unit_[slot] = 0;
    for (Index s = 0; s < samples_; ++s) values_[at(slot) + s] -= values_[at(factor_slot) + s] * scaled_[at(k) + s];
}

}  // namespace kempe
