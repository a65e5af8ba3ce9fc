#include <cfloat>
#include <cmath>

#include "functions.hpp"
#include "interval.hpp"

namespace kempe {

namespace {

// One piece of a table, differentiated: sum over j of c[j] factor_j u^(terms - 1 - order - j).
struct Piece {
    const double* c;
    std::size_t terms;
    std::size_t order;

    std::size_t length() const { return order < terms ? terms - order : 0; }
    double factor(std::size_t j) const { return falling_factorial(terms - 1 - j, order); }

    Interval value(const Interval& u) const {
        Interval sum = Interval::point(0.0);
        for (std::size_t j = 0; j < length(); ++j)
            sum = sum * u + Interval::point(c[j]) * Interval::point(factor(j));
        return sum;
    }

    // More than the scalar's Horner scheme can round away: each of its 2 length operations errs by
    // 2^-53 relative, the local variable by as much; 8 length 2^-53 covers them twice. The smallest
    // normal number in each coefficient covers underflow.
    double roundings(double size) const {
        double sum = 0.0;
        for (std::size_t j = 0; j < length(); ++j)
            sum = add_up(mul_up(sum, size), add_up(mul_up(std::abs(c[j]), factor(j)), DBL_MIN));
        return mul_up(sum, 4.0 * DBL_EPSILON * static_cast<double>(terms));
    }

    Interval range(const Interval& u) const {
        const Interval plain = value(u);
        const double size = larger(std::abs(u.lower()), std::abs(u.upper));
        if (u.is_point() || !(size < infinity)) return plain;
        const Interval slope = Piece{c, terms, order + 1}.value(u);
        const Interval at_lower = value(Interval::point(u.lower()));
        Interval tight;
        if (slope.lower() >= 0.0 || slope.upper <= 0.0) {
            tight = hull(at_lower, value(Interval::point(u.upper)));
        } else {
            const double half = 0.5 * u.lower() + 0.5 * u.upper;
            const Interval middle = Interval::point(smaller(larger(half, u.lower()), u.upper));
            tight = value(middle) + slope * (u - middle);
        }
        const double slack = roundings(size);
        return intersection(plain, tight + Interval::of(-slack, slack));
    }
};

}  // namespace

Interval table_range(const double* block, const Interval& x, std::size_t order) {
    if (x.is_empty()) return x;
    const auto pieces = static_cast<std::size_t>(block[0]);
    const auto terms = static_cast<std::size_t>(block[1]);
    if (order >= terms) return Interval::point(0.0);
    const double* const breaks = block + 2;
    const double* const coefficients = breaks + (pieces + 1);
    const std::size_t first = table_piece(block, x.lower()), last = table_piece(block, x.upper);
    Interval range = Interval::empty();
    for (std::size_t i = first; i <= last; ++i) {
        const Interval part = Interval::of(i > first ? breaks[i] : x.lower(),
                                           i < last ? breaks[i + 1] : x.upper);
        const Piece piece{coefficients + i * terms, terms, order};
        range = hull(range, piece.range(part - Interval::point(breaks[i])));
    }
    return range;
}

}  // namespace kempe
