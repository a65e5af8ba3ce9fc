#include "saddle_blocks.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kempe {

SaddleBlocks::SaddleBlocks(const SaddleLayout& layout, SaddleEntries entries)
    : solver_(layout),
      entries_(std::move(entries)),
      values_(entries_.rows.size()),
      blocks_(static_cast<std::size_t>(solver_.program().jacobian_values)),
      lam_(static_cast<std::size_t>(solver_.program().rows)),
      zero_(static_cast<std::size_t>(solver_.program().velocities), 0.0) {
    const auto inside = [](const std::vector<std::int32_t>& list, std::size_t size) {
        return std::all_of(list.begin(), list.end(), [size](std::int32_t x) {
            return x >= 0 && static_cast<std::size_t>(x) < size;
        });
    };
    if (entries_.columns.size() != entries_.rows.size() ||
        entries_.places.size() != entries_.rows.size() || !inside(entries_.rows, lam_.size()) ||
        !inside(entries_.columns, zero_.size()) || !inside(entries_.places, blocks_.size())) {
        throw std::invalid_argument("an entry of the Jacobian lies outside its blocks");
    }
}

bool SaddleBlocks::factor(const double* entries) {
    std::copy(entries, entries + values_.size(), values_.begin());
    std::fill(blocks_.begin(), blocks_.end(), 0.0);
    for (std::size_t k = 0; k < values_.size(); ++k) {
        blocks_[static_cast<std::size_t>(entries_.places[k])] += values_[k];
    }
    return solver_.factor(blocks_.data());
}

void SaddleBlocks::solve(const double* f, const double* g, double* a, double* lam) {
    solver_.solve(f == nullptr ? zero_.data() : f, g, a, lam == nullptr ? lam_.data() : lam);
}

void SaddleBlocks::subtract_product(const double* v, double* g) const {
    for (std::size_t k = 0; k < values_.size(); ++k) {
        g[entries_.rows[k]] -= values_[k] * v[entries_.columns[k]];
    }
}

}  // namespace kempe
