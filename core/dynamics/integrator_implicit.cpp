// Implicit steps of the integrator: the same projection, samples and switches as explicit ones have.

#include <algorithm>
#include <cmath>

#include "dynamics/integrator.hpp"

namespace kempe {
namespace {

constexpr double widest_turn = 2.5;   // rad a step: the exponential's chart ends at 2 pi
constexpr double counted_turn = 1.2;  // the same where whole turns are counted
// Of J M^-1 J^T beside its diagonal: below it the implicit matrix, which no damping helps, has lost digits.
constexpr double singular_pivot = 1e-5;
constexpr double longer = 3.0;       // than implicit steps: explicit ones that pay
constexpr double regained = 2.0;     // times the explicit step before, where accuracy had left that
constexpr double slow_share = 0.02;  // of the fastest rate: a motion that changes so slowly is stiff
constexpr std::int64_t slow_steps = 50;  // of such a motion in a row
constexpr int looks_apart = 8;       // implicit steps between looks at the fastest rate
constexpr int soft_looks = 3;        // in a row: explicit steps would do
constexpr double small_way = 1e-6;   // in the norm of errors: differences over it are derivatives
constexpr double hopeless_share = 1e-6;  // of a span: steps so short, held down by stability, never come to its end
constexpr std::int64_t most_stiff_enough = 16 * stiff_steps;

}  // namespace

void Integrator::allow_implicit(MakeImplicit make, bool may_change) {
    make_implicit_ = std::move(make);
    may_change_ = may_change;
    if (limits_.pace.stiff_enough > 0) stiff_enough_ = limits_.pace.stiff_enough;
    if (!may_change || limits_.pace.is_implicit) become(true);
    if (limits_.pace.is_implicit) explicit_step_ = limits_.pace.explicit_step;
    end_.methods.assign(1, {t_, wants_implicit_});
}

void Integrator::become(bool implicit) {
    if (implicit && !implicit_) {
        implicit_ = make_implicit_();
        implicit_->norm = [this](const double* e) { return norm(e) / limits_.tolerance; };
        if (!parameters_.empty()) implicit_->set_parameters(parameters_.data());
        body_change_.resize(n_);
        q_reached_.resize(size_.q);
        v_reached_.resize(size_.v);
    }
    wants_implicit_ = is_implicit_ = implicit;
    if (!implicit) stiff_enough_ = std::min(2 * stiff_enough_, most_stiff_enough);
    error_before_ = 1e-4;
    implicit_row_ = soft_row_ = slow_row_ = 0;
    stiff_row_ = calm_row_ = hopeless_row_ = 0;
    if (!end_.methods.empty() && end_.methods.back().t == t_) end_.methods.pop_back();  // before any step
    end_.methods.push_back({t_, implicit});
}

// Before the first step, of size h: a motion that is slower than the rounding and errors of its fastest rates
// would never be seen by explicit steps.
void Integrator::foresee_stiffness(double h, double span) {
    const bool goes_on = limits_.pace.speed > 0.0;  // from an event: it may be too near to rest for h to tell
    if (!may_change_ || wants_implicit_ || damped_ || !(goes_on || h < hopeless_share * span)) return;
    fastest_ = fastest_rate();
    if (tableau_.stable < hopeless_share * span * fastest_) become(true);
}

// After a step of size h: the kind of step that shall follow.
//
// Own: an explicit step costs about two implicit ones, and its stability ends at 3.4 or 6.1 over the fastest rate.
// Steps are implicit from where that holds them down, until explicit ones could be three times as long.
void Integrator::change_method(double h) {
    if (!may_change_ || (wants_implicit_ && !is_implicit_)) return;
    if (!wants_implicit_) {
        const bool held = stiff_row_ >= stiff_enough_;
        if (!held && slow_row_ < slow_steps * stiff_enough_ / stiff_steps) return;
        become(true);
        explicit_step_ = held ? 0.0 : h;
        return;
    }
    if (++implicit_row_ % looks_apart != 0) return;
    fastest_ = fastest_rate();
    double explicit_step = tableau_.stable / fastest_;
    if (explicit_step_ > 0.0) explicit_step = std::min(explicit_step, regained * explicit_step_);
    soft_row_ = longer * h < explicit_step ? soft_row_ + 1 : 0;
    if (soft_row_ >= soft_looks) become(false);
}

// Whether an explicit step, h times the fastest rate long, is short beside the times in which accelerations
// change. Small
// tolerances hold steps down by the error of what decays, far inside the bounds of stability.
void Integrator::watch_pace_of_motion(double fastest) {
    bool is_slow = fastest > 1.0;
    if (is_slow) {
        const double *const begin = stage(0), *const end = stage(tableau_.stages);
        std::fill(y_.begin(), y_.end(), 0.0);
        for (std::size_t k = size_.v; k < 2 * size_.v; ++k) y_[k] = end[k] - begin[k];
        const double change = norm(y_.data());
        for (std::size_t k = size_.v; k < 2 * size_.v; ++k) y_[k] = end[k];
        is_slow = change < slow_share * fastest * norm(y_.data());
    }
    slow_row_ = is_slow ? slow_row_ + 1 : 0;
}

// The largest |eigenvalue| of F_y, by two steps of the power method from where the last ones ended: a pair
// i w of a vibration needs two, as places and speeds change roles.
double Integrator::fastest_rate() {
    if (fast_way_.empty()) fast_way_.assign(stage(0), stage(0) + n_);
    const auto scaled = [&](std::vector<double>& x) {
        x[2 * size_.v] = x[2 * size_.v + 1] = 0.0;
        const double size = norm(x.data());
        for (auto& each : x) each = size > 0.0 ? each / size : 1.0;
        return size;
    };
    scaled(fast_way_);
    scaled(fast_way_);  // where it was nothing, any
    double product = 1.0;
    for (int k = 0; k < 2; ++k) {
        for (std::size_t i = 0; i < n_; ++i) y_[i] = small_way * fast_way_[i];
        move_trial();
        if (!evaluate(y_.data(), q_trial_, v_trial_, t_, before_.data())) return fastest_;
        for (std::size_t i = 0; i < n_; ++i) fast_way_[i] = (before_[i] - stage(0)[i]) / small_way;
        product *= scaled(fast_way_);
    }
    return std::sqrt(product);
}

// In a singular position, where accelerations are damped, steps are explicit until it is behind.
void Integrator::choose_step() {
    if (is_implicit_) implicit_->accepted(q_.data(), v_.data());
    if (wants_implicit_) is_implicit_ = !damped_ && system_.smallest_pivot_ratio() > singular_pivot;
}

// Speeds and energies at the end of a step of given length, which its error is compared with: it is the only try, and
// from rest there is nothing before it.
void Integrator::refer_end(double h) {
    const double* const change = implicit_->change();
    implicit_->reach(change, q_next_.data(), v_next_.data());
    reference_speed_ = std::max(reference_speed_, largest_speed(v_next_.data()));
    if (!(reference_energy_ > 0.0)) return;
    double kinetic = 0.0, stored = 0.0;
    put_states(change);
    system_.energy(q_next_.data(), v_next_.data(), t_ + h, last_.data(), &kinetic, &stored);
    const double lost = work_[0] + change[2 * size_.v], put = work_[1] + change[2 * size_.v + 1];
    reference_energy_ = std::max({reference_energy_, kinetic, std::abs(lost), std::abs(put)});
}

// One implicit step of size h from the accepted state, to its projected end.
bool Integrator::try_implicit(double h, double* error) {
    damped_ = false;
    dense_ready_ = false;
    const std::int64_t evaluations = implicit_->evaluations;
    const double* const now = stage(0);
    implicit_->set_out(q_.data(), v_.data(), t_, last_.data(), sides_, now + size_.v, lam_.data(),
                       {now[2 * size_.v], now[2 * size_.v + 1]}, z_, now + first_state_);
    system_.allow_error(stage_share * limits_.tolerance);
    const bool is_made = implicit_->step(h, size_.turns > 0 ? counted_turn : widest_turn);
    system_.allow_error(0.0);
    counts_.evaluations += implicit_->evaluations - evaluations;
    counts_.jacobians = implicit_->jacobians;
    if (!is_made) return false;
    const double* const change = implicit_->change();
    if (reference_energy_ == 0.0) refer_energy(change + 2 * size_.v);
    refer_states(change);
    if (implicit_->most_error() > 0.0) refer_end(h);
    const double estimate = norm(implicit_->error());
    *error = implicit_->most_error() > 0.0 ? 0.0 : estimate / limits_.tolerance;
    if (implicit_->most_error() > 0.0) {
        end_.largest_error = std::max(end_.largest_error, estimate);
        if (!(estimate <= implicit_->most_error())) return false;
    }
    if (!(*error <= 1.0)) return std::isfinite(*error);
    implicit_->reach(change, q_next_.data(), v_next_.data());
    std::copy(change, change + n_, y1_.begin());  // of it only turns and works are looked at
    if (!finish_step(h)) return false;
    if (size_.switches > 0) {
        prepare_dense(h);
        for (const std::size_t s : by_time_) {
            if (s == 0 || s == static_cast<std::size_t>(tableau_.stages)) continue;
            dense_state(stage_time(s), h, y_.data());
            move_trial();
            system_.switches(q_trial_, v_trial_, t_ + stage_time(s) * h, last_.data(), switches(s));
        }
    }
    return true;
}

// The change along an implicit step as that of an explicit one: places and velocities in world axes.
void Integrator::dense_implicit(double x, double* y) {
    implicit_->dense(x, body_change_.data());
    implicit_->reach(body_change_.data(), q_reached_.data(), v_reached_.data());
    const std::size_t n = manifold_.plane ? 3 : 6, n_q = manifold_.plane ? 3 : 7;
    for (std::size_t b = 0; b < manifold_.bodies; ++b)
        for (std::size_t k = 0; k < n; ++k)
            y[b * n + k] =
                manifold_.plane || k < 3 ? q_reached_[b * n_q + k] - q_[b * n_q + k] : body_change_[b * n + k];
    for (std::size_t k = 0; k < size_.v; ++k) y[size_.v + k] = v_reached_[k] - v_[k];
    std::copy(body_change_.begin() + static_cast<std::ptrdiff_t>(2 * size_.v), body_change_.end(), y + 2 * size_.v);
}

// h (rate of the polynomial - what acts there), in body axes.
double Integrator::implicit_roughness(double x, double h, const double* a, const Powers& powers) {
    if (fixed_step() > 0.0) return 0.0;
    implicit_->dense(x, body_change_.data());
    implicit_->rate(body_change_.data(), q_trial_, v_trial_, a, powers, z_rate_.data(), y_.data());
    implicit_->dense_rate(x, before_.data());
    for (std::size_t k = 0; k < n_; ++k) y_[k] = h * (before_[k] - y_[k]);
    return norm(y_.data());
}

}  // namespace kempe
