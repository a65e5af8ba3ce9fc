#include "dynamics/methods/implicit_method.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "linear/bytes.hpp"

namespace kempe {

ImplicitMethod::ImplicitMethod(DynamicSystem& system, Linearization linearization, Screws screws, RowEntries entries,
                               const std::vector<double>& mass)
    : system_(system), linearization_(std::move(linearization)), screws_(screws), size_(system.size()),
      entries_(std::move(entries)), mass_(size_), n_(size_.integrated()), q_(size_.q), v_(size_.v), last_(size_.turns),
      body_v_(size_.v), first_(n_), start_a_(size_.v), start_lam_(size_.rows), change_(n_), error_(n_),
      q_trial_(size_.q), v_trial_(size_.v), a_(size_.v), residual_(size_.v + size_.rows), values_(system.entries()),
      rhs_(size_.rows + size_.spare), gamma_(size_.rows + size_.spare), load_(size_.v), z_trial_(size_.states.size()),
      z_rate_(size_.states.size()), V_(size_.v), all_lam_(size_.rows + size_.spare) {
    if (entries_.rows.size() != values_.size() || entries_.columns.size() != values_.size())
        throw std::invalid_argument("every entry of J has one place");
    mass_.give(mass.data(), mass.size());
}

void ImplicitMethod::set_out(const double* q, const double* v, double t, const double* last,
                             const std::vector<double>& sides, const double* a, const double* lam, const Powers& powers,
                             const std::vector<double>& z, const double* z_rate) {
    if (has_start_ && t == t_ && std::equal(q_.begin(), q_.end(), q) && std::equal(v_.begin(), v_.end(), v) &&
        sides == sides_ && z == z_)
        return;
    q_.assign(q, q + size_.q);
    v_.assign(v, v + size_.v);
    last_.assign(last, last + size_.turns);
    sides_ = sides;
    z_ = z;
    t_ = t;
    has_start_ = true;
    screws_.to_body(q, v, body_v_.data());
    const std::vector<double> nowhere(size_.v);
    rate(nowhere.data(), q, v, a, powers, z_rate, first_.data());
    std::copy_n(first_.data() + size_.v, size_.v, start_a_.begin());
    std::copy_n(lam, size_.rows, start_lam_.begin());
    if (!sides.empty()) linearization_.derivatives().set_sides(sides.data());
    if (looks_at_the_start()) linearize(q, v, t, a, lam, z.data());
}

void ImplicitMethod::linearize(const double* q, const double* v, double t, const double* a, const double* lam,
                               const double* z) {
    std::copy_n(lam, size_.rows, all_lam_.begin());
    const LoadSlopes* const loads = system_.load_slopes(q, v, t, last_.data(), lam);
    if (const double* p = system_.answered_parameters()) linearization_.derivatives().set_parameters(p);
    linearization_.set_states(z);
    linearization_.at(q, v, t, last_.data(), a, all_lam_.data());
    linearization_.set_loads(loads);
    ++jacobians;
}

void ImplicitMethod::set_parameters(const double* p) {
    linearization_.derivatives().set_parameters(p);
    has_start_ = false;
}

void ImplicitMethod::reach(const double* change, double* q, double* v) const {
    screws_.move(q_.data(), change, q);
    for (std::size_t k = 0; k < size_.v; ++k) v[k] = body_v_[k] + change[size_.v + k];
    screws_.to_world(q, v, v);
}

// F = (dexp^-1 V, R^T a - w x V_v, a_w, powers, z')
void ImplicitMethod::rate(const double* change, const double* q, const double* v, const double* a, const Powers& powers,
                          const double* z_rate, double* to) {
    const std::size_t n = size_.v, each = screws_.each();
    screws_.to_body(q, v, V_.data());
    screws_.rate(change, V_.data(), to);
    screws_.to_body(q, a, to + n);
    for (std::size_t b = 0; b < screws_.bodies; ++b) {
        const Twist now(screws_.plane, V_.data() + b * each);
        Twist turning(screws_.plane, to + n + b * each);
        double lever[3];
        cross(now.w, now.v, lever);
        for (int k = 0; k < 3; ++k) turning.v[k] -= lever[k];
        turning.put(screws_.plane, to + n + b * each);
    }
    to[2 * n] = powers.dissipated;
    to[2 * n + 1] = powers.driven;
    std::copy_n(z_rate, z_rate_.size(), to + 2 * n + 2);
}

void ImplicitMethod::look(const double* y, double t, const double* lam) {
    reach(y, q_trial_.data(), v_trial_.data());
    ++evaluations;
    for (std::size_t k = 0; k < z_trial_.size(); ++k) z_trial_[k] = z_[k] + y[2 * size_.v + 2 + k];
    if (!z_trial_.empty()) {
        system_.set_states(z_trial_.data());
        mass_.follow(z_trial_.data());
        system_.rates(q_trial_.data(), v_trial_.data(), t, last_.data(), z_rate_.data());
    }
    system_.equations(q_trial_.data(), v_trial_.data(), t, last_.data(), lam, values_.data(), rhs_.data(),
                      gamma_.data(), load_.data(), &dissipated_);
}

// a = R (V_v' + w x V_v)
void ImplicitMethod::accelerate(const double* y, const double* body_a) {
    const std::size_t n = size_.v, each = screws_.each();
    for (std::size_t k = 0; k < n; ++k) V_[k] = body_v_[k] + y[n + k];
    for (std::size_t b = 0; b < screws_.bodies; ++b) {
        const Twist now(screws_.plane, V_.data() + b * each);
        Twist moving(screws_.plane, body_a + b * each);
        double lever[3];
        cross(now.w, now.v, lever);
        for (int k = 0; k < 3; ++k) moving.v[k] += lever[k];
        moving.put(screws_.plane, a_.data() + b * each);
    }
    screws_.to_world(q_trial_.data(), a_.data(), a_.data());
}

void ImplicitMethod::push(const double* lam) {
    const std::size_t each = screws_.each();
    for (std::size_t k = 0; k < size_.v; ++k) {
        const double* const row = mass_.blocks().data() + k * each;
        const double* const mine = a_.data() + k / each * each;
        residual_[k] = -load_[k];
        for (std::size_t j = 0; j < each; ++j) residual_[k] += row[j] * mine[j];
    }
    for (std::size_t e = 0; e < values_.size(); ++e) {
        const auto row = static_cast<std::size_t>(entries_.rows[e]);
        if (row < size_.rows) residual_[static_cast<std::size_t>(entries_.columns[e])] += values_[e] * lam[row];
    }
}

void ImplicitMethod::add_rows(const double* x, double* out) const {
    for (std::size_t e = 0; e < values_.size(); ++e) {
        const auto row = static_cast<std::size_t>(entries_.rows[e]);
        if (row < size_.rows) out[row] += values_[e] * x[static_cast<std::size_t>(entries_.columns[e])];
    }
}

std::size_t ImplicitMethod::bytes() const {
    return linearization_.bytes() + mass_.bytes() +
           bytes_of(entries_.rows, entries_.columns, q_, v_, last_, sides_, body_v_, first_, start_a_) +
           bytes_of(start_lam_, change_, error_, q_trial_, v_trial_, a_, residual_, values_, rhs_, gamma_, load_) +
           bytes_of(z_, z_trial_, z_rate_, V_, all_lam_);
}

}  // namespace kempe
