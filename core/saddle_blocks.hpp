// The block solver fed with the entries of a sparse Jacobian.
#pragma once

#include <cstdint>
#include <vector>

#include "schur_ldlt.hpp"

namespace kempe {

/// Where entry k of J stands: its row, its velocity, and its place among the dense blocks.
struct SaddleEntries {
    std::vector<std::int32_t> rows, columns, places;
};

/// M and J in blocks, filled from entries of J in any order; entries at one place add up.
class SaddleBlocks {
  public:
    SaddleBlocks(const SaddleLayout& layout, SaddleEntries entries);

    bool set_mass(const double* blocks) { return solver_.set_mass(blocks); }
    bool factor(const double* entries);
    /// [M J^T; J 0] [a; lam] = [f; g]; without lam where it is null.
    void solve(const double* f, const double* g, double* a, double* lam);
    /// g -= J v, with the entries of the last factorisation.
    void subtract_product(const double* v, double* g) const;
    [[nodiscard]] const SchurLDLT& solver() const { return solver_; }
    [[nodiscard]] std::size_t entries() const { return entries_.rows.size(); }
    [[nodiscard]] std::size_t rows() const { return lam_.size(); }
    [[nodiscard]] std::size_t velocities() const { return zero_.size(); }

  private:
    SchurLDLT solver_;
    SaddleEntries entries_;
    std::vector<double> values_, blocks_, lam_, zero_;
};

}  // namespace kempe
