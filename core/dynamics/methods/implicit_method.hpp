// What implicit methods share: where a step starts, and the residual of the equations along it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dynamics/linearization.hpp"
#include "dynamics/systems/dynamic_system.hpp"
#include "dynamics/systems/screws.hpp"
#include "dynamics/systems/varying_mass.hpp"

namespace kempe {

/// Where the entries of J stand that a system gives.
struct RowEntries {
    std::vector<std::int32_t> rows, columns;
};

/// Steps from places of a mechanism, in body axes: y = (u, V, works, z), and with it a = V' and lam of the residual
/// M a + J^T lam - f, J a - gamma.
class ImplicitMethod {
  public:
    using Norm = std::function<double(const double*)>;

    virtual ~ImplicitMethod() = default;

    /// The power of h that the estimate of the error goes with.
    [[nodiscard]] virtual int error_power() const = 0;
    /// Linearises where the step starts, unless it has: accelerations a and multipliers lam are those there,
    /// `sides` those of the switches.
    void set_out(const double* q, const double* v, double t, const double* last, const std::vector<double>& sides,
                 const double* a, const double* lam, const Powers& powers, const std::vector<double>& z,
                 const double* z_rate);
    /// The step; false where a number is not finite, bodies turn by more than `widest` (rad), or an iteration
    /// does not converge.
    virtual bool step(double h, double widest) = 0;
    /// Whether it linearises where a step starts.
    [[nodiscard]] virtual bool looks_at_the_start() const { return true; }
    /// What y changes by, and the estimate of its error.
    [[nodiscard]] const double* change() const { return change_.data(); }
    [[nodiscard]] const double* error() const { return error_.data(); }
    /// Where a change leads to: coordinates, and velocities in world axes.
    void reach(const double* change, double* q, double* v) const;
    virtual void prepare_dense() {}
    /// The change a share x of the step after its start, and its rate by time.
    virtual void dense(double x, double* change) const = 0;
    virtual void dense_rate(double x, double* rate) const = 0;
    /// F at a change that leads to (q, v), where the bodies have accelerations a.
    void rate(const double* change, const double* q, const double* v, const double* a, const Powers& powers,
              const double* z_rate, double* rate);
    /// The step was taken, and its end projected to (q, v).
    virtual void accepted(const double* /*q*/, const double* /*v*/) {}
    /// What acts has jumped where the next step starts: steps before it say nothing of it.
    virtual void forget() {}
    /// How much longer the next step may be, where the method says so itself.
    [[nodiscard]] virtual std::optional<double> growth() const { return std::nullopt; }
    /// The length (s) of every step, where that is given.
    [[nodiscard]] virtual double fixed_step() const { return 0.0; }
    /// The largest estimate of an error that a step of given length may have, in the norm of errors; 0: steps
    /// of given length that do not converge are made anew, shorter, and have no estimate.
    [[nodiscard]] virtual double most_error() const { return 0.0; }
    /// Other run-time numbers from now on; what was linearised with the ones before is forgotten.
    virtual void set_parameters(const double* p);

    /// How errors are measured, beside the tolerance.
    Norm norm;
    std::int64_t evaluations = 0, jacobians = 0;
    [[nodiscard]] virtual std::size_t bytes() const;

  protected:
    ImplicitMethod(DynamicSystem& system, Linearization linearization, Screws screws, RowEntries entries,
                   const std::vector<double>& mass);

    /// Terms of the equations where y leads to at time t: J, -phi_t, gamma, f, the power dissipated, and rates of
    /// states.
    /// Joints rub by the multipliers lam of solved rows.
    void look(const double* y, double t, const double* lam);
    /// Linearises at (q, v, t), where the bodies have accelerations a, the solved rows multipliers lam, forces states
    /// z.
    void linearize(const double* q, const double* v, double t, const double* a, const double* lam, const double* z);
    /// a in world axes of V' = body_a at y.
    void accelerate(const double* y, const double* body_a);
    /// M a + J^T lam - f into `residual_`, by what was looked at.
    void push(const double* lam);
    /// J x of the solved rows added to `out`.
    void add_rows(const double* x, double* out) const;

    DynamicSystem& system_;
    Linearization linearization_;
    Screws screws_;
    DynamicSize size_;
    RowEntries entries_;
    VaryingMass mass_;
    std::size_t n_;  // numbers of y
    std::vector<double> q_, v_, last_, sides_, z_, body_v_, first_;  // where the step starts, and F there
    double t_ = 0.0, h_ = 0.0;
    bool has_start_ = false;
    std::vector<double> start_a_, start_lam_;  // in body axes; of solved rows
    std::vector<double> change_, error_;
    std::vector<double> q_trial_, v_trial_, a_, residual_, values_, rhs_, gamma_, load_, z_trial_, z_rate_;
    double dissipated_ = 0.0;

  private:
    std::vector<double> V_, all_lam_;
};

inline bool is_finite(const std::vector<double>& x) {
    double sum = 0.0;
    for (const double each : x) sum += 0.0 * each;
    return sum == 0.0;
}

}  // namespace kempe
