#include <cfloat>
#include <cmath>

#include "interval/decoration.hpp"
#include "interval/interval.hpp"
#include "tape/functions.hpp"

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
        for (std::size_t j = 0; j < length(); ++j) sum = sum * u + Interval::point(c[j]) * Interval::point(factor(j));
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

    // What `range` leaves about the polynomial at |u| <= size, at least.
    double slack(double size) const { return length() == 0 ? 0.0 : roundings(size); }

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
        const Interval part = Interval::of(i > first ? breaks[i] : x.lower(), i < last ? breaks[i + 1] : x.upper);
        const Piece piece{coefficients + i * terms, terms, order};
        range = hull(range, piece.range(part - Interval::point(breaks[i])));
    }
    return range;
}

// Pieces that meet in rounded numbers miss each other by roundings. A jump is bridged within the enclosures
// where the piece before it, of degree d, can be corrected by jump s^d, s = u / h, inside of what `range` leaves
// about it and about its slope: see docs/theory/certified.md.
Decoration table_decoration(const double* block, const Interval& x, std::size_t order) {
    if (x.is_empty()) return Decoration::trivial;
    const auto pieces = static_cast<std::size_t>(block[0]);
    const auto terms = static_cast<std::size_t>(block[1]);
    if (order >= terms) return Decoration::continuous;
    const double* const breaks = block + 2;
    const double* const coefficients = breaks + (pieces + 1);
    const std::size_t first = table_piece(block, x.lower()), last = table_piece(block, x.upper);
    const auto degree = static_cast<double>(terms - 1 - order);
    for (std::size_t i = first; i < last; ++i) {
        const Interval h = Interval::point(breaks[i + 1]) - Interval::point(breaks[i]);
        const double* const c = coefficients + i * terms;
        const Interval after = Piece{c + terms, terms, order}.value(Interval::point(0.0));
        const Interval jump = Piece{c, terms, order}.value(h) - after;
        const double size = larger(jump.negated_lower, jump.upper);
        const double left = Piece{c, terms, order}.slack(h.lower());
        const double left_of_slope = h.lower() * Piece{c, terms, order + 1}.slack(h.lower());
        if (!(size <= 0.5 * left && degree * size <= 0.5 * left_of_slope)) return Decoration::defined;
    }
    return Decoration::continuous;
}

}  // namespace kempe
