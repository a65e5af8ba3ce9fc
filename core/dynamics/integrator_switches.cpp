// Switches of force laws: found on the dense output, and the step ended where a law changes over.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "dynamics/integrator.hpp"
#include "dynamics/zeros.hpp"

namespace kempe {
namespace {

constexpr std::size_t looks = 16;        // along a step that may meet a switch
constexpr double together = 1e-9;        // share of a step within which switches are one
constexpr double exact = 1e-14;          // share of a step to which a switch is found
constexpr double at_once = 1e-6;         // share of a step within which a law is thrown back and forth
constexpr int most_at_once = 3;          // over, back, and over again
constexpr double slope_way = 1e-4;       // of the way to a switch, over which its slope is taken
constexpr int most_rounds = 3;           // of a step to a switch
constexpr std::size_t most_law_changes = 100'000;  // that are kept, 2.4 MB
constexpr double probe = 1e-6;           // of the time in which the machine moves its own length

double sign(double x) { return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0); }

}  // namespace

void Integrator::share_switches() {
    const std::size_t n = size_.switches;
    if (n == 0) return;
    const auto stages = static_cast<std::size_t>(tableau_.stages);
    sides_.assign(n, 0.0);
    switches_.assign((stages + 1) * n, 0.0);
    looks_.assign((looks + 1) * n, 0.0);
    seen_.assign(n, 0.0);
    is_fresh_.assign(n, 0);
    is_met_.assign(n, 0);
    is_idle_.assign(n, 0);
    times_switched_.assign(n, 0);
    by_time_.resize(stages + 1);
    std::iota(by_time_.begin(), by_time_.end(), std::size_t{0});
    std::stable_sort(by_time_.begin(), by_time_.end(),
                     [&](std::size_t a, std::size_t b) { return stage_time(a) < stage_time(b); });
    // of stages at one time the last is the best
    std::vector<std::size_t> once;
    for (const std::size_t s : by_time_)
        if (!once.empty() && stage_time(once.back()) == stage_time(s)) once.back() = s;
        else once.push_back(s);
    by_time_ = once;
}

void Integrator::release_sides() {
    std::fill(sides_.begin(), sides_.end(), 0.0);
    system_.set_sides(sides_.data());
}

/// What switches come to a little later, at the place that has been reached: in `seen_`. Uses y_.
void Integrator::probe_switches() {
    const double speed = reference_speed_ > 0.0 ? reference_speed_ : limits_.length;
    const double dt = probe * limits_.length / speed;
    for (std::size_t k = 0; k < size_.v; ++k) {
        y_[k] = dt * (v_[k] + 0.5 * dt * acceleration()[k]);
        y_[size_.v + k] = dt * acceleration()[k];
    }
    for (std::size_t k = first_state_; k < n_; ++k) y_[k] = dt * stage(0)[k];
    move_trial();
    system_.switches(q_trial_, v_trial_, t_ + dt, last_.data(), seen_.data());
}

/// The sides at the start; of a switch that stands at zero, the one it moves to.
bool Integrator::start_sides() {
    release_sides();
    series_ = t_;
    forget_clocks();
    double* const now = switches(0);
    system_.switches(q_.data(), v_.data(), t_, last_.data(), now);
    probe_switches();
    for (std::size_t k = 0; k < size_.switches; ++k) {
        is_fresh_[k] = now[k] == 0.0;
        sides_[k] = sign(is_fresh_[k] != 0 ? seen_[k] : now[k]);
    }
    system_.set_sides(sides_.data());
    told_sides_.clear();
    for (const std::int32_t k : limits_.told) told_sides_.push_back(sides_[static_cast<std::size_t>(k)]);
    std::fill(y_.begin(), y_.end(), 0.0);
    return evaluate(y_.data(), q_.data(), v_.data(), t_, stage(0), lam_.data());
}

/// Lists the switches that are told and have come to another side, at the place that has been reached.
void Integrator::tell_sides() {
    for (std::size_t i = 0; i < told_sides_.size(); ++i) {
        const double side = sides_[static_cast<std::size_t>(limits_.told[i])];
        if (side == 0.0 || side == told_sides_[i]) continue;
        if (told_sides_[i] != 0.0) end_.changes.push_back({t_, static_cast<std::int32_t>(i), side, q_, v_});
        told_sides_[i] = side;
    }
}

/// Whether it has a side, and the laws look at it.
bool Integrator::is_active(std::size_t k) const { return sides_[k] != 0.0 && is_looked_at(k); }

/// Whether the switches that decide about it stand so that the laws look at it.
bool Integrator::is_looked_at(std::size_t k) const {
    for (auto guard = static_cast<std::int64_t>(k);;) {
        const auto at = static_cast<std::size_t>(guard);
        guard = limits_.guards[at];
        if (guard < 0) return true;
        if (sides_[static_cast<std::size_t>(guard)] != limits_.guard_sides[at]) return false;
    }
}

/// Whether it has been thrown back and forth, or one that says whether it matters.
bool Integrator::is_thrown(std::size_t k) const {
    for (auto at = static_cast<std::int64_t>(k); at >= 0; at = limits_.guards[static_cast<std::size_t>(at)])
        if (times_switched_[static_cast<std::size_t>(at)] >= most_at_once) return true;
    return false;
}

/// Whether any stage of the step lies on the other side of a switch, or a switch comes so near between
/// stages that it may.
bool Integrator::may_switch() {
    for (std::size_t k = 0; k < size_.switches; ++k) {
        if (!is_active(k)) continue;
        if (is_fresh_[k] != 0) return true;
        for (std::size_t i = 0; i < by_time_.size(); ++i) {
            if (!(sides_[k] * switches(by_time_[i])[k] > 0.0)) return true;
            if (i < 2) continue;
            double x[3], f[3];
            for (std::size_t m = 0; m < 3; ++m) {
                const std::size_t s = by_time_[i - 2 + m];
                x[m] = stage_time(s);
                f[m] = sides_[k] * switches(s)[k];
            }
            if (dip(x, f)) return true;
        }
    }
    return false;
}

/// How far a switch is from changing over, a share x after the start of the step.
double Integrator::clearance(std::size_t k, double x, double h) {
    dense_state(x, h, y_.data());
    move_trial();
    const double t = t_ + x * h;
    system_.switches(q_trial_, v_trial_, t, last_.data(), seen_.data());
    if (!(t < t_ + h)) {  // a step so short that it is rounded to its end, where a mark may be
        const double* const end = switches(static_cast<std::size_t>(tableau_.stages));
        for (const std::size_t clock : clocks_) seen_[clock] = end[clock];
    }
    return sides_[k] * seen_[k];
}

/// Where the clearance goes from positive at `low` to negative at `high`; the end beyond it.
double Integrator::root(std::size_t k, double low, double high, double f_low, double f_high, double h) {
    return descent([&](double x) { return clearance(k, x, h); }, low, high, f_low, f_high, exact, 0.0);
}

/// The first place in the step at which a switch changes over, 1 where it does not. One that has just
/// changed over must first come clear of zero, however soon it is back; where it goes to the other side
/// instead, however far it comes back later in the step, it changes over where it leaves zero.
double Integrator::first_switch(std::size_t k, double h) {
    double x[looks + 1], f[looks + 1];
    for (std::size_t i = 0; i <= looks; ++i) {
        x[i] = static_cast<double>(i) / static_cast<double>(looks);
        f[i] = sides_[k] * looks_[i * size_.switches + k];
    }
    bool clear = is_fresh_[k] == 0 || f[0] > 0.0;
    for (double near = x[1]; !clear && near > exact && !(f[1] > 0.0); near *= 0.5) {
        const double there = clearance(k, near, h);
        if (there > 0.0)   // and soon back again
            return root(k, near, 2.0 * near, there, clearance(k, 2.0 * near, h), h);
    }
    for (std::size_t i = 1; i <= looks; ++i) {
        if (!clear) {
            if (f[i] < 0.0) return x[i - 1];
            clear = f[i] > 0.0;
            continue;
        }
        if (i > 1 && f[i] > 0.0 && f[i - 1] > 0.0 && f[i - 2] > 0.0) {
            const auto at = dip(x + i - 2, f + i - 2);
            const double there = at ? clearance(k, *at, h) : 1.0;
            if (there < 0.0) return root(k, x[i - 2], *at, f[i - 2], there, h);
        }
        if (f[i] < 0.0) return f[i - 1] > 0.0 ? root(k, x[i - 1], x[i], f[i - 1], f[i], h) : x[i - 1];
    }
    return 1.0;
}

/// The share of the step after which the first law changes over; 1 where none does.
double Integrator::find_switch(double h) {
    if (!may_switch()) return 1.0;
    if (!dense_ready_) prepare_dense(h);
    const std::size_t n = size_.switches;
    std::copy_n(switches(0), n, looks_.data());
    std::copy_n(switches(static_cast<std::size_t>(tableau_.stages)), n, looks_.data() + looks * n);
    for (std::size_t i = 1; i < looks; ++i) {
        (void)clearance(0, static_cast<double>(i) / static_cast<double>(looks), h);
        std::copy(seen_.begin(), seen_.end(), looks_.data() + i * n);
    }
    std::vector<double> places(n, 1.0);
    double first = 1.0;
    for (std::size_t k = 0; k < n; ++k) {
        places[k] = is_active(k) ? first_switch(k, h) : 1.0;
        first = std::min(first, places[k]);
    }
    for (std::size_t k = 0; k < n; ++k) is_met_[k] = first < 1.0 && places[k] <= first + together;
    return first;
}

/// Takes the step again, up to a share of it at which a law changes over. What a law changes over by may be a state of
/// its own, which nothing brings back to zero afterwards: there the step is taken until the switch stands at zero.
bool Integrator::meet_switch(double* step, double share) {
    const double attempt = *step;
    const auto k = static_cast<std::size_t>(std::find(is_met_.begin(), is_met_.end(), 1) - is_met_.begin());
    const double low = share * (1.0 - slope_way), high = std::min(1.0, share * (1.0 + slope_way));
    double slope = 0.0;
    if (!z_.empty()) slope = (clearance(k, high, attempt) - clearance(k, low, attempt)) / ((high - low) * attempt);
    *step = share * attempt;
    for (int round = 0;; ++round) {
        double error = 0.0;
        if (!try_step(*step, &error) || !(error <= 1.0)) return false;
        const double off = -sides_[k] * switches(static_cast<std::size_t>(tableau_.stages))[k] / slope;
        const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), *step);
        const bool is_near = std::abs(off) > rounding && std::abs(off) < slope_way * *step;
        if (!(slope < 0.0) || round == most_rounds || !is_near) return true;
        *step += off;
    }
}

/// After a step without a change: switches that nobody looks at, or that were free, take the side they
/// are on.
void Integrator::follow_sides() {
    const double* const now = switches(static_cast<std::size_t>(tableau_.stages));
    bool any = false;
    for (std::size_t k = 0; k < size_.switches; ++k) {
        is_fresh_[k] = 0;
        is_idle_[k] = !is_active(k);
    }
    for (std::size_t k = 0; k < size_.switches; ++k) {
        if (is_idle_[k] != 0 && now[k] != 0.0 && sides_[k] != sign(now[k])) {
            sides_[k] = sign(now[k]);
            any = true;
        }
    }
    if (any) {
        system_.set_sides(sides_.data());
        tell_sides();
    }
    std::copy_n(now, size_.switches, switches(0));
}

/// Where functions of switches depend on the sides of others, those that have changed over may carry
/// them along.
void Integrator::settle_sides() {
    double* const now = switches(0);
    for (std::size_t round = 0; round < size_.switches; ++round) {
        system_.switches(q_.data(), v_.data(), t_, last_.data(), now);
        bool any = false;
        for (std::size_t k = 0; k < size_.switches; ++k) {
            if (is_fresh_[k] == 0 && sides_[k] * now[k] < 0.0) {
                sides_[k] = sign(now[k]);
                any = true;
            }
        }
        if (!any) return;
        system_.set_sides(sides_.data());
    }
}

/// Switches that had no side and that laws look at from here on take the one they move to: a law whose
/// choice is free is not smooth along a step, and the stages that see it err by more than is estimated.
void Integrator::give_sides() {
    const auto is_sideless = [&](std::size_t k) {
        return is_idle_[k] != 0 && sides_[k] == 0.0 && is_looked_at(k) && !is_thrown(k);
    };
    for (std::size_t round = 0; round < size_.switches; ++round) {  // one may uncover another
        bool any = false;
        for (std::size_t k = 0; k < size_.switches && !any; ++k) any = is_sideless(k);
        if (!any) return;
        probe_switches();
        any = false;
        for (std::size_t k = 0; k < size_.switches; ++k) {
            if (!is_sideless(k) || seen_[k] == 0.0) continue;
            sides_[k] = sign(seen_[k]);
            any = true;
        }
        if (!any) return;
        system_.set_sides(sides_.data());
    }
}

/// The switches that have been met change their sides at the place that has been reached, and what acts
/// there is found anew. Where that throws a switch back and forth, nothing holds it on either side: it is
/// set free where that makes no difference, and else the run ends.
bool Integrator::switch_over(double attempt) {
    const bool has_moved_on = t_ - series_ > at_once * attempt;
    if (has_moved_on) {
        std::fill(times_switched_.begin(), times_switched_.end(), 0);
        series_ = t_;
    }
    ++counts_.switched;
    const std::vector<double> before = sides_;
    double* const now = switches(0);
    system_.set_states(z_.data());
    system_.switches(q_.data(), v_.data(), t_, last_.data(), now);
    std::int64_t thrown = -1;
    for (std::size_t k = 0; k < size_.switches; ++k) is_idle_[k] = !is_active(k);
    for (std::size_t k = 0; k < size_.switches; ++k) {
        if (has_moved_on && is_met_[k] == 0 && sides_[k] * now[k] > 0.0)
            is_fresh_[k] = 0;  // it has come clear in this step
        if (is_fresh_[k] != 0 && is_met_[k] == 0 && is_idle_[k] == 0)
            continue;  // it has changed over here, and not come clear: its sign is rounding
        is_fresh_[k] = 0;
        if (is_idle_[k] != 0) {
            sides_[k] = now[k] != 0.0 ? sign(now[k]) : sides_[k];
        } else if (is_met_[k] != 0 && !limits_.clocks.empty() && limits_.clocks[k] != 0) {
            sides_[k] = -sides_[k];  // it has passed zero, or stands there
        } else if (is_met_[k] != 0 || sides_[k] * now[k] < 0.0) {
            sides_[k] = -sides_[k];
            is_fresh_[k] = 1;
            if (++times_switched_[k] >= most_at_once) thrown = static_cast<std::int64_t>(k);
        }
        is_met_[k] = 0;
    }
    std::copy_n(acceleration(), size_.v, x_.data());
    system_.set_sides(sides_.data());
    settle_sides();
    give_sides();
    tell_sides();
    for (std::size_t k = 0; k < size_.switches; ++k)
        if (before[k] * sides_[k] < 0.0 && is_idle_[k] == 0 && end_.law_changes.size() < most_law_changes)
            end_.law_changes.push_back({t_, static_cast<std::int32_t>(k), sides_[k]});
    for (std::size_t k = 0; k < size_.switches; ++k)
        if (is_idle_[k] != 0 && is_active(k))
            is_fresh_[k] = 1;  // laws look at it from here on, where it may stand at zero too
    leave_mark();
    forget_clocks();
    std::fill(y_.begin(), y_.end(), 0.0);
    if (!evaluate(y_.data(), q_.data(), v_.data(), t_, stage(0), lam_.data())) {
        end_.halt = Halt::diverged;
        return false;
    }
    if (thrown < 0) {
        refer_speed();
        refer_energy(stage(0) + 2 * size_.v);
        return true;
    }
    for (std::size_t k = 0; k < size_.v; ++k) y_[size_.v + k] = acceleration()[k] - x_[k];
    if (norm(y_.data()) * attempt > limits_.tolerance) {
        end_.halt = Halt::sliding;
        end_.sliding_switch = thrown;
        return false;
    }
    for (std::size_t k = 0; k < size_.switches; ++k) is_idle_[k] = is_thrown(k);
    for (std::size_t k = 0; k < size_.switches; ++k) {
        if (is_idle_[k] != 0) {
            sides_[k] = 0.0;
            is_fresh_[k] = 0;
        }
    }
    system_.set_sides(sides_.data());
    return true;
}

// Marks: times at which a law of time is known to change over. Steps end on them exactly.

namespace {

constexpr int glances = 4;           // ahead, along a step: its stages see what these miss
constexpr int most_halvings = 200;   // of the time in which a law changes over
constexpr double touching = std::numeric_limits<double>::min();  // clearance of one that changes over
constexpr double nowhere = std::numeric_limits<double>::infinity();

}  // namespace

void Integrator::share_marks() {
    for (std::size_t k = 0; k < limits_.clocks.size(); ++k)
        if (limits_.clocks[k] != 0) clocks_.push_back(k);
    ahead_.assign(clocks_.empty() ? 0 : size_.switches, 0.0);
}

/// What was seen ahead no longer holds, for laws have changed over.
void Integrator::forget_clocks() { clock_ = seen_until_ = t_; }

/// Whether the law of a clock has changed over at time t. Bodies stand where they stand.
bool Integrator::has_struck(std::size_t k, double t) {
    system_.switches(q_.data(), v_.data(), t, last_.data(), seen_.data());
    return !(sides_[k] * seen_[k] > 0.0);
}

/// The first time at which the law of a clock has changed over: not yet at `low`, and at `high`.
///
/// Own: secants of the two ends, and halves in turn, down to neighbouring numbers.
double Integrator::strike(std::size_t k, double low, double high) {
    double f_low = 0.0, f_high = 0.0;
    for (int round = 0; round < most_halvings; ++round) {
        double middle = 0.5 * (low + high);
        if (f_low > 0.0 && f_high < 0.0 && round % 3 != 2) middle = low + (high - low) * (f_low / (f_low - f_high));
        if (!(middle > low && middle < high)) {
            middle = 0.5 * (low + high);
            if (!(middle > low && middle < high)) break;
        }
        const bool struck = has_struck(k, middle);
        (struck ? high : low) = middle;
        (struck ? f_high : f_low) = sides_[k] * seen_[k];
        if (seen_[k] == 0.0) {
            const double before = std::nextafter(high, low);
            if (!(before > low) || !has_struck(k, before)) break;
            high = before;
            f_high = sides_[k] * seen_[k];
        }
    }
    return high;
}

/// The first time after the present, and not after `until`, at which a law of time changes over.
double Integrator::next_clock(double until) {
    if (clock_ > t_) return clock_ <= until ? clock_ : nowhere;
    double low = std::max(t_, seen_until_);
    const double begin = low;
    for (int i = 1; i <= glances && until > low; ++i) {
        const double high = i == glances ? until : begin + (until - begin) * i / glances;
        if (!(high > low))
            continue;  // neighbouring times: a law that has changed over at `low` may stand at zero there
        double first = nowhere;
        system_.switches(q_.data(), v_.data(), high, last_.data(), ahead_.data());
        for (const std::size_t k : clocks_)
            if (is_active(k) && !(sides_[k] * ahead_[k] > 0.0)) first = std::min(first, strike(k, low, high));
        if (first < nowhere) {
            clock_ = first;
            return first;
        }
        low = seen_until_ = high;
    }
    return nowhere;
}

/// The next mark, a law of a force or of a drive; none before `until`: infinite.
double Integrator::next_mark(double until) {
    double first = clocks_.empty() ? nowhere : next_clock(until);
    while (stop_ < limits_.stops.size() && !(limits_.stops[stop_].after > t_)) ++stop_;
    if (stop_ < limits_.stops.size()) {
        const double before = limits_.stops[stop_].before;
        first = before > t_ && before <= until ? std::min(first, before) : first;
    }
    return first;
}

/// The step has ended on a mark: laws that change over there stand at it, not beyond.
void Integrator::stand_on_mark() {
    double* const end = switches(static_cast<std::size_t>(tableau_.stages));
    for (const std::size_t k : clocks_)
        if (is_active(k) && !(sides_[k] * end[k] > 0.0)) end[k] = sides_[k] * touching;
}

/// Whether clocks stand on the mark that the step has ended on; they change over next.
bool Integrator::meets_clocks() {
    const double* const end = switches(static_cast<std::size_t>(tableau_.stages));
    bool any = false;
    for (const std::size_t k : clocks_) {
        is_met_[k] = is_active(k) && end[k] == sides_[k] * touching;
        any = any || is_met_[k] != 0;
    }
    return any;
}

/// Clocks that have changed over stand just beyond, not on zero.
void Integrator::leave_mark() {
    for (const std::size_t k : clocks_)
        if (sides_[k] != 0.0 && !(sides_[k] * switches(0)[k] > 0.0)) switches(0)[k] = sides_[k] * touching;
}

/// States that change at once, such as what a sampled controller holds.
bool Integrator::sample_states() {
    if (!limits_.sampled) return true;
    if (!limits_.sampled(q_, v_, t_, last_, z_)) return false;
    std::fill(y_.begin(), y_.end(), 0.0);
    refer_states(y_.data());
    state_sizes_ = trial_sizes_;
    return true;
}

/// Beyond a mark of drives, or where controllers are asked: what acts there is found anew.
bool Integrator::pass_stop() {
    if (stop_ < limits_.stops.size() && limits_.stops[stop_].before == t_) {
        t_ = limits_.stops[stop_++].after;
        if (!sample_states()) {
            end_.halt = Halt::outside;
            return false;
        }
        std::fill(y_.begin(), y_.end(), 0.0);
        if (!evaluate(y_.data(), q_.data(), v_.data(), t_, stage(0), lam_.data())) {
            end_.halt = Halt::diverged;
            return false;
        }
        if (implicit_) implicit_->forget();
        refer_speed();
        refer_energy(stage(0) + 2 * size_.v);
    }
    return true;
}

}  // namespace kempe
