#include "dynamics/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kempe {

namespace {

constexpr double settled = 1e-13;     // weighted phi that is rounding
constexpr double tolerable = 1e-3;    // weighted phi of a step that is still taken
constexpr int most_corrections = 4;   // of positions, a step
constexpr double widest_turn = 2.5;   // rad a step: the exponential's chart ends at 2 pi
constexpr double counted_turn = 1.2;  // the same where whole turns are counted

bool finite(const double* x, std::size_t n) {
    double zero[8] = {};  // eight sums, because one would wait for itself
    std::size_t k = 0;
    for (; k + 8 <= n; k += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) zero[lane] += 0.0 * x[k + lane];
    for (; k < n; ++k) zero[0] += 0.0 * x[k];
    double sum = 0.0;
    for (const double each : zero) sum += each;
    return sum == 0.0;
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
      n_(2 * size_.v + 2), q_(size_.q), v_(size_.v), lam_(size_.rows + size_.spare), last_(size_.turns), y_(n_),
      y1_(n_), before_(n_), q_trial_(system.room_for_q()), v_trial_(system.room_for_v()), q_next_(size_.q),
      v_next_(size_.v), turns_next_(size_.turns), phi_(size_.rows + size_.spare), turns_(size_.turns), x_(size_.v) {
    share_slots();
    share_switches();
    share_marks();
}

// k = (du/dt, a, dissipated, driven) where the body stands at q = q_ (+) u with velocities v.
bool Integrator::evaluate(const double* u, const double* q, const double* v, double t, double* k, double* lam) {
    ++counts_.evaluations;
    Powers powers;
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
    return finite(k + 2 * size_.v, 2);
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

bool Integrator::start(const double* q, const double* v, const double* last, double t) {
    q_.assign(q, q + size_.q);
    v_.assign(v, v + size_.v);
    last_.assign(last, last + size_.turns);
    t_ = t;
    work_ = {0.0, 0.0};
    if (!settle(t, q_.data(), true)) return false;
    reached_ = residual_;
    last_ = turns_;
    if (noted(system_.factor(q_.data(), t, last_.data(), false)) == Factor::singular) return false;
    system_.velocity(v_.data());
    std::fill(y_.begin(), y_.end(), 0.0);
    if (!evaluate(y_.data(), q_.data(), v_.data(), t, stage(0), lam_.data())) return false;
    refer_speed();
    refer_kinetic();
    refer_energy(stage(0) + 2 * size_.v);
    return size_.switches == 0 || start_sides();
}

// The state that y_ leads to from the accepted one.
void Integrator::move_trial() {
    manifold_.move(q_.data(), y_.data(), q_trial_);
    for (std::size_t k = 0; k < size_.v; ++k) v_trial_[k] = v_[k] + y_[size_.v + k];
}

// Body after body from sums to trial state: what is summed up is still at hand when it is used.
bool Integrator::make_stage(int s, double h) {
    const auto& weights = tableau_.a[static_cast<std::size_t>(s)];
    const std::size_t n = manifold_.plane ? 3 : 6, n_q = manifold_.plane ? 3 : 7;
    double turn = 0.0;
    for (std::size_t b = 0; b < manifold_.bodies; b += some_bodies) {
        const Manifold some{std::min(some_bodies, manifold_.bodies - b), manifold_.plane};
        const std::size_t first = n * b, count = some.n_v();
        double *const u = y_.data() + first, *const dv = u + size_.v;
        combine_part(weights, h, first, first + count, u);
        combine_part(weights, h, size_.v + first, size_.v + first + count, dv);
        turn = std::max(turn, some.largest_turn(u));
        some.move(q_.data() + n_q * b, u, q_trial_ + n_q * b);
        for (std::size_t k = 0; k < count; ++k) v_trial_[first + k] = v_[first + k] + dv[k];
    }
    combine_part(weights, h, 2 * size_.v, n_, y_.data() + 2 * size_.v);
    if (!(turn < (size_.turns > 0 ? counted_turn : widest_turn))) return false;
    const double t = t_ + tableau_.c[static_cast<std::size_t>(s)] * h;
    if (!evaluate(y_.data(), q_trial_, v_trial_, t, stage(s))) return false;
    if (size_.switches > 0 && s < tableau_.stages)
        system_.switches(q_trial_, v_trial_, t, last_.data(), switches(static_cast<std::size_t>(s)));
    return true;
}

// One step of size h from the accepted state: y1_, the projected end, and its derivative.
bool Integrator::try_step(double h, double* error) {
    damped_ = false;
    dense_ready_ = false;
    for (int s = 1; s < tableau_.stages; ++s)
        if (!make_stage(s, h)) return false;
    std::swap(before_, y_);  // of the last stage, at the end of the step
    combine(tableau_.b, h, y1_.data());
    if (!finite(y1_.data(), n_) || !(manifold_.largest_turn(y1_.data()) < widest_turn)) return false;
    if (reference_energy_ == 0.0) refer_energy(y1_.data() + 2 * size_.v);
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
    if (!settle(t_ + h, q_next_.data()) || factor_there() == Factor::singular) return false;
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
    if (!early) *error = estimate();
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
    last_ = turns_next_;
    t_ += h;
    ++counts_.steps;
    // with rows to spare damping is a choice of rows, and no sign of a singular position
    damped_row_ = damped_ && size_.spare == 0 ? damped_row_ + 1 : 0;
    refer_speed();
    refer_kinetic();
    refer_energy(stage(0) + 2 * size_.v);
}

}  // namespace kempe
