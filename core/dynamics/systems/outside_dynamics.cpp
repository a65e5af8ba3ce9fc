#include "dynamics/systems/outside_dynamics.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace kempe {

OutsideDynamics::OutsideDynamics(std::shared_ptr<DynamicSystem> inner, std::vector<std::int32_t> places, Ask ask)
    : ForwardingDynamics(std::move(inner)), places_(std::move(places)), ask_(std::move(ask)), q_(inner_->size().q),
      v_(inner_->size().v), last_(inner_->size().turns), answers_(places_.size()) {
    for (auto place : places_)
        if (place < 0 || static_cast<std::size_t>(place) >= parameters_.size())
            throw std::invalid_argument("a number from outside has no place among the parameters");
}

std::shared_ptr<DynamicSystem> OutsideDynamics::clone() const {
    return std::make_shared<OutsideDynamics>(inner_->clone(), places_, ask_);
}

void OutsideDynamics::place(const double* q, double t, const double* last) {
    q_.assign(q, q + q_.size());
    last_.assign(last, last + last_.size());
    t_ = t;
}

Factor OutsideDynamics::factor(const double* q, double t, const double* last, bool all_rows) {
    place(q, t, last);
    return inner_->factor(q, t, last, all_rows);
}

void OutsideDynamics::ask_at(const double* v) {
    v_.assign(v, v + v_.size());
    stopped_ = stopped_ || !ask_(q_, v_, t_, last_, answers_);
    if (stopped_) std::fill(answers_.begin(), answers_.end(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < places_.size(); ++k) parameters_[static_cast<std::size_t>(places_[k])] = answers_[k];
    inner_->set_parameters(parameters_.data());
}

void OutsideDynamics::motion(const double* v, double* a, double* lam, Powers* powers) {
    ask_at(v);
    inner_->motion(v, a, lam, powers);
}

void OutsideDynamics::equations(const double* q, const double* v, double t, const double* last, const double* lam,
                                double* entries, double* velocity_rhs, double* gamma, double* load,
                                double* dissipated) {
    place(q, t, last);
    ask_at(v);
    inner_->equations(q, v, t, last, lam, entries, velocity_rhs, gamma, load, dissipated);
}

}  // namespace kempe
