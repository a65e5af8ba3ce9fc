#include "boxes/rows/mixture.hpp"

#include <algorithm>
#include <cmath>

namespace kempe::boxes {

namespace {

constexpr int most_sweeps = 3;
constexpr double worthwhile_sweep = 0.5;  // of the volume that is left

}  // namespace

Mixture::Mixture(const Quadratics& rows, std::size_t n, std::size_t m)
    : rows_(rows), n_(n), m_(m), share_(rounding_share(m + n)), stretch_(1.0 + 4.0 * share_), pivots_(m, n), g_(m * n),
      f_(m), f_off_(m), slope_off_(m), c_(n), d_(n), widths_(n), reach_(n), half_(n), least_square_(n), most_square_(n),
      spread_(n), felt_(n), radius_(n), low_(n), high_(n), steep_(n) {
    list_pairs();
    const std::size_t blocks = (std::min(n, m) + 3) / 4;
    mid_.resize(blocks * n_);
    H_.resize(blocks * (n_ + pairs_.size()));
    mixed_.resize(blocks);
}

void Mixture::list_pairs() {
    for (std::size_t i = 0; i < m_; ++i) {
        const std::uint32_t* const at = rows_.support(i);
        double sizes = 0.0;
        for (const Quadratics::Entry* e = rows_.begin(i); e != rows_.end(i); ++e) {
            sizes += (e->a == e->b ? 1.0 : 2.0) * std::abs(e->H);
            if (e->a == e->b) {
                place_of_.push_back(at[e->a]);
                continue;
            }
            const std::pair pair{at[e->a], at[e->b]};
            const auto found = std::find(pairs_.begin(), pairs_.end(), pair);
            place_of_.push_back(static_cast<std::uint32_t>(n_) + static_cast<std::uint32_t>(found - pairs_.begin()));
            if (found == pairs_.end()) pairs_.push_back(pair);
        }
        bend_off_.push_back(add_up(rows_.row(i).bend_off, 2.0 * share_ * sizes));
    }
}

bool Mixture::contract(Box& x) {
    is_regular_ = false;
    if (!take_slopes(x)) return false;
    most_felt_ = static_cast<std::size_t>(std::max_element(felt_.begin(), felt_.end()) - felt_.begin());
    pivots_.eliminate(g_.data(), widths_.data());
    const std::size_t blocks = (pivots_.size() + 3) / 4;
    for (std::size_t b = 0; b < blocks; ++b) mix(b);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        n_steep_ = 0;
        for (std::size_t b = 0; b < blocks; ++b)
            if (!use(b)) return false;
        double left = 1.0;
        for (std::size_t j = 0; j < n_; ++j) {
            const double before = widths_[j];
            widths_[j] = width(d_[j]);
            if (before > 0.0) left *= widths_[j] / before;
        }
        if (!(left < worthwhile_sweep)) break;
    }
    is_regular_ = n_steep_ == n_;
    for (std::size_t j = 0; j < n_; ++j) {
        x[j] = intersection(x[j], Interval::point(c_[j]) + d_[j]);
        if (x[j].is_empty()) return false;
    }
    return true;
}

void Mixture::measure(std::size_t j) {
    const Interval& d = d_[j];
    const double least = larger(0.0, larger(d.lower(), -d.upper));
    reach_[j] = larger(d.negated_lower, d.upper);
    half_[j] = 0.5 * reach_[j];
    least_square_[j] = least * least;
    most_square_[j] = reach_[j] * reach_[j];
}

// Values and gradients in the centre; false where a row cannot vanish in the box.
bool Mixture::take_slopes(const Box& x) {
    double farthest = 0.0, widest = 0.0;  // |x|; |x - c|
    for (std::size_t j = 0; j < n_; ++j) {
        c_[j] = middle(x[j]);
        d_[j] = x[j] - Interval::point(c_[j]);
        widths_[j] = width(x[j]);
        measure(j);
        felt_[j] = 0.0;
        farthest = larger(farthest, greatest(x[j]));
        widest = larger(widest, reach_[j]);
    }
    for (std::size_t i = 0; i < m_; ++i) {
        const Quadratics::Row& row = rows_.row(i);
        const std::uint32_t* const at = rows_.support(i);
        const double* const l = rows_.linear(i);
        double* const g = g_.data() + i * n_;
        for (std::uint32_t k = 0; k < row.count; ++k) {
            g[at[k]] = l[k];
            spread_[at[k]] = 0.0;
        }
        for (const Quadratics::Entry* e = rows_.begin(i); e != rows_.end(i); ++e) {
            const std::uint32_t a = at[e->a], b = at[e->b];
            const double size = std::abs(e->H);
            g[a] += e->H * c_[b];
            spread_[a] += size * half_[b];
            if (a == b) continue;
            g[b] += e->H * c_[a];
            spread_[b] += size * half_[a];
        }
        double twice = 0.0, total = 0.0, sizes = 0.0;
        for (std::uint32_t k = 0; k < row.count; ++k) {
            const std::uint32_t j = at[k];
            const double size = std::abs(g[j]);
            twice += (l[k] + g[j]) * c_[j];
            sizes += size;
            spread_[j] = (size + spread_[j]) * reach_[j];
            total += spread_[j];
        }
        const double f = row.c + 0.5 * twice;
        const double off = (row.l_off + row.bend_off * farthest) * stretch_;  // of the gradient anywhere in the box
        const double f_off =
            (row.c_off + farthest * (row.l_off + 0.5 * row.bend_off * farthest)) * stretch_ + underflow;
        if (std::abs(f) > mul_up(f_off + total + off * widest, stretch_)) return false;
        f_[i] = f;
        f_off_[i] = f_off + share_ * std::abs(f);
        slope_off_[i] = off + share_ * sizes;
        if (!(total > 0.0)) continue;
        const double whole = 1.0 / total;
        for (std::uint32_t k = 0; k < row.count; ++k) felt_[at[k]] += spread_[at[k]] * whole;
    }
    return true;
}

void Mixture::mix(std::size_t block) {
    const std::size_t first = 4 * block, width = n_ + pairs_.size();
    Four* const mid = mid_.data() + block * n_;
    Four* const H = H_.data() + block * width;
    const Four zero = Four::of(0.0);
    std::fill_n(mid, n_, zero);
    std::fill_n(H, width, zero);
    Mixed mixed{zero, zero, zero, zero, zero};
    const auto share = [this](std::size_t r, std::size_t q) { return r < pivots_.size() ? pivots_.share(r, q) : 0.0; };
    for (std::size_t q = 0; q < pivots_.size(); ++q) {
        const std::size_t i = pivots_.row(q);
        const Four c = Four::of(share(first, q), share(first + 1, q), share(first + 2, q), share(first + 3, q));
        const Four size = size_of(c);
        mixed.f = mixed.f + c * f_[i];
        mixed.f_off = mixed.f_off + size * f_off_[i];
        mixed.slope_off = mixed.slope_off + size * slope_off_[i];
        mixed.bend_off = mixed.bend_off + size * bend_off_[i];
        mixed.weight = mixed.weight + size;
        const Quadratics::Row& row = rows_.row(i);
        const std::uint32_t* const at = rows_.support(i);
        const double* const g = g_.data() + i * n_;
        for (std::uint32_t k = 0; k < row.count; ++k) mid[at[k]] = mid[at[k]] + c * g[at[k]];
        const std::uint32_t* place = place_of_.data() + row.first_entry;
        for (const Quadratics::Entry* e = rows_.begin(i); e != rows_.end(i); ++e, ++place)
            H[*place] = H[*place] + c * e->H;
    }
    mixed_[block] = mixed;
}

// Sums over a box, formed plainly: each term passes through fewer than 4 n + 16 roundings, and that share
// of the sizes of all terms is added.
bool Mixture::use(std::size_t block) {
    const Four* const mid = mid_.data() + block * n_;
    const Four* const own = H_.data() + block * (n_ + pairs_.size());
    const Four* const H = own + n_;
    const Mixed& mixed = mixed_[block];
    double widest = 0.0;
    for (std::size_t j = 0; j < n_; ++j) widest = larger(widest, half_[j]);
    const Four fixed = mixed.slope_off + mixed.bend_off * widest;
    std::fill(radius_.begin(), radius_.end(), fixed);
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const auto [a, b] = pairs_[k];
        const Four bend = size_of(H[k]);
        radius_[a] = radius_[a] + bend * half_[b];
        radius_[b] = radius_[b] + bend * half_[a];
    }
    Four sum_low = mixed.f, sum_high = mixed.f, size = size_of(mixed.f);
    for (std::size_t j = 0; j < n_; ++j) {
        const Four g = mid[j], h = own[j], away = radius_[j] * reach_[j];
        const Four one = g * d_[j].lower(), other = g * d_[j].upper;
        const Four near = h * (0.5 * least_square_[j]), far = h * (0.5 * most_square_[j]);
        low_[j] = smaller(one, other) - away + smaller(near, far);
        high_[j] = larger(one, other) + away + larger(near, far);
        sum_low = sum_low + low_[j];
        sum_high = sum_high + high_[j];
        size = size + (size_of(g) * reach_[j] + away + size_of(far));
        radius_[j] = radius_[j] + size_of(h) * half_[j];
        steep_[j] = size_of(g) - radius_[j];
    }
    const double share = rounding_share(4 * n_ + 16);
    for (std::size_t lane = 0, r = 4 * block; lane < 4 && r < pivots_.size(); ++lane, ++r) {
        const double off = mul_up(mixed.f_off[lane] + share * size[lane], stretch_) + underflow;
        const double low = sum_low[lane], high = sum_high[lane];
        if (!(off < infinity && mixed.weight[lane] <= largest_factor))
            continue;  // beyond all numbers: it tells nothing
        if (!holds_zero({add_up(-low, off), add_up(high, off)})) return false;
        for (std::size_t j = 0; j < n_; ++j) {
            if (!(steep_[j][lane] > 0.0)) continue;
            const double g = mid[j][lane], radius = mul_up(radius_[j][lane], stretch_) + underflow;
            const Interval slope{add_up(-g, radius), add_up(g, radius)};
            if (holds_zero(slope)) continue;
            n_steep_ += j == pivots_.column(r);
            const Interval rest{add_up(low_[j][lane] - low, off), add_up(high - high_[j][lane], off)};
            const Interval found = -(rest / slope);
            if (within(d_[j], found)) continue;
            d_[j] = intersection(d_[j], found);
            if (d_[j].is_empty()) return false;
            measure(j);
        }
    }
    return true;
}

}  // namespace kempe::boxes
