// A dynamic system some of whose numbers are asked for from outside at every evaluation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dynamics/systems/forwarding_dynamics.hpp"

namespace kempe {

/// Another dynamic system whose parameters at `places` are what `ask` says at (q, v, t, turns).
///
/// Where `ask` answers no, the system has stopped: it asks no more, and what would have been
/// computed from the answer is not finite.
class OutsideDynamics final : public ForwardingDynamics {
  public:
    using Numbers = std::vector<double>;
    using Ask =
        std::function<bool(const Numbers& q, const Numbers& v, double t, const Numbers& last, Numbers& answers)>;

    OutsideDynamics(std::shared_ptr<DynamicSystem> inner, std::vector<std::int32_t> places, Ask ask);

    [[nodiscard]] std::shared_ptr<DynamicSystem> clone() const override;
    [[nodiscard]] bool stopped() const override { return stopped_; }
    [[nodiscard]] const double* answered_parameters() const override {
        const double* further = inner_->answered_parameters();
        return further != nullptr ? further : parameters_.data();
    }
    void residual(const double* q, double t, const double* last, double* phi, double* turns) override {
        place(q, t, last);
        inner_->residual(q, t, last, phi, turns);
    }
    Factor factor(const double* q, double t, const double* last, bool all_rows) override;
    void motion(const double* v, double* a, double* lam, Powers* powers) override;
    void equations(const double* q, const double* v, double t, const double* last, const double* lam, double* entries,
                   double* velocity_rhs, double* gamma, double* load, double* dissipated) override;

  private:
    void place(const double* q, double t, const double* last);
    void ask_at(const double* v);

    std::vector<std::int32_t> places_;
    Ask ask_;
    bool stopped_ = false;
    double t_ = 0.0;
    Numbers q_, v_, last_, answers_;
};

}  // namespace kempe
