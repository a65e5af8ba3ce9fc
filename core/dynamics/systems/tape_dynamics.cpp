#include "dynamics/systems/tape_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace kempe {

namespace {

// A pivot at or below this share of its diagonal makes the block solver take over, which damps;
// sooner where rows that are not solved wait to help.
constexpr double smallest_pivot = 1e-7, smallest_pivot_with_spares = 1e-4;
// Rows that were independent whatever the masses are so still, as long as no pivot of J M^-1 J^T over its
// diagonal has fallen to this share of what it was then, nor to what rounding leaves of it.
constexpr double kept_share = 0.25, rounded_pivot = 1e-10;

}  // namespace

TapeDynamics::TapeDynamics(std::shared_ptr<const Tape> tape, DynamicSize size, DynamicRegisters registers,
                           SaddleBlocks blocks, std::vector<std::int32_t> massless)
    : size_(size), registers_(std::move(registers)), blocks_(std::move(blocks)), mass_(size_),
      file_(std::move(tape), dynamic_section_count,
            size.q + size.v + 1 + size.turns + size.rows + size.parameters + size.switches),
      massless_(std::move(massless)), entries_(blocks_.entries()), right_(size.rows + size.spare),
      lam_(size.rows + size.spare), load_(size.v) {
    const auto& r = registers_;
    file_.require_registers({&r.phi, &r.turns, &r.pivots, &r.diagonals, &r.x, &r.velocity, &r.a, &r.lam, &r.powers,
                             &r.jacobian, &r.velocity_rhs, &r.gamma, &r.load, &r.dissipated, &r.energies, &r.switches,
                             &r.rates});
    const auto rows = size_.rows + size_.spare;
    if (r.phi.size() != rows || r.turns.size() != size_.turns || r.pivots.size() != r.diagonals.size() ||
        r.x.size() != size_.v || r.velocity.size() != size_.v || r.a.size() != size_.v || r.lam.size() != size_.rows ||
        r.powers.size() != 2 || r.dissipated.size() != 1 || r.energies.size() != 2 ||
        r.jacobian.size() != blocks_.entries() || r.velocity_rhs.size() != rows || r.gamma.size() != rows ||
        r.load.size() != size_.v || r.switches.size() != size_.switches || r.rates.size() != size_.states.size() ||
        blocks_.rows() != rows || blocks_.velocities() != size_.v) {
        throw std::invalid_argument("the lists of output registers do not match the sizes");
    }
}

void TapeDynamics::set_numbers(const double* p, const double* mass) {
    if (mass_.varies()) mass_.give(mass, mass_numbers());
    blocks_.set_mass(mass);
    lacks_mass_ = blocks_.is_massless() && !blocks_.has_mass_but_in(massless_, mass);
    set_parameters(p);
    independent_pivots_.clear();
}

/// The masses that states of forces are.
void TapeDynamics::follow_masses() {
    if (!mass_.varies()) return;
    const double* const p = file_.data() + size_.q + size_.v + 1 + size_.turns + size_.rows;
    std::vector<double> z;
    for (const auto place : size_.states) z.push_back(p[place]);
    if (!mass_.follow(z.data()) || mass_.is_spent()) return;
    blocks_.change_mass(mass_.blocks().data());
    independent_pivots_.clear();
}

void TapeDynamics::set_parameters(const double* p) {
    double* to = file_.data() + size_.q + size_.v + 1 + size_.turns + size_.rows;
    std::copy(p, p + size_.parameters, to);
    follow_masses();
}

void TapeDynamics::set_sides(const double* sides) {
    const std::size_t first = size_.q + size_.v + 1 + size_.turns + size_.rows + size_.parameters;
    std::copy(sides, sides + size_.switches, file_.data() + first);
}

void TapeDynamics::switches(const double* q, const double* v, double t, const double* last, double* values) {
    place(q, t, last);
    place_velocity(v);
    file_.run(dynamic_switches);
    file_.gather(registers_.switches, values);
}

void TapeDynamics::set_states(const double* z) {
    double* to = file_.data() + size_.q + size_.v + 1 + size_.turns + size_.rows;
    for (std::size_t k = 0; k < size_.states.size(); ++k) to[size_.states[k]] = z[k];
    follow_masses();
}

void TapeDynamics::rates(const double* q, const double* v, double t, const double* last, double* values) {
    place(q, t, last);
    place_velocity(v);
    file_.run(dynamic_rates);
    file_.gather(registers_.rates, values);
}

void TapeDynamics::place(const double* q, double t, const double* last) {
    put(q, size_.q, file_.data());
    double* to = file_.data() + size_.q + size_.v;
    *to = t;
    std::copy(last, last + size_.turns, to + 1);
}

void TapeDynamics::place_velocity(const double* v) { put(v, size_.v, file_.data() + size_.q); }

void TapeDynamics::residual(const double* q, double t, const double* last, double* phi, double* turns) {
    place(q, t, last);
    file_.run(dynamic_residual);
    file_.gather(registers_.phi, phi);
    file_.gather(registers_.turns, turns);
}

double TapeDynamics::pivot_floor() const {
    const double least = size_.spare > 0 ? smallest_pivot_with_spares : smallest_pivot;
    return blocks_.is_uneven() ? std::max(uneven_pivot(allowed_error_), least) : least;
}

bool TapeDynamics::pivots_sound() const {
    const double floor = pivot_floor();
    bool sound = true;
    for (std::size_t k = 0; k < registers_.pivots.size(); ++k) {
        const double pivot = file_[registers_.pivots[k]];
        const double diagonal = file_[registers_.diagonals[k]];
        sound &= pivot > floor * diagonal;
    }
    return sound;
}

double TapeDynamics::pivot_ratio(std::size_t k) const {
    return file_[registers_.pivots[k]] / file_[registers_.diagonals[k]];
}

/// Whether rows are as independent, but for a small factor, as when they were last found to be: J M^-1 J^T
/// cannot lose its rank before one of its pivots has lost its size.
bool TapeDynamics::keeps_independence() const {
    if (independent_pivots_.empty()) return false;
    bool keeps = true;
    for (std::size_t k = 0; k < independent_pivots_.size(); ++k) {
        const double ratio = pivot_ratio(k);
        keeps &= ratio > kept_share * independent_pivots_[k] && ratio > rounded_pivot;
    }
    return keeps;
}

void TapeDynamics::remember_pivots() {
    independent_pivots_.resize(registers_.pivots.size());
    for (std::size_t k = 0; k < independent_pivots_.size(); ++k) independent_pivots_[k] = pivot_ratio(k);
}

double TapeDynamics::smallest_pivot_ratio() const {
    if (by_blocks_) return blocks_.smallest_pivot_ratio();
    double least = 1.0;
    for (std::size_t k = 0; k < registers_.pivots.size(); ++k) least = std::min(least, pivot_ratio(k));
    return least;
}

Factor TapeDynamics::factor(const double* q, double t, const double* last, bool all_rows) {
    place(q, t, last);
    return factor_there(all_rows);
}

Factor TapeDynamics::factor_there(bool all_rows) {
    if (mass_.is_spent()) return Factor::singular;
    file_.run(dynamic_factor);  // where the block solver takes over, motion reads other values of it
    if (!blocks_.is_judged()) {
        by_blocks_ = false;
        blocks_.judge_masses(smallest_pivot_ratio(), [this] {
            file_.run(dynamic_system);
            file_.gather(registers_.jacobian, entries_.data());
            return entries_.data();
        });
    }
    by_blocks_ = all_rows || lacks_mass_ || !pivots_sound();
    return by_blocks_ ? factor_by_blocks(all_rows) : Factor::sound;
}

Factor TapeDynamics::factor_by_blocks(bool all_rows) {
    const bool by_whole = !all_rows && !blocks_.is_massless(), is_known = by_whole && keeps_independence();
    if (by_whole && !is_known) remember_pivots();
    file_.run(dynamic_system);
    file_.gather(registers_.jacobian, entries_.data());
    if (by_whole && blocks_.factor_whole(entries_.data(), pivot_floor(), is_known)) return Factor::sound;
    independent_pivots_.clear();
    if (!blocks_.factor(entries_.data())) return Factor::singular;
    return blocks_.damped() ? Factor::weak : Factor::sound;
}

void TapeDynamics::correct(const double* g, double* x) {
    if (by_blocks_) {
        blocks_.solve(nullptr, g, x, nullptr);
        return;
    }
    std::copy(g, g + size_.rows, file_.data() + size_.q + size_.v + 1 + size_.turns);
    file_.run(dynamic_correct);
    file_.gather(registers_.x, x);
}

void TapeDynamics::velocity(double* v) {
    place_velocity(v);
    if (!by_blocks_) {
        file_.run(dynamic_velocity);
        file_.gather(registers_.velocity, v);
        return;
    }
    file_.run(dynamic_system);
    file_.gather(registers_.velocity_rhs, right_.data());
    blocks_.subtract_product(v, right_.data());
    blocks_.solve(nullptr, right_.data(), load_.data(), nullptr);
    for (std::size_t k = 0; k < size_.v; ++k) v[k] += load_[k];
}

void TapeDynamics::motion(const double* v, double* a, double* lam, Powers* powers) {
    place_velocity(v);
    file_.run(dynamic_motion);
    double both[2];
    file_.gather(registers_.powers, both);
    powers->dissipated = both[0];
    powers->driven = both[1];
    if (!by_blocks_) {
        file_.gather(registers_.a, a);
        if (lam != nullptr) {
            file_.gather(registers_.lam, lam);
            std::fill(lam + size_.rows, lam + size_.rows + size_.spare, 0.0);
        }
        return;
    }
    file_.run(dynamic_system);
    file_.gather(registers_.gamma, right_.data());
    file_.gather(registers_.load, load_.data());
    lam = lam == nullptr ? lam_.data() : lam;
    blocks_.solve(load_.data(), right_.data(), a, lam);
    file_.gather(registers_.velocity_rhs, right_.data());
    powers->driven = 0.0;
    for (std::size_t k = 0; k < right_.size(); ++k) powers->driven -= lam[k] * right_[k];
}

void TapeDynamics::equations(const double* q, const double* v, double t, const double* last, const double* /*lam*/,
                             double* entries, double* velocity_rhs, double* gamma, double* load, double* dissipated) {
    place(q, t, last);
    place_velocity(v);
    file_.run(dynamic_system);
    file_.gather(registers_.jacobian, entries);
    file_.gather(registers_.velocity_rhs, velocity_rhs);
    file_.gather(registers_.gamma, gamma);
    file_.gather(registers_.load, load);
    file_.gather(registers_.dissipated, dissipated);
}

void TapeDynamics::energy(const double* q, const double* v, double t, const double* last, double* kinetic,
                          double* potential) {
    place(q, t, last);
    place_velocity(v);
    file_.run(dynamic_energy);
    double both[2];
    file_.gather(registers_.energies, both);
    *kinetic = both[0];
    *potential = both[1];
}

}  // namespace kempe
