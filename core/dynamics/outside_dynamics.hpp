// A dynamic system some of whose numbers are asked for from outside at every evaluation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dynamics/dynamic_system.hpp"

namespace kempe {

/// Another dynamic system whose parameters at `places` are what `ask` says at (q, v, t, turns).
///
/// Where `ask` answers no, the system has stopped: it asks no more, and what would have been
/// computed from the answer is not finite.
class OutsideDynamics final : public DynamicSystem {
  public:
    using Numbers = std::vector<double>;
    using Ask =
        std::function<bool(const Numbers& q, const Numbers& v, double t, const Numbers& last, Numbers& answers)>;

    OutsideDynamics(std::shared_ptr<DynamicSystem> inner, std::vector<std::int32_t> places, Ask ask);

    [[nodiscard]] DynamicSize size() const override { return inner_->size(); }
    [[nodiscard]] std::shared_ptr<DynamicSystem> clone() const override;
    [[nodiscard]] bool stopped() const override { return stopped_; }
    [[nodiscard]] const double* answered_parameters() const override { return parameters_.data(); }
    [[nodiscard]] double* room_for_q() override { return inner_->room_for_q(); }
    [[nodiscard]] double* room_for_v() override { return inner_->room_for_v(); }
    void set_numbers(const double* p, const double* mass) override;
    [[nodiscard]] std::size_t mass_numbers() const override { return inner_->mass_numbers(); }
    void set_parameters(const double* p) override;
    void set_sides(const double* sides) override { inner_->set_sides(sides); }
    void set_states(const double* z) override;
    void rates(const double* q, const double* v, double t, const double* last, double* values) override {
        inner_->rates(q, v, t, last, values);
    }
    void switches(const double* q, const double* v, double t, const double* last, double* values) override {
        inner_->switches(q, v, t, last, values);
    }
    void residual(const double* q, double t, const double* last, double* phi, double* turns) override {
        place(q, t, last);
        inner_->residual(q, t, last, phi, turns);
    }
    Factor factor(const double* q, double t, const double* last, bool all_rows) override;
    Factor factor_there(bool all_rows) override { return inner_->factor_there(all_rows); }
    [[nodiscard]] double smallest_pivot_ratio() const override { return inner_->smallest_pivot_ratio(); }
    void correct(const double* g, double* x) override { inner_->correct(g, x); }
    void velocity(double* v) override { inner_->velocity(v); }
    void motion(const double* v, double* a, double* lam, Powers* powers) override;
    void equations(const double* q, const double* v, double t, const double* last, double* entries,
                   double* velocity_rhs, double* gamma, double* load, double* dissipated) override;
    [[nodiscard]] std::size_t entries() const override { return inner_->entries(); }
    [[nodiscard]] std::size_t bytes() const override { return inner_->bytes(); }
    void energy(const double* q, const double* v, double t, const double* last, double* kinetic,
                double* potential) override {
        inner_->energy(q, v, t, last, kinetic, potential);
    }

  private:
    void place(const double* q, double t, const double* last);
    void ask_at(const double* v);

    std::shared_ptr<DynamicSystem> inner_;
    std::vector<std::int32_t> places_;
    Ask ask_;
    bool stopped_ = false;
    double t_ = 0.0;
    Numbers parameters_, q_, v_, last_, answers_;
};

}  // namespace kempe
