// Gear's backward differences: implicit steps through several places before, on the stabilised index-2 form.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "dynamics/methods/implicit_method.hpp"
#include "dynamics/methods/rosenbrock.hpp"

namespace kempe {

struct GearSettings {
    int order = 0;          // of every step; 0: as errors ask for
    double step = 0.0;      // s, of every step; 0: as errors ask for
    int most_order = 5;     // where it varies
    double newton_tolerance = 0.05;  // of the tolerance: corrections that are small enough
    int newton_iterations = 10;      // a step
};

/// y' at the new time is that of the polynomial through the new place and k before it, whatever their spacing:
///
///   u' = dexp^-1_u V + x,   M V' + J^T lam = f,   J v = -phi_t,   phi = 0,   M x = J^T mu
///
/// Predicted by the polynomial through k + 1 places before, corrected by Newton's method for V and lam, with the x
/// that closed the joints after the step before where both are alike. What is left open of the joints is closed where
/// the step ends, as after all steps, and adds to x. Places are told as screws from the last one, so that a body in
/// space has coordinates that add up. The places are made by a one-step
/// method at first, and again wherever forces or velocities jump. Steps that grew one after the other would carry on
/// errors of the places before and make them larger, from order 3 on by more than each step divides them: a step is
/// longer than the one before only after k + 1 of one length.
///
/// Source: [Gear]; [GearGuptaLeimkuhler] for the form with mu; variable coefficients, and how steps that grow lose
/// stability: [HairerNorsettWanner] section III.5. Own: x of the step before, and the
/// share that a correction leaves known before it is seen.
class Gear final : public ImplicitMethod {
  public:
    /// `starter` makes the first steps, and those after a place at which forces or velocities jump.
    Gear(DynamicSystem& system, GearSettings settings, Linearization linearization, Screws screws, RowEntries entries,
         const std::vector<double>& mass, std::unique_ptr<Rosenbrock> starter);

    [[nodiscard]] int error_power() const override {
        return is_starting_ || places_.empty() ? starter_->error_power() : order_ + 1;
    }
    bool step(double h, double widest) override;
    [[nodiscard]] bool looks_at_the_start() const override { return false; }
    void dense(double x, double* change) const override;
    void dense_rate(double x, double* rate) const override;
    void prepare_dense() override;
    void accepted(const double* q, const double* v) override;
    [[nodiscard]] std::optional<double> growth() const override { return growth_; }
    void forget() override { places_.clear(); }
    [[nodiscard]] double fixed_step() const override { return settings_.step; }
    void set_parameters(const double* p) override {
        ImplicitMethod::set_parameters(p);
        starter_->set_parameters(p);
    }
    [[nodiscard]] std::size_t bytes() const override;

  private:
    struct Place {
        double t;
        std::vector<double> q, V, works;  // works and states
    };

    void gather();
    void restart();
    bool start_step(double h, double widest);
    bool correct(double t, double widest, const std::vector<double>& base, double g);
    bool look_ahead(double t, const std::vector<double>& base, double g);
    void see(double t, const std::vector<double>& base, double g);
    double amend();
    void put_works(const std::vector<double>& base, double g);
    void combine(const std::vector<double>& weights, std::vector<double>& y) const;
    /// Times from the new one of all that the dense output goes through, the new place first.
    [[nodiscard]] std::vector<double> dense_nodes() const;
    /// The sum of the new place and those before, each by its weight.
    void weigh(const std::vector<double>& weights, double* sum) const;
    [[nodiscard]] double misfit(int order) const;
    void choose_order();

    GearSettings settings_;
    std::unique_ptr<Rosenbrock> starter_;
    bool is_starting_ = false;  // this step is the starter's
    int order_ = 1, alike_ = 0;  // steps of this order and length in a row
    double length_ = 0.0;        // s, of those
    std::optional<double> growth_;
    std::deque<Place> places_;  // the last one first
    std::vector<double> works_, sides_before_, z_after_;
    std::vector<double> times_;               // of the places before, from the new time
    std::vector<std::vector<double>> past_;   // y of the places before, by screws from the last
    std::vector<double> y_, lam_, F_, r_, U_;
    std::vector<double> body_V_, body_a_, local_;
    std::vector<double> moved_, delta_;  // by what joints were closed, beside the motion; a correction
    double share_left_ = 0.5;            // of a correction, by the next
};

}  // namespace kempe
