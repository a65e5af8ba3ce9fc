// The solved rows of a Jacobian and their factors.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "linear/sparse_lu.hpp"

namespace kempe {

/// Signs (+1, -1) of the determinants of the Jacobian's diagonal blocks: the branch one is on.
///
/// A single determinant would not do: it keeps its sign where two loops fold flat at once.
using Signs = std::vector<std::int8_t>;

/// How a factorisation went; `weak` can be solved with fewer digits.
enum class Factor : std::uint8_t { sound, weak, singular };

/// Takes the entries of the first `size` rows of a matrix out of the list of all and keeps them factored.
///
/// The constructor refuses entries outside a matrix of `all_rows` rows and `all_columns` columns.
class JacobianLU {
  public:
    JacobianLU(std::size_t size, std::size_t all_rows, std::size_t all_columns, const std::vector<std::int32_t>& rows,
               const std::vector<std::int32_t>& columns);

    /// Columns are measured in 1 / steps, rounded to powers of 2 so that no digit changes.
    void set_steps(const double* steps);
    /// From the full list as an array; nothing is copied where every row is solved.
    Factor factor(const double* entries) {
        return is_whole_ ? factor_values(entries) : factor([&](std::size_t k) { return entries[k]; });
    }
    /// `entry(k)` gives the value of entry k of the full list.
    template <class Entry>
        requires std::is_invocable_v<Entry, std::size_t>
    Factor factor(Entry entry) {
        for (std::size_t k = 0; k < places_.size(); ++k) values_[k] = entry(static_cast<std::size_t>(places_[k]));
        return factor_values(values_.data());
    }
    void solve(const double* b, double* x);
    /// Signs of the determinants of the diagonal blocks, the same in every order of the pivots.
    void signs(Signs& out);
    [[nodiscard]] double smallest_pivot_ratio() const { return lu_.smallest_pivot_ratio(); }

  private:
    Factor factor_values(const double* values);
    void arrange_blocks();

    std::size_t size_;
    std::vector<std::int32_t> places_, rows_, columns_;
    std::vector<double> values_;
    std::vector<double> units_;  // of the columns; empty: all 1
    SparseLU lu_;
    std::vector<std::int32_t> block_of_row_, block_of_step_;
    Signs order_signs_;  // what the order of the pivots does to each block's determinant
    std::int32_t arranged_ = -1;  // for which reordering
    bool is_whole_ = false;
    bool analyzed_ = false;
};

}  // namespace kempe
