#include <algorithm>
#include <cfloat>
#include <cmath>

#include "interval/decoration.hpp"
#include "interval/interval.hpp"
#include "interval/spline_range.hpp"
#include "tape/spline.hpp"

// The range of a spline's derivative over an interval, by Bernstein hulls.
//
// Part of a piece, s in [p, q], has a Bernstein form of its own, whose coefficients are the values
// of the polynomial's blossom at n - j times p and j times q: de Casteljau's scheme with two
// parameters. The polynomial lies in the hull of those coefficients. A quotient N / D with D > 0 of
// one degree lies in the hull of the quotients N_j / D_j, for it is a mean of them with the
// positive weights D_j B_j / sum D_j B_j. All of it runs in interval arithmetic, so its roundings
// are enclosed; what a scalar evaluation rounds away comes on top (see `Errors`). The proofs and the
// constants are those of docs/theory/splines.md.

namespace kempe {

namespace {

constexpr std::size_t most_coefficients = 49;  // binomials of degree 48 are exact doubles
constexpr double unit_error = 0.5 * DBL_EPSILON;  // u
constexpr double least_left = 0.625;  // of 16 (n + 1) u when 6 n u are taken off

// A polynomial on [0, 1] in Bernstein form.
struct Bernstein {
    Interval c[most_coefficients];
    std::size_t count = 0;

    static Bernstein of(const double* coefficients, std::size_t count) {
        Bernstein p;
        p.count = count;
        for (std::size_t j = 0; j < count; ++j) p.c[j] = Interval::point(coefficients[j]);
        return p;
    }
    static Bernstein one(std::size_t degree) {
        Bernstein p;
        p.count = degree + 1;
        std::fill_n(p.c, p.count, Interval::point(1.0));
        return p;
    }
    std::size_t degree() const { return count - 1; }

    Interval range() const {
        Interval all = c[0];
        for (std::size_t j = 1; j < count; ++j) all = hull(all, c[j]);
        return all;
    }
};

Interval scaled(const Interval& x, double factor) { return x * Interval::point(factor); }

Bernstein derivative(const Bernstein& p) {
    Bernstein d;
    if (p.count == 1) {
        d.count = 1;
        d.c[0] = Interval::point(0.0);
        return d;
    }
    d.count = p.count - 1;
    for (std::size_t j = 0; j < d.count; ++j) d.c[j] = scaled(p.c[j + 1] - p.c[j], static_cast<double>(p.degree()));
    return d;
}

// (p q)_k = sum_i C(m, i) C(n, k - i) / C(m + n, k) p_i q_(k-i); the binomials are exact doubles.
Bernstein product(const Bernstein& p, const Bernstein& q) {
    const std::size_t m = p.degree(), n = q.degree();
    Bernstein r;
    r.count = m + n + 1;
    for (std::size_t k = 0; k < r.count; ++k) {
        Interval sum = Interval::point(0.0);
        for (std::size_t i = k > n ? k - n : 0; i <= std::min(k, m); ++i)
            sum = sum + scaled(p.c[i] * q.c[k - i], binomial(m, i) * binomial(n, k - i));
        r.c[k] = sum / Interval::point(binomial(m + n, k));
    }
    return r;
}

void step(Interval* w, std::size_t count, const Interval& s) {
    const Interval r = Interval::point(1.0) - s;
    for (std::size_t j = 0; j + 1 < count; ++j) w[j] = r * w[j] + s * w[j + 1];
}

// The form of p on [s.lower, s.upper].
Bernstein restricted(const Bernstein& p, const Interval& s) {
    const Interval from = Interval::point(s.lower()), to = Interval::point(s.upper);
    Bernstein left = p, part;
    part.count = p.count;
    for (std::size_t j = p.count; j-- > 0;) {  // coefficient j: n - j times p, j times q
        Interval w[most_coefficients];
        std::copy_n(left.c, j + 1, w);
        for (std::size_t k = j + 1; k > 1; --k) step(w, k, to);
        part.c[j] = w[0];
        step(left.c, left.count--, from);
    }
    return part;
}

void plain_step(double* w, std::size_t count, double s) {
    const double r = 1.0 - s;
    for (std::size_t j = 0; j + 1 < count; ++j) w[j] = r * w[j] + s * w[j + 1];
}

// The hull of numbers that are met; the whole line where one of them overflowed.
struct Met {
    double least = infinity, most = -infinity, zero = 0.0;

    KEMPE_INLINE void take(double value) {
        least = smaller(least, value);
        most = larger(most, value);
        zero += 0.0 * value;  // no number where the value is none, or infinite
    }
    KEMPE_INLINE Interval hull() const { return zero == 0.0 ? Interval::of(least, most) : Interval::entire(); }
};

struct Step {
    double r, s;

    explicit Step(double to) : r(1.0 - to), s(to) {}
    KEMPE_INLINE double operator()(double a, double b) const { return r * a + s * b; }
};

// Blossoms are symmetric: the last step of each chain can go to either end.
KEMPE_INLINE Interval hull_of_three(const double* c, const Step& from, const Step& to) {
    const double p0 = from(c[0], c[1]), p1 = from(c[1], c[2]), q0 = to(c[0], c[1]), q1 = to(c[1], c[2]);
    Met met;
    met.take(from(p0, p1));
    met.take(to(p0, p1));
    met.take(to(q0, q1));
    return met.hull();
}
KEMPE_INLINE Interval hull_of_four(const double* c, const Step& from, const Step& to) {
    const double p0 = from(c[0], c[1]), p1 = from(c[1], c[2]), p2 = from(c[2], c[3]);
    const double q0 = to(c[0], c[1]), q1 = to(c[1], c[2]), q2 = to(c[2], c[3]);
    const double pp0 = from(p0, p1), pp1 = from(p1, p2), qq0 = to(q0, q1), qq1 = to(q1, q2);
    Met met;
    met.take(from(pp0, pp1));
    met.take(to(pp0, pp1));
    met.take(from(qq0, qq1));
    met.take(to(qq0, qq1));
    return met.hull();
}

// The hull of the coefficients on [from, to], rounded; c is used up. The whole line where one overflows.
Interval plain_hull(double* c, std::size_t count, double from, double to) {
    if (count == 4) return hull_of_four(c, Step(from), Step(to));  // of cubics, and of their slopes
    if (count == 3) return hull_of_three(c, Step(from), Step(to));
    Met met;
    double w[most_spline_terms];
    for (; count > 0; --count) {  // coefficient count - 1: as many times `to`
        std::copy_n(c, count, w);
        for (std::size_t k = count; k > 1; --k) plain_step(w, k, to);
        met.take(w[0]);
        if (from == to) break;  // all are the same
        plain_step(c, count, from);
    }
    return met.hull();
}

double size_of(const Interval& x) { return larger(x.negated_lower, x.upper); }

double largest(const double* c, std::size_t count) {
    double size = 0.0;
    for (std::size_t j = 0; j < count; ++j) size = larger(size, std::abs(c[j]));
    return size;
}

double power_up(double base, std::size_t exponent) {
    double value = 1.0;
    for (std::size_t k = 0; k < exponent; ++k) value = mul_up(value, base);
    return value;
}

// One piece, on s in [s.lower, s.upper], which may reach beyond [0, 1] by the roundings of s.
struct Piece {
    const Spline& spline;
    std::size_t index;
    Interval h;
    Interval s;

    std::size_t degree() const { return spline.terms - 1; }
    Bernstein numerator() const { return Bernstein::of(spline.numerator(index), spline.terms); }
    Bernstein denominator() const { return Bernstein::of(spline.denominator(index), spline.terms); }

    // d/dx = (d/ds) / h, order times.
    Interval in_x(Interval range, std::size_t order) const {
        for (std::size_t k = 0; k < order; ++k) range = range / h;
        return range;
    }

    // g^n (2 / h)^r n!/(n - r)! max |c|: no derivative of order r, no intermediate value of a scalar
    // evaluation of it, is larger.
    double magnitude_bound(const double* c, std::size_t order) const {
        if (order > degree()) return 0.0;
        const double beyond = larger(s.negated_lower, add_up(s.upper, -1.0));  // [0, 1]
        double bound = largest(c, spline.terms);
        if (beyond > 0.0) bound = mul_up(bound, power_up(add_up(1.0, 2.0 * beyond), degree()));
        for (std::size_t k = 0; k < order; ++k)
            bound = div_up(mul_up(bound, 2.0 * static_cast<double>(degree() - k)), h.lower());
        return add_up(bound, DBL_MIN);
    }

    // E: a Bernstein form of n + 1 terms is evaluated to within E times its magnitude bound.
    double relative_error() const { return 16.0 * static_cast<double>(spline.terms) * unit_error; }
    // For a scalar evaluation, (12 n + 4) u, and for the hull of coefficients that are computed in plain doubles.
    double widening() const {
        return larger(relative_error(), (19.0 * static_cast<double>(degree()) + 6.0) * unit_error);
    }

    // In plain doubles, however they are rounded: what is computed is off by at most 6 n u M_r.
    Interval polynomial(std::size_t order) const {
        if (order > degree()) return Interval::point(0.0);
        double c[most_spline_terms];
        const std::size_t count = differences(order, c);
        const double off = slack(order);
        return in_x(plain_hull(c, count, s.lower(), s.upper), order) + Interval::of(-off, off);
    }
    double slack(std::size_t order) const {
        return add_up(mul_up(widening(), magnitude_bound(spline.numerator(index), order)), DBL_MIN);
    }
    // The coefficients of a derivative in s, and how many.
    std::size_t differences(std::size_t order, double* c) const {
        std::size_t count = spline.terms;
        std::copy_n(spline.numerator(index), count, c);
        for (std::size_t k = 0; k < order; ++k) {
            const double factor = static_cast<double>(--count);
            for (std::size_t j = 0; j < count; ++j) c[j] = factor * (c[j + 1] - c[j]);
        }
        return count;
    }

    // A / D^(r + 1), where A_0 = N and A_(r+1) = A_r' D - (r + 1) A_r D'.
    Interval plain_quotient(std::size_t order) const {
        const Bernstein d = denominator(), slope = derivative(d);
        Bernstein above = numerator(), below = d;
        for (std::size_t r = 0; r < order; ++r) {
            const Bernstein first = product(derivative(above), d), second = product(above, slope);
            above = first;
            for (std::size_t j = 0; j < above.count; ++j)
                above.c[j] = above.c[j] - scaled(second.c[j], static_cast<double>(r + 1));
            below = product(below, d);
        }
        if (order > 0) above = product(above, Bernstein::one(below.degree() - above.degree()));
        above = restricted(above, s);
        below = restricted(below, s);
        Interval range = Interval::empty();
        for (std::size_t j = 0; j < above.count; ++j) {
            if (!(below.c[j].lower() > 0.0)) return Interval::entire();
            range = hull(range, above.c[j] / below.c[j]);
        }
        return in_x(range, order);
    }

    // The same by f^(r) = (N^(r) - sum_k C(r, k) D^(k) f^(r - k)) / D: wider, for any degree.
    Interval recursive_quotient(std::size_t order) const {
        Interval f[most_spline_order + 2], d[most_spline_order + 2];
        for (std::size_t r = 0; r <= order; ++r) {
            d[r] = plain(denominator(), r);
            Interval sum = plain(numerator(), r);
            for (std::size_t k = 1; k <= r; ++k) sum = sum - scaled(d[k] * f[r - k], binomial(r, k));
            f[r] = d[0].lower() > 0.0 ? sum / d[0] : Interval::entire();
        }
        return f[order];
    }
    Interval plain(Bernstein p, std::size_t order) const {
        if (order > degree()) return Interval::point(0.0);
        for (std::size_t k = 0; k < order; ++k) p = derivative(p);
        return in_x(restricted(p, s).range(), order);
    }

    // What a scalar evaluation of f^(r) = (N^(r) - sum_k C(r, k) D^(k) f^(r - k)) / D rounds away, by
    // the same recursion on bounds: n, d, f bound the magnitudes, and dn, dd, df the errors.
    double quotient_error(std::size_t order) const {
        const double least = restricted(denominator(), s).range().lower(), error = relative_error();
        double f[most_spline_order + 2], df[most_spline_order + 2];
        double d[most_spline_order + 2], dd[most_spline_order + 2];
        for (std::size_t r = 0; r <= order; ++r) {
            d[r] = size_of(plain(denominator(), r));
            dd[r] = mul_up(error, magnitude_bound(spline.denominator(index), r));
            if (!(dd[0] < 0.5 * least)) return infinity;
            double n = size_of(plain(numerator(), r));
            double dn = mul_up(error, magnitude_bound(spline.numerator(index), r));
            for (std::size_t k = 1; k <= r; ++k) {
                const double many = binomial(r, k), later = add_up(f[r - k], df[r - k]);
                n = add_up(n, mul_up(many, mul_up(d[k], f[r - k])));
                dn = add_up(dn, mul_up(many, add_up(mul_up(d[k], df[r - k]), mul_up(dd[k], later))));
            }
            dn = add_up(dn, mul_up(4.0 * static_cast<double>(r + 1) * unit_error, add_up(n, dn)));
            f[r] = div_up(n, least);
            const double divisor = -add_up(-least, dd[0]);
            const double quotient = div_up(add_up(dn, mul_up(f[r], dd[0])), divisor);
            df[r] = add_up(quotient, mul_up(2.0 * unit_error, add_up(f[r], quotient)));
        }
        return add_up(df[order], DBL_MIN);
    }

    Interval quotient(std::size_t order) const {
        if (degree() == 0 && order > 0) return Interval::point(0.0);
        const bool fits = (order + 1) * degree() < most_coefficients;
        const Interval range = fits ? plain_quotient(order) : recursive_quotient(order);
        const double slack = quotient_error(order);
        return range + Interval::of(-slack, slack);
    }

    // What `range` leaves about the derivative wherever it is asked on the piece, at least.
    double least_slack(std::size_t order) const {
        if (order > degree()) return 0.0;
        const Piece narrow{spline, index, h, Interval::point(0.0)};
        const double slack = relative_error() * narrow.magnitude_bound(spline.numerator(index), order);
        return spline.is_rational ? slack / largest(spline.denominator(index), spline.terms) : least_left * slack;
    }

    Interval range(std::size_t order) const { return spline.is_rational ? quotient(order) : polynomial(order); }
};

Piece whole_piece(const Spline& spline, std::size_t i) {
    const Interval h = Interval::point(spline.breaks[i + 1]) - Interval::point(spline.breaks[i]);
    return {spline, i, h, Interval::of(0.0, 1.0)};
}

// x within [first, last].
Interval range_inside(const Spline& spline, const Interval& x, std::size_t order) {
    const std::size_t from = spline.piece(x.lower()), to = spline.piece(x.upper);
    Interval range = Interval::empty();
    for (std::size_t i = from; i <= to; ++i) {
        const Interval start = Interval::point(spline.breaks[i]);
        const Interval h = Interval::point(spline.breaks[i + 1]) - start;
        const Interval part =
            Interval::of(i > from ? spline.breaks[i] : x.lower(), i < to ? spline.breaks[i + 1] : x.upper);
        range = hull(range, Piece{spline, i, h, (part - start) / h}.range(order));
    }
    return range;
}

Interval range_beyond(const Spline& spline, double end, const Interval& x, std::size_t order) {
    if (order > 1) return Interval::point(0.0);
    const Interval at = Interval::point(end);
    const Interval slope = range_inside(spline, at, 1);
    return order == 1 ? slope : range_inside(spline, at, 0) + slope * (x - at);
}

Interval open_range(const Spline& spline, const Interval& x, std::size_t order) {
    Interval range = Interval::empty();
    const double first = spline.first(), last = spline.last();
    if (x.lower() < first)
        range = hull(range, range_beyond(spline, first, Interval::of(x.lower(), smaller(x.upper, first)), order));
    if (x.upper > last)
        range = hull(range, range_beyond(spline, last, Interval::of(larger(x.lower(), last), x.upper), order));
    const Interval inside = intersection(x, Interval::of(first, last));
    return inside.is_empty() ? range : hull(range, range_inside(spline, inside, order));
}

Interval periodic_range(const Spline& spline, const Interval& x, std::size_t order) {
    const double period = spline.period;
    const Interval whole = Interval::of(0.0, period);
    if (x.lower() >= 0.0 && x.upper <= period) return range_inside(spline, x, order);
    // A scalar is brought into the period with an error below this.
    const double error = mul_up(2.0 * DBL_EPSILON, add_up(size_of(x), period));
    const Interval wide = x + Interval::of(-error, error);
    if (!(wide.upper + wide.negated_lower < period)) return range_inside(spline, whole, order);
    const double turns = std::floor(wide.lower() / period);
    const Interval moved = wide - Interval::point(turns) * Interval::point(period);
    Interval range = Interval::empty();
    for (int k = -1; k <= 2; ++k) {
        const Interval part = intersection(moved - scaled(Interval::point(period), k), whole);
        if (!part.is_empty()) range = hull(range, range_inside(spline, part, order));
    }
    return range;
}

}  // namespace

Interval spline_range(const double* block, const Interval& x, std::size_t order) {
    if (x.is_empty()) return x;
    const Spline spline(block);
    return spline.period > 0.0 ? periodic_range(spline, x, order) : open_range(spline, x, order);
}

namespace {

constexpr double most_plain = 1e300;

}  // namespace

SplineRange::SplineRange(const double* block, std::size_t order) : order_(order) {
    const Spline spline(block);
    if (spline.is_rational || order >= spline.terms) return;
    const std::size_t count = spline.terms - order;
    if (count > 4) return;
    count_ = count;
    first_ = spline.first();
    last_ = spline.last();
    breaks_.assign(spline.breaks + 1, spline.breaks + spline.pieces);
    for (std::size_t i = 0; i < spline.pieces; ++i) {
        const kempe::Piece whole = whole_piece(spline, i);
        double c[most_spline_terms];
        whole.differences(order, c);
        if (!std::all_of(c, c + count, [](double x) { return std::abs(x) < most_plain; })) {
            count_ = 0;  // intermediate values may overflow
            return;
        }
        Piece made{spline.breaks[i],     spline.breaks[i + 1], reciprocal(whole.h),
                   Interval::point(1.0), whole.slack(order),   {}};
        for (std::size_t k = 0; k < order; ++k) made.scale = made.scale / whole.h;
        std::copy_n(c, count, made.c.begin());
        pieces_.push_back(made);
    }
}

Interval SplineRange::of_piece(const Piece& piece, const double* block, const Interval& part) const {
    const Interval s = (part - Interval::point(piece.start)) * piece.inverse;
    if (!(s.negated_lower <= 0.0 && s.upper <= 1.0)) return spline_range(block, part, order_);
    const Step from(s.lower()), to(s.upper);
    const double* const c = piece.c.data();
    double p, q, r, t;  // the coefficients on the part
    if (count_ == 4) {
        const double p0 = from(c[0], c[1]), p1 = from(c[1], c[2]), p2 = from(c[2], c[3]);
        const double q0 = to(c[0], c[1]), q1 = to(c[1], c[2]), q2 = to(c[2], c[3]);
        const double pp0 = from(p0, p1), pp1 = from(p1, p2), qq0 = to(q0, q1), qq1 = to(q1, q2);
        p = from(pp0, pp1), q = to(pp0, pp1), r = from(qq0, qq1), t = to(qq0, qq1);
    } else if (count_ == 3) {
        const double p0 = from(c[0], c[1]), p1 = from(c[1], c[2]), q0 = to(c[0], c[1]), q1 = to(c[1], c[2]);
        p = from(p0, p1), q = r = to(p0, p1), t = to(q0, q1);
    } else {
        p = q = count_ == 2 ? from(c[0], c[1]) : c[0], r = t = count_ == 2 ? to(c[0], c[1]) : c[0];
    }
    const Interval range = Interval::of(smaller(smaller(p, q), smaller(r, t)), larger(larger(p, q), larger(r, t)));
    return range * piece.scale + Interval::of(-piece.slack, piece.slack);
}

Interval SplineRange::over(const double* block, const Interval& x) const {
    const bool is_inside = x.lower() >= first_ && x.lower() <= x.upper && x.upper <= last_;
    if (count_ == 0 || !is_inside) return spline_range(block, x, order_);
    const auto piece = [this](double at) {
        return static_cast<std::size_t>(std::upper_bound(breaks_.begin(), breaks_.end(), at) - breaks_.begin());
    };
    const std::size_t from = piece(x.lower());
    if (x.upper < pieces_[from].end) return of_piece(pieces_[from], block, x);
    const std::size_t to = piece(x.upper);
    Interval range = Interval::empty();
    for (std::size_t i = from; i <= to; ++i)
        range = hull(
            range, of_piece(pieces_[i], block,
                            Interval::of(i > from ? pieces_[i].start : x.lower(), i < to ? pieces_[i].end : x.upper)));
    return range;
}

namespace {

// The derivative of a piece at its end, s = 0 or 1, without the slack: its Bernstein forms end there.
Interval at_end(const Piece& piece, bool is_last, std::size_t order) {
    const auto end = [&](Bernstein p, std::size_t r) {
        if (r > piece.degree()) return Interval::point(0.0);
        for (std::size_t k = 0; k < r; ++k) p = derivative(p);
        return piece.in_x(is_last ? p.c[p.count - 1] : p.c[0], r);
    };
    if (!piece.spline.is_rational) return end(piece.numerator(), order);
    Interval f[most_spline_order + 2];
    for (std::size_t r = 0; r <= order; ++r) {
        Interval sum = end(piece.numerator(), r);
        for (std::size_t k = 1; k <= r; ++k) sum = sum - scaled(end(piece.denominator(), k) * f[r - k], binomial(r, k));
        f[r] = sum / end(piece.denominator(), 0);
    }
    return f[order];
}

// Whether one piece goes over into another without a jump, or with one of roundings: so small that half of it,
// falling off linearly over the piece, stays within what `range` leaves about either piece and its slope. See
// docs/theory/certified.md.
constexpr double shy = 0.99;  // for the roundings of the comparison itself

bool are_joined(const Spline& spline, std::size_t before, std::size_t after, std::size_t order) {
    const Piece one = whole_piece(spline, before), other = whole_piece(spline, after);
    if (order == 0) {  // two pieces that share their end have no jump at all
        const bool same = spline.numerator(before)[one.degree()] == spline.numerator(after)[0];
        if (same && (!spline.is_rational || spline.denominator(before)[one.degree()] == spline.denominator(after)[0]))
            return true;
    }
    const Interval jump = at_end(one, true, order) - at_end(other, false, order);
    const double size = size_of(jump);
    if (size == 0.0) return true;
    for (const Piece* const piece : {&one, &other}) {
        const double of_slope = piece->h.lower() * piece->least_slack(order + 1);
        if (!(size <= shy * piece->least_slack(order) && size <= shy * of_slope)) return false;
    }
    return true;
}

// All pieces from one to another, in a spline that may repeat itself.
bool are_all_joined(const Spline& spline, std::size_t from, std::size_t to, std::size_t order) {
    for (std::size_t i = from; i < to; ++i)
        if (!are_joined(spline, i, i + 1, order)) return false;
    return true;
}

}  // namespace

Decoration spline_decoration(const double* block, const Interval& x, std::size_t order) {
    if (x.is_empty()) return Decoration::trivial;
    const Spline spline(block);
    const auto found = [](bool joined) { return joined ? Decoration::continuous : Decoration::defined; };
    if (order > most_spline_order) return Decoration::trivial;
    const std::size_t final_piece = spline.pieces - 1;
    if (spline.period > 0.0) {
        if (x.lower() >= 0.0 && x.upper < spline.period)
            return found(are_all_joined(spline, spline.piece(x.lower()), spline.piece(x.upper), order));
        return found(are_all_joined(spline, 0, final_piece, order) && are_joined(spline, final_piece, 0, order));
    }
    const double first = spline.first(), last = spline.last();
    // It goes on along its end tangents: value and slope are continuous there, and nothing else is.
    const bool leaves = (x.lower() < first && x.upper >= first) || (x.lower() <= last && x.upper > last);
    if (leaves && order > 1) return Decoration::defined;
    const Interval inside = intersection(x, Interval::of(first, last));
    if (inside.is_empty()) return Decoration::continuous;
    return found(are_all_joined(spline, spline.piece(inside.lower()), spline.piece(inside.upper), order));
}

}  // namespace kempe
