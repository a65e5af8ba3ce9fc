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
constexpr double unknown_left = 0.5;  // of a correction, by the next, until it is seen
constexpr double least_left = 1e-3;   // that is believed
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
      U_(n_ + size_.v + size_.rows), body_V_(size_.v), body_a_(size_.v), local_(size_.v), moved_(size_.v), delta_(n_) {
    settings_.most_order = std::clamp(settings_.most_order, 1, highest_order);
    if (!(settings_.step > 0.0)) settings_.newton_tolerance *= own_share;
}

// Forgets what was before the place where the step starts.
void Gear::restart() {
    places_.clear();
    places_.push_front({t_, q_, body_v_, works_});
    alike_ = 0;
    share_left_ = unknown_left;
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
    // what closed the joints after the step before closes them here, where steps are alike
    if (alike_ == 0 || std::abs(h - length_) > same_length * h) std::fill(moved_.begin(), moved_.end(), 0.0);
    for (std::size_t i = 0; i < size_.v; ++i) base[i] += moved_[i];
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
    const std::int64_t before = starter_->evaluations, looked = starter_->jacobians;
    starter_->set_out(q_.data(), v_.data(), t_, last_.data(), sides_, a.data(), lam.data(), powers, z_,
                      first_.data() + 2 * size_.v + 2);
    const bool is_made = starter_->step(h, widest);
    evaluations += starter_->evaluations - before;
    jacobians += starter_->jacobians - looked;
    std::copy_n(starter_->change(), n_, change_.begin());
    std::copy_n(starter_->error(), n_, error_.begin());
    if (settings_.step > 0.0) std::fill(error_.begin(), error_.end(), 0.0);
    return is_made;
}

// Linearises where the step is predicted to end.
bool Gear::look_ahead(double t, const std::vector<double>& base, double g) {
    const std::size_t n = size_.v;
    lam_ = start_lam_;
    reach(y_.data(), q_trial_.data(), v_trial_.data());
    for (std::size_t k = 0; k < n; ++k) body_a_[k] = (y_[n + k] - base[n + k]) / g;
    accelerate(y_.data(), body_a_.data());
    for (std::size_t k = 0; k < z_.size(); ++k) z_trial_[k] = z_[k] + y_[2 * n + 2 + k];
    linearize(q_trial_.data(), v_trial_.data(), t, a_.data(), lam_.data(), z_trial_.data());
    return linearization_.factor(g, Linearization::Rows::velocities);
}

// The residual of the equations where y leads to, in `residual_` and `r_`. Of places it is told by the motion of the
// body from there: a change of u is T times that motion, T = dexp^-1_u, and T^-1 is 2 - T but for what is small twice.
void Gear::see(double t, const std::vector<double>& base, double g) {
    const std::size_t n = size_.v, states = 2 * n + 2;  // where those begin
    look(y_.data(), t, lam_.data());
    for (std::size_t k = 0; k < n; ++k) {
        body_V_[k] = body_v_[k] + y_[n + k];
        body_a_[k] = (y_[n + k] - base[n + k]) / g;
    }
    screws_.rate(y_.data(), body_V_.data(), F_.data());
    accelerate(y_.data(), body_a_.data());
    push(lam_.data());
    for (std::size_t k = 0; k < size_.rows; ++k) residual_[n + k] = -rhs_[k];
    add_rows(v_trial_.data(), residual_.data() + n);
    for (std::size_t k = 0; k < size_.rows; ++k) residual_[n + k] /= g;
    std::fill(r_.begin(), r_.end(), 0.0);
    for (std::size_t k = 0; k < n; ++k) local_[k] = -(y_[k] - base[k] - g * F_[k]) / g;
    screws_.rate(y_.data(), local_.data(), r_.data());
    for (std::size_t k = 0; k < n; ++k) r_[k] = 2.0 * local_[k] - r_[k];
    for (std::size_t k = states; k < n_; ++k) r_[k] = -(y_[k] - base[k]) / g + z_rate_[k - states];
}

// One correction of y and of the multipliers, and how large it is.
double Gear::amend() {
    const std::size_t n = size_.v;
    linearization_.solve(r_.data(), residual_.data(), 0.0, U_.data());
    std::copy_n(U_.data(), n_, delta_.data());
    screws_.rate(y_.data(), U_.data(), delta_.data());
    delta_[2 * n] = delta_[2 * n + 1] = 0.0;
    for (std::size_t k = 0; k < n_; ++k) y_[k] += delta_[k];
    for (std::size_t k = 0; k < size_.rows; ++k) lam_[k] += U_[n_ + n + k];
    return norm(delta_.data());
}

// Newton's method for V, lam and u, until what a correction leaves is small enough. Which share that is, is seen from
// the second one on; before it, that of a step before is believed, twice as large each time that it was not seen.
bool Gear::correct(double t, double widest, const std::vector<double>& base, double g) {
    const Manifold turns{screws_.bodies, screws_.plane};
    if (!look_ahead(t, base, g)) return false;
    double before = 0.0;
    for (int round = 0; round < settings_.newton_iterations; ++round) {
        if (!is_finite(y_) || !(turns.largest_turn(y_.data()) < widest)) return false;
        see(t, base, g);
        if (!is_finite(residual_) || !is_finite(r_)) return false;
        const double size = amend();
        if (!std::isfinite(size)) return false;
        if (before > 0.0) share_left_ = std::max(size / before, least_left);
        if (round > 1 && share_left_ > diverging && size > settings_.newton_tolerance) break;
        before = size;
        const double left = std::min(share_left_, diverging);
        if (!(left / (1.0 - left) * size <= settings_.newton_tolerance)) continue;
        if (round == 0) share_left_ = std::min(2.0 * share_left_, unknown_left);
        put_works(base, g);
        return true;
    }
    share_left_ = unknown_left;
    return false;
}

// Works by the powers where the step ends: those that were looked at, and what they change by on the last way.
void Gear::put_works(const std::vector<double>& base, double g) {
    const std::size_t n = size_.v;
    double driven = 0.0;
    for (std::size_t k = 0; k < size_.rows; ++k) driven -= (lam_[k] - U_[n_ + n + k]) * rhs_[k];
    y_[2 * n] = base[2 * n] + g * dissipated_ + U_[2 * n];
    y_[2 * n + 1] = base[2 * n + 1] + g * driven + U_[2 * n + 1];
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
    if (is_starting_) return;
    screws_.way(q_.data(), q, local_.data());
    for (std::size_t k = 0; k < size_.v; ++k) moved_[k] += local_[k] - change_[k];
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
    std::size_t more =
        starter_->bytes() + bytes_of(times_, y_, lam_, F_, r_, U_, body_V_, body_a_, local_) + bytes_of(moved_, delta_);
    for (const auto& past : past_) more += bytes_of(past);
    for (const auto& place : places_) more += bytes_of(place.q, place.V, place.works);
    return ImplicitMethod::bytes() + more;
}

}  // namespace kempe
