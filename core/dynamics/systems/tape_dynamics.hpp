// A dynamic system whose equations, and usually their solution, are one tape.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dynamics/systems/dynamic_system.hpp"
#include "dynamics/systems/varying_mass.hpp"
#include "linear/bytes.hpp"
#include "schur/saddle_blocks.hpp"
#include "tape/running_tape.hpp"

namespace kempe {

/// Registers of a dynamic tape; inputs are q, v, t, last, g, p, sides, its sections those below.
struct DynamicRegisters {
    std::vector<std::int32_t> phi, turns, pivots, diagonals, x, velocity, a, lam, powers, jacobian, velocity_rhs, gamma,
        load, dissipated, energies, switches, rates;
};

enum DynamicSection : std::size_t {
    dynamic_residual,
    dynamic_factor,
    dynamic_correct,
    dynamic_velocity,
    dynamic_motion,
    dynamic_system,
    dynamic_energy,
    dynamic_switches,
    dynamic_rates,
    dynamic_section_count,
};

/// Runs the sections of a dynamic tape, on the VM or as compiled functions of the registers.
///
/// The tape factors J M^-1 J^T of the solved rows without pivoting. Where a pivot is small beside
/// its diagonal, the block solver takes over with all rows, damped and refined, until the next
/// `factor`. Velocities without mass are unknowns beside the multipliers, [S B; B^T 0] with their
/// columns B of J, where the tape was written so and no others are without mass.
class TapeDynamics final : public DynamicSystem {
  public:
    TapeDynamics(std::shared_ptr<const Tape> tape, DynamicSize size, DynamicRegisters registers, SaddleBlocks blocks,
                 std::vector<std::int32_t> massless);

    /// Addresses of compiled functions that replace the VM, one per section; none: back to the VM.
    void set_compiled(const std::vector<std::uintptr_t>& addresses) { file_.set_compiled(addresses); }

    [[nodiscard]] DynamicSize size() const override { return size_; }
    [[nodiscard]] std::shared_ptr<DynamicSystem> clone() const override {
        return std::make_shared<TapeDynamics>(*this);
    }
    [[nodiscard]] double* room_for_q() override { return file_.data(); }
    [[nodiscard]] double* room_for_v() override { return file_.data() + size_.q; }
    void set_numbers(const double* p, const double* mass) override;
    [[nodiscard]] std::size_t mass_numbers() const override { return blocks_.mass_numbers(); }
    void set_parameters(const double* p) override;
    void set_sides(const double* sides) override;
    void set_states(const double* z) override;
    void allow_error(double share) override { allowed_error_ = share; }
    void rates(const double* q, const double* v, double t, const double* last, double* values) override;
    void switches(const double* q, const double* v, double t, const double* last, double* values) override;
    void residual(const double* q, double t, const double* last, double* phi, double* turns) override;
    Factor factor(const double* q, double t, const double* last, bool all_rows) override;
    Factor factor_there(bool all_rows) override;
    [[nodiscard]] double smallest_pivot_ratio() const override;
    void correct(const double* g, double* x) override;
    void velocity(double* v) override;
    void motion(const double* v, double* a, double* lam, Powers* powers) override;
    void equations(const double* q, const double* v, double t, const double* last, const double* /*lam*/,
                   double* entries, double* velocity_rhs, double* gamma, double* load, double* dissipated) override;
    [[nodiscard]] std::size_t entries() const override { return blocks_.entries(); }
    [[nodiscard]] std::size_t bytes() const override {
        return blocks_.bytes() + mass_.bytes() +
               bytes_of(file_.registers(), massless_, entries_, right_, lam_, load_, independent_pivots_);
    }
    void energy(const double* q, const double* v, double t, const double* last, double* kinetic,
                double* potential) override;

  private:
    void place(const double* q, double t, const double* last);
    void place_velocity(const double* v);
    void follow_masses();
    [[nodiscard]] bool pivots_sound() const;
    [[nodiscard]] double pivot_floor() const;
    [[nodiscard]] double pivot_ratio(std::size_t k) const;
    [[nodiscard]] bool keeps_independence() const;
    void remember_pivots();
    Factor factor_by_blocks(bool all_rows);

    DynamicSize size_;
    DynamicRegisters registers_;
    SaddleBlocks blocks_;
    VaryingMass mass_;
    RunningTape file_;
    std::vector<std::int32_t> massless_;
    std::vector<double> entries_, right_, lam_, load_;
    bool by_blocks_ = false;
    double allowed_error_ = 0.0;  // of accelerations
    bool lacks_mass_ = false;  // where the tape does not know
    std::vector<double> independent_pivots_;  // over their diagonals, where rows were found independent
};

}  // namespace kempe
