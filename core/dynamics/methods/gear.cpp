#include "dynamics/methods/gear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kinematics/manifold.hpp"
#include "linear/bytes.hpp"

namespace kempe {

namespace {

constexpr int highest_order = 6;
constexpr double diverging = 0.9;     // share of a correction that is left of the one before
constexpr double most_longer = 2.0;   // steps
constexpr double hardly_longer = 1.2; // not worth another step length
constexpr double same_length = 1e-6;  // of a step
constexpr double safety = 0.9;
// Of the tolerance, which a step may err by: along a motion errors of all steps have one sign and add up, and their
// estimate is no larger than they are, unlike that of one-step methods.
constexpr double own_share = 0.1;
constexpr double settled = 1e-15;     // of the largest coordinate: closed
constexpr int most_closings = 3;      // a step
constexpr double same_time = 1e-6;    // of a step: what marks round times by

// Weights of the values at `nodes` in the value at x of the polynomial through them.
std::vector<double> value_weights(const std::vector<double>& nodes, double x) {
    std::vector<double> weights(nodes.size(), 1.0);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t j = 0; j < nodes.size(); ++j)
            if (j != i) weights[i] *= (x - nodes[j]) / (nodes[i] - nodes[j]);
    return weights;
}

// The same for its derivative.
std::vector<double> slope_weights(const std::vector<double>& nodes, double x) {
    std::vector<double> weights(nodes.size(), 0.0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (std::size_t m = 0; m < nodes.size(); ++m) {
            if (m == i) continue;
            double term = 1.0 / (nodes[i] - nodes[m]);
            for (std::size_t j = 0; j < nodes.size(); ++j)
                if (j != i && j != m) term *= (x - nodes[j]) / (nodes[i] - nodes[j]);
            weights[i] += term;
        }
    }
    return weights;
}

}  // namespace

Gear::Gear(DynamicSystem& system, GearSettings settings, Linearization linearization, Screws screws, RowEntries entries,
           const std::vector<double>& mass, std::unique_ptr<Rosenbrock> starter)
    : ImplicitMethod(system, std::move(linearization), screws, std::move(entries), mass), settings_(settings),
      starter_(std::move(starter)), works_(n_ - 2 * size_.v), y_(n_), lam_(size_.rows), F_(n_), r_(n_),
      U_(n_ + size_.v + size_.rows), phi_(size_.rows + size_.spare), turns_(size_.turns) {
    settings_.most_order = std::clamp(settings_.most_order, 1, highest_order);
    if (!(settings_.step > 0.0)) settings_.newton_tolerance *= own_share;
}

// Forgets what was before the place where the step starts.
void Gear::restart() {
    places_.clear();
    places_.push_front({t_, q_, body_v_, works_});
    alike_ = 0;
    order_ = settings_.order > 0 ? settings_.order : settings_.most_order;
}

// y of the places before, from the last.
void Gear::gather() {
    const std::size_t n = size_.v;
    past_.assign(places_.size(), std::vector<double>(n_));
    for (std::size_t i = 1; i < places_.size(); ++i) {
        screws_.way(q_.data(), places_[i].q.data(), past_[i].data());
        for (std::size_t k = 0; k < n; ++k) past_[i][n + k] = places_[i].V[k] - body_v_[k];
        for (std::size_t p = 0; p < works_.size(); ++p) past_[i][2 * n + p] = places_[i].works[p] - works_[p];
    }
}

void Gear::combine(const std::vector<double>& weights, std::vector<double>& y) const {
    std::fill(y.begin(), y.end(), 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i)
        for (std::size_t k = 0; k < n_; ++k) y[k] += weights[i] * past_[i][k];
}

bool Gear::step(double h, double widest) {
    h_ = h;
    const bool goes_on = !places_.empty() && std::abs(places_.front().t - t_) <= same_time * h &&
                         places_.front().q == q_ && places_.front().V == body_v_ && sides_ == sides_before_ &&
                         z_ == z_after_;
    if (!goes_on) restart();
    places_.front().t = t_;
    sides_before_ = sides_;
    const auto k = static_cast<std::size_t>(order_);
    is_starting_ = places_.size() < (settings_.order > 0 ? k : k + 1);  // an error is seen in one more
    if (is_starting_) return start_step(h, widest);
    const double t = t_ + h;
    times_.clear();
    for (const Place& place : places_) times_.push_back(place.t - t);
    gather();
    // predicted by k + 1 places before, or by as many as there are
    const std::vector<double> known(times_.begin(),
                                    times_.begin() + static_cast<std::ptrdiff_t>(std::min(k + 1, times_.size())));
    combine(value_weights(known, 0.0), y_);
    std::vector<double> nodes{0.0};
    nodes.insert(nodes.end(), times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(k));
    const std::vector<double> slopes = slope_weights(nodes, 0.0);
    const double g = 1.0 / slopes[0];
    std::vector<double> base(n_), weights;
    for (std::size_t i = 1; i < slopes.size(); ++i) weights.push_back(-g * slopes[i]);
    combine(weights, base);
    if (!correct(t, widest, base, g)) return false;
    change_ = y_;
    const double share = h / (t - (k < places_.size() ? places_[k].t : t_ - static_cast<double>(k) * h));
    combine(value_weights(known, 0.0), error_);
    for (std::size_t i = 0; i < n_; ++i)
        error_[i] = settings_.step > 0.0 ? 0.0 : share * (change_[i] - error_[i]) / own_share;
    return is_finite(change_);
}

// A step of the starter, whose order does for what follows.
bool Gear::start_step(double h, double widest) {
    const Powers powers{first_[2 * size_.v], first_[2 * size_.v + 1]};
    reach(std::vector<double>(n_).data(), q_trial_.data(), v_trial_.data());
    std::vector<double> lam(size_.rows + size_.spare), a(size_.v);
    std::copy(start_lam_.begin(), start_lam_.end(), lam.begin());
    accelerate(std::vector<double>(n_).data(), start_a_.data());
    a = a_;
    starter_->set_out(q_.data(), v_.data(), t_, last_.data(), sides_, a.data(), lam.data(), powers, z_,
                      first_.data() + 2 * size_.v + 2);
    const std::int64_t before = starter_->evaluations;
    const bool is_made = starter_->step(h, widest);
    evaluations += starter_->evaluations - before;
    std::copy_n(starter_->change(), n_, change_.begin());
    std::copy_n(starter_->error(), n_, error_.begin());
    if (settings_.step > 0.0) std::fill(error_.begin(), error_.end(), 0.0);
    return is_made;
}

// Newton's method for V, lam and u, in turn with closing the joints.
bool Gear::correct(double t, double widest, const std::vector<double>& base, double g) {
    const std::size_t n = size_.v, solved = size_.rows, states = 2 * n + 2;  // where those begin
    const Manifold turns{screws_.bodies, screws_.plane};
    std::vector<double> moved(n), V(n), body_a(n), delta(n_);
    lam_ = start_lam_;
    reach(y_.data(), q_trial_.data(), v_trial_.data());
    for (std::size_t k = 0; k < n; ++k) body_a[k] = (y_[n + k] - base[n + k]) / g;
    accelerate(y_.data(), body_a.data());
    for (std::size_t k = 0; k < z_.size(); ++k) z_trial_[k] = z_[k] + y_[states + k];
    linearize(q_trial_.data(), v_trial_.data(), t, a_.data(), lam_.data(), z_trial_.data());
    if (!linearization_.factor(g, Linearization::Rows::velocities)) return false;
    double before = 0.0;
    int closings = 0;
    for (int round = 0; round < settings_.newton_iterations; ++round) {
        if (!is_finite(y_) || !(turns.largest_turn(y_.data()) < widest)) return false;
        look(y_.data(), t, lam_.data());
        for (std::size_t k = 0; k < n; ++k) {
            V[k] = body_v_[k] + y_[n + k];
            body_a[k] = (y_[n + k] - base[n + k]) / g;
        }
        screws_.rate(y_.data(), V.data(), F_.data());
        accelerate(y_.data(), body_a.data());
        push(lam_.data());
        for (std::size_t k = 0; k < solved; ++k) residual_[n + k] = -rhs_[k];
        add_rows(v_trial_.data(), residual_.data() + n);
        for (std::size_t k = 0; k < solved; ++k) residual_[n + k] /= g;
        std::fill(r_.begin(), r_.end(), 0.0);
        for (std::size_t k = 0; k < n; ++k) r_[k] = -(y_[k] - base[k] - moved[k] - g * F_[k]) / g;
        for (std::size_t k = states; k < n_; ++k) r_[k] = -(y_[k] - base[k]) / g + z_rate_[k - states];
        if (!is_finite(residual_) || !is_finite(r_)) return false;
        linearization_.solve(r_.data(), residual_.data(), 0.0, U_.data());
        for (std::size_t k = 0; k < 2 * n; ++k) y_[k] += delta[k] = U_[k];
        for (std::size_t k = states; k < n_; ++k) y_[k] += delta[k] = U_[k];
        for (std::size_t k = 0; k < solved; ++k) lam_[k] += U_[n_ + n + k];
        delta[2 * n] = delta[2 * n + 1] = 0.0;
        const double size = norm(delta.data());
        const double left = round > 0 && before > 0.0 ? size / before : 0.5;
        if (!(std::isfinite(size)) || (round > 1 && left > diverging && size > settings_.newton_tolerance))
            return false;
        before = size;
        if (!(std::min(left, diverging) / (1.0 - std::min(left, diverging)) * size <= settings_.newton_tolerance))
            continue;
        if (closings == most_closings || settle(t, moved)) {
            look(y_.data(), t, lam_.data());
            double driven = 0.0;
            for (std::size_t k = 0; k < solved; ++k) driven -= lam_[k] * rhs_[k];
            y_[2 * n] = base[2 * n] + g * dissipated_;
            y_[2 * n + 1] = base[2 * n + 1] + g * driven;
            return true;
        }
        ++closings;
        before = 0.0;
    }
    return false;
}

// The lightest displacement that closes the joints, added to what has moved; whether it was small enough to stop.
bool Gear::settle(double t, std::vector<double>& moved) {
    if (size_.rows == 0) return true;
    reach(y_.data(), q_trial_.data(), v_trial_.data());
    system_.residual(q_trial_.data(), t, last_.data(), phi_.data(), turns_.data());
    double most = 0.0, size = 0.0;
    for (std::size_t k = 0; k < size_.q; ++k) size = std::max(size, std::abs(q_trial_[k]));
    for (std::size_t k = 0; k < size_.rows; ++k) most = std::max(most, std::abs(phi_[k]));
    if (!(most > settled * size)) return true;
    if (system_.factor_there(false) == Factor::singular) return true;
    std::vector<double> x(size_.v);
    system_.correct(phi_.data(), x.data());
    screws_.to_body(q_trial_.data(), x.data(), x.data());
    for (std::size_t k = 0; k < size_.v; ++k) {
        moved[k] -= x[k];
        y_[k] -= x[k];
    }
    x.resize(n_);
    return norm(x.data()) <= settings_.newton_tolerance;  // another round would change less than that
}

// What the error would have been with another order, beside what it may be.
double Gear::misfit(int order) const {
    const auto k = static_cast<std::size_t>(order);
    if (k + 1 > times_.size()) return std::numeric_limits<double>::infinity();
    std::vector<double> e(n_);
    combine(value_weights({times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(k + 1)}, 0.0), e);
    for (std::size_t i = 0; i < n_; ++i) e[i] = h_ / -times_[k] * (change_[i] - e[i]);
    return norm(e.data()) / own_share;
}

// Order and length of the next step, after k + 1 steps of one order and length.
void Gear::choose_order() {
    growth_ = 1.0;
    if (alike_ <= order_) return;
    const auto longer = [&](int order, double bias) {
        const double e = bias * misfit(order);
        return e > 0.0 ? std::pow(1.0 / e, 1.0 / (order + 1.0)) : most_longer;
    };
    int best = order_;
    double most = longer(order_, 1.2);
    if (order_ > 1 && longer(order_ - 1, 1.3) > most) {
        best = order_ - 1;
        most = longer(best, 1.3);
    }
    if (order_ < settings_.most_order && longer(order_ + 1, 1.4) > most) {
        best = order_ + 1;
        most = longer(best, 1.4);
    }
    if (best != order_) alike_ = 0;
    order_ = best;
    most = std::min(safety * most, most_longer);
    growth_ = most > 1.0 && most < hardly_longer ? 1.0 : most;
}

void Gear::accepted(const double* q, const double* v) {
    if (std::abs(h_ - length_) > same_length * h_) alike_ = 0;
    ++alike_;
    length_ = h_;
    if (settings_.step > 0.0) growth_ = settings_.step / h_;
    else if (is_starting_) growth_.reset();  // as the errors of a one-step method ask for
    else choose_order();
    for (std::size_t p = 0; p < works_.size(); ++p) works_[p] += change_[2 * size_.v + p];
    z_after_ = z_;
    for (std::size_t k = 0; k < z_.size(); ++k) z_after_[k] += change_[2 * size_.v + 2 + k];
    Place place{t_ + h_, {q, q + size_.q}, std::vector<double>(size_.v), works_};
    screws_.to_body(q, v, place.V.data());
    places_.push_front(std::move(place));
    while (places_.size() > highest_order + 2) places_.pop_back();
}

void Gear::prepare_dense() {
    if (is_starting_) starter_->prepare_dense();
}

std::vector<double> Gear::dense_nodes() const {
    std::vector<double> nodes{0.0};
    nodes.insert(nodes.end(), times_.begin(), times_.begin() + order_);
    return nodes;
}

void Gear::weigh(const std::vector<double>& weights, double* sum) const {
    for (std::size_t k = 0; k < n_; ++k) {
        sum[k] = weights[0] * change_[k];
        for (std::size_t i = 1; i < weights.size(); ++i) sum[k] += weights[i] * past_[i - 1][k];
    }
}

void Gear::dense(double x, double* change) const {
    if (is_starting_) {
        starter_->dense(x, change);
        return;
    }
    weigh(value_weights(dense_nodes(), (x - 1.0) * h_), change);
}

void Gear::dense_rate(double x, double* rate) const {
    if (is_starting_) {
        starter_->dense_rate(x, rate);
        return;
    }
    weigh(slope_weights(dense_nodes(), (x - 1.0) * h_), rate);
}

std::size_t Gear::bytes() const {
    std::size_t more = starter_->bytes() + bytes_of(times_, y_, lam_, F_, r_, U_, phi_, turns_);
    for (const auto& past : past_) more += bytes_of(past);
    for (const auto& place : places_) more += bytes_of(place.q, place.V, place.works);
    return ImplicitMethod::bytes() + more;
}

}  // namespace kempe
