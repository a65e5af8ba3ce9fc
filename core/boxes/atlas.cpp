#include "atlas.hpp"

#include <algorithm>
#include <cmath>

namespace kempe::boxes {

namespace {

constexpr double cell_over_chart = 0.75;  // cell size over the longest half-length
constexpr double most_cells = 64.0;       // along an axis

}  // namespace

Atlas::Atlas(const Problem& problem)
    : problem_(problem), n_axes_(std::min<std::size_t>(3, problem.n)) {
    for (std::size_t a = 0; a < n_axes_; ++a) {
        axes_[a] = a * problem.n / n_axes_;
        const double range = width(problem.domain[axes_[a]]);
        const double wanted = range / (cell_over_chart * problem.settings.longest);
        counts_[a] = static_cast<long>(std::clamp(std::floor(wanted), 1.0, most_cells));
        sizes_[a] = range / static_cast<double>(counts_[a]);
    }
}

long Atlas::cell(std::size_t axis, double x) const {
    const double at = std::floor((x - problem_.domain[axes_[axis]].lower()) / sizes_[axis]);
    return static_cast<long>(std::clamp(at, -1e6, 1e6));
}

long Atlas::wrapped(std::size_t axis, long cell) const {
    if (problem_.period[axes_[axis]] > 0.0) {
        const long count = counts_[axis];
        return (cell % count + count) % count;
    }
    return std::clamp(cell, -1L, counts_[axis]);  // all beyond an edge share a cell
}

std::uint64_t Atlas::key(const long* cells, std::size_t count) {
    std::uint64_t key = 0;
    for (std::size_t a = 0; a < count; ++a) key = key * 4096 + static_cast<std::uint64_t>(cells[a] + 2);
    return key;
}

void Atlas::add(const Chart& chart) {
    const auto number = static_cast<std::uint32_t>(charts_.size());
    charts_.push_back(chart);
    bytes_ += sizeof(Chart) + 8 * (chart.A.size() + chart.C.size() + 5 * chart.p.size());
    long low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (std::size_t a = 0; a < n_axes_; ++a) {
        const Interval& range = chart.bounds[axes_[a]];
        low[a] = cell(a, range.lower());
        high[a] = std::max(low[a], cell(a, range.upper));
        if (problem_.period[axes_[a]] > 0.0) high[a] = std::min(high[a], low[a] + counts_[a] - 1);
        else low[a] = wrapped(a, low[a]), high[a] = wrapped(a, high[a]);
    }
    long at[3];
    for (at[0] = low[0]; at[0] <= high[0]; ++at[0])
        for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
            for (at[2] = low[2]; at[2] <= high[2]; ++at[2]) {
                long in[3] = {0, 0, 0};
                for (std::size_t a = 0; a < n_axes_; ++a) in[a] = wrapped(a, at[a]);
                auto& list = grid_[key(in, n_axes_)];
                if (list.empty() || list.back() != number) list.push_back(number);
                bytes_ += 4;
            }
}

const std::vector<std::uint32_t>& Atlas::near(const double* x) const {
    long in[3] = {0, 0, 0};
    for (std::size_t a = 0; a < n_axes_; ++a) in[a] = wrapped(a, cell(a, x[axes_[a]]));
    const auto found = grid_.find(key(in, n_axes_));
    return found == grid_.end() ? none_ : found->second;
}

int Atlas::find(Bench& bench, const Box& box, Point& middle_of_box) const {
    middle_of_box.resize(problem_.n);
    for (std::size_t j = 0; j < problem_.n; ++j) middle_of_box[j] = middle(box[j]);
    const auto& list = near(middle_of_box.data());
    for (std::size_t k = list.size(); k-- > 0;)
        if (bench.is_inside(charts_[list[k]], box)) return static_cast<int>(list[k]);
    return -1;
}

}  // namespace kempe::boxes
