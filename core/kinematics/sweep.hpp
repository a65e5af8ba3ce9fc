// The kinematic sweep: sample after sample on one branch, or an honest end.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kinematics/system.hpp"
#include "kinematics/tape_system.hpp"

namespace kempe {
/// What a step must satisfy; weights are reciprocals of what is still acceptable.
struct SweepLimits {
    std::vector<double> rows;    // |phi_i| rows_i <= 1: converged
    std::vector<double> spare;   // |spare_i| spare_i <= 1: the watched rows hold
    std::vector<double> steps;   // size of a displacement: 1 / length, 1 for angles
    int iterations = 10;           // of Newton's method, a step: beyond them it is halved
    double smallest_step = 1e-13;  // relative to the sweep's span: below it the sweep ends
};

/// An accepted sample and what the predictor remembers of the one before.
struct SweepState {
    std::vector<double> q, v, a, a_old, turns;
    double t = 0.0;
    double h_old = 1.0;
    Signs signs;  // of det J, block by block
};

/// Why a step was refused.
enum class Refusal : std::uint8_t {
    none,
    too_far,           // the predicted displacement is larger than a quarter turn or the machine
    not_contracting,   // the corrector does not halve its residual
    wandered,          // the corrector leaves the predictor's neighbourhood
    singular,          // no factorisation
    sign_changed,      // a block of det J has changed sign: a singular position lies between
    spare_violated,    // a redundant row does not hold
    too_many_iterations,  // the corrector comes nearer, but not near enough
};
inline constexpr std::size_t refusal_kinds = 8;

struct SweepCounts {
    std::int64_t iterations = 0;  // of Newton
    std::int64_t halvings = 0;    // steps refused and halved
    std::int64_t substeps = 0;    // accepted steps between samples
    std::int64_t fallbacks = 0;   // steps solved with a fresh order of pivots
    std::array<std::int64_t, refusal_kinds> refusals{};  // steps refused, by their reasons
    double smallest_step = std::numeric_limits<double>::infinity();  // of those between samples
};

struct SweepEnd {
    std::int64_t samples = 0;         // rows written
    Refusal refusal = Refusal::none;  // why it ended early
    double t = 0.0;                   // the last accepted time
    double pivot_ratio = 1.0;         // smallest pivot there, beside its row
    double speed = 0.0;               // weighted size of the velocity at the last accepted step
    bool interrupted = false;
    SweepCounts counts;            // what it cost
    std::vector<double> q, turns;  // at t, where the sweep stands
};

/// Where the samples go: row k of each array is a sample.
struct SweepOutput {
    double* q = nullptr;
    double* v = nullptr;
    double* a = nullptr;
};

/// A compiled sweep over samples first .. count - 1 from `state`, within the limits as they are now;
/// the sample it failed at, or count.
using FusedSweep = std::function<std::int64_t(std::int64_t first, std::int64_t count, SweepState& state,
                                              SweepCounts& counts, const SweepLimits& limits)>;

class Sweep {
  public:
    Sweep(KinematicSystem& system, SweepLimits limits);

    /// Brings q to phi = 0 at time t, and fills velocity, acceleration and sign.
    Refusal start(SweepState& state, double t);

    /// Samples at times[0 .. count), rising or falling, from the state at times[0]. `fused` may be
    /// empty; `alive` is asked now and then, and false ends the sweep.
    SweepEnd run(SweepState& state, const double* times, std::int64_t count, SweepOutput output,
                 const FusedSweep& fused, const std::function<bool()>& alive);

    [[nodiscard]] const SweepCounts& counts() const { return counts_; }

  private:
    Refusal settle(double t, const double* last, double leash);
    Refusal attempt(const SweepState& from, double t);
    Refusal reach(SweepState& state, double t, double floor, double end, const std::function<bool()>& alive);
    bool loosen(const SweepState& state);
    void accept(SweepState& state, double t);
    Refusal solve_motion(const Signs* before);
    static void write(const SweepState& state, std::int64_t row, SweepOutput output);

    KinematicSystem& system_;
    SystemSize size_;
    SweepLimits asked_;   // as they were given
    SweepLimits limits_;  // not below what rounding leaves where the mechanism stands
    SweepCounts counts_;
    bool is_loose_ = false;  // whether the limits are wider than was asked for
    bool interrupted_ = false;
    double pivot_ratio_ = 1.0;  // of the last motion that was solved for; 1 where it is sound
    double first_speed_ = 0.0;  // weighted, at the start
    Signs signs_;
    std::vector<double> q_, delta_, dx_, phi_, spare_, turns_, v_, a_;
    std::vector<double> entries_, sizes_, noise_;
};

// A mechanism ready to be swept, by its compiled sweep where there is one.

/// What one sweep starts from, and what its steps must satisfy.
struct SweepTask {
    std::vector<double> parameters, q, turns;
    SweepLimits limits;
    std::vector<double> pivot_floors;  // below them a pivot of the tape is not trusted
    std::uintptr_t fused = 0;          // address of the compiled sweep; 0: there is none
};

class Sweeper {
  public:
    explicit Sweeper(std::shared_ptr<KinematicSystem> system);

    [[nodiscard]] const KinematicSystem& system() const { return *system_; }

    /// Samples at the times, rising or falling, from the task's state at the first of them. `alive`
    /// is asked now and then, and false ends the sweep.
    SweepEnd run(SweepTask task, std::span<const double> times, SweepOutput output, const std::function<bool()>& alive);

  private:
    std::shared_ptr<KinematicSystem> system_;
    std::shared_ptr<TapeSystem> tape_;  // the same, where it is one
};

}  // namespace kempe
