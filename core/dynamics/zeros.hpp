// Zeros along a step: where a function of a share of the step comes down to zero.
#pragma once

#include <optional>

namespace kempe {

/// Where the parabola through three points (x, f) is least, if that is between them and not positive.
inline std::optional<double> dip(const double* x, const double* f) {
    const double a = x[0] - x[1], b = x[2] - x[1];
    const double left = (f[0] - f[1]) / a, right = (f[2] - f[1]) / b;
    const double curvature = (right - left) / (b - a);
    if (!(curvature > 0.0)) return std::nullopt;
    const double slope = left - curvature * a, d = -0.5 * slope / curvature;
    const bool is_inside = x[1] + d > x[0] && x[1] + d < x[2];
    if (!is_inside || f[1] + d * (slope + curvature * d) > 0.0) return std::nullopt;
    return x[1] + d;
}

/// Where f goes from positive at `low` to zero or below at `high`, to `exact` and `share` of the way there;
/// the end beyond it.
///
/// Own: regula falsi, the value of an end that stays halved (Illinois), and bisection where that is too slow.
template <class Function>
double descent(Function&& f, double low, double high, double f_low, double f_high, double exact, double share) {
    constexpr int most_refinements = 150;
    int stayed = 0;
    double widest = high - low;  // that the bracket may have after two more rounds
    for (int round = 0; round < most_refinements && high - low > exact + share * high; ++round) {
        double middle = (low * f_high - high * f_low) / (f_high - f_low);
        if (!(middle > low && middle < high) || (round % 3 == 2 && high - low > 0.5 * widest)) {
            middle = 0.5 * (low + high);
            stayed = 0;
        }
        if (round % 3 == 2) widest = high - low;
        if (!(middle > low && middle < high)) break;
        const double there = f(middle);
        if (there > 0.0) {
            low = middle;
            f_low = there;
            f_high = stayed > 0 ? 0.5 * f_high : f_high;
            stayed = 1;
        } else {
            high = middle;
            f_high = there;
            f_low = stayed < 0 ? 0.5 * f_low : f_low;
            stayed = -1;
            if (there == 0.0) break;
        }
    }
    return high;
}

}  // namespace kempe
