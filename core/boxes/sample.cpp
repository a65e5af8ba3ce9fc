#include "sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace kempe::boxes {

namespace {

constexpr double margin = 1.03;  // for what lies between the places where the speed is read

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

}  // namespace

Samples sample(Bench& bench, const Curve& curve, double step) {
    const std::size_t n = bench.problem.n, m = bench.problem.m;
    Samples made;
    std::vector<double> y(m);
    Enclosed point;
    const auto keep = [&](std::size_t chart, double s) {
        double apart = 0.0;
        if (!made.length.empty()) {
            for (std::size_t i = 0; i < n; ++i) {
                double d = point.x[i] - made.x[made.x.size() - n + i];
                const double period = bench.problem.period[i];
                if (period > 0.0) d -= std::floor(d / period + 0.5) * period;
                apart += d * d;
            }
            apart = std::sqrt(apart) + made.length.back();
        }
        made.x.insert(made.x.end(), point.x.begin(), point.x.end());
        made.radius.push_back(point.radius);
        made.length.push_back(apart);
        made.chart.push_back(static_cast<std::uint32_t>(chart));
        made.s.push_back(s);
    };
    if (bench.problem.k == 0) {
        point = curve.start;
        keep(0, 0.0);
        return made;
    }
    for (std::size_t c = 0; c < curve.charts.size(); ++c) {
        const Chart& chart = curve.charts[c];
        const double stretch = curve.to[c] - curve.from[c];
        const double speed = fastest(bench, chart, curve.from[c], curve.to[c]);
        const auto count = static_cast<std::size_t>(std::max(1.0, std::ceil(stretch * speed / step)));
        std::fill(y.begin(), y.end(), 0.0);
        std::array<std::vector<double>, 6> before;  // the points before, the latest first
        before.fill(y);
        const bool last = !curve.closed && c + 1 == curve.charts.size();
        for (std::size_t k = 0; k < count + (last ? 1 : 0); ++k) {
            const double s = curve.from[c] + stretch * (static_cast<double>(k) / static_cast<double>(count));
            if (k > 5)  // the polynomial through the last six points
                for (std::size_t i = 0; i < m; ++i)
                    y[i] = 6.0 * (before[0][i] + before[4][i]) - 15.0 * (before[1][i] + before[3][i]) +
                           20.0 * before[2][i] - before[5][i];
            else if (k > 1)
                for (std::size_t i = 0; i < m; ++i) y[i] = 2.0 * before[0][i] - before[1][i];
            if (!bench.enclose(chart, s, y, point))
                throw std::runtime_error("a point of a certified chart could not be enclosed");
            keep(c, s);
            for (std::size_t i = before.size() - 1; i > 0; --i) before[i].swap(before[i - 1]);
            before[0] = y;
        }
    }
    return made;
}

}  // namespace kempe::boxes
