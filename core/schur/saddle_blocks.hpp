// The block solver fed with the entries of a sparse Jacobian.
#pragma once

#include <cstdint>
#include <vector>

#include "schur/schur_ldlt.hpp"
#include "schur/whole_saddle.hpp"

namespace kempe {

/// Where entry k of J stands: its row, its velocity, and its place among the dense blocks.
struct SaddleEntries {
    std::vector<std::int32_t> rows, columns, places;
};

/// M and J in blocks, filled from entries of J in any order; entries at one place add up.
///
/// Where a body has no mass in some direction, M cannot be eliminated first: [M J^T; J 0] of the
/// first `solved` rows is then factored as a whole; so it is, on request, where J M^-1 J^T is bad by
/// the masses alone.
class SaddleBlocks {
  public:
    SaddleBlocks(const SaddleLayout& layout, SaddleEntries entries, std::size_t solved);

    void set_mass(const double* blocks);
    /// Other masses of the same bodies along a motion: what was learned of the masses before still holds.
    void change_mass(const double* blocks);
    /// Whether some body has no mass in some direction.
    [[nodiscard]] bool is_massless() const { return is_massless_; }
    /// Whether no velocities but these are without mass.
    [[nodiscard]] bool has_mass_but_in(const std::vector<std::int32_t>& velocities, const double* blocks) const;
    /// Whether masses differ by many powers of ten.
    [[nodiscard]] bool is_uneven() const { return whole_.is_uneven(); }
    /// Whether the masses have been looked at as the rows feel them, and the look at them.
    [[nodiscard]] bool is_judged() const { return whole_.is_judged(); }
    template <class Entries> void judge_masses(double pivot, Entries entries) {
        whole_.judge_masses(pivot, [&] { return whole_.geometric_pivot(entries()); });
    }
    bool factor(const double* entries);
    /// Factors [M J^T; J 0] of the solved rows as a whole, where they are independent whatever the
    /// masses, by pivots above `floor`, or are known to be. False where they are not: `factor` is to be asked.
    bool factor_whole(const double* entries, double floor, bool is_independent);
    /// [M J^T; J 0] [a; lam] = [f; g]; without lam where it is null.
    void solve(const double* f, const double* g, double* a, double* lam);
    /// g -= J v, with the entries of the last factorisation.
    void subtract_product(const double* v, double* g) const;
    /// Whether the last factorisation was damped.
    [[nodiscard]] bool damped() const { return !by_whole_ && solver_.damped(); }
    [[nodiscard]] double smallest_pivot_ratio() const {
        return by_whole_ ? whole_.smallest_pivot_ratio() : solver_.smallest_pivot_ratio();
    }
    [[nodiscard]] std::size_t entries() const { return entries_.rows.size(); }
    [[nodiscard]] std::size_t rows() const { return lam_.size(); }
    [[nodiscard]] std::size_t velocities() const { return zero_.size(); }
    [[nodiscard]] std::size_t mass_numbers() const { return static_cast<std::size_t>(solver_.program().mass_values); }
    [[nodiscard]] std::size_t bytes() const;

  private:
    SchurLDLT solver_;
    SaddleEntries entries_;
    std::size_t solved_;
    std::vector<double> values_, blocks_, lam_, zero_;
    WholeSaddle whole_;
    bool is_massless_ = false;
    bool by_whole_ = false;  // the last factorisation
};

}  // namespace kempe
