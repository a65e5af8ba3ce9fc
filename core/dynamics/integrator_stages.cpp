// The stages of the integrator: where they stand, and their sums.
#include <algorithm>

#include "dynamics/integrator.hpp"
#include "linear/bytes.hpp"
#include "tape/generations.hpp"

namespace kempe {

// Stages share memory: one that no later stage and no sum needs leaves its place to another.
void Integrator::share_slots() {
    const auto stages = static_cast<std::size_t>(tableau_.stages);
    const std::size_t all = std::max(static_cast<std::size_t>(tableau_.dense_stages), stages + 1);
    std::vector<std::size_t> needed(all, 0);  // until this stage is made
    const auto need = [&](const std::vector<double>& weights, std::size_t until) {
        for (std::size_t s = 0; s < weights.size(); ++s)
            needed[s] = weights[s] != 0.0 ? std::max(needed[s], until) : needed[s];
    };
    for (std::size_t s = 1; s < tableau_.a.size(); ++s) need(tableau_.a[s], s);
    for (const auto* sum : {&tableau_.b, &tableau_.error, &tableau_.error_low}) need(*sum, stages);
    for (const auto& row : tableau_.dense) need(row, all);
    for (std::size_t s = 0; s < tableau_.weights.size(); ++s) needed[s] = all;
    for (const std::size_t s : {std::size_t{0}, stages - 1, stages})
        needed[s] = all;  // the next step's first, and those that stiffness is seen in
    std::vector<std::size_t> until;  // of the stage in each slot
    for (std::size_t s = 0; s < all; ++s) {
        std::size_t slot = 0;
        while (slot < until.size() && until[slot] > s) ++slot;
        until.resize(std::max(until.size(), slot + 1));
        until[slot] = needed[s];
        slots_.push_back(slot);
    }
    for (std::size_t slot = 0; slot < until.size(); ++slot)
        if (slot != slots_[0] && slot != slots_[stages]) dense_slots_.push_back(slot);
    stages_.resize(until.size() * n_);
}

// y = h sum weights_s k_s, over one part of the numbers after another: each stays near.
void Integrator::combine(const std::vector<double>& weights, double h, double* y) {
    for (std::size_t begin = 0; begin < n_; begin += part)
        combine_part(weights, h, begin, std::min(begin + part, n_), y + begin);
}

KEMPE_GENERATIONS void Integrator::combine_part(const std::vector<double>& weights, double h, std::size_t begin,
                                                std::size_t end, double* y) {
    std::fill(y, y + (end - begin), 0.0);
    for (std::size_t s = 0; s < weights.size(); ++s) {
        const double w = h * weights[s];
        if (w == 0.0) continue;
        const double* k = stage(static_cast<int>(s)) + begin;
        for (std::size_t i = 0; i < end - begin; ++i) y[i] += w * k[i];
    }
}

std::size_t Integrator::bytes() const {
    return bytes_of(q_, v_, lam_, last_, stages_, y_, y1_, before_, q_next_, v_next_, turns_next_, phi_, turns_, x_) +
           bytes_of(limits_.rows, limits_.guards, limits_.guard_sides) +
           bytes_of(sides_, switches_, looks_, seen_, by_time_, is_fresh_, is_met_, is_idle_, times_switched_);
}

}  // namespace kempe
