#include "boxes/proof/cover.hpp"

#include <algorithm>
#include <cmath>

// In the frame p + N y + T s of a point near the box, every solution x of the box satisfies
//
//   y = -C F(p) - (C G N - 1) y - C G T s,   G the slopes about p over the hull of the box and p
//
// which narrows y for any range of s. The range is cut into slices with common end points; a slice
// is done when it is empty, or when its part of the box lies in the parallelotope of one chart.

namespace kempe::boxes {

namespace {

constexpr int deepest_slice = 4;  // for every parameter
constexpr int most_narrowings = 4;
constexpr double worthwhile = 0.8;
constexpr double diagonal = 2.83;  // of a square over half its side: no slice that lies in a chart is longer

}  // namespace

Cover::Cover(Bench& bench, const Atlas& atlas)
    : bench_(bench), atlas_(atlas), p_(bench.problem), n_(p_.n), m_(p_.m), M_(m_ * m_), along_(m_ * p_.k), right_(m_),
      y_(m_), y_at_(deepest_slice * p_.k + 1, std::vector<Interval>(m_)), z_(n_), hull_(n_), left_(n_), centre_(n_),
      radius_(n_), middle_(n_) {}

Cover::Verdict Cover::judge(const Box& box, const Point& p) {
    left_ = box;
    if (!bench_.place(frame_, p, nullptr)) return Verdict::open;
    box_ = &box;
    n_seen_ = 0;
    has_last_ = any_ = false;
    double farthest = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
        hull_[i] = box[i] - Interval::point(p[i]);
        farthest = larger(farthest, greatest(hull_[i]));
    }
    std::vector<Interval>& z = z_;
    const double slack =
        div_up(mul_up(frame_.skew, mul_up(2.0 * static_cast<double>(n_), farthest)), -add_up(frame_.skew, -1.0));
    extent_ = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {  // A^-1 (box - p)
        z[j] = Interval::of(-slack, slack);
        for (std::size_t i = 0; i < n_; ++i) add_scaled(z[j], frame_.column(j)[i], hull_[i]);
        extent_ = larger(extent_, greatest(z[j]));
    }
    if (!p_.quadratics && !linearise(box, p)) return Verdict::open;
    std::copy_n(z.begin(), m_, y_.begin());
    Range s{Interval::point(0.0), Interval::point(0.0)};
    std::copy_n(z.begin() + static_cast<std::ptrdiff_t>(m_), p_.k, s.begin());
    if (!narrow(s, y_)) return Verdict::empty;
    left_.assign(n_, Interval::empty());
    if (!slice(s, 0)) return Verdict::open;
    return any_ ? Verdict::covered : Verdict::empty;
}

// M = C G N - 1, C G T and the right side, for slopes G over the hull of the box and p; false where there are none.
bool Cover::linearise(const Box& box, const Point& p) {
    const double share = rounding_share(n_);
    double farthest = 0.0;
    std::vector<double>& reach = bench_.work_;
    for (std::size_t i = 0; i < n_; ++i) {
        hull_[i] = hull(box[i], Interval::point(p[i]));
        reach[i] = greatest(box[i] - Interval::point(p[i]));
        farthest = larger(farthest, reach[i]);
    }
    bench_.rows.slopes(hull_.data(), p.data());
    if (!bench_.has_gradients()) return false;
    bench_.take_products(frame_);
    const std::vector<Interval>& z = z_;
    for (std::size_t i = 0; i < m_; ++i) {
        double f = 0.0, off = 0.0;
        for (std::size_t q = 0; q < m_; ++q) {
            const Interval& value = bench_.rows.at_centre(q);
            if (!is_bounded(value)) return false;
            const double mid = middle(value), c = frame_.C[i * m_ + q];
            const double rad = larger(add_up(value.upper, -mid), add_up(mid, value.negated_lower));
            f += c * mid;
            off += std::abs(c) * (rad + share * std::abs(mid));
        }
        // what is off in C G, times how far x is from p; and in the sums of products below
        for (std::size_t k = 0; k < n_; ++k)
            off += (bench_.CR_[i * n_ + k] + 4.0 * share * std::abs(bench_.CJ_[i * n_ + k])) *
                   (reach[k] + 8.0 * share * farthest);
        off = mul_up(off, 1.0 + 8.0 * share) + underflow;
        double slop = 0.0;  // the frame's entries are rounded: M y and C G T s are off by their share
        for (std::size_t j = 0; j < m_; ++j) {
            double entry = i == j ? -1.0 : 0.0, size = 1.0;
            for (std::size_t k = 0; k < n_; ++k) {
                entry += bench_.CJ_[i * n_ + k] * frame_.column(j)[k];
                size += std::abs(bench_.CJ_[i * n_ + k] * frame_.column(j)[k]);
            }
            M_[i * m_ + j] = entry;
            slop += 2.0 * share * size * greatest(z[j]);
        }
        for (std::size_t j = m_; j < n_; ++j) {
            double sum = 0.0, size = 0.0;
            for (std::size_t k = 0; k < n_; ++k) {
                sum += bench_.CJ_[i * n_ + k] * frame_.column(j)[k];
                size += std::abs(bench_.CJ_[i * n_ + k] * frame_.column(j)[k]);
            }
            along_[i * p_.k + j - m_] = sum;
            slop += 2.0 * share * size * greatest(z[j]);
        }
        off = add_up(off, mul_up(slop, 1.0 + 8.0 * share));
        right_[i] = {add_up(f, off), add_up(-f, off)};
    }
    return true;
}

bool Cover::narrow_by_form(const Range& s, std::vector<Interval>& y) {
    const auto set = [this](std::size_t j, const Interval& x) {
        centre_[j] = middle(x);
        radius_[j] = larger(add_up(x.upper, -centre_[j]), add_up(centre_[j], x.negated_lower));
    };
    for (std::size_t j = 0; j < m_; ++j) set(j, y[j]);
    for (std::size_t j = 0; j < p_.k; ++j) set(m_ + j, s[j]);
    for (int k = 0; k < most_narrowings; ++k) {
        double before = 0.0, after = 0.0;
        for (std::size_t i = 0; i < m_; ++i) {
            before += radius_[i];
            double off;
            const double at = bench_.form_.y_of(i, centre_.data(), radius_.data(), extent_, off);
            y[i] = intersection(y[i], {add_up(-at, off), add_up(at, off)});
            if (y[i].is_empty()) return false;
            set(i, y[i]);
            after += radius_[i];
        }
        if (!(after < worthwhile * before)) break;
    }
    return true;
}

bool Cover::narrow(const Range& s, std::vector<Interval>& y) {
    if (p_.quadratics) return narrow_by_form(s, y);
    for (int k = 0; k < most_narrowings; ++k) {
        double before = 0.0, after = 0.0;
        for (std::size_t i = 0; i < m_; ++i) {
            before += width(y[i]);
            Interval found = right_[i];
            for (std::size_t j = 0; j < p_.k; ++j) add_scaled(found, -along_[i * p_.k + j], s[j]);
            for (std::size_t j = 0; j < m_; ++j) add_scaled(found, -M_[i * m_ + j], y[j]);
            y[i] = intersection(y[i], found);
            if (y[i].is_empty()) return false;
            after += width(y[i]);
        }
        if (!(after < worthwhile * before)) break;
    }
    return true;
}

bool Cover::slice(const Range& s, int depth) {
    std::vector<Interval>& y = y_at_[static_cast<std::size_t>(depth)];
    y = y_;
    if (!narrow(s, y)) return true;
    Box& part = hull_;
    for (std::size_t i = 0; i < n_; ++i) {
        Interval x = Interval::point(frame_.p[i]);
        for (std::size_t j = 0; j < p_.k; ++j) add_scaled(x, frame_.column(m_ + j)[i], s[j]);
        for (std::size_t j = 0; j < m_; ++j) add_scaled(x, frame_.column(j)[i], y[j]);
        part[i] = intersection(x, (*box_)[i]);
        if (part[i].is_empty()) return true;
        middle_[i] = middle(part[i]);
    }
    any_ = true;
    if (has_last_ && is_in_chart(last_, s, y)) return true;
    bool has_neighbour = false;
    const auto is_in = [&](std::uint32_t chart) {
        has_neighbour = true;
        if (!is_in_chart(chart, s, y)) return false;
        last_ = chart;
        return has_last_ = true;
    };
    if (atlas_.any_near(middle_.data(), is_in)) return true;
    const std::size_t at = p_.k == 2 && width(s[1]) > width(s[0]) ? 1 : 0;
    const double cut = middle(s[at]);
    if (depth == deepest_slice * static_cast<int>(p_.k) || !has_neighbour ||
        !(s[at].lower() < cut && cut < s[at].upper)) {
        for (std::size_t i = 0; i < n_; ++i) left_[i] = left_[i].is_empty() ? part[i] : hull(left_[i], part[i]);
        return false;
    }
    Range lower = s, upper = s;
    lower[at] = Interval::of(s[at].lower(), cut);
    upper[at] = Interval::of(cut, s[at].upper);
    const bool first = slice(lower, depth + 1);
    return slice(upper, depth + 1) && first;
}

const Cover::Seen& Cover::seen(std::uint32_t number) {
    for (std::size_t k = n_seen_; k-- > 0;)
        if (seen_[k].number == number) return seen_[k];
    const Chart& chart = atlas_[number];
    if (n_seen_ == seen_.size()) seen_.emplace_back();
    Seen& made = seen_[n_seen_++];
    made.number = number;
    made.to.resize(n_ * n_);
    made.offset.assign(n_, Interval::point(0.0));
    made.origin.resize(n_);
    for (std::size_t i = 0; i < n_; ++i)
        made.origin[i] = Interval::point(chart.p[i]) + p_.turns_between(i, chart.p[i], frame_.p[i]);
    for (std::size_t j = 0; j < n_; ++j) {
        const double* const a = chart.column(j);
        for (std::size_t c = 0; c < n_; ++c) {
            double sum = 0.0;
            for (std::size_t i = 0; i < n_; ++i) sum += a[i] * frame_.column(c)[i];
            made.to[j * n_ + c] = sum;
        }
        for (std::size_t i = 0; i < n_; ++i)
            add_scaled(made.offset[j], a[i], Interval::point(frame_.p[i]) - made.origin[i]);
    }
    return made;
}

// The slice in the chart's own coordinates, by its frame and by its hull.
bool Cover::is_in_chart(std::uint32_t number, const Range& s, const std::vector<Interval>& y) {
    const Chart& chart = atlas_[number];
    const Box& part = hull_;
    if (p_.k == 2 && larger(width(s[0]), width(s[1])) > diagonal * chart.h) return false;
    for (std::size_t i = 0; i < n_; ++i) {
        const Interval x = part[i] - p_.turns_between(i, chart.p[i], frame_.p[i]);
        if (x.lower() > chart.bounds[i].upper || x.upper < chart.bounds[i].lower()) return false;
    }
    const Seen& view = seen(number);
    double most = larger(greatest(s[0]), greatest(s[1]));
    for (const Interval& side : y) most = larger(most, greatest(side));
    // the chart's skew, and the rounded products A_c^T A_f (columns of length nearly 1)
    const double slack = 4.0 * chart.skew * larger(chart.h, chart.w) +
                         4.0 * rounding_share(n_) * static_cast<double>(n_) * most + underflow;
    for (std::size_t j = n_; j-- > 0;) {
        const double limit = j < m_ ? chart.w : chart.h;
        Interval z = view.offset[j] + Interval::of(-slack, slack);
        for (std::size_t c = 0; c < p_.k; ++c) add_scaled(z, view.to[j * n_ + m_ + c], s[c]);
        for (std::size_t c = 0; c < m_; ++c) add_scaled(z, view.to[j * n_ + c], y[c]);
        if (z.negated_lower <= limit && z.upper <= limit) continue;
        Interval by_hull = Interval::of(-slack, slack);
        for (std::size_t i = 0; i < n_; ++i) add_scaled(by_hull, chart.column(j)[i], part[i] - view.origin[i]);
        z = intersection(z, by_hull);
        if (z.is_empty()) return true;
        if (z.negated_lower > limit || z.upper > limit) return false;
    }
    return true;
}

}  // namespace kempe::boxes
