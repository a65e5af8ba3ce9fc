#include "contraction.hpp"

#include <algorithm>
#include <cmath>

namespace kempe::boxes {

namespace {

constexpr int most_rounds = 2, most_projections = 3;
constexpr double worthwhile_projection = 0.95;  // of the total width that is left
constexpr double worthwhile_round = -0.2;       // change of the logarithm of the volume
constexpr double least_pivot = 1e-12;

double total_width(const Box& x) {
    double total = 0.0;
    for (const Interval& side : x) total += width(side);
    return total;
}

double log_volume(const Box& x) {
    double total = 0.0;
    for (const Interval& side : x) total += std::log(width(side) + 1e-300);
    return total;
}

}  // namespace

Contraction::Contraction(Bench& bench)
    : bench_(bench),
      n_(bench.problem.n),
      all_(bench.problem.m + bench.problem.n_redundant),
      targets_(all_ + bench.problem.n_sides, Interval::point(0.0)),
      middle_(all_ * n_),
      radius_(all_ * n_),
      f_(all_),
      f_radius_(all_),
      M_(all_ * (n_ + all_)),
      terms_(n_ + 1),
      others_(n_),
      moved_(n_),
      before_(n_ + 1),
      felt_(n_),
      used_(n_),
      centre_(n_),
      half_(n_),
      spread_(n_),
      own_(n_),
      work_(n_) {
    for (std::size_t r = all_; r < targets_.size(); ++r) targets_[r] = Interval::of(0.0, infinity);
    if (bench.problem.quadratics) list_pairs(*bench.problem.quadratics);
}

void Contraction::list_pairs(const Quadratics& rows) {
    const double share = rounding_share(all_ + n_);
    slope_off_.resize(all_);
    for (std::size_t i = 0; i < all_; ++i) {
        const std::uint32_t* const at = rows.support(i);
        double sizes = 0.0;
        for (const Quadratics::Entry* e = rows.begin(i); e != rows.end(i); ++e) {
            const std::pair pair{at[e->a], at[e->b]};
            const auto found = std::find(pairs_.begin(), pairs_.end(), pair);
            pair_of_.push_back(static_cast<std::uint32_t>(found - pairs_.begin()));
            if (found == pairs_.end()) pairs_.push_back(pair);
            sizes += (e->a == e->b ? 1.0 : 2.0) * std::abs(e->H);
        }
        bend_off_.push_back(add_up(rows.row(i).bend_off, 2.0 * share * sizes));
    }
    K_.resize(std::max(pairs_.size(), n_));
}

bool Contraction::contract(Box& x) {
    for (int round = 0; round < most_rounds; ++round) {
        const double before = log_volume(x);
        if (!project(x) || !use_linear_rows(x)) return false;
        if (log_volume(x) > before + worthwhile_round) break;
    }
    return true;
}

bool Contraction::project(Box& x) {
    for (int k = 0; k < most_projections; ++k) {
        const double before = total_width(x);
        if (!bench_.rows.project(x.data(), targets_)) return false;
        if (!(total_width(x) < worthwhile_projection * before)) break;
    }
    return true;
}

// 0 = f(c) + G (x - c) for every solution x of the box: mixtures of these rows are solved for one
// unknown at a time.
bool Contraction::use_linear_rows(Box& x) {
    for (std::size_t j = 0; j < n_; ++j) {
        centre_[j] = middle(x[j]);
        if (!(width(x[j]) < infinity)) return true;
    }
    std::fill(felt_.begin(), felt_.end(), 0.0);
    const Taken taken = bench_.problem.quadratics ? take_slopes_by_coefficients(x) : take_slopes(x);
    if (taken != Taken::whole) return taken == Taken::unbounded;
    most_felt_ = static_cast<std::size_t>(std::max_element(felt_.begin(), felt_.end()) - felt_.begin());
    eliminate(x);
    for (std::size_t r = 0; r < n_pivots_; ++r)
        if (!use_row(r, x)) return false;
    return true;
}

Contraction::Taken Contraction::take_slopes(const Box& x) {
    bench_.rows.slopes(x.data(), centre_.data());
    const double share = rounding_share(all_ + n_);
    std::fill(middle_.begin(), middle_.end(), 0.0);
    std::fill(radius_.begin(), radius_.end(), 0.0);
    for (std::size_t i = 0; i < all_; ++i) {
        const auto support = bench_.rows.support(i);
        const Interval* const g = bench_.rows.gradient(i);
        const Interval& f = bench_.rows.at_centre(i);
        Interval sum = f;
        double total = 0.0;
        for (std::size_t e = 0; e < support.size(); ++e) {
            const std::size_t j = support[e];
            const double mid = middle(g[e]);
            middle_[i * n_ + j] = mid;
            radius_[i * n_ + j] = larger(add_up(g[e].upper, -mid), add_up(mid, g[e].negated_lower)) +
                                  share * std::abs(mid);
            sum = sum + g[e] * (x[j] - Interval::point(centre_[j]));
            total += greatest(g[e]) * width(x[j]);
        }
        if (!holds_zero(sum)) return Taken::empty;
        if (!(total < infinity)) return Taken::unbounded;
        f_[i] = middle(f);
        f_radius_[i] = larger(add_up(f.upper, -f_[i]), add_up(f_[i], f.negated_lower)) + share * std::abs(f_[i]);
        if (i < bench_.problem.m && total > 0.0)
            for (std::size_t e = 0; e < support.size(); ++e)
                felt_[support[e]] += greatest(g[e]) * width(x[support[e]]) / total;
    }
    return Taken::whole;
}

// f(x) = f(c) + (grad f(c) + H (x - c) / 2) (x - c).
Contraction::Taken Contraction::take_slopes_by_coefficients(const Box& x) {
    const Quadratics& rows = *bench_.problem.quadratics;
    const double share = rounding_share(all_ + n_), stretch = 1.0 + 4.0 * share;
    for (std::size_t j = 0; j < n_; ++j)
        half_[j] = 0.5 * larger(add_up(x[j].upper, -centre_[j]), add_up(centre_[j], x[j].negated_lower));
    std::fill(middle_.begin(), middle_.end(), 0.0);
    for (std::size_t i = 0; i < all_; ++i) {
        const std::uint32_t count = rows.row(i).count;
        const std::uint32_t* const at = rows.support(i);
        double* const g = K_.data();  // the row's gradient, until it is spread out
        double off, total = 0.0, shares = 0.0;
        const double f = rows.number(i, centre_.data(), g, off, spread_.data());
        slope_off_[i] = 0.0;
        for (std::uint32_t e = 0; e < count; ++e) {
            slope_off_[i] += spread_[e] + share * std::abs(g[e]);
            middle_[i * n_ + at[e]] = g[e];
        }
        rows.spread(i, centre_.data(), half_.data(), spread_.data());
        for (std::uint32_t e = 0; e < count; ++e) {
            spread_[e] = (std::abs(g[e]) + spread_[e]) * half_[at[e]];
            total += spread_[e];
        }
        if (std::abs(f) > mul_up(off + 2.0 * total, stretch)) return Taken::empty;
        f_[i] = f;
        f_radius_[i] = off + share * std::abs(f);
        if (i >= bench_.problem.m || !(total > 0.0)) continue;
        shares = 1.0 / total;
        for (std::uint32_t e = 0; e < count; ++e) felt_[at[e]] += spread_[e] * shares;
    }
    return Taken::whole;
}

// Gauss-Jordan elimination of the middles, pivots chosen by what they mean over the box.
void Contraction::eliminate(const Box& x) {
    const std::size_t stride = n_ + all_;
    for (std::size_t i = 0; i < all_; ++i) {
        std::copy_n(middle_.begin() + static_cast<std::ptrdiff_t>(i * n_), n_,
                    M_.begin() + static_cast<std::ptrdiff_t>(i * stride));
        for (std::size_t j = 0; j < all_; ++j) M_[i * stride + n_ + j] = i == j ? 1.0 : 0.0;
    }
    std::vector<std::uint8_t>& used = used_;
    std::fill(used.begin(), used.end(), std::uint8_t{0});
    n_pivots_ = 0;
    for (std::size_t r = 0; r < std::min(all_, n_); ++r) {
        double best = least_pivot;
        std::size_t row = all_, column = 0;
        for (std::size_t i = r; i < all_; ++i)
            for (std::size_t j = 0; j < n_; ++j) {
                const double size = std::abs(M_[i * stride + j]) * width(x[j]);
                if (!used[j] && size > best) best = size, row = i, column = j;
            }
        if (row == all_) return;
        double* const pivot = M_.data() + r * stride;
        if (row != r) std::swap_ranges(pivot, pivot + stride, M_.data() + row * stride);
        used[column] = 1;
        const double scale = 1.0 / pivot[column];
        for (std::size_t j = 0; j < stride; ++j) pivot[j] *= scale;
        for (std::size_t i = 0; i < all_; ++i) {
            double* const other = M_.data() + i * stride;
            const double f = other[column];
            if (i == r || f == 0.0) continue;
            for (std::size_t j = 0; j < stride; ++j) other[j] -= f * pivot[j];
        }
        n_pivots_ = r + 1;
    }
}

// A mixture of the rows' slopes: middles and radii are mixed.
void Contraction::mix(const double* mixture) {
    const double share = rounding_share(all_ + n_);
    for (std::size_t j = 0; j < n_; ++j) {
        double mid = 0.0, off = 0.0;
        for (std::size_t i = 0; i < all_; ++i) {
            mid += mixture[i] * middle_[i * n_ + j];
            off += std::abs(mixture[i]) * radius_[i * n_ + j];
        }
        off = mul_up(off, 1.0 + 4.0 * share) + 1e-300;
        terms_[j] = {add_up(-mid, off), add_up(mid, off)};
    }
}

// The same where second derivatives are numbers: they are mixed before they are bounded, so that what
// cancels is gone.
void Contraction::mix_by_coefficients(const double* mixture) {
    const Quadratics& rows = *bench_.problem.quadratics;
    std::fill(K_.begin(), K_.end(), 0.0);
    double* const mid = work_.data();
    std::fill_n(mid, n_, 0.0);
    double off = 0.0, bend_off = 0.0, widest = 0.0;
    for (std::size_t i = 0; i < all_; ++i) {
        const double c = mixture[i], size = std::abs(c);
        if (c == 0.0) continue;
        const double* const g = middle_.data() + i * n_;
        for (std::size_t j = 0; j < n_; ++j) mid[j] += c * g[j];
        const std::uint32_t* pair = pair_of_.data() + rows.row(i).first_entry;
        for (const Quadratics::Entry* e = rows.begin(i); e != rows.end(i); ++e) K_[*pair++] += c * e->H;
        off += size * slope_off_[i];
        bend_off += size * bend_off_[i];
    }
    std::fill(spread_.begin(), spread_.end(), 0.0);
    std::fill(own_.begin(), own_.end(), 0.0);
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const auto [a, b] = pairs_[k];
        const double size = std::abs(K_[k]);
        if (a == b) {
            own_[a] = K_[k];
            continue;
        }
        spread_[a] += size * half_[b];
        spread_[b] += size * half_[a];
    }
    for (std::size_t j = 0; j < n_; ++j) widest = larger(widest, half_[j]);
    const double stretch = 1.0 + 4.0 * rounding_share(all_ + n_), fixed = off + bend_off * widest;
    for (std::size_t j = 0; j < n_; ++j) {
        const double total = mul_up(spread_[j] + fixed, stretch) + 1e-300;
        const double with_own = add_up(total, mul_up(std::abs(own_[j]), half_[j]));
        others_[j] = {add_up(-mid[j], total), add_up(mid[j], total)};
        terms_[j] = {add_up(-mid[j], with_own), add_up(mid[j], with_own)};
    }
}

bool Contraction::use_row(std::size_t r, Box& x) {
    const double* const mixture = M_.data() + r * (n_ + all_) + n_;
    const double share = rounding_share(all_ + n_);
    std::vector<Interval>& row = terms_;
    if (bench_.problem.quadratics)
        mix_by_coefficients(mixture);
    else
        mix(mixture);
    double f = 0.0, f_off = 0.0;
    for (std::size_t i = 0; i < all_; ++i) {
        f += mixture[i] * f_[i];
        f_off += std::abs(mixture[i]) * f_radius_[i];
    }
    f_off = mul_up(f_off, 1.0 + 4.0 * share) + 1e-300;
    before_[0] = {add_up(-f, f_off), add_up(f, f_off)};
    for (std::size_t j = 0; j < n_; ++j) {
        const Interval d = x[j] - Interval::point(centre_[j]);
        if (bench_.problem.quadratics)  // the square of an unknown has one sign
            moved_[j] = others_[j] * d + scaled(0.5 * own_[j], square(d));
        else
            moved_[j] = row[j] * d;
        before_[j + 1] = before_[j] + moved_[j];
    }
    if (!holds_zero(before_[n_])) return false;
    Interval after = Interval::point(0.0);
    for (std::size_t j = n_; j-- > 0;) {
        if (!holds_zero(row[j])) {
            const Interval found = Interval::point(centre_[j]) - (before_[j] + after) / row[j];
            x[j] = intersection(x[j], found);
            if (x[j].is_empty()) return false;
        }
        after = after + moved_[j];
    }
    return true;
}

}  // namespace kempe::boxes
