// Accelerations and multipliers where the masses differ too much to be eliminated first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "linear/sparse_lu.hpp"
#include "schur/schur_program.hpp"

namespace kempe {

/// A pivot of J M^-1 J^T over its diagonal below which uneven masses have cost too many digits.
inline constexpr double smallest_uneven_pivot = 1e-3;
/// The least error that such a pivot leaves in accelerations, times the pivot: rounding, added up a few times.
inline constexpr double error_of_pivot = 2e-15;
/// The pivot below which accelerations lose more digits than an error of theirs, beside their size, allows.
inline double uneven_pivot(double allowed_error) {
    return error_of_pivot < smallest_uneven_pivot * allowed_error ? error_of_pivot / allowed_error
                                                                  : smallest_uneven_pivot;
}

/// [M J^T; J 0] [a; lam] = [f; g] factored as a whole, by a sparse LU that pivots; every solve is
/// refined until what is left is rounding beside the terms of each single equation.
///
/// J M^-1 J^T adds up what differs by the ratio of the masses, and loses as many digits: a light body
/// between heavy ones, a thin rod. Bodies without mass in some direction have no M^-1 at all.
class WholeSaddle {
  public:
    /// Row and velocity of every entry of J that will be given; entries of rows from `solved` on are
    /// left out.
    void set_pattern(std::vector<std::int32_t> rows, std::vector<std::int32_t> columns, std::size_t velocities,
                     std::size_t solved);
    [[nodiscard]] bool has_pattern() const { return has_pattern_; }
    void set_mass(std::span<const SchurProgram::Body> bodies, const double* blocks);
    /// Other masses, zero where those before were; whether they are uneven is not asked again.
    void change_mass(std::span<const SchurProgram::Body> bodies, const double* blocks);

    /// Whether masses, or moments beside masses, differ by many powers of ten: as they are, or as the
    /// rows feel them.
    [[nodiscard]] bool is_uneven() const { return is_uneven_; }
    /// Whether they have been looked at since `set_mass`.
    [[nodiscard]] bool is_judged() const { return is_judged_; }
    /// Looks at the masses as the rows feel them: where J M^-1 J^T has a far smaller pivot than J J^T,
    /// which `geometric_pivot()` says, the masses are uneven. Does so once after `set_mass`.
    ///
    /// Both must be eliminated in much the same order: from the free end of a chain of n equal links
    /// to the ground the last pivot is 1/n of its diagonal, the other way none is below 1/2.
    template <class Pivot> void judge_masses(double pivot, Pivot geometric_pivot) {
        if (!is_judged_) {
            is_judged_ = true;
            if (!is_uneven_ && !(pivot > smallest_uneven_pivot)) is_uneven_ = geometric_pivot() > uneven_pivots * pivot;
        }
    }
    /// The smallest pivot of J J^T over its diagonal, the columns of J scaled to 1, then its rows.
    [[nodiscard]] double geometric_pivot(const double* entries);
    /// Whether rows with that smallest pivot of J J^T are independent whatever the masses: it is above
    /// `floor`; above far less where the masses differ so much that nothing else will do.
    [[nodiscard]] bool is_independent(double geometric_pivot, double floor) const;
    bool factor(const double* entries);
    /// lam of the solved rows; f may be null for 0, and lam where it is not wanted.
    void solve(const double* f, const double* g, double* a, double* lam);
    /// g -= J v of the solved rows, with the entries of the last factorisation.
    void subtract_product(const double* v, double* g) const;
    [[nodiscard]] double smallest_pivot_ratio() const { return lu_.smallest_pivot_ratio(); }
    [[nodiscard]] std::size_t bytes() const;

  private:
    static constexpr double uneven_pivots = 100.0;

    void assemble();
    [[nodiscard]] double least_moment() const;
    void arrange_geometry();
    void refine();
    template <class Act> void each_entry(const double* entries, Act act) const;

    std::size_t velocities_ = 0, solved_ = 0;
    std::vector<std::int32_t> entry_rows_, entry_columns_;  // of J
    bool has_pattern_ = false;
    bool is_uneven_ = false, is_judged_ = false;
    std::vector<std::int32_t> mass_rows_, mass_columns_;
    std::vector<double> mass_values_;
    bool assembled_ = false, analyzed_ = false;
    std::vector<std::int32_t> rows_, columns_;  // of the whole: M, then J^T and J entry by entry
    std::vector<double> values_, right_, x_, rest_, size_;
    SparseLU lu_;
    std::optional<SparseLU> geometry_;
    std::vector<double> geometry_values_, column_scales_, row_scales_;
};

}  // namespace kempe
