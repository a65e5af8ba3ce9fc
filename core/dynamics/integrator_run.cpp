// The run of the integrator: step after step, samples between them from the dense output.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "dynamics/integrator.hpp"

namespace kempe {

namespace {

constexpr double safety = 0.9, least_factor = 0.2, most_factor = 6.0;
constexpr double memory = 0.04;  // weight of the error of the step before
constexpr double last_stretch = 1.05;  // of the step to the end, rather than a tiny one after it
constexpr double least_error = 1e-10, remembered_error = 1e-4;
constexpr double rough = 100.0;  // times the tolerance: change of the polynomial that nothing makes
constexpr int most_rough = 4;    // tries in a row: beyond it the motion itself is rough
constexpr double not_finite_factor = 0.25;  // of the next try where a stage was not finite
constexpr int most_polished = 4;  // times that a step to an event is taken again
constexpr double fine_share = 1e-6;  // of the whole span: how short steps become so that what is watched is smooth
constexpr double lost_share = 1e-7;  // of the whole span: how near the end of what is watched is found
constexpr std::int64_t most_cuts = 100;  // of steps of given length, in a row
constexpr double same_time = 1e-6;  // of a step
constexpr double last_digits = 1e-15;  // of the time
constexpr double found_to = 1e-14;  // of a step: how near a switch is found
constexpr double all_but = 0.999;  // of the given length: not cut
constexpr double coarse = 1e-2;   // of such a step: beyond it the slope says nothing

bool is_within(double s, double low, double high) { return low <= s && s <= high; }

// Whether the polynomial of degree 5 that has value, rate and bend of two looks may leave low ... high
// between them: it stays where its Bernstein coefficients are.
bool may_leave(const Look& from, const Look& to, double low, double high) {
    const double h = to.t - from.t;
    const double before = from.s + 0.4 * h * from.rate + 0.05 * h * h * from.bend;
    const double after = to.s - 0.4 * h * to.rate + 0.05 * h * h * to.bend;
    const double coefficients[] = {from.s, from.s + 0.2 * h * from.rate, before, after, to.s - 0.2 * h * to.rate, to.s};
    return !std::ranges::all_of(coefficients, [&](double b) { return is_within(b, low, high); });
}

}  // namespace

// The polynomial over the step that is about to be accepted.
// Source: [HairerNorsettWanner] section II.6, the nested form of contd8.
void Integrator::prepare_dense(double h) {
    dense_ready_ = true;
    if (is_implicit_) implicit_->prepare_dense();
    if (is_implicit_ || tableau_.dense.empty()) return;
    for (int s = tableau_.stages + 1; s < tableau_.dense_stages; ++s) make_stage(s, h);
    const double* start = stage(0);
    const double* end = stage(tableau_.stages);
    const std::size_t terms = tableau_.dense.size() + 3;
    std::vector<double> made(terms * part);
    for (std::size_t begin = 0; begin < n_; begin += part) {
        const std::size_t count = std::min(part, n_ - begin);
        for (std::size_t i = 0; i < count; ++i) {
            const double change = y1_[begin + i];
            made[i] = change;
            made[part + i] = h * start[begin + i] - change;
            made[2 * part + i] = 2.0 * change - h * (end[begin + i] + start[begin + i]);
        }
        for (std::size_t r = 0; r < tableau_.dense.size(); ++r)
            combine_part(tableau_.dense[r], h, begin, begin + count, made.data() + (r + 3) * part);
        for (std::size_t r = 0; r < terms; ++r) std::copy_n(made.data() + r * part, count, dense(r) + begin);
    }
}

// What u, v and the works have changed by, a share x of the step after its start.
void Integrator::dense_state(double x, double h, double* y) {
    if (is_implicit_) {
        dense_implicit(x, y);
        return;
    }
    if (tableau_.dense.empty()) {
        std::vector<double> weights;
        for (const auto& w : tableau_.weights) weights.push_back(x * (w[0] + x * (w[1] + x * (w[2] + x * w[3]))));
        combine(weights, h, y);
        return;
    }
    const std::size_t terms = tableau_.dense.size() + 3;
    std::fill(y, y + n_, 0.0);
    for (std::size_t r = terms; r-- > 0;) {
        const double factor = (terms - 1 - r) % 2 == 0 ? x : 1.0 - x;
        const double* f = dense(r);
        for (std::size_t i = 0; i < n_; ++i) y[i] = (y[i] + f[i]) * factor;
    }
}

// The rate of change of u, v and the works by the polynomial.
void Integrator::dense_rate(double x, double h, double* rate) {
    if (tableau_.dense.empty()) {
        std::vector<double> weights;
        for (const auto& w : tableau_.weights)
            weights.push_back(w[0] + x * (2.0 * w[1] + x * (3.0 * w[2] + x * 4.0 * w[3])));
        combine(weights, 1.0, rate);
        return;
    }
    const std::size_t terms = tableau_.dense.size() + 3;
    for (std::size_t i = 0; i < n_; ++i) {
        double y = 0.0, slope = 0.0;
        for (std::size_t r = terms; r-- > 0;) {
            const bool rises = (terms - 1 - r) % 2 == 0;
            const double factor = rises ? x : 1.0 - x;
            y += dense(r)[i];
            slope = slope * factor + (rises ? y : -y);
            y *= factor;
        }
        rate[i] = slope / h;
    }
}

// How far the polynomial is from the motion, beside what is allowed of it: its rate of change is not
// what acts there.
//
// Own: an error e of a polynomial of this degree has a rate of about ten e / h.
double Integrator::roughness(double x, double h, const double* a, const Powers& powers) {
    if (is_implicit_) return implicit_roughness(x, h, a, powers) / (rough * limits_.tolerance);
    dense_rate(x, h, before_.data());
    manifold_.rate(y_.data(), v_trial_, y_.data());
    for (std::size_t k = 0; k < size_.v; ++k) {
        y_[k] = h * (before_[k] - y_[k]);
        y_[size_.v + k] = h * (before_[size_.v + k] - a[k]);
    }
    y_[2 * size_.v] = h * (before_[2 * size_.v] - powers.dissipated);
    y_[2 * size_.v + 1] = h * (before_[2 * size_.v + 1] - powers.driven);
    for (std::size_t k = first_state_; k < n_; ++k) y_[k] = h * (before_[k] - z_rate_[k - first_state_]);
    return norm(y_.data()) / (rough * limits_.tolerance);
}

// A sample inside the step: the polynomial, projected, and one evaluation for what acts there.
bool Integrator::sample(double t, double h, std::int64_t row, IntegratorOutput output) {
    if (!dense_ready_) prepare_dense(h);
    dense_state((t - t_) / h, h, y_.data());
    move_trial();
    if (!settle(t, q_trial_, true) || factor_there() == Factor::singular) return false;
    system_.velocity(v_trial_);
    Powers powers;
    system_.motion(v_trial_, x_.data(), phi_.data(), &powers);
    ++counts_.evaluations;
    if (!std::isfinite(std::accumulate(x_.data(), x_.data() + size_.v, 0.0))) return false;
    const double work[2] = {work_[0] + y_[2 * size_.v], work_[1] + y_[2 * size_.v + 1]};
    if (!z_.empty()) system_.rates(q_trial_, v_trial_, t, last_.data(), z_rate_.data());
    write(row, t, output, q_trial_, v_trial_, x_.data(), phi_.data(), work, z_trial_.data(), residual_);
    roughness_ = std::max(roughness_, roughness((t - t_) / h, h, x_.data(), powers));
    return true;
}

void Integrator::write(std::int64_t row, double t, IntegratorOutput output, const double* q, const double* v,
                       const double* a, const double* lam, const double* work, const double* z, double violation) {
    const auto place = static_cast<std::size_t>(row);
    std::copy(q, q + size_.q, output.q + place * size_.q);
    std::copy(v, v + size_.v, output.v + place * size_.v);
    std::copy(a, a + size_.v, output.a + place * size_.v);
    const auto rows = size_.rows + size_.spare;
    std::copy(lam, lam + rows, output.lam + place * rows);
    double* energy = output.energy + place * 6;
    system_.energy(q, v, t, last_.data(), energy, energy + 1);
    std::copy(work, work + 2, energy + 2);
    energy[4] = std::max(largest_kinetic_, energy[0]);
    energy[5] = largest_pushed_;
    output.violation[place] = violation;
    if (output.states != nullptr) std::copy_n(z, z_.size(), output.states + place * z_.size());
}

// The samples that are due until a time, all of the place that has been reached.
void Integrator::write_until(double t, const double* times, std::int64_t count, IntegratorOutput output) {
    while (end_.samples < count && times[end_.samples] <= t)
        write(end_.samples++, t_, output, q_.data(), v_.data(), acceleration(), lam_.data(), work_.data(), z_.data(),
              reached_);
}

// False where a sample has no finite accelerations, although the end of the step has. It ends early
// where the polynomial is too far from the motion.
bool Integrator::sample_inside(double h, const double* times, std::int64_t count, IntegratorOutput output) {
    roughness_ = 0.0;
    while (end_.samples < count && times[end_.samples] < t_ + h && (roughness_ <= 1.0 || rough_row_ >= most_rough)) {
        if (!sample(times[end_.samples], h, end_.samples, output)) return false;
        ++end_.samples;
    }
    return true;
}

// What is followed, at the place that has been reached: its rates may have jumped since the last step.
void Integrator::follow_from_here() {
    const double* const a = acceleration();
    for (std::size_t k = 0; k < followed_.size(); ++k) {
        const Followed& one = limits_.followed[k];
        followed_[k] = {t_, q_[static_cast<std::size_t>(one.q)], v_[static_cast<std::size_t>(one.v)], a[one.v]};
    }
}

// The next look at what is followed, within the step or at its end.
void Integrator::follow(double t, const double* q, const double* v, const double* a) {
    for (std::size_t k = 0; k < followed_.size(); ++k) {
        const Followed& one = limits_.followed[k];
        const Look to{t, q[one.q], v[one.v], a[one.v]};
        if (has_left_[k] == 0) {
            if (may_leave(followed_[k], to, one.low, one.high))
                end_.strays.push_back({static_cast<std::int32_t>(k), followed_[k], to});
            has_left_[k] = is_within(to.s, one.low, one.high) ? 0 : 1;
        }
        followed_[k] = to;
    }
}

// Whether steps of this length lead to the end in any time worth waiting for.
void Integrator::watch_pace(double h, double left) {
    const bool stiff = stiff_row_ >= stiff_steps;
    const bool hopeless = left > h * (stiff ? limits_.most_stiff_steps : limits_.most_steps);
    hopeless_row_ = hopeless ? hopeless_row_ + 1 : 0;
    end_.steps_left = left / h;
}

// What is said of steps that have become too short; in a singular position, rows are what stops them.
Halt Integrator::too_short(bool was_finite) const {
    if (fixed_step() > 0.0) return Halt::step_not_held;
    if (was_finite && size_.spare == 0 && (damped_ || damped_row_ > 0)) return Halt::locked;
    return was_finite ? Halt::step_too_small : Halt::diverged;
}

Halt Integrator::why_stopped(double h, double span, bool was_finite) const {
    if (h < limits_.smallest_step * span || t_ + h <= t_) return too_short(was_finite);
    if (damped_row_ > limits_.most_damped) return Halt::singular;
    return hopeless_row_ > limits_.most_hopeless ? Halt::too_many_steps : Halt::none;
}

// How much longer the next step may be, from the errors of this one and the one before: fewer
// steps are refused than from this one's alone.
// Source: [HairerWanner] section IV.2, the control of Gustafsson.
double Integrator::growth(double error) {
    if (is_implicit_ && implicit_->growth()) return *implicit_->growth();
    const double now = std::max(error, least_error);
    const double factor = std::pow(now, 0.75 * memory - 1.0 / order()) * std::pow(error_before_, memory);
    error_before_ = std::max(now, remembered_error);
    return safety * factor;
}

IntegratorEnd Integrator::run(const double* times, std::int64_t count, IntegratorOutput output,
                              const std::function<bool(double)>& alive) {
    write(0, t_, output, q_.data(), v_.data(), acceleration(), lam_.data(), work_.data(), z_.data(), reached_);
    end_.samples = 1;
    const double stop = times[count - 1], span = stop - times[0];
    double h = count > 1 ? safety * first_step(span) : 0.0;
    if (limits_.pace.first_step > 0.0) h = std::min(limits_.pace.first_step, span);
    if (fixed_step() > 0.0) h = std::min(fixed_step(), span);
    foresee_stiffness(h, span);
    if (watcher_ != nullptr) {
        look_at_start(moment_);
        if (!watcher_->start(moment_)) {
            end_.halt = Halt::lost_watch;
            end_.t = t_;
            keep_place();
            return end_;
        }
    }
    followed_.resize(limits_.followed.size());
    follow_from_here();
    has_left_.clear();
    for (std::size_t k = 0; k < followed_.size(); ++k)
        has_left_.push_back(is_within(followed_[k].s, limits_.followed[k].low, limits_.followed[k].high) ? 0 : 1);
    bool rejected = false, was_finite = true;
    const bool has_marks = !clocks_.empty() || !limits_.stops.empty();
    while (end_.samples < count) {
        if (!alive(t_)) {
            end_.halt = Halt::interrupted;
            break;
        }
        if (stop - t_ <= last_digits * std::abs(stop)) {  // a mark stood there but for rounding, or just beyond it
            t_ = stop;
            write_until(stop, times, count, output);
            break;
        }
        bool whole = t_ + last_stretch * h >= stop;
        double step = whole ? stop - t_ : h;
        const double mark = has_marks ? next_mark(t_ + step) : stop;
        bool marked = has_marks && mark <= t_ + step;
        if (marked) {
            whole = false;
            step = mark - t_;
        }
        const double next_sample = times[end_.samples];
        bool sampled = !whole && !marked && fixed_step() > 0.0 &&
                       std::abs(t_ + step - next_sample) < same_time * step;  // but for rounding
        if (sampled) step = next_sample - t_;
        end_.halt = whole || marked ? Halt::none : why_stopped(step, span, was_finite);
        if (end_.halt != Halt::none) break;
        follow_from_here();
        double error = 0.0;
        was_finite = try_step(step, &error);
        if (!was_finite || !(error <= 1.0)) {
            if (fixed_step() > 0.0 && ++cut_row_ > (implicit_->most_error() > 0.0 ? 0 : most_cuts)) {
                end_.halt = Halt::step_not_held;
                break;
            }
            const double power = std::pow(error, -1.0 / order());
            h = step * (was_finite ? std::max(least_factor, safety * power) : not_finite_factor);
            if (t_ + h <= t_ || h < limits_.smallest_step * span) {
                end_.halt = too_short(was_finite);
                break;
            }
            rejected = true;
            ++counts_.rejected;
            continue;
        }
        if (!(reached_ <= limits_.spare_tolerance)) {  // a shorter step may leave less to be closed
            h = step * not_finite_factor;
            if (fixed_step() > 0.0 || t_ + h <= t_ || h < limits_.smallest_step * span) {
                end_.halt = Halt::locked;
                break;
            }
            rejected = true;
            ++counts_.rejected;
            continue;
        }
        watch_stiffness(step);
        watch_pace(step, stop - t_);
        if (marked) stand_on_mark();
        const double attempt = step, share = size_.switches > 0 ? find_switch(step) : 1.0;
        bool switching = share < 1.0;
        double share_met = 1.0;
        if (switching && t_ + share * attempt <= t_) {  // before anything has moved
            if (switch_over(attempt)) continue;
            if (end_.halt == Halt::sliding) write_until(t_ + found_to * attempt, times, count, output);
            break;
        }
        if (switching) {
            whole = marked = sampled = false;
            was_finite = meet_switch(&step, share);
            if (!was_finite) {
                h = step * not_finite_factor;
                rejected = true;
                ++counts_.rejected;
                continue;
            }
        }
        const bool met = watcher_ != nullptr && [&] {
            const auto place =
                watcher_->find([&](double x, bool exact, Moment& into) { return look(x, step, exact, into); },
                               step > fine_share * span);
            if (watcher_->lost() >= 0 && !(step > lost_share * span)) end_.halt = Halt::lost_watch;
            if (watcher_->too_fast() >= 0 && !(step > lost_share * span)) end_.halt = Halt::fast_watch;
            if (place) share_met = *place;
            return place.has_value();
        }();
        if (end_.halt != Halt::none) break;
        if (watcher_ != nullptr && (watcher_->lost() >= 0 || watcher_->too_fast() >= 0 || watcher_->is_coarse())) {
            watcher_->forget_lost();
            h = step * not_finite_factor;
            rejected = true;
            ++counts_.rejected;
            continue;
        }
        if (met && t_ + share_met * step <= t_) {  // before anything has moved
            end_.halt = Halt::event;
            break;
        }
        if (met && share_met < 1.0) {
            if (!meet_event(&step, share_met)) {
                h = step * not_finite_factor;
                rejected = true;
                ++counts_.rejected;
                continue;
            }
            whole = marked = sampled = switching = false;
        }
        const std::int64_t samples = end_.samples;
        if (!sample_inside(step, times, count, output)) {
            end_.halt = Halt::diverged;
            break;
        }
        if (!(roughness_ <= 1.0) && rough_row_ < most_rough) {
            end_.samples = samples;
            h = step * std::max(least_factor, safety * std::pow(roughness_, -1.0 / order()));
            rejected = true;
            ++rough_row_;
            ++counts_.rejected;
            continue;
        }
        rough_row_ = 0;
        error = std::max(error, roughness_);
        if (!(step < all_but * fixed_step())) cut_row_ = 0;
        accept(step);
        for (std::int64_t row = samples; row < end_.samples; ++row) {  // they err as the step does
            const auto place = static_cast<std::size_t>(row);
            double* const energy = output.energy + place * 6;
            follow(times[row], output.q + place * size_.q, output.v + place * size_.v, output.a + place * size_.v);
            energy[4] = std::max(energy[4], largest_kinetic_);
            energy[5] = largest_pushed_;
        }
        if (whole || marked) t_ = whole ? stop : mark;
        if (sampled) t_ = next_sample;
        follow(t_, q_.data(), v_.data(), acceleration());
        write_until(t_, times, count, output);
        const double most = rejected || switching ? 1.0 : most_factor;
        const double next = attempt * std::clamp(growth(error), least_factor, most);
        h = marked ? std::max(h, next) : next;  // a short step to a mark says nothing of longer ones
        if (fixed_step() > 0.0 && implicit_->most_error() > 0.0) h = fixed_step();
        rejected = false;
        if (watcher_ != nullptr) {
            look_at_start(moment_);
            watcher_->pass(moment_);
        }
        if (met) {
            if (size_.switches > 0) follow_sides();
            end_.halt = Halt::event;
            end_.pace.first_step = h;
            break;
        }
        const double speed_before = reference_speed_;
        if (marked && !pass_stop()) break;
        if (switching || (marked && meets_clocks())) {
            if (!switch_over(attempt)) {
                if (end_.halt == Halt::sliding) write_until(t_ + found_to * attempt, times, count, output);
                break;
            }
        } else if (size_.switches > 0) {
            follow_sides();
        }
        change_method(step);
        if (reference_speed_ > speed_before && !(fixed_step() > 0.0))   // pushed as never before: a start
            h = std::min(h, safety * first_step(stop - t_));
    }
    end_.t = t_;
    if (watcher_ != nullptr) keep_place();
    end_.states = z_;
    end_.last_looks = followed_;
    return end_;
}

// The motion at a share x of the step that was tried.
bool Integrator::look(double x, double h, bool exact, Moment& into) {
    into.t = t_ + x * h;
    into.q.resize(size_.q);
    into.v.resize(size_.v);
    const bool whole = watcher_->needs_motion();
    into.a.resize(whole ? size_.v : 0);
    into.lam.resize(whole ? size_.rows + size_.spare : 0);
    into.energy.resize(whole ? 6 : 0);
    into.states.resize(whole ? z_.size() : 0);
    look_violation_.resize(1);
    const IntegratorOutput output{into.q.data(),      into.v.data(),          into.a.data(),     into.lam.data(),
                                  into.energy.data(), look_violation_.data(), into.states.data()};
    if (x >= 1.0) {
        into.q = q_next_;
        into.v = v_next_;
        const double* const k = stage(tableau_.stages);
        const double work[2] = {work_[0] + y1_[2 * size_.v], work_[1] + y1_[2 * size_.v + 1]};
        put_states(y1_.data());
        if (whole)
            write(0, into.t, output, q_next_.data(), v_next_.data(), k + size_.v, lam_.data(), work, z_trial_.data(),
                  reached_);
        return true;
    }
    if (whole) return sample(into.t, h, 0, output);
    if (!dense_ready_) prepare_dense(h);
    dense_state(x, h, y_.data());
    move_trial();
    if (exact && size_.rows > 0) {
        if (!settle(into.t, q_trial_, true) || factor_there() == Factor::singular) return false;
        system_.velocity(v_trial_);
    }
    std::copy(q_trial_, q_trial_ + size_.q, into.q.begin());
    std::copy(v_trial_, v_trial_ + size_.v, into.v.begin());
    return true;
}

// The motion at the place that has been reached.
void Integrator::look_at_start(Moment& into) {
    into.t = t_;
    into.q = q_;
    into.v = v_;
    if (!watcher_->needs_motion()) return;
    into.a.assign(acceleration(), acceleration() + size_.v);
    into.lam = lam_;
    into.states = z_;
    into.energy.resize(6);
    system_.energy(q_.data(), v_.data(), t_, last_.data(), into.energy.data(), into.energy.data() + 1);
    std::copy(work_.begin(), work_.end(), into.energy.begin() + 2);
    into.energy[4] = largest_kinetic_;
    into.energy[5] = largest_pushed_;
}

// Takes the step again, up to where the watch is met, until it is zero there to the last digits.
bool Integrator::meet_event(double* step, double share) {
    const double attempt = *step;
    *step = share * attempt;
    for (int round = 0;; ++round) {
        double error = 0.0;
        if (!try_step(*step, &error) || !(error <= 1.0)) return false;
        if (round == most_polished) return true;
        look(1.0, *step, true, moment_);
        const double off = attempt * watcher_->distance(moment_);
        const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), *step);
        if (!(std::abs(off) > rounding) || !(std::abs(off) < coarse * *step)) return true;
        *step += off;
    }
}

// What another run begins with, where this one has ended.
void Integrator::keep_place() {
    const std::int32_t trouble = std::max(watcher_->lost(), watcher_->too_fast());
    end_.met = trouble >= 0 ? std::vector<std::int32_t>{trouble} : watcher_->met();
    end_.q = q_;
    end_.v = v_;
    end_.turns = last_;
    end_.watch_turns = watcher_->last();
    end_.work = work_;
    end_.states = z_;
    end_.pace = {end_.pace.first_step, reference_speed_, reference_energy_, largest_kinetic_, largest_push_,
                 largest_pushed_,      wants_implicit_,  explicit_step_,    stiff_enough_};
}

}  // namespace kempe
