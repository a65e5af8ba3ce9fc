// A kinematic system whose equations, and usually their solution, are one tape.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kinematics/system.hpp"
#include "tape/running_tape.hpp"

namespace kempe {

/// Registers of a kinematic tape; the sections come in the order of the enumeration below.
struct TapeRegisters {
    std::vector<std::int32_t> retracted, phi, spare, turns, dx, correct_pivots, qd, velocity_pivots, qdd, jacobian,
        velocity_rhs, gamma;
    std::vector<std::int32_t> jacobian_rows, jacobian_columns;  // taken out by the system
    std::vector<std::int32_t> blocks;        // diagonal blocks whose pivots are not all constant
    std::vector<std::int32_t> pivot_blocks;  // which of these each velocity pivot is in
};

enum KinematicSection : std::size_t {
    section_retract,
    section_residual,
    section_correct,
    section_velocity,
    section_acceleration,
    section_jacobian,
    section_right_hand,
    section_count,
};

/// Runs the sections of a kinematic tape, on the VM or as compiled functions of the registers.
///
/// Solves by the tape's own elimination as long as its frozen pivots are sound, and by a sparse LU
/// with a fresh order where they are not. A tape that solves no rows at all (`phi` empty, every row
/// watched) can be evaluated but not swept.
class TapeSystem final : public KinematicSystem {
  public:
    TapeSystem(std::shared_ptr<const Tape> tape, SystemSize size, TapeRegisters registers);

    /// Addresses of compiled functions that replace the VM, one per section; none: back to the VM.
    void set_compiled(const std::vector<std::uintptr_t>& addresses) { file_.set_compiled(addresses); }
    /// Below these absolute values a pivot of the tape's elimination is not trusted.
    void set_pivot_floors(std::vector<double> floors);

    /// What the parameters at certain places are where the bodies are at q, moving with v; v is
    /// null where it does not matter.
    using Ask =
        std::function<void(const std::vector<double>& q, const std::vector<double>* v, std::vector<double>& answers)>;
    /// Has the parameters at these places asked for at every residual, and again once v is known.
    void ask_outside(std::vector<std::int32_t> places, Ask ask);

    [[nodiscard]] std::shared_ptr<KinematicSystem> clone() const override {
        return std::make_shared<TapeSystem>(*this);
    }
    void set_parameters(const double* p) override;
    void retract(const double* q, const double* d, double* out) override;
    void residual(const double* q, double t, const double* last, double* phi, double* spare, double* turns) override;
    Factor correction(double* dx) override;
    Factor velocity(double* v, Signs& signs) override;
    void right_hand(const double* v, double* velocity_rhs, double* gamma) override;
    void acceleration(const double* v, double* a) override;
    void jacobian(double* values) override;
    [[nodiscard]] std::size_t pivot_count() const { return registers_.velocity_pivots.size(); }
    /// The tape's pivots at the last residual.
    void pivots(double* values);
    /// Signs of the blocks' determinants over those of the tape's pivots; none before the first
    /// velocity with sound pivots.
    [[nodiscard]] const Signs& parity() const { return parity_; }
    [[nodiscard]] bool knows_signs() const { return parity_.size() == registers_.blocks.size(); }
    /// How often the tape's own pivots were not trusted.
    [[nodiscard]] std::int64_t fallbacks() const { return fallbacks_; }

  private:
    [[nodiscard]] bool pivots_sound(const std::vector<std::int32_t>& registers) const;
    void turn_by_pivots(Signs& signs) const;
    void signs_of_factors(Signs& signs);
    Factor factor() override;
    void solve(const std::vector<std::int32_t>& right, double* x);
    [[nodiscard]] double* parameters() { return file_.data() + size_.q + 2 * size_.v + 1 + size_.turns; }
    void put_answers(const std::vector<double>* v);
    void ask_again(const double* v);
    [[nodiscard]] bool is_eliminated() const { return !registers_.dx.empty(); }

    TapeRegisters registers_;
    RunningTape file_;
    std::vector<double> floors_;
    std::vector<double> right_;
    bool velocity_by_lu_ = false;
    Signs parity_;   // the blocks' signs over those of the tape's pivots, once known
    Signs factors_;  // of all blocks, by the sparse LU
    std::int64_t fallbacks_ = 0;
    std::vector<std::int32_t> asked_;  // parameters that come from outside
    Ask ask_;
    std::vector<double> q_, answers_;  // of the last residual
};

}  // namespace kempe
