// Linearly implicit steps for stiff forces: Rodas5P in body axes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dynamics/dynamic_system.hpp"
#include "dynamics/linearization.hpp"
#include "dynamics/screws.hpp"

namespace kempe {

/// The numbers of a Rosenbrock method in the form without products with the Jacobian:
///
///   (1 / (h gamma) - F_y) U_i = F(y + sum a_ij U_j, t + c_i h) + sum C_ij U_j / h + h d_i F_t
///   y1 = y + sum b_j U_j
///
/// Dense output: y + x (y1 - y + (1 - x) (k_1 + x (k_2 + x k_3))), k_r = sum dense_rj U_j.
struct RosenbrockTableau {
    int order = 0;
    double gamma = 0.0;
    std::vector<std::vector<double>> a, C;  // row i has i numbers
    std::vector<double> b, c, d, error;
    std::vector<std::vector<double>> dense;
};

/// Order 5, eight stages, stiffly accurate, for index-1 systems too.
/// Source: [Rodas5P] section 3.
const RosenbrockTableau& rodas5p();

/// Where the entries of J stand that a system gives.
struct RowEntries {
    std::vector<std::int32_t> rows, columns;
};

/// Steps of a Rosenbrock method from places of a mechanism, in body axes: y = (u, V, works), and with it
/// a = V' and lam. Stages only look at the residual M a + J^T lam - f, J a - gamma: nothing is factored for
/// them but the implicit matrix.
class Rosenbrock {
  public:
    Rosenbrock(DynamicSystem& system, const RosenbrockTableau& tableau, Linearization linearization, Screws screws,
               RowEntries entries, std::vector<double> mass);

    [[nodiscard]] int order() const { return tableau_.order; }
    /// Linearises where the step starts, unless it has: accelerations a and multipliers lam are those there,
    /// `sides` those of the switches.
    void set_out(const double* q, const double* v, double t, const double* last, const std::vector<double>& sides,
                 const double* a, const double* lam, const Powers& powers);
    /// All stages; false where a number is not finite, or bodies turn by more than `widest` (rad).
    bool step(double h, double widest);
    /// What y changes by, and the estimate of its error.
    [[nodiscard]] const double* change() const { return change_.data(); }
    [[nodiscard]] const double* error() const { return error_.data(); }
    /// Where a change leads to: coordinates, and velocities in world axes.
    void reach(const double* change, double* q, double* v) const;
    /// The change a share x of the step after its start, and its rate by time.
    void dense(double x, double* change) const;
    void dense_rate(double x, double* rate) const;
    void prepare_dense();
    /// F at a change that leads to (q, v), where the bodies have accelerations a.
    void rate(const double* change, const double* q, const double* v, const double* a, const Powers& powers,
              double* rate);

    [[nodiscard]] Linearization& linearization() { return linearization_; }
    std::int64_t evaluations = 0, jacobians = 0;
    [[nodiscard]] std::size_t bytes() const;

  private:
    void evaluate(const double* y, double t, double* rate);

    DynamicSystem& system_;
    const RosenbrockTableau& tableau_;
    Linearization linearization_;
    Screws screws_;
    DynamicSize size_;
    RowEntries entries_;
    std::vector<double> mass_;
    std::size_t n_, all_;  // numbers of y, and with a and lam
    std::vector<double> q_, v_, last_, sides_, body_v_, first_;  // where the step starts, and F there
    double t_ = 0.0, h_ = 0.0;
    bool has_start_ = false;
    std::vector<double> U_, y_, r_, change_, error_, dense_;
    std::vector<double> start_a_, start_lam_;  // in body axes; of solved rows
    std::vector<double> q_trial_, v_trial_, a_, residual_, values_, rhs_, gamma_, load_;
};

}  // namespace kempe
