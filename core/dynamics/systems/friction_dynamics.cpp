#include "dynamics/systems/friction_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace kempe {
namespace {

constexpr int most_rounds = 30;      // of Newton's method
constexpr double fits = 4e-15;       // of the largest load: what is left of n - N
constexpr double nearly_fits = 1e-11;  // the same, where rounding leaves no more
constexpr int shares = 16;           // of friction, where it has to be followed from none to all of it

/// Solves A x = b (n x n by rows, in place, x in b); false where A is singular.
bool solve(std::vector<double>& A, std::vector<double>& b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
        if (!(std::abs(A[pivot * n + k]) > 0.0)) return false;
        for (std::size_t j = 0; j < n; ++j) std::swap(A[k * n + j], A[pivot * n + j]);
        std::swap(b[k], b[pivot]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = A[i * n + k] / A[k * n + k];
            for (std::size_t j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
    return true;
}

double largest(const std::vector<double>& x) {
    double found = 0.0;
    for (const double one : x) found = std::isfinite(one) ? std::max(found, std::abs(one)) : one;
    return found;
}

}  // namespace

FrictionDynamics::FrictionDynamics(std::shared_ptr<DynamicSystem> inner, JointLoads loads)
    : ForwardingDynamics(std::move(inner)), loads_(std::move(loads)),
      tape_(loads_.tape, 1, loads_.q.size() + loads_.lam.size() + loads_.numbers.size()), q_(size().q), a_(size().v),
      lam_(size().rows + size().spare) {
    const std::size_t k = loads_.places.size();
    if (loads_.outputs.size() != k || loads_.ways.size() != k || loads_.derivatives.size() != k * loads_.lam.size() ||
        loads_.along.size() != k * loads_.moved.size())
        throw std::invalid_argument("every load has an output, a place, a way and derivatives");
    const auto inside = [](const std::vector<std::int32_t>& list, std::size_t size) {
        return std::all_of(list.begin(), list.end(),
                           [=](std::int32_t at) { return at >= 0 && static_cast<std::size_t>(at) < size; });
    };
    if (!inside(loads_.places, parameters_.size()) || !inside(loads_.q, q_.size()) ||
        !inside(loads_.lam, lam_.size()) || !inside(loads_.moved, size().v))
        throw std::invalid_argument("a load has no place in the system");
    tape_.require_registers({&loads_.outputs, &loads_.derivatives, &loads_.along});
    std::copy(loads_.numbers.begin(), loads_.numbers.end(), tape_.data() + loads_.q.size() + loads_.lam.size());
    for (std::size_t i = 0; i < k; ++i)
        if (loads_.ways[i] != 0.0) sliding_.push_back(i);
    n_.resize(sliding_.size());
    responses_.resize(sliding_.size() * lam_.size());
}

std::shared_ptr<DynamicSystem> FrictionDynamics::clone() const {
    return std::make_shared<FrictionDynamics>(inner_->clone(), loads_);
}

void FrictionDynamics::residual(const double* q, double t, const double* last, double* phi, double* turns) {
    place(q, t);
    inner_->residual(q, t, last, phi, turns);
}

Factor FrictionDynamics::factor(const double* q, double t, const double* last, bool all_rows) {
    place(q, t);
    return inner_->factor(q, t, last, all_rows);
}

void FrictionDynamics::rub(std::size_t k, double load) {
    const std::size_t at = sliding_[k];
    parameters_[static_cast<std::size_t>(loads_.places[at])] = loads_.ways[at] * load;
}

/// N and dN/dlam at lam_0 + L n.
void FrictionDynamics::look(const std::vector<double>& n) {
    double* to = tape_.data();
    for (const auto at : loads_.q) *to++ = q_[static_cast<std::size_t>(at)];
    for (const auto row : loads_.lam) {
        const auto r = static_cast<std::size_t>(row);
        double value = lam_[r];
        for (std::size_t k = 0; k < n.size(); ++k) value += responses_[k * lam_.size() + r] * n[k];
        *to++ = value;
    }
    tape_.run(0);
    found_.resize(loads_.outputs.size());
    slopes_.resize(loads_.derivatives.size());
    tape_.gather(loads_.outputs, found_.data());
    tape_.gather(loads_.derivatives, slopes_.data());
}

/// Newton's method for n = N(lam_0 + s L n), from what n is.
bool FrictionDynamics::settle(double share) {
    const std::size_t m = sliding_.size(), wide = loads_.lam.size();
    double before = std::numeric_limits<double>::infinity();
    trial_.resize(m);
    for (int round = 0; round < most_rounds; ++round) {
        for (std::size_t k = 0; k < m; ++k) trial_[k] = share * n_[k];
        look(trial_);
        step_.assign(m, 0.0);
        matrix_.assign(m * m, 0.0);
        for (std::size_t i = 0; i < m; ++i) {
            step_[i] = found_[sliding_[i]] - n_[i];
            for (std::size_t j = 0; j < m; ++j) {
                double slope = 0.0;
                for (std::size_t c = 0; c < wide; ++c)
                    slope += slopes_[sliding_[i] * wide + c] *
                             responses_[j * lam_.size() + static_cast<std::size_t>(loads_.lam[c])];
                matrix_[i * m + j] = (i == j ? 1.0 : 0.0) - share * slope;
            }
        }
        const double misfit = largest(step_), scale = largest(found_);
        if (!(misfit > fits * scale)) return std::isfinite(misfit);
        if (misfit <= nearly_fits * scale && misfit >= 0.5 * before) return true;
        before = misfit;
        if (!solve(matrix_, step_) || !std::isfinite(largest(step_))) return false;
        for (std::size_t k = 0; k < m; ++k) n_[k] = std::max(0.0, n_[k] + step_[k]);
    }
    return false;
}

/// The loads at velocities v; false where there are none.
bool FrictionDynamics::loads_at(const double* v) {
    const std::size_t rows = lam_.size();
    Powers unused;
    for (std::size_t k = 0; k < loads_.places.size(); ++k)
        parameters_[static_cast<std::size_t>(loads_.places[k])] = 0.0;
    if (sliding_.empty()) {
        inner_->set_parameters(parameters_.data());
        return true;
    }
    inner_->set_parameters(parameters_.data());
    inner_->motion(v, a_.data(), lam_.data(), &unused);
    look({});
    std::vector<double> first;
    for (const std::size_t at : sliding_) first.push_back(found_[at]);
    // Differences of multipliers: a joint that carries next to nothing is asked with what others carry.
    const double most = std::max(largest(first), largest(lam_));
    const double unit = most > 0.0 ? most : 1.0;
    for (std::size_t k = 0; k < sliding_.size(); ++k) {
        rub(k, unit);
        inner_->set_parameters(parameters_.data());
        double* const response = responses_.data() + k * rows;
        inner_->motion(v, a_.data(), response, &unused);
        for (std::size_t r = 0; r < rows; ++r) response[r] = (response[r] - lam_[r]) / unit;
        rub(k, 0.0);
    }
    n_ = first;
    bool is_found = settle(1.0);
    // A row of dN/dn that is 1 or more may have led to another solution than that which grows out of none.
    double steepest = 0.0;
    for (std::size_t i = 0; is_found && i < sliding_.size(); ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < sliding_.size(); ++j)
            sum += std::abs((i == j ? 1.0 : 0.0) - matrix_[i * sliding_.size() + j]);
        steepest = std::max(steepest, sum);
    }
    if (!is_found || steepest >= 1.0) {
        n_ = first;
        is_found = true;
        for (int k = 1; k <= shares && is_found; ++k) is_found = settle(static_cast<double>(k) / shares);
    }
    raised_ = largest(first) > 0.0 ? largest(n_) / largest(first) : 1.0;
    return is_found;
}

/// Puts the loads at velocities v among the parameters; numbers that are none where the joint jams.
void FrictionDynamics::rub_at(const double* v, bool is_singular) {
    const bool is_found = !is_singular && loads_at(v);
    if (!is_singular && !is_found) jammed_at_ = t_;
    for (std::size_t k = 0; k < sliding_.size(); ++k)
        rub(k, is_found ? n_[k] : std::numeric_limits<double>::quiet_NaN());
    if (!sliding_.empty()) inner_->set_parameters(parameters_.data());
}

void FrictionDynamics::motion(const double* v, double* a, double* lam, Powers* powers) {
    rub_at(v, false);
    inner_->motion(v, a, lam, powers);
}

/// Puts the loads N(q, lam) among the parameters, lam those of solved rows.
void FrictionDynamics::rub_by(const double* lam) {
    std::fill(lam_.begin(), lam_.end(), 0.0);
    std::copy_n(lam, size().rows, lam_.begin());
    look({});
    for (std::size_t k = 0; k < loads_.places.size(); ++k)
        parameters_[static_cast<std::size_t>(loads_.places[k])] = 0.0;
    for (std::size_t k = 0; k < sliding_.size(); ++k) rub(k, found_[sliding_[k]]);
    inner_->set_parameters(parameters_.data());
}

void FrictionDynamics::equations(const double* q, const double* v, double t, const double* last, const double* lam,
                                 double* entries, double* velocity_rhs, double* gamma, double* load,
                                 double* dissipated) {
    if (lam == nullptr) {
        rub_at(v, factor(q, t, last, false) == Factor::singular);
    } else {
        place(q, t);
        rub_by(lam);
    }
    inner_->equations(q, v, t, last, nullptr, entries, velocity_rhs, gamma, load, dissipated);
}

/// w dN/dq along the velocities and w dN/dlam, where `look` was.
void FrictionDynamics::slopes_of_loads() {
    const std::size_t n = size().v, rows = size().rows, wide = loads_.lam.size(), moved = loads_.moved.size();
    LoadSlopes& to = found_slopes_;
    to.by_place.assign(to.count * n, 0.0);
    to.by_lam.assign(to.count * rows, 0.0);
    std::vector<double> along(loads_.along.size());
    tape_.gather(loads_.along, along.data());
    for (std::size_t k = 0; k < to.count; ++k) {
        const std::size_t at = sliding_[k];
        for (std::size_t c = 0; c < moved; ++c)
            to.by_place[k * n + static_cast<std::size_t>(loads_.moved[c])] += loads_.ways[at] * along[at * moved + c];
        for (std::size_t c = 0; c < wide; ++c)
            if (const auto row = static_cast<std::size_t>(loads_.lam[c]); row < rows)
                to.by_lam[k * rows + row] += loads_.ways[at] * slopes_[at * wide + c];
    }
}

// f and the power dissipated are affine in each load: what they change by is a difference, exact to rounding.
const LoadSlopes* FrictionDynamics::load_slopes(const double* q, const double* v, double t, const double* last,
                                                const double* lam) {
    const std::size_t n = size().v, rows = lam_.size();
    LoadSlopes& to = found_slopes_;
    to.count = sliding_.size();
    if (to.count == 0) return nullptr;
    place(q, t);
    rub_by(lam);
    slopes_of_loads();
    to.push.assign(to.count * n, 0.0);
    to.dissipated.assign(to.count, 0.0);
    const double unit = largest(found_) > 0.0 ? largest(found_) : 1.0;
    std::vector<double> entries(inner_->entries()), rhs(rows), gamma(rows), still(n);
    double power = 0.0;
    const auto pushed = [&](double* load, double* dissipated) {
        inner_->set_parameters(parameters_.data());
        inner_->equations(q, v, t, last, nullptr, entries.data(), rhs.data(), gamma.data(), load, dissipated);
    };
    for (std::size_t k = 0; k < to.count; ++k) rub(k, 0.0);
    pushed(still.data(), &power);
    for (std::size_t k = 0; k < to.count; ++k) {
        double& place_of = parameters_[static_cast<std::size_t>(loads_.places[sliding_[k]])];
        double* const push = to.push.data() + k * n;
        place_of = unit;
        pushed(push, &to.dissipated[k]);
        for (std::size_t i = 0; i < n; ++i) push[i] = (push[i] - still[i]) / unit;
        to.dissipated[k] = (to.dissipated[k] - power) / unit;
        place_of = 0.0;
    }
    for (std::size_t k = 0; k < to.count; ++k) rub(k, found_[sliding_[k]]);
    inner_->set_parameters(parameters_.data());
    return &to;
}

}  // namespace kempe
