#include "boxes/proof/chart.hpp"

#include <algorithm>
#include <cmath>

// What a certified chart tells about points and boxes, with bounds of every rounding.

namespace kempe::boxes {

Bench::Bench(const Problem& given)
    : problem(given), rows(given.rows, given.quadratics ? &*given.quadratics : nullptr), n_(given.n), m_(given.m),
      middle_(m_ * n_), radius_(m_ * n_), CJ_(m_ * n_), CR_(m_ * n_), M_(m_ * m_), work_((n_ + 1) * (n_ + 1)),
      square_((n_ + 1) * (n_ + 1)), step_(n_ + 1), from_(n_), move_(n_), box_(n_),
      form_(given.quadratics ? n_ : 0, given.quadratics ? m_ : 0) {}

double Bench::skew(const Chart& chart) const {
    const std::vector<double>& A = chart.A;
    const double share = rounding_share(n_);
    double largest = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
        double total = 0.0;
        for (std::size_t j = 0; j < n_; ++j) {
            double d = i == j ? -1.0 : 0.0, size = i == j ? 1.0 : 0.0;
            for (std::size_t q = 0; q < n_; ++q) {
                const double product = A[i * n_ + q] * A[j * n_ + q];
                d += product;
                size += std::abs(product);
            }
            total = add_up(total, add_up(std::abs(d), add_up(mul_up(share, size), underflow)));
        }
        largest = larger(largest, total);
    }
    return largest;
}

void Bench::measure(Chart& chart) const {
    chart.skew = skew(chart);
    bound(chart);
}

void Bench::bound(Chart& chart) const {
    const double share = rounding_share(n_);
    chart.bounds.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
        double spread = 0.0;
        for (std::size_t j = 0; j < m_; ++j) spread += std::abs(chart.A[j * n_ + i]);
        double along = 0.0;
        for (std::size_t j = m_; j < n_; ++j) along = add_up(along, mul_up(std::abs(chart.column(j)[i]), chart.h));
        const double reach = add_up(along, mul_up(stretched(spread, share), chart.w));
        chart.bounds[i] = {add_up(-chart.p[i], reach), add_up(chart.p[i], reach)};
    }
}

bool Bench::has_gradients() const {
    for (std::size_t q = 0; q < m_; ++q) {
        if (!rows.is_continuous(q)) return false;
        const std::size_t count = rows.support(q).size();
        const Interval* const g = rows.gradient(q);
        for (std::size_t e = 0; e < count; ++e)
            if (!is_bounded(g[e])) return false;
    }
    return true;
}

// CJ = C J and CR >= |C| (radius of J + rounding), from the gradients just evaluated.
void Bench::take_products(const Chart& chart) {
    const double share = rounding_share(n_);
    std::fill(CJ_.begin(), CJ_.end(), 0.0);
    std::fill(CR_.begin(), CR_.end(), 0.0);
    for (std::size_t q = 0; q < m_; ++q) {
        const auto support = rows.support(q);
        const Interval* const g = rows.gradient(q);
        double* const mid = middle_.data();
        double* const rad = radius_.data();
        for (std::size_t e = 0; e < support.size(); ++e) {
            mid[e] = middle(g[e]);
            const double above = add_up(g[e].upper, -mid[e]), below = add_up(mid[e], g[e].negated_lower);
            rad[e] = larger(above, below) + share * std::abs(mid[e]);
        }
        for (std::size_t i = 0; i < m_; ++i) {
            const double c = chart.C[i * m_ + q];
            if (c == 0.0) continue;
            const double size = std::abs(c);
            for (std::size_t e = 0; e < support.size(); ++e) {
                CJ_[i * n_ + support[e]] += c * mid[e];
                CR_[i * n_ + support[e]] += size * rad[e];
            }
        }
    }
}

// (C J column)_row, and a bound of how far any J of the enclosure is from it.
double Bench::share_of_column(std::size_t row, const double* column, double& radius) const {
    const double share = rounding_share(n_);
    double sum = 0.0, off = 0.0;
    for (std::size_t k = 0; k < n_; ++k) {
        const double cj = CJ_[row * n_ + k];
        sum += cj * column[k];
        off += (CR_[row * n_ + k] + share * std::abs(cj)) * std::abs(column[k]);
    }
    radius = stretched(off, share);
    return sum;
}

// The largest |C F|, F at the centre of the last slopes or over the last values.
double Bench::residual(const Chart& chart, bool at_centre) {
    const double share = rounding_share(n_);
    double largest = 0.0;
    for (std::size_t i = 0; i < m_; ++i) {
        double sum = 0.0, off = 0.0;
        for (std::size_t q = 0; q < m_; ++q) {
            const Interval& f = at_centre ? rows.at_centre(q) : rows.value(q);
            if (!is_bounded(f)) return infinity;
            const double mid = middle(f), c = chart.C[i * m_ + q];
            const double rad = larger(add_up(f.upper, -mid), add_up(mid, f.negated_lower));
            sum += c * mid;
            off += std::abs(c) * (rad + share * std::abs(mid));
        }
        step_[i] = add_up(std::abs(sum), stretched(off, share));
        largest = larger(largest, step_[i]);
    }
    return largest;
}

bool Bench::enclose(const Chart& chart, const double* s, std::vector<double>& y, Enclosed& found) {
    found.x.resize(n_);
    found.box.resize(n_);
    if (!locate(chart, s, y, found.x)) return false;
    return surround(chart, chart.contraction, s, y, found) < infinity;
}

bool Bench::enclose_anew(Chart& chart, double s, std::vector<double>& y, Enclosed& found) {
    found.x.resize(n_);
    found.box.resize(n_);
    if (!locate(chart, s, y, found.x)) return false;
    const auto holds = [&](double share) {
        const double reach = share * chart.w;
        const double contraction = contraction_about(chart, found.x, reach);
        return contraction < 1.0 && surround(chart, contraction, &s, y, found) <= reach;
    };
    const double shares[] = {0x1p-10, 0x1p-5, 0.5};
    if (std::any_of(std::begin(shares), std::end(shares), holds)) return true;
    return take_inverse(chart, found.x) && std::any_of(std::begin(shares), std::end(shares), holds);
}

// |1 - C J N| for J over x + N [-reach, reach], largest row sum; infinite where that tells nothing.
double Bench::contraction_about(const Chart& chart, const Point& x, double reach) {
    const double share = rounding_share(n_);
    double* const spread = work_.data();
    for (std::size_t i = 0; i < n_; ++i) {
        spread[i] = 0.0;
        for (std::size_t j = 0; j < m_; ++j) spread[i] += std::abs(chart.A[j * n_ + i]);
        spread[i] = stretched(spread[i], share);
        const double aside = mul_up(spread[i], reach);
        box_[i] = {add_up(-x[i], aside), add_up(x[i], aside)};
    }
    rows.gradients(box_.data());
    if (!has_gradients()) return infinity;
    take_products(chart);
    double largest = 0.0;
    for (std::size_t i = 0; i < m_; ++i) largest = larger(largest, row_of_contraction(chart, i, spread));
    return largest;
}

// The sum over j of |1 - C J N|_ij, from the products just taken; `spread` are the row sums of |N|.
double Bench::row_of_contraction(const Chart& chart, std::size_t i, const double* spread) const {
    const double share = rounding_share(n_);
    double sum = 0.0, off = 0.0;
    for (std::size_t j = 0; j < m_; ++j) {
        const double* const N = chart.column(j);
        double entry = i == j ? -1.0 : 0.0;
        for (std::size_t k = 0; k < n_; ++k) entry += CJ_[i * n_ + k] * N[k];
        sum += std::abs(entry);
    }
    for (std::size_t k = 0; k < n_; ++k) off += (CR_[i * n_ + k] + 2.0 * share * std::abs(CJ_[i * n_ + k])) * spread[k];
    return stretched(sum + off + share * static_cast<double>(m_), share);
}

// The box and radius about a point that was located, for |1 - C J N| <= contraction; how far y is off
// at most, or infinity where the point may lie outside the chart.
double Bench::surround(const Chart& chart, double contraction, const double* s, const std::vector<double>& y,
                       Enclosed& found) {
    for (std::size_t i = 0; i < n_; ++i) box_[i] = Interval::point(found.x[i]);
    rows.values(box_.data());
    // |C F| <= r (1 - contraction): the map y -> y - C F keeps |y| <= r and contracts there
    const double left = -add_up(contraction, -1.0);
    const double r = add_up(div_up(residual(chart, false), left), underflow);
    // x is p + T s + N y but for the roundings of that sum: so are its own y and s
    double along = 0.0, rounded = 0.0;
    for (std::size_t j = 0; j < problem.k; ++j) along = larger(along, std::abs(s[j]));
    double most = along;
    for (std::size_t j = 0; j < m_; ++j) most = larger(most, std::abs(y[j]));
    for (std::size_t i = 0; i < n_; ++i) rounded = larger(rounded, std::abs(chart.p[i]));
    const double n = static_cast<double>(n_);
    const double slack = 4.0 * n * (rounding_share(n_) * (rounded + 2.0 * n * most) + chart.skew * r) + underflow;
    bool inside = add_up(along, slack) <= chart.h || problem.k == 0;
    for (std::size_t j = 0; j < m_; ++j)
        inside = inside && add_up(std::abs(y[j]), add_up(mul_up(r, 1.001), slack)) <= chart.w;
    found.radius = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
        double spread = 0.0;
        for (std::size_t j = 0; j < m_; ++j) spread += std::abs(chart.A[j * n_ + i]);
        const double off = mul_up(stretched(spread, rounding_share(n_)), r);
        found.box[i] = {add_up(-found.x[i], off), add_up(found.x[i], off)};
        found.radius = larger(found.radius, off);
    }
    return inside ? r : infinity;
}

// z = A^-1 d solves z = A^T d - (A^T A - 1) z, so |z - A^T d| <= skew |A^T d| / (1 - skew).
bool Bench::is_inside(const Chart& chart, const Box& box, Interval* s) {
    for (std::size_t i = 0; i < n_; ++i) {
        box_[i] = box[i] - problem.turns_between(i, chart.p[i], middle(box[i]));
        if (!within(box_[i], chart.bounds[i])) return false;
        box_[i] = box_[i] - Interval::point(chart.p[i]);
    }
    const double most = larger(chart.h, chart.w);
    const double slack = div_up(mul_up(chart.skew, mul_up(2.0, most)), -add_up(chart.skew, -1.0));
    for (std::size_t j = n_; j-- > 0;) {
        Interval z = Interval::point(0.0);
        const double* const a = chart.column(j);
        for (std::size_t i = 0; i < n_; ++i) add_scaled(z, a[i], box_[i]);
        z = {add_up(z.negated_lower, slack), add_up(z.upper, slack)};
        const double limit = j < m_ ? chart.w : chart.h;
        if (z.negated_lower > limit || z.upper > limit) return false;
        if (j >= m_ && s != nullptr) s[j - m_] = z;
    }
    return true;
}

bool Bench::is_clear(const Chart& chart, const Box& box) {
    double most = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
        box_[i] = box[i] - problem.turns_between(i, chart.p[i], middle(box[i]));
        if (box_[i].lower() > chart.bounds[i].upper || box_[i].upper < chart.bounds[i].lower()) return true;
        box_[i] = box_[i] - Interval::point(chart.p[i]);
        most = larger(most, greatest(box_[i]));
    }
    const double n = static_cast<double>(n_);
    const double slack = div_up(mul_up(chart.skew, mul_up(2.0 * n, most)), -add_up(chart.skew, -1.0));
    for (std::size_t j = 0; j < n_; ++j) {
        Interval z = Interval::of(-slack, slack);
        for (std::size_t i = 0; i < n_; ++i) add_scaled(z, chart.column(j)[i], box_[i]);
        const double limit = j < m_ ? chart.tube[j] : chart.h;
        if (z.lower() > limit || z.upper < -limit) return true;
    }
    return false;
}

bool Bench::keeps_sides(const Chart& chart) {
    if (problem.n_sides == 0) return true;
    rows.values(chart.bounds.data());
    for (std::size_t r = 0; r < problem.n_sides; ++r)
        if (!(rows.value(m_ + problem.n_redundant + r).lower() > 0.0) ||
            rows.decoration(m_ + problem.n_redundant + r) == Decoration::trivial)
            return false;
    return true;
}

// The true tangent t + N e has J (t + N e) = 0, so C J N e = -C J t and
// |e| <= |C J t| / (1 - contraction).
bool Bench::enclose_tangent(const Chart& chart, Enclosed& point) {
    point.tangent.resize(n_);
    if (!tangent(chart, point.x, point.tangent)) return false;
    rows.gradients(point.box.data());
    if (!has_gradients()) return false;
    take_products(chart);
    double largest = 0.0;
    for (std::size_t i = 0; i < m_; ++i) {
        double off;
        const double along = share_of_column(i, point.tangent.data(), off);
        largest = larger(largest, add_up(std::abs(along), off));
    }
    point.tangent_off = div_up(largest, -add_up(chart.contraction, -1.0));
    return runs_along(chart, point);
}

// The last row of A^-1 times the tangent: T . t, but for the skew, the roundings and e.
bool Bench::runs_along(const Chart& chart, const Enclosed& point) const {
    const double* const T = chart.column(m_);
    double forward = 0.0;
    for (std::size_t i = 0; i < n_; ++i) forward += T[i] * point.tangent[i];
    const double n = static_cast<double>(n_);
    const double slack = 4.0 * n * (chart.skew + rounding_share(n_)) + 2.0 * n * point.tangent_off;
    return forward > slack;
}

}  // namespace kempe::boxes
