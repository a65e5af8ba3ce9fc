#include "boxes/rows/pivots.hpp"

#include <algorithm>
#include <cmath>

#include "interval/interval.hpp"

namespace kempe::boxes {

namespace {

constexpr double least_pivot = 1e-12;

}  // namespace

Pivots::Pivots(std::size_t rows, std::size_t columns)
    : n_rows_(rows), n_columns_(columns), T_(rows * columns), widths_(columns), rows_(std::min(rows, columns)),
      columns_(std::min(rows, columns)), is_used_(rows) {}

// The largest entry times its width; widths of used columns are 0.
bool Pivots::choose() {
    const std::size_t n = n_columns_;
    const double* const widths = widths_.data();
    double best = least_pivot;
    std::size_t row = n_rows_;
    for (std::size_t i = 0; i < n_rows_; ++i) {
        if (is_used_[i]) continue;
        const double* const entries = T_.data() + i * n;
        double most = 0.0;
        for (std::size_t j = 0; j < n; ++j) most = larger(std::abs(entries[j]) * widths[j], most);
        if (most > best) best = most, row = i;
    }
    if (row == n_rows_) return false;
    std::size_t column = 0;
    while (std::abs(T_[row * n + column]) * widths[column] != best) ++column;
    rows_[size_] = row;
    columns_[size_] = column;
    is_used_[row] = 1;
    widths_[column] = 0.0;
    ++size_;
    return true;
}

void Pivots::eliminate(const double* A, const double* widths) {
    std::copy_n(A, T_.size(), T_.begin());
    std::copy_n(widths, n_columns_, widths_.begin());
    std::fill(is_used_.begin(), is_used_.end(), std::uint8_t{0});
    size_ = 0;
    const std::size_t n = n_columns_;
    while (size_ < rows_.size() && choose()) {
        const std::size_t row = rows_[size_ - 1], column = columns_[size_ - 1];
        double* const pivot = T_.data() + row * n;
        const double scale = 1.0 / pivot[column];
        pivot[column] = 1.0;
        for (std::size_t j = 0; j < n; ++j) pivot[j] *= scale;
        for (std::size_t i = 0; i < n_rows_; ++i) {
            double* const other = T_.data() + i * n;
            const double f = other[column];
            if (i == row || f == 0.0) continue;
            other[column] = 0.0;
            for (std::size_t j = 0; j < n; ++j) other[j] -= f * pivot[j];
        }
    }
}

}  // namespace kempe::boxes
