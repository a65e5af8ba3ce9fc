#include "boxes/search/packing.hpp"

#include <cmath>
#include <numbers>

namespace kempe::boxes {

namespace {

constexpr double share_of_chart = 0.38;  // the spacing over the half-length: neighbours are up to two spacings away
constexpr double decay = 0.6;           // of the half-length from try to try
constexpr double growth = 1.25;         // of the spacing from neighbour to neighbour, at most
constexpr double most_of_a_circle = 0.45;
constexpr double crowded = 0.8, surely_crowded = 0.7;  // of a spacing: neighbours on a hexagon are farther apart
constexpr double too_near = 0.4, finer = 0.7;             // of a spacing, where a mesh is refined
constexpr std::size_t patience = 16;  // points between two questions whether to go on
// Directions in which neighbours are looked for: those of a hexagon first, then what lies between.
constexpr int directions = 24, corners = 6;

}  // namespace

double parameters(const Problem& problem, const Chart& chart, const Point& x, double s[2]) {
    const std::size_t n = problem.n, m = problem.m;
    s[0] = s[1] = 0.0;
    double aside = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
        double z = 0.0;
        const double* const a = chart.column(j);
        for (std::size_t i = 0; i < n; ++i) {
            double d = x[i] - chart.p[i];
            if (const double period = problem.period[i]; period > 0.0) d -= std::floor(d / period + 0.5) * period;
            z += a[i] * d;
        }
        if (j < m) aside = std::max(aside, std::abs(z));
        else s[j - m] = z;
    }
    return aside;
}

bool fits_circles(const Problem& problem, const Chart& chart) {
    for (std::size_t j = 0; j < problem.n; ++j)
        if (problem.period[j] > 0.0 && !(width(chart.bounds[j]) < most_of_a_circle * problem.period[j])) return false;
    return true;
}

// Whether x lies within a share of the spacing of a point on its own piece of the surface.
bool Packing::is_crowded(Bench& bench, const Point& x, double share) const {
    const Problem& problem = bench.problem;
    return atlas_.any_near(x.data(), [&](std::uint32_t k) {
        const Chart& chart = atlas_[k];
        for (std::size_t i = 0; i < problem.n; ++i) {
            double d = x[i] - chart.p[i];
            if (problem.period[i] > 0.0) d -= std::floor(d / problem.period[i] + 0.5) * problem.period[i];
            if (std::abs(d) > spacing_[k]) return false;
        }
        double s[2];
        if (parameters(problem, chart, x, s) > chart.w) return false;
        return std::hypot(s[0], s[1]) < share * spacing_[k];
    });
}

bool Packing::put(Bench& bench, const Point& p, double most_spacing, const double* towards) {
    const Problem& problem = bench.problem;
    Chart chart;
    if (!bench.place(chart, p, nullptr)) return false;
    const Settings& settings = problem.settings;
    double h = bench.promising(settings.longest);
    while (!(h > settings.shortest && bench.certify(chart, h) && fits_circles(problem, chart) &&
             bench.keeps_sides(chart))) {
        h *= decay;
        if (!(h > settings.shortest)) return false;
    }
    Enclosed at;
    std::vector<double> y(problem.m, 0.0);
    const double middle_of_chart[2] = {0.0, 0.0};
    if (!bench.enclose(chart, middle_of_chart, y, at)) return false;
    for (std::size_t j = 0; j < problem.n; ++j)
        if (!(problem.period[j] > 0.0 || problem.domain[j].contains(p[j]))) return false;
    double away = at.radius, s[2] = {1.0, 0.0};
    for (std::size_t i = 0; i < problem.n; ++i) away = std::max(away, std::abs(at.x[i] - p[i]) + at.radius);
    if (towards != nullptr) parameters(problem, chart, Point(towards, towards + problem.n), s);
    const double spacing = std::min(most_spacing, share_of_chart * chart.h);
    front_.push_back(static_cast<std::uint32_t>(atlas_.size()));
    spacing_.push_back(spacing);
    radius_.push_back(away);
    base_.push_back(std::atan2(s[1], s[0]));
    atlas_.add(chart, spacing);
    return true;
}

bool Packing::begin(Bench& bench, const Point& p) { return put(bench, p, infinity, nullptr); }

bool Packing::refine(Bench& bench, std::size_t k, const double* s) {
    const Problem& problem = bench.problem;
    const Chart chart = atlas_[k];  // a copy: the atlas grows
    Point x(problem.n);
    std::vector<double> y(problem.m, 0.0);
    if (!bench.locate(chart, s, y, x)) return false;
    problem.wrap(x.data());
    if (is_crowded(bench, x, too_near) || !put(bench, x, finer * spacing_[k], nullptr)) return false;
    front_.pop_back();
    return true;
}

bool Packing::advance(Bench& bench, std::size_t most, const std::function<bool()>& go_on) {
    const Problem& problem = bench.problem;
    Point x(problem.n);
    std::size_t made = 0;
    while (!front_.empty()) {
        if (made > most || (go_on && ++asked_ % patience == 0 && !go_on())) return false;
        const std::uint32_t k = front_.front();
        const Chart chart = atlas_[k];  // a copy: the atlas grows
        const double spacing = spacing_[k], base = base_[k];
        for (int d = 0; d < directions; ++d) {
            constexpr int between = directions / corners;
            const int turn =
                d < corners ? d * between : (d - corners) / (between - 1) * between + 1 + (d - corners) % (between - 1);
            const double angle = base + 2.0 * std::numbers::pi * turn / directions;
            const double s[2] = {spacing * std::cos(angle), spacing * std::sin(angle)};
            std::vector<double> y(problem.m, 0.0);
            bench.point_of(chart, s, y, x);
            if (is_crowded(bench, x, surely_crowded) || !bench.locate(chart, s, y, x)) continue;
            problem.wrap(x.data());
            if (is_crowded(bench, x, crowded)) continue;
            if (put(bench, x, growth * spacing, chart.p.data())) ++made;
            else ++failures_;
        }
        front_.pop_front();
    }
    return true;
}

}  // namespace kempe::boxes
