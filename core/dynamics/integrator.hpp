// The integrator: explicit Runge-Kutta steps on the manifold, projected after every step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dynamics/methods/implicit_method.hpp"
#include "dynamics/methods/runge_kutta.hpp"
#include "dynamics/systems/dynamic_system.hpp"
#include "dynamics/watches.hpp"
#include "kinematics/manifold.hpp"
#include "schur/pages.hpp"

namespace kempe {

/// Steps in a row that stability holds down before the problem counts as stiff.
inline constexpr std::int64_t stiff_steps = 15;

/// Of the tolerance: errors that accelerations within a step may have, beside their size.
inline constexpr double stage_share = 1.0;

/// Where the law of a drive changes over: neighbouring times.
struct Stop {
    double before = 0.0, after = 0.0;
};

/// A coordinate and its velocity that are held between two bounds by nothing: it is seen where they are left.
struct Followed {
    std::int32_t q = 0, v = 0;
    double low = 0.0, high = 0.0;
};

/// A coordinate with its rates at one time.
struct Look {
    double t = 0.0, s = 0.0, rate = 0.0, bend = 0.0;
};

/// Two looks in a row between which what is followed may have left its bounds, and which it is.
struct Stray {
    std::int32_t which = 0;
    Look from, to;
};

/// What a run has learnt of the motion, for another one that goes on from where it ended.
struct Pace {
    double first_step = 0.0;  // s; 0: it is chosen
    double speed = 0.0, energy = 0.0, kinetic = 0.0, push = 0.0, pushed = 0.0;  // the largest so far
    bool is_implicit = false;         // the kind of its last steps, where it may choose
    double explicit_step = 0.0;       // s, of the last explicit one where accuracy had left it; 0: none
    std::int64_t stiff_enough = 0;    // stiff steps in a row before it changes over; 0: as at first
};

struct IntegratorLimits {
    double tolerance = 1e-8;   // of a step's error, lengths over `length`, angles in rad
    double length = 1.0;       // m, characteristic of the machine
    double mass = 0.0;         // kg, of all bodies
    double smallest_step = 1e-14;  // of the whole span: below it the run ends
    // Steps still to go at the present length from which on a run is hopeless: of a step that
    // stability holds down, and of any other. At a microsecond each, minutes and hours.
    double most_stiff_steps = 1e7, most_steps = 1e9;
    std::int64_t most_hopeless = 100;  // such steps in a row: beyond it the run ends
    std::vector<double> rows;  // weights of all rows: 1 / length for rows in metres, 1 for others
    double spare_tolerance = 1e-6;  // weighted: beyond it rows contradict each other
    // Of every switch of a force law: another one, or -1, and the side of that without which it does
    // not matter.
    std::vector<std::int32_t> guards, guard_sides;
    std::vector<std::int32_t> clocks;  // of every switch: 1 where it is a function of time alone
    std::vector<std::int32_t> told;    // switches whose changes are listed
    std::vector<Stop> stops;           // rising
    std::int64_t most_damped = 500;  // damped steps in a row: beyond it the run ends
    std::shared_ptr<const WatchList> watches;  // null: nothing is watched
    /// At every stop: states of forces that change there at once; false where whoever knows them gave none.
    std::function<bool(const std::vector<double>& q, const std::vector<double>& v, double t,
                       const std::vector<double>& last, std::vector<double>& z)>
        sampled;
    Pace pace;
    std::vector<Followed> followed;
};

enum class Halt : std::uint8_t {
    none,
    interrupted,
    step_too_small,
    diverged,  // numbers that are not finite, however small the step
    singular,  // damped for too long
    locked,    // rows contradict each other
    sliding,  // a force law is thrown back and forth: neither side of a switch holds
    too_many_steps,  // at the present length it would take ever so many to the end
    outside,  // whoever gives numbers from outside gave none
    event,    // a watch was met
    lost_watch,  // a watch has no finite value
    fast_watch,  // the formula of a watch is too fast to be followed
    step_not_held,  // a step of given length has too large an error, or does not converge however short
};

struct IntegratorCounts {
    std::int64_t evaluations = 0;  // of the accelerations
    std::int64_t steps = 0;
    std::int64_t rejected = 0;
    std::int64_t damped = 0;       // evaluations that had to be damped
    std::int64_t projections = 0;  // corrections of positions
    std::int64_t switched = 0;     // times at which laws of forces have changed over
    std::int64_t jacobians = 0;    // derivatives of the equations, and factors of implicit matrices
};

/// From when on steps are implicit, or explicit again.
struct MethodChange {
    double t = 0.0;
    bool implicit = false;
};

/// Where a switch that is told has come to its other side.
struct SideChange {
    double t = 0.0;
    std::int32_t told = 0;  // its place among those that are told
    double side = 0.0;      // from there on
    std::vector<double> q, v;
};

/// Where a law of a force has changed over.
struct LawChange {
    double t = 0.0;
    std::int32_t at = 0;  // which switch
    double side = 0.0;    // from there on
};

struct IntegratorEnd {
    std::int64_t samples = 0;
    Halt halt = Halt::none;
    double t = 0.0;
    std::int64_t sliding_switch = -1;  // of a force law, where that ended the run
    double steps_left = 0.0;  // to the end, at the present length
    double largest_error = 0.0;  // estimate of a step of given length, in the norm of errors
    bool stiff = false;  // the step was held down by stability, not by accuracy
    IntegratorCounts counts;
    std::size_t bytes = 0;  // memory of the run, beside that of the samples
    // Where watches ended it: those that were met, or the one that was lost, and what another run
    // begins with there.
    std::vector<std::int32_t> met;
    std::vector<double> q, v, turns, watch_turns, work, states;
    Pace pace;
    std::vector<MethodChange> methods;  // the first one from the start on
    std::vector<SideChange> changes;    // of switches that are told
    std::vector<LawChange> law_changes;  // of all switches that laws looked at, the first `most_law_changes`
    std::vector<Stray> strays;          // of what is followed, up to where it is seen beyond its bounds
    std::vector<Look> last_looks;       // at what is followed, where the last step ended
};

/// Where the samples go: row k of each array is a sample.
struct IntegratorOutput {
    double* q = nullptr;
    double* v = nullptr;
    double* a = nullptr;
    double* lam = nullptr;
    // kinetic, stored, dissipated, put in by drives, the largest kinetic so far, and the largest that
    // forces make over the length; J, six a row
    double* energy = nullptr;
    double* violation = nullptr;  // largest weighted phi, one a row
    double* states = nullptr;     // of forces
};

class Integrator {
  public:
    Integrator(DynamicSystem& system, Manifold manifold, const Tableau& tableau, IntegratorLimits limits);

    /// Puts the run at (q, v, t), states of forces at z: positions and velocities made consistent, accelerations
    /// found. False where they are not finite.
    bool start(const double* q, const double* v, const double* last, const double* z, double t);
    /// Other run-time numbers of the model from now on; `start` must follow.
    void set_parameters(const double* p);
    [[nodiscard]] const std::vector<double>& q() const { return q_; }
    [[nodiscard]] const std::vector<double>& v() const { return v_; }
    [[nodiscard]] const std::vector<double>& turns() const { return last_; }

    /// Samples at times[0 .. count), rising from the time of `start`. `alive` is asked once a step.
    IntegratorEnd run(const double* times, std::int64_t count, IntegratorOutput output,
                      const std::function<bool(double)>& alive);

    /// Makes implicit steps as soon as they are needed.
    using MakeImplicit = std::function<std::unique_ptr<ImplicitMethod>()>;
    /// Steps are implicit from the start on, or, where they may change, from where stability holds the
    /// others down until it would no longer.
    void allow_implicit(MakeImplicit make, bool may_change);

    /// Lets the force laws of the system choose for themselves again.
    void release_sides();

    [[nodiscard]] const IntegratorCounts& counts() const { return counts_; }
    /// Memory of the run, beside that of the system and of the samples.
    [[nodiscard]] std::size_t bytes() const;

  private:
    static constexpr std::size_t part = 512;       // numbers that are summed up at a time
    static constexpr std::size_t some_bodies = 64;  // that are moved at a time

    [[nodiscard]] double* stage(int s) { return stages_.data() + slots_[static_cast<std::size_t>(s)] * room_; }
    /// At the place that has been reached.
    [[nodiscard]] const double* acceleration() { return stage(0) + size_.v; }
    /// Where term r of the dense output stands: in place of a stage that nobody needs any more.
    [[nodiscard]] double* dense(std::size_t r) { return stages_.data() + dense_slots_[r] * room_; }
    bool evaluate(const double* u, const double* q, const double* v, double t, double* k, double* lam = nullptr);
    bool settle(double t, double* q, bool by_own_factors = false);
    Factor factor_there(bool all_rows = false);
    Factor noted(Factor how);
    void share_slots();
    void share_switches();
    void combine(const std::vector<double>& weights, double h, double* y);
    void combine_part(const std::vector<double>& weights, double h, std::size_t begin, std::size_t end, double* y);
    void move_trial();
    void put_states(const double* y);
    void find_rates(const double* q, const double* v, double t, double* k);
    void refer_states(const double* y);
    bool make_stage(int s, double h);
    bool try_step(double h, double* error);
    bool try_implicit(double h, double* error);
    bool finish_step(double h);
    [[nodiscard]] int order() const { return is_implicit_ ? implicit_->error_power() : tableau_.order; }
    void dense_implicit(double x, double* y);
    [[nodiscard]] double implicit_roughness(double x, double h, const double* a, const Powers& powers);
    void become(bool implicit);
    void choose_step();
    [[nodiscard]] double fixed_step() const { return is_implicit_ ? implicit_->fixed_step() : 0.0; }
    void foresee_stiffness(double h, double span);
    void change_method(double h);
    void watch_pace_of_motion(double fastest);
    [[nodiscard]] double fastest_rate();
    void accept(double h);
    void watch_stiffness(double h);
    void watch_pace(double h, double left);
    void prepare_dense(double h);
    void dense_state(double x, double h, double* y);
    void dense_rate(double x, double h, double* rate);
    [[nodiscard]] double roughness(double x, double h, const double* a, const Powers& powers);
    bool sample(double t, double h, std::int64_t row, IntegratorOutput output);
    bool sample_inside(double h, const double* times, std::int64_t count, IntegratorOutput output);
    void write_until(double t, const double* times, std::int64_t count, IntegratorOutput output);
    void write(std::int64_t row, double t, IntegratorOutput output, const double* q, const double* v, const double* a,
               const double* lam, const double* work, const double* z, double violation);
    [[nodiscard]] Halt too_short(bool was_finite) const;
    [[nodiscard]] Halt why_stopped(double h, double span, bool was_finite) const;
    [[nodiscard]] double* switches(std::size_t s) { return switches_.data() + s * size_.switches; }
    [[nodiscard]] double stage_time(std::size_t s) const {
        return s == static_cast<std::size_t>(tableau_.stages) ? 1.0 : tableau_.c[s];
    }
    [[nodiscard]] bool is_active(std::size_t k) const;
    [[nodiscard]] bool is_looked_at(std::size_t k) const;
    [[nodiscard]] bool is_thrown(std::size_t k) const;
    void probe_switches();
    bool start_sides();
    [[nodiscard]] bool may_switch();
    [[nodiscard]] double clearance(std::size_t k, double x, double h);
    [[nodiscard]] double root(std::size_t k, double low, double high, double f_low, double f_high, double h);
    [[nodiscard]] double first_switch(std::size_t k, double h);
    double find_switch(double h);
    bool meet_switch(double* step, double share);
    void follow_sides();
    void settle_sides();
    void give_sides();
    void tell_sides();
    bool switch_over(double attempt);
    void share_marks();
    void forget_clocks();
    [[nodiscard]] bool has_struck(std::size_t k, double t);
    [[nodiscard]] double strike(std::size_t k, double low, double high);
    [[nodiscard]] double next_clock(double until);
    [[nodiscard]] double next_mark(double until);
    void stand_on_mark();
    bool meets_clocks();
    void leave_mark();
    bool pass_stop();
    bool sample_states();
    bool look(double x, double h, bool exact, Moment& into);
    void look_at_start(Moment& into);
    bool meet_event(double* step, double share);
    void keep_place();
    void follow_from_here();
    void follow(double t, const double* q, const double* v, const double* a);
    [[nodiscard]] double largest_speed(const double* v) const;
    void refer_speed();
    void refer_end(double h);
    void refer_push();
    void refer_kinetic();
    void refer_energy(const double* works);
    [[nodiscard]] double norm(const double* e) const;
    [[nodiscard]] double first_step(double span);
    double growth(double error);

    DynamicSystem& system_;
    Manifold manifold_;
    const Tableau& tableau_;
    IntegratorLimits limits_;
    DynamicSize size_;
    std::size_t n_;  // u, v, two integrals of power, and states of forces
    std::size_t room_;  // for them, and for 0 in the lanes of a sum that ends with the last
    std::size_t first_state_;  // where those begin
    IntegratorCounts counts_;
    IntegratorEnd end_;
    double t_ = 0.0;
    double held_ = 0.0;  // the largest multiplier so far
    double reference_speed_ = 0.0;
    double reference_energy_ = 0.0;  // J, what errors of the works are compared with; 0: no works
    double kinetic_ = 0.0, largest_kinetic_ = 0.0;  // J, where steps have ended
    double largest_push_ = 0.0;    // m/s^2
    double largest_pushed_ = 0.0;  // J, what such a push makes over the length
    double error_before_ = 1e-4;
    double residual_ = 0.0;      // weighted phi where it was last looked at
    double reached_ = 0.0;       // the same at the end of the step
    bool damped_ = false;        // in the current step
    bool dense_ready_ = false;
    double roughness_ = 0.0;     // of the polynomial at the samples of a step; 1: too far off
    int rough_row_ = 0;          // tries of a step that were
    std::int64_t cut_row_ = 0;   // tries that were shorter than the given length, since one that was not
    std::int64_t damped_row_ = 0, stiff_row_ = 0, calm_row_ = 0, hopeless_row_ = 0;
    std::vector<double> q_, v_, lam_, last_;
    std::vector<double> work_{0.0, 0.0};
    std::vector<double> z_, z_trial_, z_rate_;       // states of forces; where the system was last put; at a sample
    std::vector<double> state_sizes_, trial_sizes_;  // the largest so far; with those of the step that is tried
    std::vector<std::size_t> slots_, dense_slots_;  // of stages_
    LongList stages_, y_, y1_, before_;
    double *q_trial_, *v_trial_;  // where the system keeps them
    std::vector<double> q_next_, v_next_, turns_next_;
    std::vector<double> phi_, turns_, x_;
    std::vector<double> sides_, switches_;  // the functions of the switches at every stage
    std::vector<double> looks_, seen_;      // the same along the dense output
    std::vector<std::size_t> by_time_;      // stages in the order of their times
    std::vector<std::uint8_t> is_fresh_, is_met_, is_idle_;  // has just switched; ends the step; no law looks at it
    std::vector<int> times_switched_;       // since `series_`
    std::vector<double> told_sides_;        // of switches that are told, as they were last
    double series_ = 0.0;
    std::vector<std::size_t> clocks_;  // switches that are functions of time alone
    std::vector<double> ahead_;        // the functions of the switches at a time to come
    double clock_ = 0.0;               // when the next of them changes over, where that is known
    double seen_until_ = 0.0;          // until when none of them does
    std::size_t stop_ = 0;             // the next one
    std::unique_ptr<Watcher> watcher_;
    Moment moment_;
    std::vector<double> look_violation_;
    std::vector<Look> followed_;             // at what is followed, the last
    std::vector<std::uint8_t> has_left_;     // its bounds
    MakeImplicit make_implicit_;
    std::unique_ptr<ImplicitMethod> implicit_;  // made when it is first needed
    bool wants_implicit_ = false, is_implicit_ = false;  // the method; this step
    bool may_change_ = false;
    std::int64_t stiff_enough_ = stiff_steps, implicit_row_ = 0, soft_row_ = 0, slow_row_ = 0;
    double explicit_step_ = 0.0;  // s, that accuracy had left before steps became implicit; 0: stability had
    double fastest_ = 0.0;  // 1/s, of F_y
    std::vector<double> parameters_;  // where they have changed
    std::vector<double> fast_way_;  // along which it changes fastest
    std::vector<double> body_change_, q_reached_, v_reached_;  // along an implicit step
};

}  // namespace kempe
