// The solved rows of a Jacobian and their factors.
#pragma once

#include <cstdint>
#include <vector>

#include "sparse_lu.hpp"
#include "system.hpp"

namespace kempe {

/// Takes the entries of the first `size` rows out of a longer list and keeps them factored.
class JacobianLU {
  public:
    JacobianLU(std::size_t size, const std::vector<std::int32_t>& rows,
               const std::vector<std::int32_t>& columns);

    /// `entry(k)` gives the value of entry k of the full list.
    template <class Entry> Factor factor(Entry entry) {
        for (std::size_t k = 0; k < places_.size(); ++k) {
            values_[k] = entry(static_cast<std::size_t>(places_[k]));
        }
        return factor_values();
    }
    void solve(const double* b, double* x) { lu_.solve(b, x); }
    [[nodiscard]] int determinant_sign() const { return lu_.determinant_sign(); }
    [[nodiscard]] double smallest_pivot_ratio() const { return lu_.smallest_pivot_ratio(); }

  private:
    Factor factor_values();

    std::size_t size_;
    std::vector<std::int32_t> places_, rows_, columns_;
    std::vector<double> values_;
    SparseLU lu_;
    bool analyzed_ = false;
};

}  // namespace kempe
