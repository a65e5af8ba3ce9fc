// A dynamic system that hands on to another one what it does not do otherwise, and keeps its parameters.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "dynamics/systems/dynamic_system.hpp"

namespace kempe {

class ForwardingDynamics : public DynamicSystem {
  public:
    explicit ForwardingDynamics(std::shared_ptr<DynamicSystem> inner)
        : inner_(std::move(inner)), parameters_(inner_->size().parameters) {}

    [[nodiscard]] DynamicSize size() const override { return inner_->size(); }
    [[nodiscard]] bool stopped() const override { return inner_->stopped(); }
    [[nodiscard]] double* room_for_q() override { return inner_->room_for_q(); }
    [[nodiscard]] double* room_for_v() override { return inner_->room_for_v(); }
    [[nodiscard]] std::size_t mass_numbers() const override { return inner_->mass_numbers(); }
    void set_sides(const double* sides) override { inner_->set_sides(sides); }
    void allow_error(double share) override { inner_->allow_error(share); }
    void set_numbers(const double* p, const double* mass) override {
        parameters_.assign(p, p + parameters_.size());
        inner_->set_numbers(p, mass);
    }
    void set_parameters(const double* p) override {
        parameters_.assign(p, p + parameters_.size());
        inner_->set_parameters(p);
    }
    void set_states(const double* z) override {
        const auto places = inner_->size().states;
        for (std::size_t k = 0; k < places.size(); ++k) parameters_[static_cast<std::size_t>(places[k])] = z[k];
        inner_->set_states(z);
    }
    void rates(const double* q, const double* v, double t, const double* last, double* values) override {
        inner_->rates(q, v, t, last, values);
    }
    void switches(const double* q, const double* v, double t, const double* last, double* values) override {
        inner_->switches(q, v, t, last, values);
    }
    void residual(const double* q, double t, const double* last, double* phi, double* turns) override {
        inner_->residual(q, t, last, phi, turns);
    }
    Factor factor(const double* q, double t, const double* last, bool all_rows) override {
        return inner_->factor(q, t, last, all_rows);
    }
    Factor factor_there(bool all_rows) override { return inner_->factor_there(all_rows); }
    [[nodiscard]] double smallest_pivot_ratio() const override { return inner_->smallest_pivot_ratio(); }
    void correct(const double* g, double* x) override { inner_->correct(g, x); }
    void velocity(double* v) override { inner_->velocity(v); }
    const LoadSlopes* load_slopes(const double* q, const double* v, double t, const double* last,
                                  const double* lam) override {
        return inner_->load_slopes(q, v, t, last, lam);
    }
    [[nodiscard]] std::size_t entries() const override { return inner_->entries(); }
    [[nodiscard]] std::size_t bytes() const override { return inner_->bytes(); }
    void energy(const double* q, const double* v, double t, const double* last, double* kinetic,
                double* potential) override {
        inner_->energy(q, v, t, last, kinetic, potential);
    }

  protected:
    std::shared_ptr<DynamicSystem> inner_;
    std::vector<double> parameters_;  // as they were given, or as a subclass has changed them
};

}  // namespace kempe
