#include "tile_dynamics.hpp"

#include "bytes.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace kempe {

namespace {

// A pivot below this share of its diagonal calls for the rows that are not solved.
constexpr double smallest_pivot_with_spares = 1e-4;

bool inside(const std::vector<std::int32_t>& list, std::size_t size) {
    return std::all_of(list.begin(), list.end(), [size](std::int32_t x) {
        return x >= 0 && static_cast<std::size_t>(x) < size;
    });
}

}  // namespace

TileDynamics::TileDynamics(DynamicSize size, DynamicMemory memory,
                           std::vector<std::vector<TileGroup>> phases, const SaddleLayout& layout,
                           DynamicEntries entries, SaddleBlocks all_rows)
    : size_(size),
      memory_(memory),
      tiles_(memory.size + SchurLDLT::spill, memory.p, size.parameters, std::move(phases)),
      entries_(std::move(entries)),
      solver_(layout),
      all_rows_(std::move(all_rows)),
      values_(size.spare > 0 ? entries_.places.size() : 0),
      load_(size.v),
      lam_(size.rows + size.spare),
      right_(size.rows + size.spare),
      zero_(size.v, 0.0) {
    if (tiles_.phases() != dynamic_phase_count) {
        throw std::invalid_argument("a tiled dynamic system has five phases");
    }
    const auto& e = entries_;
    const auto blocks = static_cast<std::size_t>(solver_.program().jacobian_values);
    if (e.rows.size() != e.places.size() || e.columns.size() != e.places.size() ||
        e.sum_slots.size() != e.sum_places.size() || !inside(e.rows, size.rows + size.spare) ||
        !inside(e.columns, size.v) || !inside(e.places, memory.size) ||
        !inside(e.sum_slots, memory.size) || !inside(e.sum_places, memory.size) ||
        !inside(e.load_columns, size.v) || memory.blocks + blocks > memory.size ||
        memory.loads + e.load_columns.size() > memory.size ||
        static_cast<std::size_t>(solver_.program().rows) != size.rows ||
        static_cast<std::size_t>(solver_.program().velocities) != size.v ||
        (size.spare > 0 && (all_rows_.rows() != lam_.size() ||
                            all_rows_.entries() != e.places.size()))) {
        throw std::invalid_argument("the lists of entries do not match the system's sizes");
    }
}

void TileDynamics::set_numbers(const double* p, const double* mass) {
    tiles_.set_parameters(p);
    is_placed_ = false;
    if (!solver_.set_mass(mass)) {
        throw std::invalid_argument("a mass block is not positive definite");
    }
    if (size_.spare > 0) {
        all_rows_.set_mass(mass);
    }
}

bool TileDynamics::is_placed(const double* q, double t, const double* last) const {
    return is_placed_ && *at(memory_.t) == t && std::equal(q, q + size_.q, at(memory_.q)) &&
           std::equal(last, last + size_.turns, at(memory_.last));
}

void TileDynamics::place(const double* q, double t, const double* last) {
    if (is_placed(q, t, last)) {
        return;
    }
    std::copy(q, q + size_.q, at(memory_.q));
    std::copy(last, last + size_.turns, at(memory_.last));
    *at(memory_.t) = t;
    tiles_.run(dynamic_phase_frames);
    tiles_.run(dynamic_phase_residual);
    add_up_entries();
    is_placed_ = true;
}

void TileDynamics::residual(const double* q, double t, const double* last, double* phi,
                            double* turns) {
    place(q, t, last);
    std::copy(at(memory_.phi), at(memory_.phi) + right_.size(), phi);
    std::copy(at(memory_.turns), at(memory_.turns) + size_.turns, turns);
}

void TileDynamics::add_up_entries() {
    double* const numbers = tiles_.numbers();
    for (auto place : entries_.sum_places) {
        numbers[place] = 0.0;
    }
    for (std::size_t k = 0; k < entries_.sum_slots.size(); ++k) {
        numbers[entries_.sum_places[k]] += numbers[entries_.sum_slots[k]];
    }
}

void TileDynamics::read_entries(double* values) const {
    const double* const numbers = tiles_.numbers();
    for (std::size_t k = 0; k < entries_.places.size(); ++k) {
        values[k] = numbers[entries_.places[k]];
    }
}

Factor TileDynamics::factor(const double* q, double t, const double* last, bool all_rows) {
    place(q, t, last);
    by_all_ = false;
    return judged(solver_.factor(at(memory_.blocks)), all_rows);
}

/// What the factors are worth; all rows are factored where the solved ones do not do.
Factor TileDynamics::judged(bool factored, bool all_rows) {
    const bool sound = solver_.smallest_pivot_ratio() > smallest_pivot_with_spares;
    if (size_.spare > 0 && (all_rows || !sound)) {
        by_all_ = true;
        read_entries(values_.data());
        return all_rows_.factor(values_.data()) ? Factor::weak : Factor::singular;
    }
    if (!factored) {
        return Factor::singular;
    }
    return solver_.damped() ? Factor::weak : Factor::sound;
}

void TileDynamics::solve(const double* f, const double* g, double* a, double* lam) {
    if (by_all_) {
        all_rows_.solve(f, g, a, lam);
        return;
    }
    solver_.solve(f, g, a, lam);
    std::fill(lam + size_.rows, lam + size_.rows + size_.spare, 0.0);
}

void TileDynamics::correct(const double* g, double* x) {
    solve(zero_.data(), g, x, lam_.data());
}

std::size_t TileDynamics::bytes() const {
    const DynamicEntries& e = entries_;
    return tiles_.bytes() + solver_.bytes() + all_rows_.bytes() +
           bytes_of(e.rows, e.columns, e.places, e.sum_slots, e.sum_places, e.load_columns) +
           bytes_of(values_, load_, lam_, right_, zero_);
}

void TileDynamics::velocity(double* v) {
    if (!by_all_ && !solver_.damped()) {
        solver_.project(at(memory_.velocity_rhs), v);
        return;
    }
    const double* const numbers = tiles_.numbers();
    std::copy(at(memory_.velocity_rhs), at(memory_.velocity_rhs) + right_.size(), right_.begin());
    for (std::size_t k = 0; k < entries_.places.size(); ++k) {
        right_[static_cast<std::size_t>(entries_.rows[k])] -=
            numbers[entries_.places[k]] * v[entries_.columns[k]];
    }
    solve(zero_.data(), right_.data(), load_.data(), lam_.data());
    for (std::size_t k = 0; k < size_.v; ++k) {
        v[k] += load_[k];
    }
}

void TileDynamics::add_up_loads() {
    std::fill(load_.begin(), load_.end(), 0.0);
    const double* const loads = at(memory_.loads);
    for (std::size_t k = 0; k < entries_.load_columns.size(); ++k) {
        load_[static_cast<std::size_t>(entries_.load_columns[k])] += loads[k];
    }
}

/// Loads and gamma at the velocities v.
void TileDynamics::find_loads(const double* v) {
    std::copy(v, v + size_.v, at(memory_.v));
    tiles_.run(dynamic_phase_gamma);
    tiles_.run(dynamic_phase_loads);
    add_up_loads();
}

void TileDynamics::motion(const double* v, double* a, double* lam, Powers* powers) {
    find_loads(v);
    solve(load_.data(), at(memory_.gamma), a, lam);
    add_up_powers(lam, powers);
}

Factor TileDynamics::evaluate(const double* q, const double* v, double t, const double* last,
                              double* a, double* lam, Powers* powers) {
    place(q, t, last);
    find_loads(v);
    by_all_ = false;
    const double* const gamma = at(memory_.gamma);
    const bool factored =
        solver_.factor_and_solve(at(memory_.blocks), load_.data(), gamma, a, lam);
    std::fill(lam + size_.rows, lam + size_.rows + size_.spare, 0.0);
    const Factor how = judged(factored, false);
    if (by_all_ && how != Factor::singular) {
        all_rows_.solve(load_.data(), gamma, a, lam);
    }
    add_up_powers(lam, powers);
    return how;
}

void TileDynamics::add_up_powers(const double* lam, Powers* powers) const {
    const double* const each = at(memory_.powers);
    powers->dissipated = std::accumulate(each, each + memory_.n_powers, 0.0);
    const double* const rhs = at(memory_.velocity_rhs);
    double sums[4] = {};  // several, because one would wait for itself
    const std::size_t n = right_.size();
    for (std::size_t k = 0; k < n; ++k) {
        sums[k % 4] += lam[k] * rhs[k];
    }
    powers->driven = -((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

void TileDynamics::equations(const double* q, const double* v, double t, const double* last,
                             double* entries, double* velocity_rhs, double* gamma, double* load) {
    place(q, t, last);
    find_loads(v);
    read_entries(entries);
    std::copy(at(memory_.velocity_rhs), at(memory_.velocity_rhs) + right_.size(), velocity_rhs);
    std::copy(at(memory_.gamma), at(memory_.gamma) + right_.size(), gamma);
    std::copy(load_.begin(), load_.end(), load);
}

void TileDynamics::energy(const double* q, const double* v, double t, const double* last,
                          double* kinetic, double* potential) {
    std::copy(q, q + size_.q, at(memory_.q));
    std::copy(last, last + size_.turns, at(memory_.last));
    *at(memory_.t) = t;
    std::copy(v, v + size_.v, at(memory_.v));
    is_placed_ = false;
    tiles_.run(dynamic_phase_frames);
    tiles_.run(dynamic_phase_energies);
    const double* each = at(memory_.kinetic);
    *kinetic = std::accumulate(each, each + memory_.n_kinetic, 0.0);
    each = at(memory_.stored);
    *potential = std::accumulate(each, each + memory_.n_stored, 0.0);
}

}  // namespace kempe
