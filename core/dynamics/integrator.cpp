#include "dynamics/integrator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "linear/bytes.hpp"
#include "tape/generations.hpp"

namespace kempe {
namespace {

constexpr double settled = 1e-13;     // weighted phi that is rounding
constexpr double tolerable = 1e-3;    // weighted phi of a step that is still taken
constexpr int most_corrections = 4;   // of positions, a step
constexpr double widest_turn = 2.5;   // rad a step: the exponential's chart ends at 2 pi
constexpr double counted_turn = 1.2;  // the same where whole turns are counted
constexpr std::size_t lanes = 8;         // that sums are made in
constexpr std::size_t most_stages = 16;  // of any method, those of the dense output included
constexpr double most_finite = std::numeric_limits<double>::max();
constexpr double least_state = 1e-6;  // in its own unit: what is smaller need not be known to its last digits

bool finite(const double* x, std::size_t n) {
    int wrong = 0;
    for (std::size_t k = 0; k < n; ++k) wrong |= static_cast<int>(!(std::abs(x[k]) <= most_finite));
    return wrong == 0;
}

/// y = sum w_s k_s of `width` numbers, each summed up in a register in the order of the stages.
template <std::size_t width>
inline void sum_up(const double* const* k, const double* w, std::size_t terms, std::size_t i, double* y) {
    double sum[width] = {};
    for (std::size_t s = 0; s < terms; ++s)
        for (std::size_t lane = 0; lane < width; ++lane) sum[lane] += w[s] * k[s][i + lane];
    for (std::size_t lane = 0; lane < width; ++lane) y[i + lane] = sum[lane];
}

double weighted(const std::vector<double>& x, const std::vector<double>& w) {
    double most = 0.0, nothing = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double size = std::abs(x[k]) * w[k];
        most = size > most ? size : most;
        nothing += 0.0 * size;
    }
    return most + nothing;  // NaN where any x is
}

}  // namespace

Integrator::Integrator(DynamicSystem& system, Manifold manifold, const Tableau& tableau, IntegratorLimits limits)
    : system_(system), manifold_(manifold), tableau_(tableau), limits_(std::move(limits)), size_(system.size()),
      n_(size_.integrated()), room_(n_ + lanes - 1), first_state_(2 * size_.v + 2), q_(size_.q), v_(size_.v),
      lam_(size_.rows + size_.spare), last_(size_.turns), z_(size_.states.size()), z_trial_(z_.size()),
      z_rate_(z_.size()), y_(room_), y1_(room_), before_(room_), q_trial_(system.room_for_q()),
      v_trial_(system.room_for_v()), q_next_(size_.q), v_next_(size_.v), turns_next_(size_.turns),
      phi_(size_.rows + size_.spare), turns_(size_.turns), x_(size_.v) {
    share_slots();
    share_switches();
    share_marks();
    if (limits_.watches != nullptr) watcher_ = std::make_unique<Watcher>(*limits_.watches);
}

// States of forces where y leads to.
void Integrator::put_states(const double* y) {
    if (z_.empty()) return;
    for (std::size_t k = 0; k < z_.size(); ++k) z_trial_[k] = z_[k] + y[first_state_ + k];
    system_.set_states(z_trial_.data());
}

void Integrator::find_rates(const double* q, const double* v, double t, double* k) {
    if (!z_.empty()) system_.rates(q, v, t, last_.data(), k + first_state_);
}

// How large states have been, which their errors are compared with; y leads to where they may be next.
void Integrator::refer_states(const double* y) {
    trial_sizes_ = state_sizes_;
    for (std::size_t k = 0; k < z_.size(); ++k)
        trial_sizes_[k] = std::max(trial_sizes_[k], std::abs(z_[k] + y[first_state_ + k]));
}

// k = (du/dt, a, dissipated, driven, z') where the body stands at q = q_ (+) u with velocities v; u begins all of y.
bool Integrator::evaluate(const double* u, const double* q, const double* v, double t, double* k, double* lam) {
    ++counts_.evaluations;
    Powers powers;
    put_states(u);
    if (noted(system_.evaluate(q, v, t, last_.data(), k + size_.v, lam, &powers)) == Factor::singular) return false;
    const std::size_t n = manifold_.plane ? 3 : 6;
    for (std::size_t b = 0; b < manifold_.bodies; b += some_bodies) {
        const std::size_t count = std::min(some_bodies, manifold_.bodies - b);
        double* const rate = k + n * b;
        Manifold{count, manifold_.plane}.rate(u + n * b, v + n * b, rate);
        if (!finite(rate, n * count) || !finite(rate + size_.v, n * count)) return false;
    }
    k[2 * size_.v] = powers.dissipated;
    k[2 * size_.v + 1] = powers.driven;
    find_rates(q, v, t, k);
    return finite(k + 2 * size_.v, n_ - 2 * size_.v);
}

// At the place of the last residual.
Factor Integrator::factor_there(bool all_rows) { return noted(system_.factor_there(all_rows)); }

Factor Integrator::noted(Factor how) {
    if (how == Factor::weak) {
        damped_ = true;
        ++counts_.damped;
    }
    return how;
}

// Brings q to phi = 0 at time t, starting with the factors that are at hand or with its own; then
// with those of this place; and with all rows where the solved ones leave others open.
bool Integrator::settle(double t, double* q, bool by_own_factors) {
    double before = 0.0;
    for (int k = 0;; ++k) {
        system_.residual(q, t, last_.data(), phi_.data(), turns_.data());
        residual_ = weighted(phi_, limits_.rows);
        if (k == 0 && by_own_factors && factor_there() == Factor::singular) return false;
        if (residual_ <= settled || k == most_corrections || (k > 2 && !(residual_ < 0.5 * before)))
            return residual_ < tolerable;
        if (!(residual_ < tolerable) && k > 1) return false;
        if (k > 0 && residual_ > 0.01 * before && factor_there(k > 1 && size_.spare > 0) == Factor::singular)
            return false;
        before = residual_;
        system_.correct(phi_.data(), x_.data());
        for (auto& x : x_) x = -x;
        manifold_.move(q, x_.data(), q);
        ++counts_.projections;
    }
}

bool Integrator::start(const double* q, const double* v, const double* last, const double* z, double t) {
    q_.assign(q, q + size_.q);
    v_.assign(v, v + size_.v);
    last_.assign(last, last + size_.turns);
    z_.assign(z, z + size_.states.size());
    if (!z_.empty()) system_.set_states(z);
    state_sizes_.assign(z_.size(), least_state);
    t_ = t;
    work_ = {0.0, 0.0};
    is_implicit_ = wants_implicit_;
    reference_speed_ = limits_.pace.speed;
    reference_energy_ = limits_.pace.energy;
    largest_kinetic_ = limits_.pace.kinetic;
    held_ = 0.0;
    largest_push_ = limits_.pace.push;
    largest_pushed_ = limits_.pace.pushed;
    if (!settle(t, q_.data(), true)) return false;
    reached_ = residual_;
    last_ = turns_;
    if (noted(system_.factor(q_.data(), t, last_.data(), false)) == Factor::singular) return false;
    system_.velocity(v_.data());
    std::fill(y_.begin(), y_.end(), 0.0);
    refer_states(y_.data());
    state_sizes_ = trial_sizes_;
    if (!evaluate(y_.data(), q_.data(), v_.data(), t, stage(0), lam_.data())) return false;
    refer_speed();
    refer_kinetic();
    refer_energy(stage(0) + 2 * size_.v);
    return size_.switches == 0 || start_sides();
}

void Integrator::set_parameters(const double* p) {
    parameters_.assign(p, p + size_.parameters);
    system_.set_parameters(p);
    if (implicit_) implicit_->set_parameters(p);
}

// The state that y_ leads to from the accepted one.
void Integrator::move_trial() {
    manifold_.move(q_.data(), y_.data(), q_trial_);
    for (std::size_t k = 0; k < size_.v; ++k) v_trial_[k] = v_[k] + y_[size_.v + k];
    put_states(y_.data());
}

// Body after body from sums to trial state: what is summed up is still at hand when it is used.
bool Integrator::make_stage(int s, double h) {
    const auto& weights = tableau_.a[static_cast<std::size_t>(s)];
    const std::size_t n = manifold_.plane ? 3 : 6, n_q = manifold_.plane ? 3 : 7;
    const bool is_small = manifold_.bodies <= some_bodies;
    if (is_small) combine_part(weights, h, 0, n_, y_.data());
    double turn = 0.0;
    for (std::size_t b = 0; b < manifold_.bodies; b += some_bodies) {
        const Manifold some{std::min(some_bodies, manifold_.bodies - b), manifold_.plane};
        const std::size_t first = n * b, count = some.n_v();
        double *const u = y_.data() + first, *const dv = u + size_.v;
        if (!is_small) {
            combine_part(weights, h, first, first + count, u);
            combine_part(weights, h, size_.v + first, size_.v + first + count, dv);
        }
        turn = std::max(turn, some.largest_turn(u));
        some.move(q_.data() + n_q * b, u, q_trial_ + n_q * b);
        for (std::size_t k = 0; k < count; ++k) v_trial_[first + k] = v_[first + k] + dv[k];
    }
    if (!is_small) combine_part(weights, h, 2 * size_.v, n_, y_.data() + 2 * size_.v);
    if (!(turn < (size_.turns > 0 ? counted_turn : widest_turn))) return false;
    const double t = t_ + tableau_.c[static_cast<std::size_t>(s)] * h;
    if (!evaluate(y_.data(), q_trial_, v_trial_, t, stage(s))) return false;
    if (size_.switches > 0 && s < tableau_.stages)
        system_.switches(q_trial_, v_trial_, t, last_.data(), switches(static_cast<std::size_t>(s)));
    return true;
}

// One step of size h from the accepted state: y1_, the projected end, and its derivative.
bool Integrator::try_step(double h, double* error) {
    if (is_implicit_) return try_implicit(h, error);
    damped_ = false;
    dense_ready_ = false;
    system_.allow_error(stage_share * limits_.tolerance);
    bool is_made = true;
    for (int s = 1; s < tableau_.stages && is_made; ++s) is_made = make_stage(s, h);
    system_.allow_error(0.0);
    if (!is_made) return false;
    std::swap(before_, y_);  // of the last stage, at the end of the step
    combine(tableau_.b, h, y1_.data());
    if (!finite(y1_.data(), n_) || !(manifold_.largest_turn(y1_.data()) < widest_turn)) return false;
    if (reference_energy_ == 0.0) refer_energy(y1_.data() + 2 * size_.v);
    refer_states(y1_.data());
    const auto estimate = [&] {
        combine(tableau_.error, h, y_.data());
        const double e = norm(y_.data()) / limits_.tolerance;
        if (tableau_.error_low.empty()) return e;
        combine(tableau_.error_low, h, y_.data());
        const double low = norm(y_.data()) / limits_.tolerance;
        return e > 0.0 ? e * e / std::sqrt(e * e + 0.01 * low * low) : 0.0;
    };
    const bool early = static_cast<int>(tableau_.error.size()) <= tableau_.stages ||
                       tableau_.error[static_cast<std::size_t>(tableau_.stages)] == 0.0;
    if (early) {
        *error = estimate();
        if (!(*error <= 1.0)) return true;
    }
    manifold_.move(q_.data(), y1_.data(), q_next_.data());
    for (std::size_t k = 0; k < size_.v; ++k) v_next_[k] = v_[k] + y1_[size_.v + k];
    if (!finish_step(h)) return false;
    if (!early) *error = estimate();
    return true;
}

// From the end of a step to the nearest place where the rows hold, and what acts there.
bool Integrator::finish_step(double h) {
    put_states(y1_.data());  // first, because masses may be among them
    const bool varies = !size_.flow_bodies.empty();
    if (!settle(t_ + h, q_next_.data(), varies) || factor_there() == Factor::singular) return false;
    reached_ = residual_;
    turns_next_ = turns_;
    system_.velocity(v_next_.data());
    double* k = stage(tableau_.stages);
    Powers powers;
    system_.motion(v_next_.data(), k + size_.v, lam_.data(), &powers);
    ++counts_.evaluations;
    manifold_.rate(y1_.data(), v_next_.data(), k);
    k[2 * size_.v] = powers.dissipated;
    k[2 * size_.v + 1] = powers.driven;
    find_rates(q_next_.data(), v_next_.data(), t_ + h, k);
    if (size_.switches > 0) {
        system_.switches(q_next_.data(), v_next_.data(), t_ + h, last_.data(),
                         switches(static_cast<std::size_t>(tableau_.stages)));
    }
    return finite(k, n_);
}

void Integrator::accept(double h) {
    std::swap(q_, q_next_);
    std::swap(v_, v_next_);
    double* k = stage(tableau_.stages);
    // the chart moves on to the new place, where u = 0 and du/dt = v
    std::copy(k + size_.v, k + n_, stage(0) + size_.v);
    std::copy(v_.begin(), v_.end(), stage(0));
    work_[0] += y1_[2 * size_.v];
    work_[1] += y1_[2 * size_.v + 1];
    put_states(y1_.data());
    refer_states(y1_.data());
    z_ = z_trial_;
    state_sizes_ = trial_sizes_;
    last_ = turns_next_;
    t_ += h;
    ++counts_.steps;
    choose_step();
    // with rows to spare damping is a choice of rows, and no sign of a singular position
    damped_row_ = damped_ && size_.spare == 0 ? damped_row_ + 1 : 0;
    refer_speed();
    refer_kinetic();
    refer_energy(stage(0) + 2 * size_.v);
}

// The stages of the integrator: where they stand, and their sums.

// Stages share memory: one that no later stage and no sum needs leaves its place to another.
void Integrator::share_slots() {
    const auto stages = static_cast<std::size_t>(tableau_.stages);
    const std::size_t all = std::max(static_cast<std::size_t>(tableau_.dense_stages), stages + 1);
    std::vector<std::size_t> needed(all, 0);  // until this stage is made
    const auto need = [&](const std::vector<double>& weights, std::size_t until) {
        for (std::size_t s = 0; s < weights.size(); ++s)
            needed[s] = weights[s] != 0.0 ? std::max(needed[s], until) : needed[s];
    };
    for (std::size_t s = 1; s < tableau_.a.size(); ++s) need(tableau_.a[s], s);
    for (const auto* sum : {&tableau_.b, &tableau_.error, &tableau_.error_low}) need(*sum, stages);
    for (const auto& row : tableau_.dense) need(row, all);
    for (std::size_t s = 0; s < tableau_.weights.size(); ++s) needed[s] = all;
    for (const std::size_t s : {std::size_t{0}, stages - 1, stages})
        needed[s] = all;  // the next step's first, and those that stiffness is seen in
    std::vector<std::size_t> until;  // of the stage in each slot
    for (std::size_t s = 0; s < all; ++s) {
        std::size_t slot = 0;
        while (slot < until.size() && until[slot] > s) ++slot;
        until.resize(std::max(until.size(), slot + 1));
        until[slot] = needed[s];
        slots_.push_back(slot);
    }
    for (std::size_t slot = 0; slot < until.size(); ++slot)
        if (slot != slots_[0] && slot != slots_[stages]) dense_slots_.push_back(slot);
    stages_.resize(until.size() * room_);
}

// y = h sum weights_s k_s, over one part of the numbers after another: each stays near. The last lanes are
// filled, with what belongs there or beyond the end.
void Integrator::combine(const std::vector<double>& weights, double h, double* y) {
    for (std::size_t begin = 0; begin < n_; begin += part)
        combine_part(weights, h, begin, std::min(begin + part, n_), y + begin);
}

KEMPE_GENERATIONS void Integrator::combine_part(const std::vector<double>& weights, double h, std::size_t begin,
                                                std::size_t end, double* y) {
    std::array<const double*, most_stages> k;
    std::array<double, most_stages> w;
    std::size_t terms = 0;
    for (std::size_t s = 0; s < weights.size(); ++s) {
        k[terms] = stage(static_cast<int>(s)) + begin;
        w[terms] = h * weights[s];
        terms += w[terms] != 0.0 ? 1 : 0;
    }
    const std::size_t n = (end - begin + lanes - 1) / lanes * lanes;
    std::size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) sum_up<2 * lanes>(k.data(), w.data(), terms, i, y);
    if (i < n) sum_up<lanes>(k.data(), w.data(), terms, i, y);
}

std::size_t Integrator::bytes() const {
    return bytes_of(z_, z_trial_, state_sizes_, trial_sizes_) +
           bytes_of(q_, v_, lam_, last_, stages_, y_, y1_, before_, q_next_, v_next_, turns_next_, phi_, turns_, x_) +
           (implicit_ ? implicit_->bytes() : 0) + bytes_of(limits_.rows, limits_.guards, limits_.guard_sides) +
           bytes_of(sides_, switches_, looks_, seen_, by_time_, is_fresh_, is_met_, is_idle_, times_switched_);
}

// How large errors, speeds and steps of the integrator are.

namespace {

constexpr std::int64_t calm_steps = 6;
constexpr double least_energy = 1e-4;  // of the mass at the reference speed
constexpr double least_push = 1e-12;   // of what is held, over the mass
constexpr double least_work = 1e-15;   // of what is held, along the length
constexpr double last_digits = 1e-15;  // of a place: no error below it is seen
constexpr double work_weight = 0.1;    // of an error of works: an energy is a square of speeds

}  // namespace

// The largest of velocities in m/s, or of accelerations in m/s^2: angular ones times the length.
double Integrator::largest_speed(const double* v) const {
    const std::size_t n = manifold_.plane ? 3 : 6, linear = manifold_.plane ? 2 : 3;
    double most = 0.0;
    for (std::size_t k = 0; k < size_.v; ++k)
        most = std::max(most, (k % n < linear ? 1.0 : limits_.length) * std::abs(v[k]));
    return most;
}

// The largest speed so far, in m/s; at rest, what the accelerations make of it over the length. Where
// joints and stops hold all that pushes, accelerations are its rounding, and no measure of anything.
void Integrator::refer_speed() {
    const double speed = largest_speed(v_.data()), push = largest_speed(acceleration());
    for (const double force : lam_) held_ = std::max(held_, std::abs(force));
    const double least = limits_.mass > 0.0 ? least_push * held_ / limits_.mass : 0.0;
    reference_speed_ = std::max({reference_speed_, speed, std::sqrt(std::max(push, least) * limits_.length)});
    if (push > largest_push_) {
        largest_push_ = push;
        refer_push();
    }
}

// The kinetic energy that the accelerations make over the length: errors of places and speeds are
// compared with what goes with it, also before bodies move as fast.
void Integrator::refer_push() {
    const double time = std::sqrt(limits_.length / largest_push_);
    for (std::size_t k = 0; k < size_.v; ++k) x_[k] = time * acceleration()[k];
    double pushed = 0.0, stored = 0.0;
    system_.energy(q_.data(), x_.data(), t_, last_.data(), &pushed, &stored);
    largest_pushed_ = std::max(largest_pushed_, pushed);
}

// The kinetic energy at the place that has been reached, and the largest so far.
void Integrator::refer_kinetic() {
    double stored = 0.0;
    system_.energy(q_.data(), v_.data(), t_, last_.data(), &kinetic_, &stored);
    largest_kinetic_ = std::max(largest_kinetic_, kinetic_);
}

// The largest kinetic energy and work so far; at rest, a share of what the reference speed makes of the
// mass, or of what the accelerations make of masses and moments where that is less; and never so little
// that the rounding of what is held, along the length, would be an error of works. Where nothing is
// dissipated or driven, no error of it is to be found.
void Integrator::refer_energy(const double* works) {
    if (reference_energy_ == 0.0 && works[0] == 0.0 && works[1] == 0.0) return;
    const double moved = 2.0 * std::max(largest_pushed_, largest_kinetic_);  // as m v^2 is
    const double least = least_energy * std::min(limits_.mass * reference_speed_ * reference_speed_, moved);
    const double rounding = std::min(least_work / limits_.tolerance, least_energy) * held_ * limits_.length;
    const double now = std::max({kinetic_, std::abs(work_[0]), std::abs(work_[1]), least, rounding});
    reference_energy_ = now > reference_energy_ ? now : reference_energy_;
}

// Root mean square over bodies of position / length, angle, and velocities beside the largest; works beside
// the energies count as much as all bodies together. No place is asked for more digits than it has.
double Integrator::norm(const double* e) const {
    const std::size_t n = manifold_.plane ? 3 : 6, linear = manifold_.plane ? 2 : 3;
    const std::size_t n_q = manifold_.plane ? 3 : 7;
    const double floor = reference_speed_ > 0.0 ? reference_speed_ : limits_.length;
    double sum = 0.0;
    for (std::size_t b = 0; b < manifold_.bodies; ++b) {
        const double* du = e + n * b;
        const double* dv = e + size_.v + n * b;
        const double* v = v_.data() + n * b;
        double r = 0.0, turn = 0.0, dr = 0.0, dw = 0.0, speed = 0.0, spin = 0.0, far = 0.0;
        for (std::size_t k = 0; k < linear; ++k) {
            far = std::max(far, std::abs(q_[n_q * b + k]));
            r += du[k] * du[k];
            dr += dv[k] * dv[k];
            speed += v[k] * v[k];
        }
        for (std::size_t k = linear; k < n; ++k) {
            turn += du[k] * du[k];
            dw += dv[k] * dv[k];
            spin += v[k] * v[k];
        }
        const double linear_scale = floor + std::sqrt(speed);
        const double spin_scale = floor / limits_.length + std::sqrt(spin);
        const double place = 1.0 / std::max(limits_.length, last_digits * far / limits_.tolerance);
        sum += r * place * place + turn + dr / (linear_scale * linear_scale) + dw / (spin_scale * spin_scale);
    }
    double count = 4.0 * static_cast<double>(std::max<std::size_t>(manifold_.bodies, 1));
    for (std::size_t k = 0; k < z_.size(); ++k) {
        const double part = e[first_state_ + k] / trial_sizes_[k];
        sum += part * part;
    }
    count += static_cast<double>(z_.size());
    if (reference_energy_ > 0.0) {
        const double lost = e[2 * size_.v] / reference_energy_;
        const double put = e[2 * size_.v + 1] / reference_energy_;
        sum += work_weight * work_weight * count * (lost * lost + put * put);
    }
    return std::sqrt(sum / count);
}

// h |f(y1) - f(last stage)| / |y1 - last stage|: the step is held down by stability.
void Integrator::watch_stiffness(double h) {
    if (is_implicit_) return;
    const double* end = stage(tableau_.stages);
    const double* late = stage(tableau_.stages - 1);
    double change = 0.0, distance = 0.0;
    for (std::size_t k = 0; k < n_; ++k) {
        const bool is_work = k >= 2 * size_.v && k < first_state_;
        y_[k] = is_work ? 0.0 : end[k] - late[k];
        before_[k] = is_work ? 0.0 : y1_[k] - before_[k];
    }
    change = norm(y_.data());
    distance = norm(before_.data());
    const bool held = distance > 0.0 && h * change > tableau_.stable * distance;
    if (may_change_ && distance > 0.0) watch_pace_of_motion(h * change / distance);
    stiff_row_ = held ? stiff_row_ + 1 : stiff_row_;
    calm_row_ = held ? 0 : calm_row_ + 1;
    if (calm_row_ >= calm_steps) stiff_row_ = 0;
    end_.stiff = end_.stiff || stiff_row_ >= stiff_steps;
}

// Source: [HairerNorsettWanner] section II.4.
double Integrator::first_step(double span) {
    const double d1 = norm(stage(0));
    double h = d1 > 0.0 ? 0.01 / d1 : 1e-6 * span;
    h = std::min(h, span);
    for (std::size_t k = 0; k < n_; ++k) y_[k] = h * stage(0)[k];
    move_trial();
    double d2 = d1 / h;
    if (evaluate(y_.data(), q_trial_, v_trial_, t_ + h, stage(1))) {
        for (std::size_t k = 0; k < n_; ++k) y_[k] = (stage(1)[k] - stage(0)[k]) / h;
        d2 = norm(y_.data());
    }
    const double most = std::max(d1, d2);
    const double guess = most > 0.0 ? std::pow(0.01 * limits_.tolerance / most, 1.0 / (order() + 1.0)) : h;
    return std::min({100.0 * h, guess, span});
}

}  // namespace kempe
