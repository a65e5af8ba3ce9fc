// A dynamic system of many alike elements and forces, with the block solver.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dynamics/systems/dynamic_system.hpp"
#include "dynamics/systems/varying_mass.hpp"
#include "schur/saddle_blocks.hpp"
#include "schur/schur_ldlt.hpp"
#include "schur/whole_saddle.hpp"
#include "tiles/tiles.hpp"

namespace kempe {

/// What is run when; every phase is a list of groups.
enum DynamicPhase : std::size_t {
    dynamic_phase_frames,    // q -> frames
    dynamic_phase_residual,  // frames, t, last, p -> phi, turns, J, -phi_t
    dynamic_phase_gamma,     // ..., v -> gamma
    dynamic_phase_loads,     // ..., v -> loads, powers
    dynamic_phase_energies,  // ..., v -> kinetic and stored energies
    dynamic_phase_switches,  // ..., v -> functions of the switches
    dynamic_phase_rates,     // ..., v -> rates of states
    dynamic_phase_count,
};

/// Places of the kinds of numbers in the system's memory, and how many there are.
struct DynamicMemory {
    std::size_t q, v, t, last, p, phi, turns, velocity_rhs, gamma, blocks, loads, powers, kinetic, stored, size,
        whiteners, idle, switches, sides, rates;
    std::size_t n_powers, n_kinetic, n_stored;
};

/// Entries of J: those of the dense blocks of the solved rows, which stand in memory from `blocks`
/// on as Y = J C^T, then from `idle` on those of the other rows, body by body.
struct DynamicEntries {
    std::vector<std::int32_t> idle_bodies;  // that rows which are not solved hold on to
    std::vector<std::int32_t> sum_slots, sum_places;  // entries that share a place are added up
    std::vector<std::int32_t> load_columns;  // the velocity of each load
};

class TileDynamics final : public DynamicSystem {
  public:
    TileDynamics(DynamicSize size, DynamicMemory memory, std::vector<std::vector<TileGroup>> phases,
                 const SaddleLayout& layout, DynamicEntries entries, SaddleBlocks all_rows);

    [[nodiscard]] DynamicSize size() const override { return size_; }
    [[nodiscard]] std::shared_ptr<DynamicSystem> clone() const override {
        return std::make_shared<TileDynamics>(*this);
    }
    [[nodiscard]] double* room_for_q() override { return at(memory_.q); }
    [[nodiscard]] double* room_for_v() override { return at(memory_.v); }
    void set_numbers(const double* p, const double* mass) override;
    [[nodiscard]] std::size_t mass_numbers() const override {
        return static_cast<std::size_t>(solver_.program().mass_values);
    }
    void set_parameters(const double* p) override;
    void set_sides(const double* sides) override;
    void set_states(const double* z) override;
    void allow_error(double share) override { allowed_error_ = share; }
    void rates(const double* q, const double* v, double t, const double* last, double* values) override;
    void switches(const double* q, const double* v, double t, const double* last, double* values) override;
    void residual(const double* q, double t, const double* last, double* phi, double* turns) override;
    Factor factor(const double* q, double t, const double* last, bool all_rows) override;
    [[nodiscard]] double smallest_pivot_ratio() const override {
        return by_whole_ ? whole_.smallest_pivot_ratio() : solver_.smallest_pivot_ratio();
    }
    void correct(const double* g, double* x) override;
    Factor factor_there(bool all_rows) override;
    void velocity(double* v) override;
    void motion(const double* v, double* a, double* lam, Powers* powers) override;
    Factor evaluate(const double* q, const double* v, double t, const double* last, double* a, double* lam,
                    Powers* powers) override;
    void equations(const double* q, const double* v, double t, const double* last, const double* /*lam*/,
                   double* entries, double* velocity_rhs, double* gamma, double* load, double* dissipated) override;
    [[nodiscard]] std::size_t entries() const override {
        const SchurProgram& program = solver_.program();
        const auto size = program.bodies.empty() ? 0 : program.bodies[0].size;
        return static_cast<std::size_t>(program.jacobian_values) +
               entries_.idle_bodies.size() * static_cast<std::size_t>(size);
    }
    [[nodiscard]] std::size_t bytes() const override;
    void energy(const double* q, const double* v, double t, const double* last, double* kinetic,
                double* potential) override;

  private:
    [[nodiscard]] double* at(std::size_t place) { return tiles_.numbers() + place; }
    [[nodiscard]] const double* at(std::size_t place) const { return tiles_.numbers() + place; }
    void place(const double* q, double t, const double* last);
    [[nodiscard]] bool is_placed(const double* q, double t, const double* last) const;
    void put_place(const double* q, double t, const double* last);
    void look(DynamicPhase phase, const double* q, const double* v, double t, const double* last);
    void find_loads(const double* v);
    void add_up_powers(const double* lam, Powers* powers) const;
    [[nodiscard]] Factor judged(bool factored, bool all_rows);
    void place_whiteners();
    void follow_masses();
    void add_up_entries();
    void add_up_loads();
    void read_entries(double* values) const;
    void solve(const double* f, const double* g, double* a, double* lam);
    bool factor_whole(double floor);
    void arrange_whole();
    [[nodiscard]] double geometric_pivot();
    [[nodiscard]] bool by_other() const { return by_all_ || by_whole_; }

    DynamicSize size_;
    DynamicMemory memory_;
    Tiles tiles_;
    TileSchedule to_rows_, to_loads_;  // phases run side by side, up to these
    DynamicEntries entries_;
    SchurLDLT solver_;       // of the solved rows
    SaddleBlocks all_rows_;  // the net below them, where there are more
    WholeSaddle whole_;      // where the masses differ too much for the solver
    VaryingMass mass_;
    std::vector<double> whole_values_;
    bool by_all_ = false, by_whole_ = false;
    bool is_placed_ = false;  // the rows and J in memory are those of q, t and last there
    std::vector<double> values_, load_, right_;
    bool is_driven_;  // rows move with time
    std::vector<double> lam_;
    double allowed_error_ = 0.0;  // of accelerations
};

}  // namespace kempe
