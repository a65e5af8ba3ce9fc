#include "kinematics/tile_system.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kempe {

TileSystem::TileSystem(SystemSize size, TileMemory memory, std::vector<std::vector<TileGroup>> phases,
                       std::vector<std::int32_t> jacobian_rows, std::vector<std::int32_t> jacobian_columns,
                       std::size_t solved_rows)
    : KinematicSystem(size, solved_rows, std::move(jacobian_rows), std::move(jacobian_columns)), memory_(memory),
      tiles_(memory.size, memory.p, size.parameters, std::move(phases)) {
    if (solved_rows != size.v && solved_rows != 0)
        throw std::invalid_argument("a system solves as many rows as it has velocities, or none");
    const TileMemory& m = memory;
    const std::size_t rows = solved_rows + size.spare;
    require_places(m.size, {{m.q, size.q},
                            {m.v, size.v},
                            {m.delta, size.v},
                            {m.t, 1},
                            {m.last, size.turns},
                            {m.p, size.parameters},
                            {m.phi, solved_rows},
                            {m.spare, size.spare},
                            {m.turns, size.turns},
                            {m.jacobian, rows_.size()},
                            {m.velocity_rhs, rows},
                            {m.gamma, rows}});
    if (tiles_.phases() != phase_count) throw std::invalid_argument("a tiled system has four phases");
    if (tiles_.is_empty(phase_retract) && size_.q != size_.v)
        throw std::invalid_argument("coordinates that are not flat need a retraction");
}

void TileSystem::set_parameters(const double* p) {
    tiles_.set_parameters(p);
    factored_ = false;
}

void TileSystem::set_steps(const double* steps) {
    lu_.set_steps(steps);
    factored_ = false;
}

void TileSystem::retract(const double* q, const double* d, double* out) {
    if (tiles_.is_empty(phase_retract)) {  // flat coordinates: the displacement is added
        for (std::size_t k = 0; k < size_.q; ++k) out[k] = q[k] + d[k];
        return;
    }
    std::copy(q, q + size_.q, at(memory_.q));
    std::copy(d, d + size_.v, at(memory_.delta));
    tiles_.run(phase_retract);
    const double* moved = at(memory_.q);
    std::copy(moved, moved + size_.q, out);
}

void TileSystem::residual(const double* q, double t, const double* last, double* phi, double* spare, double* turns) {
    std::copy(q, q + size_.q, at(memory_.q));
    std::copy(last, last + size_.turns, at(memory_.last));
    tiles_.numbers()[memory_.t] = t;
    tiles_.run(phase_frames);
    tiles_.run(phase_residual);
    factored_ = false;
    const double* from = tiles_.numbers();
    std::copy(from + memory_.phi, from + memory_.phi + solved_, phi);
    std::copy(from + memory_.spare, from + memory_.spare + size_.spare, spare);
    std::copy(from + memory_.turns, from + memory_.turns + size_.turns, turns);
}

Factor TileSystem::factor() {
    if (!factored_) {
        how_ = lu_.factor(at(memory_.jacobian));
        factored_ = true;
    }
    return how_;
}

Factor TileSystem::correction(double* dx) {
    const Factor how = factor();
    if (how != Factor::singular) lu_.solve(at(memory_.phi), dx);
    return how;
}

Factor TileSystem::velocity(double* v, Signs& signs) {
    const Factor how = factor();
    if (how != Factor::singular) {
        lu_.solve(at(memory_.velocity_rhs), v);
        lu_.signs(signs);
    }
    return how;
}

void TileSystem::acceleration(const double* v, double* a) {
    std::copy(v, v + size_.v, at(memory_.v));
    tiles_.run(phase_gamma);
    lu_.solve(at(memory_.gamma), a);
}

void TileSystem::right_hand(const double* v, double* velocity_rhs, double* gamma) {
    std::copy(v, v + size_.v, at(memory_.v));
    tiles_.run(phase_gamma);
    const auto rows = solved_ + size_.spare;
    const double* from = tiles_.numbers();
    std::copy(from + memory_.velocity_rhs, from + memory_.velocity_rhs + rows, velocity_rhs);
    std::copy(from + memory_.gamma, from + memory_.gamma + rows, gamma);
}

void TileSystem::jacobian(double* values) {
    const double* from = at(memory_.jacobian);
    std::copy(from, from + rows_.size(), values);
}

}  // namespace kempe
