#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "boxes/rows/problem.hpp"

// Balls about points, found by place: grids over up to four of the unknowns, one for every power of two
// of the balls' radii.

namespace kempe::boxes {

class PointGrid {
  public:
    explicit PointGrid(const Problem& problem)
        : problem_(problem), n_axes_(std::min<std::size_t>(most_axes, problem.n)) {
        for (std::size_t a = 0; a < n_axes_; ++a) axes_[a] = a * problem.n / n_axes_;
    }

    void add(std::uint32_t number, const double* x, double radius) {
        Level& level = level_for(radius);
        std::array<long, most_axes> low{}, high{};
        for (std::size_t a = 0; a < n_axes_; ++a) {
            low[a] = cell(level, a, x[axes_[a]] - radius);
            high[a] = cell(level, a, x[axes_[a]] + radius);
        }
        std::array<long, most_axes> at = low;
        for (std::size_t a = 0; a < n_axes_;) {  // all cells from low to high
            std::vector<std::uint32_t>& list = level.cells[key(level, at)];
            if (list.empty() || list.back() != number) list.push_back(number);
            for (a = 0; a < n_axes_ && ++at[a] > high[a]; ++a) at[a] = low[a];
        }
    }

    // Calls `is_wanted` with the numbers of balls that may hold x until it says yes.
    template <class Wanted>
    bool any_near(const double* x, const Wanted& is_wanted) const {
        for (const Level& level : levels_) {
            std::array<long, most_axes> at{};
            for (std::size_t a = 0; a < n_axes_; ++a) at[a] = cell(level, a, x[axes_[a]]);
            const auto found = level.cells.find(key(level, at));
            if (found == level.cells.end()) continue;
            for (const std::uint32_t k : found->second)
                if (is_wanted(k)) return true;
        }
        return false;
    }

  private:
    static constexpr std::size_t most_axes = 4;

    struct Level {
        int order;  // of cells that are 2^order wide, or a little more round a circle
        std::array<double, most_axes> sizes;
        std::array<long, most_axes> counts;  // of cells round a circle; 0 where there is none
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells;
    };

    Level& level_for(double radius) {
        const int order = std::ilogb(radius) + 2;
        for (Level& level : levels_)
            if (level.order == order) return level;
        Level made{order, {}, {}, {}};
        for (std::size_t a = 0; a < n_axes_; ++a) {
            made.sizes[a] = std::ldexp(1.0, order);
            const double period = problem_.period[axes_[a]];
            if (!(period > 0.0)) continue;
            made.counts[a] = std::max(1L, static_cast<long>(period / made.sizes[a]));
            made.sizes[a] = period / static_cast<double>(made.counts[a]);
        }
        levels_.push_back(std::move(made));
        return levels_.back();
    }

    long cell(const Level& level, std::size_t axis, double x) const {
        return static_cast<long>(std::floor((x - problem_.domain[axes_[axis]].lower()) / level.sizes[axis]));
    }

    std::uint64_t key(const Level& level, const std::array<long, most_axes>& cells) const {
        std::uint64_t key = 0;
        for (std::size_t a = 0; a < n_axes_; ++a) {
            long at = cells[a];
            if (level.counts[a] > 0) at = (at % level.counts[a] + level.counts[a]) % level.counts[a];
            key = (key ^ static_cast<std::uint64_t>(at)) * 0x9e3779b97f4a7c15u;
            key ^= key >> 29;
        }
        return key;
    }

    const Problem& problem_;
    std::size_t n_axes_;
    std::array<std::size_t, most_axes> axes_{};
    std::vector<Level> levels_;
};

}  // namespace kempe::boxes
