#include "dynamics/systems/tile_dynamics.hpp"

#include "linear/bytes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace kempe {

namespace {

// A pivot below this share of its diagonal calls for the rows that are not solved.
constexpr double smallest_pivot_with_spares = 1e-4;
// A pivot below this makes the solver damp.
constexpr double smallest_pivot = SchurLimits{}.pivot;

// Of all bodies: one for the translations, and a lower triangle for the rotations.
std::size_t whitener_numbers(const SaddleLayout& layout) {
    std::size_t sum = 0;
    for (auto size : layout.body_sizes) sum += size == 3 ? 2 : 7;
    return sum;
}

std::vector<std::vector<TileGroup>> seven(std::vector<std::vector<TileGroup>> phases) {
    if (phases.size() != dynamic_phase_count) throw std::invalid_argument("a tiled dynamic system has seven phases");
    return phases;
}

bool inside(const std::vector<std::int32_t>& list, std::size_t size) {
    return std::all_of(list.begin(), list.end(),
                       [size](std::int32_t x) { return x >= 0 && static_cast<std::size_t>(x) < size; });
}

}  // namespace

TileDynamics::TileDynamics(DynamicSize size, DynamicMemory memory, std::vector<std::vector<TileGroup>> phases,
                           const SaddleLayout& layout, DynamicEntries entries, SaddleBlocks all_rows)
    : size_(size), memory_(memory), tiles_(memory.size + SchurLDLT::spill, memory.p,
                                           size.parameters + whitener_numbers(layout), seven(std::move(phases))),
      to_rows_(tiles_.side_by_side(dynamic_phase_residual + 1)),
      to_loads_(tiles_.side_by_side(dynamic_phase_loads + 1)), entries_(std::move(entries)), solver_(layout),
      all_rows_(std::move(all_rows)), mass_(size_), values_(size.spare > 0 ? this->entries() : 0), load_(size.v),
      right_(size.spare > 0 ? size.rows + size.spare : 0),
      is_driven_(tiles_.writes(memory.velocity_rhs, memory.velocity_rhs + size.rows + size.spare)),
      lam_(is_driven_ ? size.rows + size.spare : 0) {
    for (const auto body : layout.body_sizes)
        if (body != 3 && body != 6) throw std::invalid_argument("a body has three velocities or six");
    const DynamicMemory& m = memory;
    const std::size_t rows = size.rows + size.spare;
    require_places(m.size, {{m.q, size.q},
                            {m.v, size.v},
                            {m.t, 1},
                            {m.last, size.turns},
                            {m.p, size.parameters},
                            {m.phi, rows},
                            {m.turns, size.turns},
                            {m.velocity_rhs, rows},
                            {m.gamma, rows},
                            {m.blocks, 0},
                            {m.loads, 0},
                            {m.powers, m.n_powers},
                            {m.kinetic, m.n_kinetic},
                            {m.stored, m.n_stored},
                            {m.whiteners, whitener_numbers(layout)},
                            {m.switches, size.switches},
                            {m.sides, size.switches},
                            {m.rates, size.states.size()},
                            {m.idle, 0}});
    const auto& e = entries_;
    const auto blocks = static_cast<std::size_t>(solver_.program().jacobian_values);
    if (e.sum_slots.size() != e.sum_places.size() || !inside(e.idle_bodies, solver_.program().bodies.size()) ||
        memory.idle + this->entries() - blocks > memory.size || !inside(e.sum_slots, memory.size) ||
        !inside(e.sum_places, memory.size) || !inside(e.load_columns, size.v) ||
        memory.whiteners != memory.p + size.parameters || memory.blocks + blocks > memory.size ||
        memory.loads + e.load_columns.size() > memory.size ||
        static_cast<std::size_t>(solver_.program().rows) != size.rows ||
        static_cast<std::size_t>(solver_.program().velocities) != size.v ||
        (size.spare > 0 && (all_rows_.rows() != size.rows + size.spare || all_rows_.entries() != values_.size()))) {
        throw std::invalid_argument("the lists of entries do not match the system's sizes");
    }
}

void TileDynamics::set_numbers(const double* p, const double* mass) {
    if (mass_.varies()) mass_.give(mass, mass_numbers());  // else whoever needs the blocks has what it makes of them
    if (!solver_.set_mass(mass)) throw std::invalid_argument("a mass block is not positive definite");
    place_whiteners();
    whole_.set_mass(solver_.program().bodies, mass);
    is_placed_ = false;
    if (size_.spare > 0) all_rows_.set_mass(mass);
    set_parameters(p);
}

/// The masses that states of forces are; the rows are to be found anew, which are measured by mass.
void TileDynamics::follow_masses() {
    if (!mass_.varies()) return;
    std::vector<double> z;
    for (const auto place : size_.states) z.push_back(at(memory_.p)[place]);
    if (!mass_.follow(z.data()) || mass_.is_spent()) return;
    const double* const blocks = mass_.blocks().data();
    if (!solver_.set_mass(blocks)) return;
    place_whiteners();
    whole_.change_mass(solver_.program().bodies, blocks);
    is_placed_ = false;
    if (size_.spare > 0) all_rows_.change_mass(blocks);
}

void TileDynamics::set_parameters(const double* p) {
    std::copy(p, p + size_.parameters, at(memory_.p));
    follow_masses();
    tiles_.spread_parameters();
}

void TileDynamics::set_sides(const double* sides) { std::copy(sides, sides + size_.switches, at(memory_.sides)); }

void TileDynamics::set_states(const double* z) {
    if (size_.states.empty()) return;
    for (std::size_t k = 0; k < size_.states.size(); ++k) at(memory_.p)[size_.states[k]] = z[k];
    follow_masses();
    tiles_.spread_parameters();
}

/// Runs a phase that asks for nothing but frames.
void TileDynamics::look(DynamicPhase phase, const double* q, const double* v, double t, const double* last) {
    put_place(q, t, last);
    put(v, size_.v, at(memory_.v));
    is_placed_ = false;
    tiles_.run(dynamic_phase_frames);
    tiles_.run(phase);
}

void TileDynamics::rates(const double* q, const double* v, double t, const double* last, double* values) {
    look(dynamic_phase_rates, q, v, t, last);
    std::copy_n(at(memory_.rates), size_.states.size(), values);
}

void TileDynamics::switches(const double* q, const double* v, double t, const double* last, double* values) {
    look(dynamic_phase_switches, q, v, t, last);
    const double* const found = at(memory_.switches);
    std::copy(found, found + size_.switches, values);
}

/// C of every body where the rows look for it: the lower triangle of its last three rows, after
/// the one number of those before.
void TileDynamics::place_whiteners() {
    double* to = at(memory_.whiteners);
    const auto& bodies = solver_.program().bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const std::int32_t first = bodies[b].size == 3 ? 2 : 3;
        *to++ = solver_.whitener(b, 0, 0);
        for (std::int32_t k = first; k < bodies[b].size; ++k)
            for (std::int32_t m = first; m <= k; ++m) *to++ = solver_.whitener(b, k, m);
    }
}

bool TileDynamics::is_placed(const double* q, double t, const double* last) const {
    return is_placed_ && *at(memory_.t) == t && std::equal(q, q + size_.q, at(memory_.q)) &&
           std::equal(last, last + size_.turns, at(memory_.last));
}

void TileDynamics::put_place(const double* q, double t, const double* last) {
    put(q, size_.q, at(memory_.q));
    std::copy(last, last + size_.turns, at(memory_.last));
    *at(memory_.t) = t;
}

void TileDynamics::place(const double* q, double t, const double* last) {
    if (q != at(memory_.q) && is_placed(q, t, last)) return;
    put_place(q, t, last);
    tiles_.run(to_rows_);
    add_up_entries();
    is_placed_ = true;
}

void TileDynamics::residual(const double* q, double t, const double* last, double* phi, double* turns) {
    place(q, t, last);
    std::copy(at(memory_.phi), at(memory_.phi) + size_.rows + size_.spare, phi);
    std::copy(at(memory_.turns), at(memory_.turns) + size_.turns, turns);
}

void TileDynamics::add_up_entries() {
    double* const numbers = tiles_.numbers();
    for (auto place : entries_.sum_places) numbers[place] = 0.0;
    for (std::size_t k = 0; k < entries_.sum_slots.size(); ++k)
        numbers[entries_.sum_places[k]] += numbers[entries_.sum_slots[k]];
}

void TileDynamics::read_entries(double* values) const {
    solver_.unwhiten(at(memory_.blocks), values);
    double* to = values + solver_.program().jacobian_values;
    const double* from = at(memory_.idle);
    for (auto body : entries_.idle_bodies) {
        const std::int32_t size = solver_.program().bodies[static_cast<std::size_t>(body)].size;
        solver_.unwhiten(static_cast<std::size_t>(body), 1, from, to);
        from += size;
        to += size;
    }
}

Factor TileDynamics::factor(const double* q, double t, const double* last, bool all_rows) {
    place(q, t, last);
    return factor_there(all_rows);
}

Factor TileDynamics::factor_there(bool all_rows) {
    by_all_ = false;
    if (mass_.is_spent()) return Factor::singular;
    return judged(solver_.factor(at(memory_.blocks)), all_rows);
}

/// What the factors are worth; where the masses are to blame all is factored as a whole, and all rows
/// are where the solved ones do not do.
Factor TileDynamics::judged(bool factored, bool all_rows) {
    const double floor = size_.spare > 0 ? smallest_pivot_with_spares : smallest_pivot;
    const bool sound = solver_.smallest_pivot_ratio() > floor;
    whole_.judge_masses(solver_.smallest_pivot_ratio(), [this] { return geometric_pivot(); });
    const bool exact = !whole_.is_uneven() || solver_.smallest_pivot_ratio() > uneven_pivot(allowed_error_);
    by_whole_ = !all_rows && !(sound && exact) && factor_whole(floor);
    if (by_whole_) return Factor::sound;
    if (size_.spare > 0 && (all_rows || !sound)) {
        by_all_ = true;
        read_entries(values_.data());
        return all_rows_.factor(values_.data()) ? Factor::weak : Factor::singular;
    }
    if (!factored) return Factor::singular;
    return solver_.damped() ? Factor::weak : Factor::sound;
}

/// [M J^T; J 0] of the solved rows, where those are independent whatever the masses.
bool TileDynamics::factor_whole(double floor) {
    if (!whole_.is_independent(geometric_pivot(), floor)) return false;
    if (!whole_.has_pattern()) arrange_whole();
    solver_.unwhiten(at(memory_.blocks), whole_values_.data());
    return whole_.factor(whole_values_.data());
}

/// The smallest pivot of J J^T over its diagonal, the columns of J scaled to 1: by the solver, to which
/// J itself is given for once, and so in the order of its other pivots and in no more memory.
double TileDynamics::geometric_pivot() {
    const SchurProgram& program = solver_.program();
    std::vector<double> J(static_cast<std::size_t>(program.jacobian_values) + SchurLDLT::spill);
    std::vector<double> scales(size_.v, 0.0);
    const auto each = [&](auto act) {
        for (const SchurProgram::Touch& touch : program.touches) {
            double* x = J.data() + touch.white;
            for (std::int32_t k = 0; k < touch.size; ++k)
                for (std::int32_t r = 0; r < touch.rows; ++r)
                    act(*x++, scales[static_cast<std::size_t>(touch.velocity + k)]);
        }
    };
    for (const SchurProgram::Touch& touch : program.touches) {
        solver_.unwhiten(static_cast<std::size_t>(touch.body), touch.rows, at(memory_.blocks) + touch.white,
                         J.data() + touch.white);
    }
    each([](double x, double& scale) { scale += x * x; });
    for (auto& scale : scales) scale = scale > 0.0 ? 1.0 / std::sqrt(scale) : 1.0;
    each([](double& x, double scale) { x *= scale; });
    (void)solver_.factor(J.data());
    const double found = solver_.smallest_pivot_ratio();
    (void)solver_.factor(at(memory_.blocks));
    return found;
}

/// Row and velocity of the entries of J.
void TileDynamics::arrange_whole() {
    const SchurProgram& program = solver_.program();
    const auto values = static_cast<std::size_t>(program.jacobian_values);
    std::vector<std::int32_t> rows(values), columns(values);
    for (const SchurProgram::Touch& touch : program.touches) {
        for (std::int32_t k = 0; k < touch.size; ++k) {
            for (std::int32_t r = 0; r < touch.rows; ++r) {
                const auto place = static_cast<std::size_t>(touch.jacobian + k * touch.rows + r);
                rows[place] = program.given_row[static_cast<std::size_t>(touch.row + r)];
                columns[place] = touch.velocity + k;
            }
        }
    }
    whole_values_.resize(values);
    whole_.set_pattern(std::move(rows), std::move(columns), size_.v, size_.rows);
}

void TileDynamics::solve(const double* f, const double* g, double* a, double* lam) {
    if (by_all_) {
        all_rows_.solve(f, g, a, lam);
        return;
    }
    if (by_whole_) whole_.solve(f, g, a, lam);
    else solver_.solve(f, g, a, lam);
    if (lam != nullptr) std::fill(lam + size_.rows, lam + size_.rows + size_.spare, 0.0);
}

void TileDynamics::correct(const double* g, double* x) { solve(nullptr, g, x, nullptr); }

std::size_t TileDynamics::bytes() const {
    const DynamicEntries& e = entries_;
    return tiles_.bytes() + bytes_of(to_rows_, to_loads_) + solver_.bytes() + all_rows_.bytes() +
           bytes_of(e.idle_bodies, e.sum_slots, e.sum_places, e.load_columns) +
           bytes_of(values_, load_, right_, lam_, whole_values_) + whole_.bytes() + mass_.bytes();
}

void TileDynamics::velocity(double* v) {
    if (!by_other()) {
        solver_.project(at(memory_.velocity_rhs), v);
        return;
    }
    const std::size_t rows = size_.rows + size_.spare;
    right_.assign(at(memory_.velocity_rhs), at(memory_.velocity_rhs) + rows);
    if (by_all_) all_rows_.subtract_product(v, right_.data());
    else whole_.subtract_product(v, right_.data());
    solve(nullptr, right_.data(), load_.data(), nullptr);
    for (std::size_t k = 0; k < size_.v; ++k) v[k] += load_[k];
}

void TileDynamics::add_up_loads() {
    std::fill(load_.begin(), load_.end(), 0.0);
    const double* const loads = at(memory_.loads);
    for (std::size_t k = 0; k < entries_.load_columns.size(); ++k)
        load_[static_cast<std::size_t>(entries_.load_columns[k])] += loads[k];
}

/// Loads and gamma at the velocities v.
void TileDynamics::find_loads(const double* v) {
    put(v, size_.v, at(memory_.v));
    tiles_.run(dynamic_phase_gamma);
    tiles_.run(dynamic_phase_loads);
    add_up_loads();
}

void TileDynamics::motion(const double* v, double* a, double* lam, Powers* powers) {
    lam = lam == nullptr && is_driven_ ? lam_.data() : lam;
    find_loads(v);
    solve(load_.data(), at(memory_.gamma), a, lam);
    add_up_powers(lam, powers);
}

Factor TileDynamics::evaluate(const double* q, const double* v, double t, const double* last, double* a, double* lam,
                              Powers* powers) {
    if (mass_.is_spent()) return Factor::singular;
    lam = lam == nullptr && is_driven_ ? lam_.data() : lam;
    put_place(q, t, last);
    put(v, size_.v, at(memory_.v));
    tiles_.run(to_loads_);
    add_up_entries();
    add_up_loads();
    is_placed_ = true;
    by_all_ = false;
    const double* const gamma = at(memory_.gamma);
    const bool factored = solver_.factor_and_solve(at(memory_.blocks), load_.data(), gamma, a, lam);
    if (lam != nullptr) std::fill(lam + size_.rows, lam + size_.rows + size_.spare, 0.0);
    const Factor how = judged(factored, false);
    if (by_other() && how != Factor::singular) solve(load_.data(), gamma, a, lam);
    add_up_powers(lam, powers);
    return how;
}

void TileDynamics::add_up_powers(const double* lam, Powers* powers) const {
    const double* const each = at(memory_.powers);
    powers->dissipated = std::accumulate(each, each + memory_.n_powers, 0.0);
    powers->driven = 0.0;
    if (!is_driven_) return;
    const double* const rhs = at(memory_.velocity_rhs);
    double sums[4] = {};  // several, because one would wait for itself
    const std::size_t n = size_.rows + size_.spare;
    for (std::size_t k = 0; k < n; ++k) sums[k % 4] += lam[k] * rhs[k];
    powers->driven = -((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

void TileDynamics::equations(const double* q, const double* v, double t, const double* last, const double* /*lam*/,
                             double* entries, double* velocity_rhs, double* gamma, double* load, double* dissipated) {
    place(q, t, last);
    find_loads(v);
    read_entries(entries);
    const std::size_t rows = size_.rows + size_.spare;
    std::copy(at(memory_.velocity_rhs), at(memory_.velocity_rhs) + rows, velocity_rhs);
    std::copy(at(memory_.gamma), at(memory_.gamma) + rows, gamma);
    std::copy(load_.begin(), load_.end(), load);
    *dissipated = std::accumulate(at(memory_.powers), at(memory_.powers) + memory_.n_powers, 0.0);
}

void TileDynamics::energy(const double* q, const double* v, double t, const double* last, double* kinetic,
                          double* potential) {
    look(dynamic_phase_energies, q, v, t, last);
    const double* each = at(memory_.kinetic);
    *kinetic = std::accumulate(each, each + memory_.n_kinetic, 0.0);
    each = at(memory_.stored);
    *potential = std::accumulate(each, each + memory_.n_stored, 0.0);
}

}  // namespace kempe
