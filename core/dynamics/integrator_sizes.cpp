// How large errors, speeds and steps of the integrator are.
#include <algorithm>
#include <cmath>

#include "dynamics/integrator.hpp"

namespace kempe {

namespace {

// Source: [HairerWanner] section IV.2: the estimate of h |lambda| at the boundary of stability.
constexpr double stiff_bound = 6.1;
constexpr std::int64_t calm_steps = 6;
constexpr double least_energy = 1e-4;  // of the mass at the reference speed
constexpr double work_weight = 0.1;    // of an error of works: an energy is a square of speeds

}  // namespace

// The largest speed so far, in m/s; at rest, what the accelerations make of it over the length.
void Integrator::refer_speed() {
    const std::size_t n = manifold_.plane ? 3 : 6, linear = manifold_.plane ? 2 : 3;
    double speed = 0.0, push = 0.0;
    for (std::size_t k = 0; k < size_.v; ++k) {
        const double scale = k % n < linear ? 1.0 : limits_.length;
        speed = std::max(speed, scale * std::abs(v_[k]));
        push = std::max(push, scale * std::abs(acceleration()[k]));
    }
    reference_speed_ = std::max({reference_speed_, speed, std::sqrt(push * limits_.length)});
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
// mass. Where nothing is dissipated or driven, no error of it is to be found.
void Integrator::refer_energy(const double* works) {
    if (reference_energy_ == 0.0 && works[0] == 0.0 && works[1] == 0.0) return;
    const double least = least_energy * limits_.mass * reference_speed_ * reference_speed_;
    const double now = std::max({kinetic_, std::abs(work_[0]), std::abs(work_[1]), least});
    reference_energy_ = now > reference_energy_ ? now : reference_energy_;
}

// Root mean square over bodies of position / length, angle, and velocities beside the largest; works
// beside the energies count as much as all bodies together.
double Integrator::norm(const double* e) const {
    const std::size_t n = manifold_.plane ? 3 : 6, linear = manifold_.plane ? 2 : 3;
    const double place = 1.0 / limits_.length;
    const double floor = reference_speed_ > 0.0 ? reference_speed_ : limits_.length;
    double sum = 0.0;
    for (std::size_t b = 0; b < manifold_.bodies; ++b) {
        const double* du = e + n * b;
        const double* dv = e + size_.v + n * b;
        const double* v = v_.data() + n * b;
        double r = 0.0, turn = 0.0, dr = 0.0, dw = 0.0, speed = 0.0, spin = 0.0;
        for (std::size_t k = 0; k < linear; ++k) {
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
        const double spin_scale = floor * place + std::sqrt(spin);
        sum += r * place * place + turn + dr / (linear_scale * linear_scale) + dw / (spin_scale * spin_scale);
    }
    const double count = 4.0 * static_cast<double>(std::max<std::size_t>(manifold_.bodies, 1));
    if (reference_energy_ > 0.0) {
        const double lost = e[2 * size_.v] / reference_energy_;
        const double put = e[2 * size_.v + 1] / reference_energy_;
        sum += work_weight * work_weight * count * (lost * lost + put * put);
    }
    return std::sqrt(sum / count);
}

// h |f(y1) - f(last stage)| / |y1 - last stage|: the step is held down by stability.
void Integrator::watch_stiffness(double h) {
    const double* end = stage(tableau_.stages);
    const double* late = stage(tableau_.stages - 1);
    double change = 0.0, distance = 0.0;
    for (std::size_t k = 0; k < 2 * size_.v; ++k) {
        y_[k] = end[k] - late[k];
        before_[k] = y1_[k] - before_[k];
    }
    std::fill(y_.begin() + static_cast<std::ptrdiff_t>(2 * size_.v), y_.end(), 0.0);
    std::fill(before_.begin() + static_cast<std::ptrdiff_t>(2 * size_.v), before_.end(), 0.0);
    change = norm(y_.data());
    distance = norm(before_.data());
    const bool held = distance > 0.0 && h * change > stiff_bound * distance;
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
    const double guess = most > 0.0 ? std::pow(0.01 * limits_.tolerance / most, 1.0 / (tableau_.order + 1.0)) : h;
    return std::min({100.0 * h, guess, span});
}

}  // namespace kempe
