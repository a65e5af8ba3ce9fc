#include "kinematics/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kempe {
namespace {

constexpr double contraction = 0.5;
constexpr double neighbourhood = 0.25;  // of the predicted displacement
constexpr double always_near = 1e-3;    // a correction this small is no jump
// A position whose smallest pivot is below this share of its row counts as singular. At a dead
// point the pivot falls with the square root of the way left, so that place is still found to 1e-14;
// where branches cross, nothing closer tells them apart.
constexpr double nearest_singular = 1e-7;
// In a dead point itself a residual of 1e-13 leaves a pivot of up to 4e-7, and a velocity that means
// nothing. There the speed grows as the reciprocal of the pivot; where branches cross it does not.
constexpr double doubtful = 1e-6;
constexpr double growing = 1e-4;  // speed times pivot, beside the speed at the start
constexpr std::int64_t slice = 4096;    // samples between two looks at Ctrl-C
// A sweep that would need more steps than this at its present pace has ended: hours at a
// microsecond each.
constexpr double most_steps = 1e9;
constexpr int some_attempts = 10000;    // over which the pace is taken, between two looks at Ctrl-C
// Rounding in a row: so many units in the last place of its terms, J_ij q_j. Twice what is there now
// is allowed for, so that the limits need not follow every turn.
constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();
constexpr double watched_rounding = 100.0;  // of a redundant row, over that of the solved ones

// max |x_i| w_i, and NaN where any x_i is: a comparison with it then fails.
double weighted(const std::vector<double>& x, const std::vector<double>& w) {
    constexpr std::size_t chains = 4;  // independent maxima, so that the loop is not one long wait
    double worst[chains] = {0.0, 0.0, 0.0, 0.0};
    double nothing[chains] = {0.0, 0.0, 0.0, 0.0};  // a sum of zeros, NaN where an x_i is
    const std::size_t whole = x.size() / chains * chains;
    for (std::size_t k = 0; k < whole; k += chains) {
        for (std::size_t c = 0; c < chains; ++c) {
            const double size = std::abs(x[k + c]) * w[k + c];
            worst[c] = size > worst[c] ? size : worst[c];
            nothing[c] += 0.0 * size;
        }
    }
    for (std::size_t k = whole; k < x.size(); ++k) {
        const double size = std::abs(x[k]) * w[k];
        worst[0] = size > worst[0] ? size : worst[0];
        nothing[0] += 0.0 * size;
    }
    const double most = std::max(std::max(worst[0], worst[1]), std::max(worst[2], worst[3]));
    return most + ((nothing[0] + nothing[1]) + (nothing[2] + nothing[3]));
}

bool may_be_rounding(Refusal refusal) {
    return refusal == Refusal::not_contracting || refusal == Refusal::spare_violated ||
           refusal == Refusal::too_many_iterations;
}

void copy(const std::vector<double>& from, double* to) { std::copy(from.begin(), from.end(), to); }

}  // namespace

Sweep::Sweep(KinematicSystem& system, SweepLimits limits)
    : system_(system), size_(system.size()), asked_(std::move(limits)), limits_(asked_), q_(size_.q), delta_(size_.v),
      dx_(size_.v), phi_(size_.v), spare_(size_.spare), turns_(size_.turns), v_(size_.v), a_(size_.v),
      entries_(system.jacobian_entries()), sizes_(size_.v), noise_(size_.v + size_.spare) {}

// Widens the limits to what rounding leaves in the rows where the state stands: angles that have
// turned often, slides that have gone far, are known to a share of themselves only. Whether that
// has made any limit wider than it was.
bool Sweep::loosen(const SweepState& state) {
    const std::size_t bodies = size_.q - size_.v;  // in space a body has one coordinate more
    double turned = 1.0;
    for (const double turn : state.turns) turned = std::max(turned, std::abs(turn));
    for (std::size_t k = 0; k < size_.v; ++k) {
        const bool spatial = k < 6 * bodies;
        const std::size_t place = spatial ? k + k / 6 : k + bodies;
        sizes_[k] = spatial && k % 6 >= 3 ? turned : std::abs(state.q[place]);
    }
    system_.residual(state.q.data(), state.t, state.turns.data(), phi_.data(), spare_.data(), turns_.data());
    system_.jacobian(entries_.data());
    std::ranges::fill(noise_, 0.0);
    const auto& rows = system_.jacobian_rows();
    const auto& columns = system_.jacobian_columns();
    for (std::size_t e = 0; e < entries_.size(); ++e) {
        noise_[static_cast<std::size_t>(rows[e])] +=
            rounding * std::abs(entries_[e]) * sizes_[static_cast<std::size_t>(columns[e])];
    }
    bool wider = false;
    is_loose_ = false;
    const auto widen = [&](double asked, double noise, double& now) {
        const double limit = asked * noise > 1.0 ? 1.0 / noise : asked;
        wider = wider || limit < now;
        is_loose_ = is_loose_ || limit < asked;
        now = limit;
    };
    for (std::size_t k = 0; k < size_.v; ++k) widen(asked_.rows[k], noise_[k], limits_.rows[k]);
    for (std::size_t k = 0; k < size_.spare; ++k)
        widen(asked_.spare[k], watched_rounding * noise_[size_.v + k], limits_.spare[k]);
    return wider;
}

Refusal Sweep::solve_motion(const Signs* before) {
    if (!(weighted(spare_, limits_.spare) <= 1.0)) return Refusal::spare_violated;
    const Factor how = system_.velocity(v_.data(), signs_);
    if (how == Factor::singular) return Refusal::singular;
    pivot_ratio_ = how == Factor::weak ? system_.smallest_pivot_ratio() : 1.0;
    if (!(pivot_ratio_ > nearest_singular)) return Refusal::singular;
    if (before != nullptr && signs_ != *before) return Refusal::sign_changed;
    system_.acceleration(v_.data(), a_.data());
    for (std::size_t k = 0; k < size_.v; ++k)
        if (!std::isfinite(v_[k]) || !std::isfinite(a_[k])) return Refusal::singular;
    return Refusal::none;
}

// Newton from q_, every correction at least halving the residual and all of them together no
// longer than the leash.
Refusal Sweep::settle(double t, const double* last, double leash) {
    double before = 0.0, moved = 0.0;
    for (int iteration = 0;; ++iteration) {
        system_.residual(q_.data(), t, last, phi_.data(), spare_.data(), turns_.data());
        const double r = weighted(phi_, limits_.rows);
        if (r <= 1.0) return Refusal::none;
        if (!(iteration == 0 || r <= contraction * before)) return Refusal::not_contracting;
        if (iteration >= limits_.iterations) return Refusal::too_many_iterations;
        before = r;
        if (system_.correction(dx_.data()) == Factor::singular) return Refusal::singular;
        moved += weighted(dx_, limits_.steps);
        if (!(moved <= leash)) return Refusal::wandered;
        for (auto& x : dx_) x = -x;
        system_.retract(q_.data(), dx_.data(), q_.data());
        ++counts_.iterations;
    }
}

Refusal Sweep::start(SweepState& state, double t) {
    constexpr double anywhere = std::numeric_limits<double>::max();
    q_ = state.q;
    state.t = t;
    Refusal refusal = settle(t, state.turns.data(), anywhere);
    refusal = refusal == Refusal::none ? solve_motion(nullptr) : refusal;
    if (may_be_rounding(refusal) && loosen(state)) {
        q_ = state.q;
        refusal = settle(t, state.turns.data(), anywhere);
        refusal = refusal == Refusal::none ? solve_motion(nullptr) : refusal;
    }
    if (refusal != Refusal::none) return refusal;
    first_speed_ = weighted(v_, limits_.steps);
    state.a_old = a_;
    state.a = a_;
    state.h_old = 1.0;
    state.q = q_;
    state.v = v_;
    state.turns = turns_;
    state.t = t;
    state.signs = signs_;
    return Refusal::none;
}

Refusal Sweep::attempt(const SweepState& from, double t) {
    const double h = t - from.t;
    // h v + h^2/2 a + h^3/6 (a - a_old) / h_old, with the newest number last: it is waited for
    const double half = 0.5 * h * h;
    const double old = half * (h / (3.0 * from.h_old));
    for (std::size_t k = 0; k < size_.v; ++k)
        delta_[k] = (h * from.v[k] - old * from.a_old[k]) + (half + old) * from.a[k];
    const double step = weighted(delta_, limits_.steps);
    if (!(step <= 1.0)) return Refusal::too_far;
    system_.retract(from.q.data(), delta_.data(), q_.data());
    Refusal refusal = settle(t, from.turns.data(), neighbourhood * step + always_near);
    refusal = refusal == Refusal::none ? solve_motion(&from.signs) : refusal;
    const bool is_fold = refusal == Refusal::none && pivot_ratio_ <= doubtful &&
                         weighted(v_, limits_.steps) * pivot_ratio_ > growing * first_speed_;
    return is_fold ? Refusal::singular : refusal;
}

void Sweep::accept(SweepState& state, double t) {
    std::swap(state.a_old, state.a);
    std::swap(state.a, a_);
    std::swap(state.q, q_);
    std::swap(state.v, v_);
    std::swap(state.turns, turns_);
    state.h_old = t - state.t;
    state.t = t;
}

// Steps of its own until t is reached; ends where a step would have to be smaller than `floor`, or
// where ever so many would not lead to the sweep's end.
Refusal Sweep::reach(SweepState& state, double t, double floor, double end, const std::function<bool()>& alive) {
    const double way = t < state.t ? -1.0 : 1.0;
    double h = t - state.t, since = state.t;
    Refusal last = Refusal::none;
    for (int attempts = 1; way * state.t < way * t; ++attempts) {
        if (attempts == some_attempts) {
            const double pace = way * (state.t - since) / some_attempts;
            if (!(way * (end - state.t) <= most_steps * pace)) return last == Refusal::none ? Refusal::too_far : last;
            interrupted_ = !alive();
            if (interrupted_) return Refusal::none;
            attempts = 0;
            since = state.t;
        }
        const bool whole = way * (state.t + h) >= way * t;
        const double target = whole ? t : state.t + h;
        const Refusal refusal = attempt(state, target);
        if (refusal == Refusal::none) {
            accept(state, target);
            counts_.substeps += whole ? 0 : 1;
            counts_.smallest_step = std::min(counts_.smallest_step, std::abs(state.h_old));
            h *= 2.0;
            continue;
        }
        last = refusal;
        if (may_be_rounding(refusal) && loosen(state)) {
            h = target - state.t;
            continue;
        }
        ++counts_.halvings;
        ++counts_.refusals[static_cast<std::size_t>(refusal)];
        h = 0.5 * (target - state.t);
        if (way * h < floor || state.t + h == state.t) return refusal;
    }
    return Refusal::none;
}

void Sweep::write(const SweepState& state, std::int64_t row, SweepOutput output) {
    copy(state.q, output.q + row * static_cast<std::int64_t>(state.q.size()));
    copy(state.v, output.v + row * static_cast<std::int64_t>(state.v.size()));
    copy(state.a, output.a + row * static_cast<std::int64_t>(state.a.size()));
}

SweepEnd Sweep::run(SweepState& state, const double* times, std::int64_t count, SweepOutput output,
                    const FusedSweep& fused, const std::function<bool()>& alive) {
    SweepEnd end;
    write(state, 0, output);
    end.samples = 1;
    const double floor = limits_.smallest_step * std::abs(times[count - 1] - times[0]);
    while (end.samples < count) {
        if (!alive()) {
            end.interrupted = true;
            break;
        }
        const std::int64_t stop = std::min(count, end.samples + slice);
        if (is_loose_) loosen(state);  // what has turned back is known better again
        if (fused) end.samples = fused(end.samples, stop, state, counts_, limits_);
        Refusal refusal = Refusal::none;
        while (end.samples < stop) {
            refusal = reach(state, times[end.samples], floor, times[count - 1], alive);
            end.interrupted = interrupted_;
            if (refusal != Refusal::none || interrupted_) break;
            write(state, end.samples++, output);
            if (fused) break;  // over the hard sample: compiled again
        }
        if (refusal != Refusal::none) {
            end.refusal = refusal;
            break;
        }
        if (end.interrupted) break;
    }
    end.t = state.t;
    end.speed = weighted(state.v, limits_.steps);
    system_.residual(state.q.data(), state.t, state.turns.data(), phi_.data(), spare_.data(), turns_.data());
    end.pivot_ratio = system_.smallest_pivot_ratio();
    return end;
}

namespace {

// The compiled sweep as it is called, and the blocks of doubles it works on.
class CompiledSweep {
  public:
    using Function = std::int64_t (*)(const double*, const double*, std::int64_t, std::int64_t, double*, const double*,
                                      double*, double*, double*, std::int64_t*);

    CompiledSweep(const SweepTask& task, const double* times, SweepOutput output)
        : function_(reinterpret_cast<Function>(task.fused)), parameters_(task.parameters), floors_(task.pivot_floors),
          times_(times), output_(output) {}

    std::int64_t operator()(std::int64_t first, std::int64_t count, SweepState& state, SweepCounts& counts,
                            const SweepLimits& limits, const Signs& parity) {
        limits_.clear();
        for (const auto* part : {&limits.rows, &limits.spare, &limits.steps, &floors_, &floors_})
            limits_.insert(limits_.end(), part->begin(), part->end());
        block_.clear();
        for (const auto* part : {&state.q, &state.v, &state.a, &state.a_old, &state.turns})
            block_.insert(block_.end(), part->begin(), part->end());
        block_.push_back(state.t);
        block_.push_back(state.h_old);
        for (std::size_t k = 0; k < parity.size(); ++k)
            block_.push_back(static_cast<double>(state.signs[k] * parity[k]));
        const std::int64_t stopped = function_(parameters_.data(), times_, first, count, block_.data(), limits_.data(),
                                               output_.q, output_.v, output_.a, &counts.iterations);
        const double* from = block_.data();
        for (auto* part : {&state.q, &state.v, &state.a, &state.a_old, &state.turns}) {
            std::copy(from, from + part->size(), part->begin());
            from += part->size();
        }
        state.t = from[0];
        state.h_old = from[1];
        return stopped;
    }

  private:
    Function function_;
    const std::vector<double>&parameters_, &floors_;
    std::vector<double> limits_, block_;
    const double* times_;
    SweepOutput output_;
};

}  // namespace

Sweeper::Sweeper(std::shared_ptr<KinematicSystem> system)
    : system_(std::move(system)), tape_(std::dynamic_pointer_cast<TapeSystem>(system_)) {}

SweepEnd Sweeper::run(SweepTask task, std::span<const double> times, SweepOutput output,
                      const std::function<bool()>& alive) {
    system_->set_parameters(task.parameters.data());
    system_->set_steps(task.limits.steps.data());
    const auto fallbacks = tape_ ? tape_->fallbacks() : 0;
    if (tape_) tape_->set_pivot_floors(task.pivot_floors);
    SweepState state;
    state.q = std::move(task.q);
    state.turns = std::move(task.turns);
    Sweep sweep(*system_, std::move(task.limits));
    CompiledSweep compiled(task, times.data(), output);
    FusedSweep inner;
    if (task.fused != 0 && tape_) {
        inner = [&](std::int64_t first, std::int64_t stop, SweepState& s, SweepCounts& counts, const SweepLimits& now) {
            if (!tape_->knows_signs()) return first;  // no signs to watch yet
            return compiled(first, stop, s, counts, now, tape_->parity());
        };
    }
    SweepEnd end;
    end.refusal = sweep.start(state, times[0]);
    if (end.refusal == Refusal::none)
        end = sweep.run(state, times.data(), static_cast<std::int64_t>(times.size()), output, inner, alive);
    else end.t = times[0];
    end.counts = sweep.counts();
    end.counts.fallbacks = tape_ ? tape_->fallbacks() - fallbacks : 0;
    end.q = std::move(state.q);
    end.turns = std::move(state.turns);
    return end;
}

}  // namespace kempe
