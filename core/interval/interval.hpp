#pragma once

#include "interval/rounding.hpp"

// Interval arithmetic. An interval is a set of real numbers; the result of an operation holds every
// value that the operation takes at those points of its operands where it is defined (IEEE 1788's
// set-based flavour; decorations are those of decoration.hpp):
//
//   1 / [-1, 1] = (-inf, inf)      1 / [0, 2] = [0.5, inf)      sqrt [-1, 4] = [0, 2]
//
// Where the operation is defined at no point, the result is the empty interval, written lower = +inf,
// upper = -inf: 1 / [0, 0], log [-2, -1]. Any operation on an empty operand is empty. No bound is
// ever NaN. A scalar result that is finite lies within the interval result, also when its own
// roundings are counted.
//
// Every function here wants an UpwardMode alive.

namespace kempe {

// Stored as (-lower, upper), so that rounding upward moves both bounds outward.
struct Interval {
    double negated_lower = infinity;
    double upper = infinity;

    double lower() const { return -negated_lower; }
    bool is_empty() const { return upper == -infinity; }
    bool is_point() const { return negated_lower == -upper; }
    bool contains(double x) const { return lower() <= x && x <= upper; }

    static Interval of(double lower, double upper) { return {-lower, upper}; }
    static Interval point(double x) { return {-x, x}; }
    static Interval empty() { return {-infinity, -infinity}; }
    static Interval entire() { return {infinity, infinity}; }
};

KEMPE_INLINE double larger(double x, double y) { return x > y ? x : y; }
KEMPE_INLINE double smaller(double x, double y) { return x < y ? x : y; }

KEMPE_INLINE Interval hull(const Interval& x, const Interval& y) {
    return {larger(x.negated_lower, y.negated_lower), larger(x.upper, y.upper)};
}

KEMPE_INLINE Interval intersection(const Interval& x, const Interval& y) {
    const Interval both{smaller(x.negated_lower, y.negated_lower), smaller(x.upper, y.upper)};
    return both.lower() <= both.upper ? both : Interval::empty();
}

KEMPE_INLINE Interval operator-(const Interval& x) { return {x.upper, x.negated_lower}; }

#if KEMPE_VECTORS && !KEMPE_STEPPED_ROUNDING

// Both bounds in step, as one vector of the compiler's.
using Bounds = double __attribute__((vector_size(16)));

KEMPE_INLINE Bounds opaque(Bounds x) {
#if defined(__x86_64__)
    asm volatile("" : "+x"(x));
#else
    asm volatile("" : "+w"(x));
#endif
    return x;
}
KEMPE_INLINE Bounds bounds_of(const Interval& x) { return opaque(Bounds{x.negated_lower, x.upper}); }
KEMPE_INLINE Interval interval_of(Bounds x) { return {x[0], x[1]}; }
KEMPE_INLINE Bounds larger(Bounds x, Bounds y) { return x > y ? x : y; }

KEMPE_INLINE Interval sum_up(const Interval& x, const Interval& y) {
    return interval_of(opaque(bounds_of(x) + bounds_of(y)));
}

// All four products of bounds for either bound of the result; they are finite.
KEMPE_INLINE Interval product_up(const Interval& x, const Interval& y) {
    const Bounds one = bounds_of(x), other = opaque(Bounds{x.upper, x.negated_lower});
    const Bounds yu = opaque(Bounds{y.upper, y.upper}), yn = opaque(Bounds{y.negated_lower, y.negated_lower});
    const Bounds minus_yu = opaque(-yu), minus_yn = opaque(-yn);
    return interval_of(
        larger(larger(opaque(one * yu), opaque(other * yn)), larger(opaque(one * minus_yn), opaque(other * minus_yu))));
}

// x [low, high] for finite 0 < low <= high; x may be unbounded, but not empty.
KEMPE_INLINE Interval product_by_positive(const Interval& x, double low, double high) {
    const Bounds bounds = bounds_of(x);
    return interval_of(larger(opaque(bounds * opaque(Bounds{low, low})), opaque(bounds * opaque(Bounds{high, high}))));
}

#else

KEMPE_INLINE Interval sum_up(const Interval& x, const Interval& y) {
    return {add_up(x.negated_lower, y.negated_lower), add_up(x.upper, y.upper)};
}

// All four products of bounds for either bound of the result; they are finite.
KEMPE_INLINE Interval product_up(const Interval& x, const Interval& y) {
    const double xl = x.lower(), yl = y.lower();
    return {larger(larger(mul_up(x.negated_lower, yl), mul_up(x.negated_lower, y.upper)),
                   larger(mul_up(x.upper, y.negated_lower), mul_up(-x.upper, y.upper))),
            larger(larger(mul_up(xl, yl), mul_up(xl, y.upper)), larger(mul_up(x.upper, yl), mul_up(x.upper, y.upper)))};
}

// x [low, high] for finite 0 < low <= high; x may be unbounded, but not empty.
KEMPE_INLINE Interval product_by_positive(const Interval& x, double low, double high) {
    return {larger(mul_up(x.negated_lower, low), mul_up(x.negated_lower, high)),
            larger(mul_up(x.upper, low), mul_up(x.upper, high))};
}

#endif

KEMPE_INLINE Interval operator+(const Interval& x, const Interval& y) {
    if (x.is_empty() || y.is_empty()) [[unlikely]]
        return Interval::empty();
    return sum_up(x, y);
}

KEMPE_INLINE Interval operator-(const Interval& x, const Interval& y) { return x + (-y); }

// x y rounded upward, where 0 times an infinite bound is 0: no point of the interval is infinite.
inline double bound_product(double x, double y) { return x == 0.0 || y == 0.0 ? 0.0 : mul_up(x, y); }

// The product of intervals of which one may be empty or unbounded.
inline Interval careful_product(const Interval& x, const Interval& y) {
    if (x.is_empty() || y.is_empty()) return Interval::empty();
    const double xl = x.lower(), xu = x.upper, yl = y.lower(), yu = y.upper;
    return {larger(larger(bound_product(-xl, yl), bound_product(-xl, yu)),
                   larger(bound_product(-xu, yl), bound_product(-xu, yu))),
            larger(larger(bound_product(xl, yl), bound_product(xl, yu)),
                   larger(bound_product(xu, yl), bound_product(xu, yu)))};
}

KEMPE_INLINE Interval operator*(const Interval& x, const Interval& y) {
    const double widths = (x.negated_lower + x.upper) + (y.negated_lower + y.upper);
    if (!(std::abs(widths) < infinity)) [[unlikely]]
        return careful_product(x, y);
    return product_up(x, y);
}

// x / y for y > 0 throughout.
inline Interval quotient_by_positive(const Interval& x, const Interval& y) {
    const double yl = y.lower();
    return {div_up(x.negated_lower, x.negated_lower > 0.0 ? yl : y.upper),
            div_up(x.upper, x.upper > 0.0 ? yl : y.upper)};
}

// x / y for y that holds 0; division by 0 itself is no point of the domain.
inline Interval quotient_across_zero(const Interval& x, const Interval& y) {
    if (y.lower() == 0.0 && y.upper == 0.0) return Interval::empty();
    if (x.lower() == 0.0 && x.upper == 0.0) return Interval::point(0.0);
    if (y.upper == 0.0) return quotient_across_zero(-x, -y);
    if (y.lower() < 0.0) return Interval::entire();
    if (x.lower() >= 0.0) return {div_up(x.negated_lower, y.upper), infinity};
    if (x.upper <= 0.0) return {infinity, div_up(x.upper, y.upper)};
    return Interval::entire();
}

inline Interval operator/(const Interval& x, const Interval& y) {
    if (x.is_empty() || y.is_empty()) return Interval::empty();
    if (y.lower() > 0.0) return quotient_by_positive(x, y);
    if (y.upper < 0.0) return quotient_by_positive(-x, -y);
    return quotient_across_zero(x, y);
}

inline Interval reciprocal(const Interval& x) {
    if (x.is_empty()) return Interval::empty();
    if (x.lower() > 0.0 || x.upper < 0.0) return {div_up(-1.0, x.upper), div_up(-1.0, x.negated_lower)};
    return quotient_across_zero(Interval::point(1.0), x);
}

inline Interval magnitude(const Interval& x) {
    if (x.is_empty() || x.lower() >= 0.0) return x;
    if (x.upper <= 0.0) return -x;
    return {0.0, larger(x.negated_lower, x.upper)};
}

inline Interval square(const Interval& x) {
    if (x.is_empty()) return x;
    const double least = larger(0.0, larger(x.lower(), -x.upper)), most = larger(x.negated_lower, x.upper);
    return {mul_up(-least, least), mul_up(most, most)};
}

inline Interval square_root(const Interval& x) {
    if (!(x.upper >= 0.0)) return Interval::empty();
    return {-sqrt_down(larger(x.lower(), 0.0)), sqrt_up(x.upper)};
}

inline Interval minimum(const Interval& x, const Interval& y) {
    if (x.is_empty() || y.is_empty()) return Interval::empty();
    return {larger(x.negated_lower, y.negated_lower), smaller(x.upper, y.upper)};
}

inline Interval maximum(const Interval& x, const Interval& y) { return -minimum(-x, -y); }

// x > 0 ? y : z, and x >= 0 ? y : z; both where the sign is not settled.
inline Interval where_positive(const Interval& x, const Interval& y, const Interval& z) {
    if (x.is_empty()) return x;
    if (x.lower() > 0.0) return y;
    return x.upper > 0.0 ? hull(y, z) : z;
}
inline Interval where_not_negative(const Interval& x, const Interval& y, const Interval& z) {
    if (x.is_empty()) return x;
    if (x.lower() >= 0.0) return y;
    return x.upper >= 0.0 ? hull(y, z) : z;
}

// The functions of interval_functions.cpp, which also says by how much they widen.
void sincos(const Interval& x, Interval& sine, Interval& cosine);
Interval sine(const Interval& x);
Interval cosine(const Interval& x);
Interval tangent(const Interval& x);
Interval arcsine(const Interval& x);
Interval arccosine(const Interval& x);
Interval arctangent2(const Interval& y, const Interval& x);
Interval exponential(const Interval& x);
Interval logarithm(const Interval& x);
Interval hyperbolic_tangent(const Interval& x);
Interval power(const Interval& x, const Interval& y);
Interval nearest_integer(const Interval& x);

// The derivative of a table (see TableBlock), over every piece that x meets.
Interval table_range(const double* block, const Interval& x, std::size_t order);

// The derivative of a spline (see spline.hpp), over every piece that x meets.
Interval spline_range(const double* block, const Interval& x, std::size_t order);

}  // namespace kempe
