// A kinematic system of many alike elements: one tape per kind, run over tiles of eight.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kinematics/system.hpp"
#include "tiles/tiles.hpp"

namespace kempe {

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

    [[nodiscard]] std::shared_ptr<KinematicSystem> clone() const override {
        return std::make_shared<TileSystem>(*this);
    }
    void set_parameters(const double* p) override;
    void set_steps(const double* steps) override;
    void retract(const double* q, const double* d, double* out) override;
    void residual(const double* q, double t, const double* last, double* phi, double* spare, double* turns) override;
    Factor correction(double* dx) override;
    Factor velocity(double* v, Signs& signs) override;
    void right_hand(const double* v, double* velocity_rhs, double* gamma) override;
    void acceleration(const double* v, double* a) override;
    void jacobian(double* values) override;

  private:
    [[nodiscard]] double* at(std::size_t place) { return tiles_.numbers() + place; }
    Factor factor() override;

    TileMemory memory_;
    Tiles tiles_;
    bool factored_ = false;  // whether the factors belong to the last residual
    Factor how_ = Factor::singular;
};

}  // namespace kempe
