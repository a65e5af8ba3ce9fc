// What an integrator needs to know of a mechanism: constraints, their factors, accelerations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kinematics/system.hpp"

namespace kempe {

struct DynamicSize {
    std::size_t q = 0;           // coordinates
    std::size_t v = 0;           // velocities
    std::size_t rows = 0;        // constraint rows that are solved
    std::size_t spare = 0;       // redundant rows, after those: watched, and a net below them
    std::size_t turns = 0;       // angles whose whole turns are carried along
    std::size_t parameters = 0;  // run-time numbers of the model
    std::size_t switches = 0;    // of force laws: functions that change sign where a law changes
    std::vector<std::int32_t> states;  // that forces have of their own: where each stands among the parameters
    std::vector<std::int32_t> flow_bodies, flow_states;  // bodies that gain mass, and which state says how much

    /// Numbers that an integrator carries along: places, velocities, two works, and states of forces.
    [[nodiscard]] std::size_t integrated() const { return 2 * v + 2 + states.size(); }
};

/// Power that goes elsewhere than into kinetic and stored energy.
struct Powers {
    double dissipated = 0.0;  // taken out by forces beyond what they store
    double driven = 0.0;      // put in by rows that move with time
};

/// How loads that joints rub by, numbers p of the model, change at one place, and what they change.
struct LoadSlopes {
    std::size_t count = 0;
    std::vector<double> push, dissipated;  // df/dp (count x v), and that of the power dissipated (count)
    std::vector<double> by_place, by_lam;  // dp/dq along the velocities (count x v), dp/dlam (count x solved rows)
};

/// Copies n numbers, unless they are where they shall be.
inline void put(const double* from, std::size_t n, double* to) {
    if (from != to) std::copy(from, from + n, to);
}

/// M a + J^T lam = f(q, v, t), J a = gamma of one mechanism with its numbers set.
///
/// `factor` fixes the point (q, t) and factors J M^-1 J^T there; `correct`, `velocity` and `motion`
/// refer to it. `residual` leaves those factors alone, although `correct` may take J of the point
/// that `residual` has looked at since. One system belongs to one thread.
class DynamicSystem {
  public:
    virtual ~DynamicSystem() = default;

    [[nodiscard]] virtual DynamicSize size() const = 0;
    [[nodiscard]] virtual std::shared_ptr<DynamicSystem> clone() const = 0;
    /// The run-time numbers, and the mass blocks of the bodies, each size x size.
    virtual void set_numbers(const double* p, const double* mass) = 0;
    /// How many numbers the mass blocks have together.
    [[nodiscard]] virtual std::size_t mass_numbers() const = 0;
    /// The run-time numbers alone; `factor` holds where they are those of forces, and no masses.
    virtual void set_parameters(const double* p) = 0;
    /// Which side of every switch the force laws are on from now on, +1 or -1, whatever its function
    /// says; 0, as in the beginning: as it says.
    virtual void set_sides(const double* sides) = 0;
    /// The states of forces, from now on; `factor` holds unless some of them are masses.
    virtual void set_states(const double* z) = 0;
    /// Their rates at (q, v, t); leaves the factors alone.
    virtual void rates(const double* q, const double* v, double t, const double* last, double* values) = 0;
    /// The error that accelerations may have from the next `factor` on, beside their size: stages of a step need no
    /// more digits than the step. 0, as in the beginning: all that can be had.
    virtual void allow_error(double share) = 0;
    /// The functions of the switches at (q, v, t); leaves the factors alone.
    virtual void switches(const double* q, const double* v, double t, const double* last, double* values) = 0;
    /// Where the system keeps q and v. Whoever writes them there, and hands these places over, saves
    /// a copy; any call with another q or v writes over them.
    [[nodiscard]] virtual double* room_for_q() = 0;
    [[nodiscard]] virtual double* room_for_v() = 0;
    /// Whether whoever gives numbers from outside wants no more evaluations.
    [[nodiscard]] virtual bool stopped() const { return false; }

    /// The run-time numbers with those from outside that the last evaluation was given; null where none are.
    [[nodiscard]] virtual const double* answered_parameters() const { return nullptr; }

    /// phi of all rows and the unwrapped turns at (q, t).
    virtual void residual(const double* q, double t, const double* last, double* phi, double* turns) = 0;
    /// Factors the solved rows; where those come near dependence, or where it is asked for, all
    /// rows. `weak`: with damping, and every solve is refined; `singular`: not finite.
    virtual Factor factor(const double* q, double t, const double* last, bool all_rows) = 0;
    /// The same at the point of the last `residual`.
    virtual Factor factor_there(bool all_rows) = 0;
    /// Smallest pivot of the last `factor` beside its diagonal, before any damping; 0: singular.
    [[nodiscard]] virtual double smallest_pivot_ratio() const = 0;
    /// x = M^-1 J^T (J M^-1 J^T)^-1 g: the lightest displacement with J x = g, g of all rows.
    virtual void correct(const double* g, double* x) = 0;
    /// The nearest velocities, by mass, with J v = -phi_t; in place.
    virtual void velocity(double* v) = 0;
    /// lam of all rows; those that are not solved have 0. It may be null where nobody wants it.
    virtual void motion(const double* v, double* a, double* lam, Powers* powers) = 0;
    /// `factor` of the solved rows at (q, t), and `motion` there unless it is singular.
    virtual Factor evaluate(const double* q, const double* v, double t, const double* last, double* a, double* lam,
                            Powers* powers) {
        const Factor how = factor(q, t, last, false);
        if (how != Factor::singular) motion(v, a, lam, powers);
        return how;
    }
    /// Entries of J (all rows), -phi_t, gamma, f and the power that forces dissipate at (q, v, t); spoils the
    /// factors. Joints rub by the multipliers `lam` of solved rows; where it is null, by those of the motion there.
    virtual void equations(const double* q, const double* v, double t, const double* last, const double* lam,
                           double* entries, double* velocity_rhs, double* gamma, double* load, double* dissipated) = 0;
    /// How the loads that joints rub by change at (q, v, t) with the multipliers `lam` of solved rows; the loads
    /// themselves are among `answered_parameters` then. Null where no joint rubs. Spoils the factors.
    virtual const LoadSlopes* load_slopes(const double* /*q*/, const double* /*v*/, double /*t*/,
                                          const double* /*last*/, const double* /*lam*/) {
        return nullptr;
    }
    [[nodiscard]] virtual std::size_t entries() const = 0;
    /// Memory of its lists.
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    /// Kinetic and stored energy at (q, v, t); leaves the factors alone.
    virtual void energy(const double* q, const double* v, double t, const double* last, double* kinetic,
                        double* potential) = 0;
};

}  // namespace kempe
