// A kinematic system of many alike elements: one tape per kind, run over tiles of eight.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "jacobian_lu.hpp"
#include "system.hpp"
#include "tape.hpp"

namespace kempe {

/// Elements of one kind: their tape, and where each finds its inputs and leaves its outputs.
///
/// `gather` has a row per input register, `scatter` a row per output, both with `count` places in
/// the system's memory.
struct TileGroup {
    using Compiled = void (*)(double*);

    std::shared_ptr<const Tape> tape;
    std::vector<std::int32_t> inputs;   // registers that are filled
    std::vector<std::int32_t> outputs;  // registers that are read
    std::vector<std::int32_t> gather, scatter;
    std::size_t count = 0;
    Compiled compiled = nullptr;  // replaces the VM on [n_registers][8] doubles

    // Filled by the system: inputs whose places never change their numbers during a sweep, and
    // those numbers, eight lanes a register, tile after tile.
    std::vector<std::int32_t> moving, fixed;  // which rows of `gather`
    std::vector<double> fixed_lanes;
};

/// What is run when; every phase is a list of groups.
enum TilePhase : std::size_t {
    phase_retract,   // q, delta -> q; empty where q + delta is meant
    phase_frames,    // q -> frames
    phase_residual,  // frames, t, last, p -> phi, turns, jacobian, -phi_t
    phase_gamma,     // ..., v -> gamma
    phase_count,
};

/// Places of the kinds of numbers in the system's memory.
struct TileMemory {
    std::size_t q, v, delta, t, last, p, phi, spare, turns, jacobian, velocity_rhs, gamma, size;
};

class TileSystem final : public KinematicSystem {
  public:
    TileSystem(SystemSize size, TileMemory memory, std::vector<std::vector<TileGroup>> phases,
               std::vector<std::int32_t> jacobian_rows, std::vector<std::int32_t> jacobian_columns,
               std::size_t solved_rows);

    TileSystem(const TileSystem& other);
    TileSystem& operator=(const TileSystem&) = delete;

    [[nodiscard]] SystemSize size() const override { return size_; }
    [[nodiscard]] std::shared_ptr<KinematicSystem> clone() const override {
        return std::make_shared<TileSystem>(*this);
    }
    void set_parameters(const double* p) override;
    void retract(const double* q, const double* d, double* out) override;
    void residual(const double* q, double t, const double* last, double* phi, double* spare,
                  double* turns) override;
    Factor correction(double* dx) override;
    Factor velocity(double* v, Signs& signs) override;
    void right_hand(const double* v, double* velocity_rhs, double* gamma) override;
    void acceleration(const double* v, double* a) override;
    void jacobian(double* values) override;
    [[nodiscard]] std::size_t jacobian_entries() const override { return entries_; }
    [[nodiscard]] std::size_t solved_rows() const override { return solved_; }
    [[nodiscard]] double smallest_pivot_ratio() override;

  private:
    void align_tile();
    void run(TilePhase phase);
    void run(const TileGroup& group);
    Factor factor();

    SystemSize size_;
    TileMemory memory_;
    std::vector<std::vector<TileGroup>> phases_;
    std::size_t entries_;
    std::size_t solved_;
    JacobianLU lu_;
    std::vector<double> numbers_;  // the system's memory
    std::vector<double> room_;     // registers of a tile, with room to align them
    double* tile_ = nullptr;
    bool factored_ = false;  // whether the factors belong to the last residual
    Factor how_ = Factor::singular;
};

}  // namespace kempe
