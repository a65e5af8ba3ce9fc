#include "tape/elementary.hpp"

#include <cfloat>
#include <cmath>
#include <cstdlib>

// The proofs are those of docs/theory/certified.md, section Elementary functions.

namespace kempe {

namespace {

// ln 2 = ln2_high + ln2_low; the first has 32 bits, so its products with exponents are exact.
constexpr double ln2_high = 0x1.62e42fee00000p-1;
constexpr double one_over_ln2 = 0x1.71547652b82fep+0;
constexpr double pi_bounds[2] = {0x1.921fb54442d18p+1, 0x1.921fb54442d19p+1};
constexpr double smallest = std::numeric_limits<double>::denorm_min();

// atan(k / 8), between neighbouring doubles.
constexpr double eighths[9][2] = {
    {0.0, 0.0},
    {0x1.fd5ba9aac2f6dp-4, 0x1.fd5ba9aac2f6ep-4},
    {0x1.f5b75f92c80ddp-3, 0x1.f5b75f92c80dep-3},
    {0x1.6f61941e4def0p-2, 0x1.6f61941e4def1p-2},
    {0x1.dac670561bb4fp-2, 0x1.dac670561bb50p-2},
    {0x1.1e00babdefeb3p-1, 0x1.1e00babdefeb4p-1},
    {0x1.4978fa3269ee1p-1, 0x1.4978fa3269ee2p-1},
    {0x1.700a7c5784633p-1, 0x1.700a7c5784634p-1},
    {0x1.921fb54442d18p-1, 0x1.921fb54442d19p-1},
};

Interval at(double x) { return Interval::point(x); }
Interval about_zero(double size) { return Interval::of(-size, size); }
Interval ln2_low() { return Interval::of(0x1.a39ef35793c76p-33, 0x1.a39ef35793c77p-33); }
Interval half_pi() { return Interval::of(0.5 * pi_bounds[0], 0.5 * pi_bounds[1]); }
Interval pi() { return Interval::of(pi_bounds[0], pi_bounds[1]); }
bool is_within(const Interval& x, double size) { return x.negated_lower <= size && x.upper <= size; }

// The sum of r^k first! / (first + k)! for k = 0 ... 17 - first, as 1 + r / (first + 1) (1 + r / (first + 2) (1 + ...)).
Interval exponential_sum(const Interval& r, int first) {
    Interval sum = at(1.0);
    for (int k = 17; k > first; --k) sum = at(1.0) + r * sum / at(k);
    return sum;
}

// |r| <= 0.36: what is left out is below 0.36^18 / 18! 1.02 < 2e-24.
Interval exponential_near_zero(const Interval& r) { return exponential_sum(r, 0) + about_zero(1e-22); }

// (exp u - 1) / u, |u| <= 0.72: what is left out is below 0.72^17 / 18! 1.04 < 1e-18.
Interval exponential_slope(const Interval& u) { return exponential_sum(u, 1) + about_zero(1e-18); }

// x 2^n, in two steps so that neither factor is out of range.
Interval times_power_of_two(const Interval& x, int n) {
    const int half = n / 2;
    return x * at(std::ldexp(1.0, half)) * at(std::ldexp(1.0, n - half));
}

// atan t for t within [0, 1 + 1e-9] and hardly wider than a point.
Interval arctangent(const Interval& t) {
    const double middle = 0.5 * (t.upper - t.negated_lower);
    const int k = static_cast<int>(8.0 * middle + 0.5);
    if (!(k >= 0 && k <= 8)) return Interval::of(0.0, 0.5 * pi_bounds[1]);
    const Interval c = at(k / 8.0);
    const Interval u = k == 0 ? t : (t - c) / (at(1.0) + t * c);
    if (!is_within(u, 0.07)) return Interval::of(0.0, 0.5 * pi_bounds[1]);
    const Interval z = square(u);
    Interval sum = at(0.0);
    for (int j = 9; j >= 0; --j) sum = reciprocal(at(2 * j + 1)) - z * sum;
    // an alternating sum of falling terms: what is left out is below z^10 / 21 < 4e-25
    return Interval::of(eighths[k][0], eighths[k][1]) + u * (sum + about_zero(1e-22));
}

// The angle of (x, y), y >= 0, x of one sign, both hardly wider than points.
Interval angle(const Interval& y, const Interval& x) {
    const bool is_left = x.upper < 0.0;
    const Interval away = is_left ? -x : x;
    if (y.upper <= away.lower()) {
        const Interval found = arctangent(y / away);
        return is_left ? pi() - found : found;
    }
    const Interval found = arctangent(away / y);
    return is_left ? half_pi() + found : half_pi() - found;
}

}  // namespace

Interval exponential_at(double x) {
    if (x > 710.0) return Interval::of(DBL_MAX, infinity);
    if (x < -746.0) return Interval::of(0.0, smallest);
    const double n = std::floor(x * one_over_ln2 + 0.5);
    const Interval r = (at(x) - at(n) * at(ln2_high)) - at(n) * ln2_low();
    if (!is_within(r, 0.36)) return Interval::of(0.0, infinity);
    return times_power_of_two(exponential_near_zero(r), static_cast<int>(n));
}

Interval logarithm_at(double x) {
    if (x == 0.0) return Interval::of(-infinity, -DBL_MAX);
    if (x == infinity) return Interval::of(0.0, infinity);
    int exponent;
    double m = std::frexp(x, &exponent);
    if (m < 0.70710678) m *= 2.0, --exponent;  // exact
    const Interval f = (at(m) - at(1.0)) / (at(m) + at(1.0));
    if (!is_within(f, 0.172)) return Interval::entire();
    // log m = 2 atanh f = 2 f (1 + f^2 / 3 + f^4 / 5 + ...); left out: f^28 / 29 / (1 - f^2) < 2e-23
    const Interval z = square(f);
    Interval sum = at(0.0);
    for (int k = 13; k >= 0; --k) sum = reciprocal(at(2 * k + 1)) + z * sum;
    const Interval near = at(2.0) * f * (sum + about_zero(1e-22));
    if (exponent == 0) return near;
    return at(exponent) * at(ln2_high) + (near + at(exponent) * ln2_low());
}

Interval hyperbolic_tangent_at(double x) {
    if (x < 0.0) return -hyperbolic_tangent_at(-x);
    if (x > 20.0) return Interval::of(1.0 - 0x1p-53, 1.0);  // 1 - tanh 20 < 2 exp -40 < 1e-17
    if (x < 0.35) {
        const Interval u = at(2.0) * at(x), e = u * exponential_slope(u);
        return e / (e + at(2.0));
    }
    return at(1.0) - at(2.0) / (exponential_at(2.0 * x) + at(1.0));
}

Interval arctangent2_at(double y, double x) {
    if (y < 0.0) return -arctangent2_at(-y, x);
    if (std::isinf(x)) return x > 0.0 ? Interval::of(0.0, smallest) : pi();
    if (std::isinf(y)) return half_pi();
    if (y == 0.0) return x > 0.0 ? at(0.0) : pi();
    return angle(at(y), at(x));
}

// cos asin x = sqrt((1 - x) (1 + x)).
Interval arcsine_at(double x) {
    if (x < 0.0) return -arcsine_at(-x);
    if (x == 0.0) return at(0.0);
    return angle(at(x), square_root((at(1.0) - at(x)) * (at(1.0) + at(x))));
}

Interval arccosine_at(double x) {
    if (x == 1.0) return at(0.0);
    return angle(square_root((at(1.0) - at(x)) * (at(1.0) + at(x))), at(x));
}

}  // namespace kempe
