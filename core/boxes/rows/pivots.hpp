#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// Gauss-Jordan elimination in place, in plain numbers: which mixtures of rows are steep in one unknown
// and flat in the others. A column that becomes a unit vector makes room for what the pivot's row
// contributes to all mixtures.

namespace kempe::boxes {

class Pivots {
  public:
    Pivots(std::size_t rows, std::size_t columns);

    // Eliminates A, row after row. Pivots are chosen by what they mean over the widths of the columns.
    void eliminate(const double* A, const double* widths);

    std::size_t size() const { return size_; }  // mixtures
    std::size_t row(std::size_t r) const { return rows_[r]; }
    std::size_t column(std::size_t r) const { return columns_[r]; }
    // What row(q) contributes to mixture r; other rows contribute nothing.
    double share(std::size_t r, std::size_t q) const { return T_[rows_[r] * n_columns_ + columns_[q]]; }

  private:
    bool choose();

    std::size_t n_rows_, n_columns_, size_ = 0;
    std::vector<double> T_, widths_;
    std::vector<std::size_t> rows_, columns_;
    std::vector<std::uint8_t> is_used_;  // rows
};

}  // namespace kempe::boxes
