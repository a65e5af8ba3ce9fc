#include <cfloat>
#include <cmath>
#include <initializer_list>

#include "interval/decoration.hpp"
#include "interval/interval.hpp"
#include "tape/elementary.hpp"
#include "tape/functions.hpp"

// Functions are enclosed at the bounds of their operand and widened by a margin.
//
//   function           the value at a bound                           margin
//   sin, cos           to nearest, <= 2 ulp off: functions.hpp        4 ulp
//   tan                sine over cosine, each <= 2 ulp off            3 ulp
//   asin, acos, atan2  enclosed by proof: elementary.hpp              4 ulp
//   exp, log, tanh
//   pow                C library, assumed to be <= 2 ulp off          8 ulp
//   round, +-*/ sqrt   exact, or rounded outward by the processor     none
//   table              interval arithmetic                            bound on the scalar's roundings
//
// The enclosure of the exact range needs no margin but that of sin, cos and pow. The others have one for a scalar
// result at some point of the interval, which the C library may put beyond the exact range by its own
// error: 3 or 4 ulp are more than the worst that manuals and surveys of the common libraries name, 2.3 ulp for tanh. Should a
// library be worse, a scalar may lie outside of its enclosure; the enclosure still holds the exact value.
//
// A margin of k ulp is taken as k 2^-52 |value| + k 2^-1074, which is never less. Bounds that are exact stay so: the
// zeros of sin, tan, asin, acos, log and tanh, and the range of each function.

namespace kempe {

namespace {

constexpr double own_margin = 4.0;      // ulp
constexpr double own_error = 2.0;       // ulp, of sine and cosine
constexpr double scalar_margin = 4.0;   // ulp
constexpr double tangent_margin = 3.0;  // ulp
constexpr double power_margin = 8.0;    // ulp
constexpr double pi_above = 0x1.921fb54442d19p+1;
constexpr double half_pi_above = 0x1.921fb54442d19p+0;

double above(double value, double margin) {
    const double finite = larger(value, -DBL_MAX);  // an overflowed lower bound, negated
    return add_up(finite, add_up(mul_up(std::abs(finite), margin * DBL_EPSILON),
                                 margin * std::numeric_limits<double>::denorm_min()));
}

// For functions whose value is zero only where it is exactly zero.
double above_or_zero(double value, double margin) { return value == 0.0 ? 0.0 : above(value, margin); }

Interval clipped(const Interval& x, double least, double most) {
    return {smaller(x.negated_lower, -least), smaller(x.upper, most)};
}

// From the enclosures at the operand's bounds, the lower value first.
Interval between(const Interval& least, const Interval& most, double margin = scalar_margin) {
    return {above_or_zero(least.negated_lower, margin), above_or_zero(most.upper, margin)};
}

// x lies in quarter turn `whole`: whole <= 2 x / pi < whole + 1. The sign of the remainder is right
// (functions.hpp), so this is exact; no double but 0 is a multiple of pi / 2.
struct Quarter {
    long whole;
    double sine;
    double cosine;
};

Quarter quarter(double x) {
#if !KEMPE_STEPPED_ROUNDING
    Mode::set(Mode::nearest);
#endif
    QuarterTurns<double> q;
    reduce(opaque(x), q);
    Quarter result;
    sincos_of(q, result.sine, result.cosine);
    result.sine = opaque(result.sine);
    result.cosine = opaque(result.cosine);
    result.whole = static_cast<long>(opaque(q.n)) - (opaque(q.r) < 0.0 ? 1 : 0);
#if !KEMPE_STEPPED_ROUNDING
    Mode::set(Mode::upward);
#endif
    return result;
}

// Whether a number congruent to `phase` modulo `period` (in quarter turns) lies between.
bool passes(const Quarter& from, const Quarter& to, long phase, long period) {
    const auto count = [=](long whole) {
        const long k = whole - phase;
        return k >= 0 ? k / period : -((period - 1 - k) / period);
    };
    return count(to.whole) > count(from.whole);
}

bool is_near(const Interval& x) { return x.lower() >= -sincos_near && x.upper <= sincos_near; }

Interval wave(double at_lower, double at_upper, bool has_trough, bool has_crest) {
    const double least = smaller(at_lower, at_upper), most = larger(at_lower, at_upper);
    return {has_trough ? 1.0 : smaller(above_or_zero(-least, own_margin), 1.0),
            has_crest ? 1.0 : smaller(above_or_zero(most, own_margin), 1.0)};
}

}  // namespace

void sincos(const Interval& x, Interval& sine, Interval& cosine) {
    const Interval angle = x;  // the results may be the operand
    sine = cosine = Interval::of(-1.0, 1.0);
    if (angle.is_empty()) {
        sine = cosine = angle;
    } else if (angle.lower() == 0.0 && angle.upper == 0.0) {
        sine = Interval::point(0.0);
        cosine = Interval::point(1.0);
    } else if (is_near(angle)) {
        const Quarter from = quarter(angle.lower());
        const Quarter to = angle.is_point() ? from : quarter(angle.upper);
        sine = wave(from.sine, to.sine, passes(from, to, 3, 4), passes(from, to, 1, 4));
        cosine = wave(from.cosine, to.cosine, passes(from, to, 2, 4), passes(from, to, 0, 4));
    }
}

Interval sine(const Interval& x) {
    Interval s, c;
    sincos(x, s, c);
    return s;
}

Interval cosine(const Interval& x) {
    Interval s, c;
    sincos(x, s, c);
    return c;
}

bool has_tangent_pole(const Interval& x) { return !is_near(x) || passes(quarter(x.lower()), quarter(x.upper), 1, 2); }

Interval tangent(const Interval& x) {
    if (x.is_empty()) return x;
    if (has_tangent_pole(x)) return Interval::entire();
    const auto at = [](double bound) {
        if (bound == 0.0) return Interval::point(0.0);
        const Quarter q = quarter(bound);
        const auto about = [](double value) { return Interval{above(-value, own_error), above(value, own_error)}; };
        return about(q.sine) / about(q.cosine);
    };
    return between(at(x.lower()), at(x.upper), tangent_margin);
}

Interval arcsine(const Interval& x) {
    const Interval inside = intersection(x, Interval::of(-1.0, 1.0));
    if (inside.is_empty()) return inside;
    return clipped(between(arcsine_at(inside.lower()), arcsine_at(inside.upper)), -half_pi_above, half_pi_above);
}

Interval arccosine(const Interval& x) {
    const Interval inside = intersection(x, Interval::of(-1.0, 1.0));
    if (inside.is_empty()) return inside;
    const Interval falling = between(arccosine_at(inside.upper), arccosine_at(inside.lower()));
    return clipped(falling, 0.0, pi_above);
}

// Where the operands reach the cut (y = 0, x <= 0) the whole turn is returned, also if they only
// touch it from above: a scalar zero may carry either sign, and so be pi or -pi.
Interval arctangent2(const Interval& y, const Interval& x) {
    if (y.is_empty() || x.is_empty()) return Interval::empty();
    if (y.upper < 0.0) return -arctangent2(-y, x);
    if (y.lower() <= 0.0 && x.lower() <= 0.0) return Interval::of(-pi_above, pi_above);
    // The angle grows with y to the right of the y axis and shrinks to its left; above the x axis it
    // shrinks as x grows, below it grows.
    const double least_x = y.lower() >= 0.0 ? x.upper : x.lower();
    const double least_y = least_x >= 0.0 ? y.lower() : y.upper;
    const double most_y = x.lower() >= 0.0 ? y.upper : y.lower();
    const auto bound = [](double sign, double ordinate, double abscissa) {
        if (ordinate == 0.0) return 0.0;  // to the right of the y axis: the cut is dealt with
        const Interval found = arctangent2_at(ordinate, abscissa);
        return above_or_zero(sign < 0.0 ? found.negated_lower : found.upper, scalar_margin);
    };
    return clipped({bound(-1.0, least_y, least_x), bound(1.0, most_y, x.lower())}, -pi_above, pi_above);
}

Interval exponential(const Interval& x) {
    if (x.is_empty()) return x;
    if (x.lower() == 0.0 && x.upper == 0.0) return Interval::point(1.0);
    const Interval least = exponential_at(x.lower()), most = exponential_at(x.upper);
    return clipped({above(least.negated_lower, scalar_margin), above(most.upper, scalar_margin)}, 0.0, infinity);
}

Interval logarithm(const Interval& x) {
    if (!(x.upper > 0.0)) return Interval::empty();
    return between(logarithm_at(larger(x.lower(), 0.0)), logarithm_at(x.upper));
}

Interval hyperbolic_tangent(const Interval& x) {
    if (x.is_empty()) return x;
    return clipped(between(hyperbolic_tangent_at(x.lower()), hyperbolic_tangent_at(x.upper)), -1.0, 1.0);
}

namespace {

// x^y for x >= 0. log of it is y log x, so the extremes are at corners.
Interval power_of_positive(const Interval& x, const Interval& y) {
    if (x.is_empty() || (x.upper == 0.0 && y.upper < 0.0)) return Interval::empty();
    double least = infinity, most = 0.0;
    for (const double base : {std::abs(x.lower()), x.upper})  // never -0
        for (const double exponent : {y.lower(), y.upper}) {
            const double corner = at_nearest(kempe_pow, base, exponent);
            least = smaller(least, corner);
            most = larger(most, corner);
        }
    return clipped({above(-least, power_margin), above(most, power_margin)}, 0.0, infinity);
}

}  // namespace

Interval power(const Interval& x, const Interval& y) {
    if (x.is_empty() || y.is_empty()) return Interval::empty();
    if (y.is_point() && y.upper == 0.0) return Interval::point(1.0);
    if (y.is_point() && y.upper == 1.0) return x;
    const Interval right = power_of_positive(intersection(x, Interval::of(0.0, infinity)), y);
    if (x.lower() >= 0.0) return right;
    // A negative base is in the domain where the exponent is an integer.
    const double integer = at_nearest(static_cast<double (*)(double)>(std::ceil), y.lower());
    if (!(integer <= y.upper)) return right;
    const Interval size = power_of_positive({smaller(x.upper, 0.0), x.negated_lower}, y);
    if (!y.is_point()) return hull(right, hull(size, -size));
    return hull(right, std::fmod(y.upper, 2.0) == 0.0 ? size : -size);
}

Interval nearest_integer(const Interval& x) {
    if (x.is_empty()) return x;
    constexpr auto nearest = static_cast<double (*)(double)>(nearest_integer);
    return Interval::of(at_nearest(nearest, x.lower()), at_nearest(nearest, x.upper));
}

}  // namespace kempe
