#include "boxes/proof/atlas.hpp"

#include <algorithm>
#include <cmath>

namespace kempe::boxes {

namespace {

constexpr double coarseness = 4.0;     // of a grid over the next finer one
constexpr std::size_t cell_bytes = 96;  // of an entry of a hash table and its list, about
constexpr double most_cells = 1e15;

}  // namespace

Atlas::Atlas(const Problem& problem)
    : problem_(problem), n_axes_(std::min<std::size_t>(most_axes, problem.n)), middles_(problem) {
    for (std::size_t a = 0; a < n_axes_; ++a) axes_[a] = a * problem.n / n_axes_;
}

// The grid whose cells are as wide as a chart, or wider.
Atlas::Grid& Atlas::grid_for(double extent) {
    const int order = static_cast<int>(std::ceil(std::log(extent) / std::log(coarseness)));
    for (Grid& grid : grids_)
        if (grid.order == order) return grid;
    Grid made{order, {}, {}, {}};
    const double wanted = std::pow(coarseness, order);
    for (std::size_t a = 0; a < n_axes_; ++a) {
        made.sizes[a] = wanted;
        made.counts[a] = 0;
        const double period = problem_.period[axes_[a]];
        if (period > 0.0) {
            made.counts[a] = std::max(1L, static_cast<long>(period / wanted));
            made.sizes[a] = period / static_cast<double>(made.counts[a]);
        }
    }
    grids_.push_back(std::move(made));
    return grids_.back();
}

long Atlas::cell(const Grid& grid, std::size_t axis, double x) const {
    const double at = std::floor((x - problem_.domain[axes_[axis]].lower()) / grid.sizes[axis]);
    return static_cast<long>(std::clamp(at, -most_cells, most_cells));
}

std::uint64_t Atlas::key(const Grid& grid, const long* cells) const {
    std::uint64_t key = 0;
    for (std::size_t a = 0; a < n_axes_; ++a) {
        long at = cells[a];
        if (grid.counts[a] > 0) at = (at % grid.counts[a] + grid.counts[a]) % grid.counts[a];
        key = (key ^ static_cast<std::uint64_t>(at)) * 0x9e3779b97f4a7c15u;
        key ^= key >> 29;
    }
    return key;
}

std::uint64_t Atlas::key_at(const Grid& grid, const double* x) const {
    long in[most_axes] = {};
    for (std::size_t a = 0; a < n_axes_; ++a) in[a] = cell(grid, a, x[axes_[a]]);
    return key(grid, in);
}

void Atlas::add(const Chart& chart) {
    const auto number = static_cast<std::uint32_t>(charts_.size());
    charts_.push_back(chart);
    bytes_ += sizeof(Chart) + 8 * (chart.A.size() + chart.C.size() + 5 * chart.p.size());
    double extent = 1e-300;
    for (std::size_t a = 0; a < n_axes_; ++a) extent = std::max(extent, width(chart.bounds[axes_[a]]));
    Grid& grid = grid_for(extent);
    long low[most_axes] = {}, high[most_axes] = {};
    for (std::size_t a = 0; a < n_axes_; ++a) {
        const Interval& range = chart.bounds[axes_[a]];
        low[a] = cell(grid, a, range.lower());
        high[a] = std::max(low[a], cell(grid, a, range.upper));
        if (grid.counts[a] > 0) high[a] = std::min(high[a], low[a] + grid.counts[a] - 1);
    }
    long at[most_axes] = {};
    std::copy_n(low, most_axes, at);
    for (std::size_t a = 0; a < n_axes_;) {  // all cells from low to high
        auto& list = grid.cells[key(grid, at)];
        if (list.empty()) bytes_ += cell_bytes;
        if (list.empty() || list.back() != number) list.push_back(number);
        for (a = 0; a < n_axes_ && ++at[a] > high[a]; ++a) at[a] = low[a];
    }
}

void Atlas::add(const Chart& chart, double spacing) {
    middles_.add(static_cast<std::uint32_t>(charts_.size()), chart.p.data(), spacing);
    charts_.push_back(chart);
    bytes_ += sizeof(Chart) + cell_bytes + 8 * (chart.A.size() + chart.C.size() + 5 * chart.p.size());
}

int Atlas::find(Bench& bench, const Box& box, Point& middle_of_box) const {
    middle_of_box.resize(problem_.n);
    for (std::size_t j = 0; j < problem_.n; ++j) middle_of_box[j] = middle(box[j]);
    int found = -1;
    any_near(middle_of_box.data(), [&](std::uint32_t k) {
        if (bench.is_inside(charts_[k], box)) found = static_cast<int>(k);
        return found >= 0;
    });
    return found;
}

}  // namespace kempe::boxes
