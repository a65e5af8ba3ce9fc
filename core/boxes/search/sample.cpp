#include "boxes/search/sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace kempe::boxes {

namespace {

constexpr double margin = 1.03;  // for what lies between the places where the speed is read
constexpr int most_attempts = 24;  // until points are near enough, if they are known well enough for that

// |dx/ds| along a stretch of a chart, at most: 1 / (T . t) for the tangent t of length 1.
double fastest(Bench& bench, const Chart& chart, double from, double to) {
    const std::size_t n = bench.problem.n, m = bench.problem.m;
    std::vector<double> y(m, 0.0);
    Point x(n), t(n);
    double most = 1.0;
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        if (!bench.locate(chart, from + share * (to - from), y, x) || !bench.tangent(chart, x, t)) continue;
        double forward = 0.0;
        for (std::size_t i = 0; i < n; ++i) forward += chart.column(m)[i] * t[i];
        most = std::max(most, 1.0 / std::max(forward, 1e-3));
    }
    return margin * most;
}

// |a - b|, the nearest way round every circle.
double distance(const Problem& problem, const double* a, const double* b) {
    double square = 0.0;
    for (std::size_t i = 0; i < problem.n; ++i) {
        double d = a[i] - b[i];
        const double period = problem.period[i];
        if (period > 0.0) d -= std::floor(d / period + 0.5) * period;
        square += d * d;
    }
    return std::sqrt(square);
}

// The same at most, for points that are known to within radii.
double most_apart(const Problem& problem, const Enclosed& a, const Enclosed& b) {
    const double radii = std::sqrt(static_cast<double>(problem.n)) * (a.radius + b.radius);
    const double apart = distance(problem, a.x.data(), b.x.data());
    return (apart + radii) * (1.0 + 4.0 * rounding_share(problem.n)) + underflow;
}

// Points of one chart's stretch, both of its ends among them, in `count` equal parts of the parameter.
class Stretch {
  public:
    Stretch(Bench& bench, bool anew) : bench_(bench), anew_(anew) {}

    double parameter(std::size_t k) const {
        return from_ + (to_ - from_) * (static_cast<double>(k) / static_cast<double>(count_));
    }
    std::size_t count() const { return count_; }

    // Encloses count + 1 points; the largest distance between neighbours.
    double take(Chart& chart, double from, double to, std::size_t count) {
        const std::size_t m = bench_.problem.m;
        from_ = from, to_ = to, count_ = count;
        if (points.size() <= count) points.resize(count + 1);
        std::vector<double> y(m, 0.0);
        std::array<std::vector<double>, 6> before;  // the points before, the latest first
        before.fill(y);
        double apart = 0.0;
        for (std::size_t k = 0; k <= count; ++k) {
            if (k > 5)  // the polynomial through the last six points
                for (std::size_t i = 0; i < m; ++i)
                    y[i] = 6.0 * (before[0][i] + before[4][i]) - 15.0 * (before[1][i] + before[3][i]) +
                           20.0 * before[2][i] - before[5][i];
            else if (k > 1)
                for (std::size_t i = 0; i < m; ++i) y[i] = 2.0 * before[0][i] - before[1][i];
            if (!(anew_ ? bench_.enclose_anew(chart, parameter(k), y, points[k])
                        : bench_.enclose(chart, parameter(k), y, points[k])))
                throw std::runtime_error("a point of a chart could not be enclosed");
            if (k > 0) apart = std::max(apart, most_apart(bench_.problem, points[k - 1], points[k]));
            for (std::size_t i = before.size() - 1; i > 0; --i) before[i].swap(before[i - 1]);
            before[0] = y;
        }
        return apart;
    }

    std::vector<Enclosed> points;

  private:
    Bench& bench_;
    bool anew_;
    double from_ = 0.0, to_ = 0.0;
    std::size_t count_ = 0;
};

}  // namespace

Samples sample(Bench& bench, Curve& curve, double step, bool anew) {
    Samples made;
    const auto keep = [&](const Enclosed& point) {
        double length = 0.0;
        if (!made.length.empty()) {
            const double* const last = made.x.data() + (made.x.size() - bench.problem.n);
            length = made.length.back() + distance(bench.problem, last, point.x.data());
        }
        made.x.insert(made.x.end(), point.x.begin(), point.x.end());
        made.radius.push_back(point.radius);
        made.length.push_back(length);
    };
    if (bench.problem.k == 0) {
        keep(curve.start);
        return made;
    }
    Stretch stretch(bench, anew);
    for (std::size_t c = 0; c < curve.charts.size(); ++c) {
        Chart& chart = curve.charts[c];
        const double from = curve.from[c], to = curve.to[c], length = to - from;
        const double speed = fastest(bench, chart, from, to);
        auto count = static_cast<std::size_t>(std::max(1.0, std::ceil(length * speed / step)));
        // the speed was read at a few places: what it gave is measured, and mended
        for (int attempt = 0; attempt < most_attempts; ++attempt, count += count / 4 + 1)
            if (stretch.take(chart, from, to, count) <= step) break;
        const bool is_last = !curve.closed && c + 1 == curve.charts.size();
        for (std::size_t k = 0; k < stretch.count() + (is_last ? 1 : 0); ++k) keep(stretch.points[k]);
    }
    return made;
}

}  // namespace kempe::boxes
