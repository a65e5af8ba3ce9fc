#include "schur/saddle_blocks.hpp"

#include "linear/bytes.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kempe {

SaddleBlocks::SaddleBlocks(const SaddleLayout& layout, SaddleEntries entries, std::size_t solved)
    : solver_(layout), entries_(std::move(entries)), solved_(solved), values_(entries_.rows.size()),
      blocks_(static_cast<std::size_t>(solver_.program().jacobian_values) + SchurLDLT::spill),
      lam_(static_cast<std::size_t>(solver_.program().rows)),
      zero_(static_cast<std::size_t>(solver_.program().velocities), 0.0) {
    const auto inside = [](const std::vector<std::int32_t>& list, std::size_t size) {
        return std::all_of(list.begin(), list.end(),
                           [size](std::int32_t x) { return x >= 0 && static_cast<std::size_t>(x) < size; });
    };
    if (entries_.columns.size() != entries_.rows.size() || entries_.places.size() != entries_.rows.size() ||
        !inside(entries_.rows, lam_.size()) || !inside(entries_.columns, zero_.size()) ||
        !inside(entries_.places, blocks_.size())) {
        throw std::invalid_argument("an entry of the Jacobian lies outside its blocks");
    }
}

std::size_t SaddleBlocks::bytes() const {
    return solver_.bytes() + bytes_of(entries_.rows, entries_.columns, entries_.places) +
           bytes_of(values_, blocks_, lam_, zero_) + whole_.bytes();
}

void SaddleBlocks::set_mass(const double* blocks) {
    is_massless_ = !solver_.set_mass(blocks);
    by_whole_ = is_massless_;
    if (!whole_.has_pattern()) whole_.set_pattern(entries_.rows, entries_.columns, velocities(), solved_);
    whole_.set_mass(solver_.program().bodies, blocks);
}

bool SaddleBlocks::has_mass_but_in(const std::vector<std::int32_t>& velocities, const double* blocks) const {
    std::vector<double> held, whitener;
    for (const SchurProgram::Body& body : solver_.program().bodies) {
        const auto n = static_cast<std::size_t>(body.size);
        held.assign(blocks + body.mass, blocks + body.mass + n * n);
        whitener.resize(n * n);
        for (const std::int32_t velocity : velocities) {
            const std::int32_t k = velocity - body.first;
            if (k >= 0 && k < body.size) held[static_cast<std::size_t>(k) * (n + 1)] += 1.0;
        }
        if (!make_whitener(held.data(), body.size, whitener.data())) return false;
    }
    return true;
}

void SaddleBlocks::change_mass(const double* blocks) {
    is_massless_ = !solver_.set_mass(blocks);
    whole_.change_mass(solver_.program().bodies, blocks);
}

bool SaddleBlocks::factor(const double* entries) {
    std::copy(entries, entries + values_.size(), values_.begin());
    by_whole_ = is_massless_;
    if (by_whole_) return whole_.factor(entries);
    std::fill(blocks_.begin(), blocks_.end(), 0.0);
    for (std::size_t k = 0; k < values_.size(); ++k)
        blocks_[static_cast<std::size_t>(entries_.places[k])] += values_[k];
    return solver_.factor(blocks_.data());
}

bool SaddleBlocks::factor_whole(const double* entries, double floor, bool is_independent) {
    std::copy(entries, entries + values_.size(), values_.begin());
    by_whole_ =
        (is_independent || whole_.is_independent(whole_.geometric_pivot(entries), floor)) && whole_.factor(entries);
    return by_whole_;
}

void SaddleBlocks::solve(const double* f, const double* g, double* a, double* lam) {
    if (!by_whole_) {
        solver_.solve(f, g, a, lam);
        return;
    }
    whole_.solve(f, g, a, lam);
    if (lam != nullptr) std::fill(lam + solved_, lam + rows(), 0.0);
}

void SaddleBlocks::subtract_product(const double* v, double* g) const {
    for (std::size_t k = 0; k < values_.size(); ++k) g[entries_.rows[k]] -= values_[k] * v[entries_.columns[k]];
}

}  // namespace kempe
