// The sweep of a mechanism with fewer drives than freedoms: what is free moves as little as it can.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kinematics/sweep.hpp"
#include "kinematics/system.hpp"

namespace kempe {

/// Rows that say something new, and the measures of rows and displacements.
struct NearestRows {
    std::vector<std::int32_t> rows, columns;  // pattern of the Jacobian of all rows
    std::vector<std::int32_t> kept;           // independent rows; the others are watched
    std::vector<double> weights;              // of all rows: 1 / length, 1 for angles
    std::vector<double> steps;                // of displacements: 1 / length, 1 for angles
    double converged = 1e-13;                 // of weighted rows
    int iterations = 10;                      // of Newton's method, a step
};

/// q' = J^+ (-phi_t), the shortest velocity that the drives allow, by Runge and Kutta's method of
/// order 4, and back to phi = 0 by shortest corrections.
///
/// Works on a system that solves no rows itself.
///
/// Own: the acceptance of a step is that of `Sweep`, with the orientation of the rows' space in the
/// place of the determinant's sign.
class NearestSweep {
  public:
    NearestSweep(KinematicSystem& system, NearestRows rows);

    /// Fills row k of `q_out` with the coordinates at times[k]; the first is (q, turns) brought to
    /// phi = 0. `alive` is asked now and then, and false ends the sweep.
    SweepEnd run(std::vector<double> q, std::vector<double> turns, std::span<const double> times, double* q_out,
                 const std::function<bool()>& alive);

  private:
    Refusal attempt(const std::vector<double>& q, const std::vector<double>& last, double t, double h);
    Refusal settle(double t, const std::vector<double>& last, double leash);
    Refusal reach(std::vector<double>& q, std::vector<double>& last, double& t, double target, double floor);
    bool velocity(const std::vector<double>& q, double t, std::vector<double>& v);
    void evaluate(const std::vector<double>& q, double t, const std::vector<double>& last);
    bool factor();
    void shortest(const std::vector<double>& right, std::vector<double>& d) const;
    [[nodiscard]] bool is_on_same_side() const;

    KinematicSystem& system_;
    SystemSize size_;
    NearestRows rows_;
    std::vector<std::int32_t> place_;  // of every row among the kept ones, -1 where watched
    SweepCounts counts_;
    std::size_t n_, r_;
    std::vector<double> phi_, turns_, entries_, rate_, gamma_, right_;
    std::vector<double> Q_, L_;      // J = L Q: rows of Q orthonormal, L lower triangular
    std::vector<double> Q_before_;   // at the last accepted step
    std::vector<double> q_, d_, still_;
    std::vector<double> k_[4];
};

}  // namespace kempe
