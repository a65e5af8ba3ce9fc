#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "boxes/proof/chart.hpp"
#include "boxes/proof/point_grid.hpp"

// All certified charts, found by place: grids over up to four of the unknowns, one for every order of
// magnitude of charts. Beside a singular place there are many charts of all sizes, which one grid would
// put into one cell.

namespace kempe::boxes {

class Atlas {
  public:
    explicit Atlas(const Problem& problem);

    void add(const Chart& chart);
    // A chart of a surface: it is found at places no farther than `spacing` from its middle, of which every
    // place on a surface has one.
    void add(const Chart& chart, double spacing);
    const Chart& operator[](std::size_t k) const { return charts_[k]; }
    std::size_t size() const { return charts_.size(); }
    std::size_t bytes() const { return bytes_; }

    // Calls `is_wanted` with the numbers of charts whose bounds may hold a point until it says yes.
    template <class Wanted>
    bool any_near(const double* x, const Wanted& is_wanted) const {
        if (problem_.k == 2) return middles_.any_near(x, is_wanted);
        if (charts_.size() <= few) {
            for (std::size_t k = charts_.size(); k-- > 0;)
                if (is_wanted(static_cast<std::uint32_t>(k))) return true;
            return false;
        }
        for (const Grid& grid : grids_) {
            const auto found = grid.cells.find(key_at(grid, x));
            if (found == grid.cells.end()) continue;
            for (std::size_t k = found->second.size(); k-- > 0;)
                if (is_wanted(found->second[k])) return true;
        }
        return false;
    }
    // The number of a chart that a box lies in, -1 where there is none.
    int find(Bench& bench, const Box& box, Point& middle_of_box) const;

  private:
    static constexpr std::size_t most_axes = 4, few = 16;

    struct Grid {
        int order;               // cells are at least coarseness^order wide
        double sizes[most_axes];
        long counts[most_axes];  // of cells round a circle; 0 where there is none
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells;
    };

    Grid& grid_for(double extent);
    long cell(const Grid& grid, std::size_t axis, double x) const;
    std::uint64_t key(const Grid& grid, const long* cells) const;
    std::uint64_t key_at(const Grid& grid, const double* x) const;

    const Problem& problem_;
    std::vector<Chart> charts_;
    std::size_t bytes_ = 0;
    std::size_t n_axes_;
    std::size_t axes_[most_axes] = {};
    std::vector<Grid> grids_;
    PointGrid middles_;  // of surfaces
};

}  // namespace kempe::boxes
