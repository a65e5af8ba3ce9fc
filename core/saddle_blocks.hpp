// The block solver fed with the entries of a sparse Jacobian.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "jacobian_lu.hpp"
#include "schur_ldlt.hpp"

namespace kempe {

/// Where entry k of J stands: its row, its velocity, and its place among the dense blocks.
struct SaddleEntries {
    std::vector<std::int32_t> rows, columns, places;
};

/// M and J in blocks, filled from entries of J in any order; entries at one place add up.
///
/// Where a body has no mass in some direction, M cannot be eliminated first: [M J^T; J 0] of the
/// first `solved` rows is then factored as a whole, by a sparse LU that pivots, and every solve is
/// refined. So it is where J M^-1 J^T is bad by the masses alone: a light body between heavy ones,
/// a thin rod. J M^-1 J^T adds up what differs by the ratio of the masses, and loses as many digits.
class SaddleBlocks {
  public:
    SaddleBlocks(const SaddleLayout& layout, SaddleEntries entries, std::size_t solved);

    void set_mass(const double* blocks);
    /// Whether some body has no mass in some direction.
    [[nodiscard]] bool is_whole() const { return is_massless_; }
    bool factor(const double* entries);
    /// Factors [M J^T; J 0] of the solved rows as a whole, where those are independent whatever the
    /// masses: the pivots of J J^T, rows and columns of J scaled to 1, are above `floor` (and above
    /// far less where the masses differ so much that nothing else will do). False where they are
    /// not: `factor` is to be asked.
    bool factor_whole(const double* entries, double floor);
    /// [M J^T; J 0] [a; lam] = [f; g]; without lam where it is null.
    void solve(const double* f, const double* g, double* a, double* lam);
    /// g -= J v, with the entries of the last factorisation.
    void subtract_product(const double* v, double* g) const;
    /// Whether the last factorisation was damped.
    [[nodiscard]] bool damped() const { return !by_whole_ && solver_.damped(); }
    [[nodiscard]] double smallest_pivot_ratio() const {
        return by_whole_ ? whole_->smallest_pivot_ratio() : solver_.smallest_pivot_ratio();
    }
    [[nodiscard]] std::size_t entries() const { return entries_.rows.size(); }
    [[nodiscard]] std::size_t rows() const { return lam_.size(); }
    [[nodiscard]] std::size_t velocities() const { return zero_.size(); }
    [[nodiscard]] std::size_t bytes() const;

  private:
    void assemble_whole();
    bool put_whole();
    void solve_whole();
    [[nodiscard]] double geometric_pivot();

    SchurLDLT solver_;
    SaddleEntries entries_;
    std::size_t solved_;
    std::vector<double> values_, blocks_, lam_, zero_;
    std::vector<double> mass_;
    bool is_massless_ = false;   // some body has no mass in some direction
    bool is_uneven_ = false;     // masses differ by many powers of ten
    bool by_whole_ = false;      // the last factorisation
    std::optional<JacobianLU> whole_;
    std::vector<std::int32_t> whole_rows_, whole_columns_;
    std::vector<double> whole_values_, whole_right_, whole_x_, whole_rest_, whole_size_;
    std::size_t masses_ = 0;  // entries of M in front of those of J
    std::optional<SparseLU> geometry_;
    std::vector<double> geometry_values_, column_scales_, row_scales_;
};

}  // namespace kempe
