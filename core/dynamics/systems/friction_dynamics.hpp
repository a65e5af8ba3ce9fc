// A dynamic system whose joints rub: friction that grows with the joints' own reactions.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "dynamics/systems/forwarding_dynamics.hpp"
#include "tape/running_tape.hpp"

namespace kempe {

/// Where the loads of joints are computed, and which numbers of the model they are.
struct JointLoads {
    /// Inputs of the tape are these places of q and lam, then numbers; outputs are loads N (k,), their derivatives
    /// by the places of lam (k x places), and along the velocities `moved` (k x moved).
    std::shared_ptr<const Tape> tape;
    std::vector<std::int32_t> q, lam, moved, outputs, derivatives, along;
    std::vector<double> numbers;
    std::vector<std::int32_t> places;  // of every load among the parameters
    std::vector<double> ways;          // +1, -1: which way it slides; 0: it does not, and nothing rubs
};

/// Another dynamic system whose parameters at the places of the loads are n_k w_k, w the ways it slides and
///
///   n = N(q, lam),   M a + J^T lam = f(q, v, t, n w)
///
/// f is affine in n, so lam(n) = lam_0 + L n is known from one solution for each load, and n is found by Newton's
/// method, following it from friction that is none to all of it where that alone leads to a solution. Where there
/// is none, the joint jams: what would have been computed is not finite.
class FrictionDynamics final : public ForwardingDynamics {
  public:
    FrictionDynamics(std::shared_ptr<DynamicSystem> inner, JointLoads loads);

    [[nodiscard]] std::shared_ptr<DynamicSystem> clone() const override;
    [[nodiscard]] const double* answered_parameters() const override { return parameters_.data(); }
    void residual(const double* q, double t, const double* last, double* phi, double* turns) override;
    Factor factor(const double* q, double t, const double* last, bool all_rows) override;
    void motion(const double* v, double* a, double* lam, Powers* powers) override;
    void equations(const double* q, const double* v, double t, const double* last, const double* lam, double* entries,
                   double* velocity_rhs, double* gamma, double* load, double* dissipated) override;
    const LoadSlopes* load_slopes(const double* q, const double* v, double t, const double* last,
                                  const double* lam) override;
    /// The last time for which no loads were found; not a number where there is none.
    [[nodiscard]] double jammed_at() const { return jammed_at_; }
    /// How many times friction has raised the largest load, in the last evaluation.
    [[nodiscard]] double raised() const { return raised_; }

  private:
    void place(const double* q, double t) {
        q_.assign(q, q + q_.size());
        t_ = t;
    }
    void rub(std::size_t k, double load);
    void look(const std::vector<double>& n);
    bool settle(double share);
    bool loads_at(const double* v);
    void rub_at(const double* v, bool is_singular);
    void rub_by(const double* lam);
    void slopes_of_loads();

    JointLoads loads_;
    RunningTape tape_;
    std::vector<std::size_t> sliding_;
    std::vector<double> q_, a_;
    std::vector<double> lam_, responses_;  // lam_0 (rows), L (sliding x rows)
    std::vector<double> n_, trial_, found_, slopes_, matrix_, step_;
    LoadSlopes found_slopes_;
    double t_ = 0.0, raised_ = 1.0, jammed_at_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace kempe
