// Linearly implicit steps for stiff forces: Rodas5P in body axes.
#pragma once

#include <optional>
#include <vector>

#include "dynamics/methods/implicit_method.hpp"

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

/// Order 3, four stages of which two are evaluated, stiffly accurate; no dense output of its own.
/// Source: [SanduRosenbrock] section 2, Rodas3.
const RosenbrockTableau& rodas3();

/// Steps of one length, which cost the same whatever happens: one linearisation, one factorisation, the stages.
struct FixedSteps {
    double step = 0.0;        // s; 0: as errors ask for
    double most_error = 0.0;  // estimate of a step, in the norm of errors: beyond it the run ends
};

/// Steps of a Rosenbrock method on y' = F(y, t), with the accelerations of the mechanism at every stage.
///
/// Own: the same method on the equations with their multipliers, which it is made for too, would save the factors of
/// J M^-1 J^T at the stages. But what it leaves of J a = gamma there goes into places and velocities: a swinging rod
/// then errs forty to two hundred and fifty times as much as in its one angle; so it errs alike.
class Rosenbrock final : public ImplicitMethod {
  public:
    Rosenbrock(DynamicSystem& system, const RosenbrockTableau& tableau, Linearization linearization, Screws screws,
               RowEntries entries, const std::vector<double>& mass, FixedSteps fixed = {});

    [[nodiscard]] int error_power() const override { return tableau_.order; }
    bool step(double h, double widest) override;
    [[nodiscard]] std::optional<double> growth() const override {
        return fixed_.step > 0.0 ? std::optional(fixed_.step / h_) : std::nullopt;
    }
    [[nodiscard]] double fixed_step() const override { return fixed_.step; }
    [[nodiscard]] double most_error() const override { return fixed_.most_error; }
    void prepare_dense() override;
    void dense(double x, double* change) const override;
    void dense_rate(double x, double* rate) const override;
    [[nodiscard]] std::size_t bytes() const override;

  private:
    bool evaluate(const double* y, double t, double* rate);

    const RosenbrockTableau& tableau_;
    FixedSteps fixed_;
    std::size_t all_;  // numbers of a solution: y, a and lam
    std::vector<double> U_, y_, F_, no_residual_, dense_;
};

}  // namespace kempe
