// Closing loops: damped least squares from a guess.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kinematics/system.hpp"

namespace kempe {

/// What counts as closed, and in which units.
struct ClosingScale {
    std::vector<double> rows;          // |phi_i| rows_i is compared with the tolerance
    std::vector<double> columns;       // unit of every displacement; 0 holds it still
    std::vector<std::int32_t> row_of;  // row and column of every entry of the Jacobian
    std::vector<std::int32_t> column_of;
    std::vector<std::int32_t> followed;  // turns counted on from step to step, not from the start
    double tolerance = 1e-13;
    int most_iterations = 60;
};

/// How a search ended; it has closed the loops where `residual` is small enough.
struct Closing {
    double residual = 0.0;  // the largest weighted row; infinite where one is not finite
    double slope = 0.0;     // |J^T f| / |f|, 0 where no small displacement brings it nearer
    int iterations = 0;
};

/// Minimises |rows phi|^2 over displacements of q by Levenberg-Marquardt steps.
///
/// (J^T J + mu I) d = -J^T f, by a QR of [J; sqrt(mu) I]; mu falls on success and rises on failure;
/// no step is longer than 1.5 units.
///
/// Source: [More] for the damping.
class Closer {
  public:
    Closer(KinematicSystem& system, ClosingScale scale);

    /// Moves `q` from where it is, and `turns` with it; `alive` is asked now and then.
    Closing run(double t, std::span<double> q, const double* last, double* turns, const std::function<bool()>& alive);

  private:
    bool evaluate(const double* q, double t);  // false: not finite
    void step(double damping);

    KinematicSystem& system_;
    ClosingScale scale_;
    std::size_t rows_, columns_;
    std::vector<double> phi_, turns_, last_, entries_;
    std::vector<double> f_, J_;             // accepted: weighted rows, and J column by column
    std::vector<double> stacked_, y_, d_, trial_;
};

}  // namespace kempe
