#include "boxes/proof/contraction.hpp"

#include <algorithm>
#include <cmath>

namespace kempe::boxes {

namespace {

constexpr int most_rounds = 3, most_projections = 2;
constexpr double worthwhile_projection = 0.95;  // of the total width that is left
constexpr double worthwhile_round = 0.4;        // of the volume that is left

double total_width(const Box& x) {
    double total = 0.0;
    for (const Interval& side : x) total += width(side);
    return total;
}

}  // namespace

Contraction::Contraction(Bench& bench)
    : bench_(bench), n_(bench.problem.n), all_(bench.problem.m + bench.problem.n_redundant),
      targets_(all_ + bench.problem.n_sides, Interval::point(0.0)), widths_(n_) {
    for (std::size_t r = all_; r < targets_.size(); ++r) targets_[r] = Interval::of(0.0, infinity);
    if (bench.problem.quadratics) {
        const Quadratics& rows = *bench.problem.quadratics;
        products_ = rows.products();
        if (products_ != nullptr) {
            desk_ = products_->desk();
            for (std::size_t r = 0; r < targets_.size(); ++r)
                if (r >= bench.problem.m || !products_->is_sum_of(r, bench.problem.m, all_)) projected_.push_back(r);
        }
        mixture_.emplace(rows, n_, bench.problem.m);
        return;
    }
    pivots_.emplace(bench.problem.m, n_);
    for (auto* const matrix : {&middle_, &radius_}) matrix->resize(all_ * n_);
    for (auto* const column : {&f_, &f_radius_, &mixture_of_}) column->resize(all_);
    for (auto* const row : {&felt_, &centre_}) row->resize(n_);
    for (auto* const row : {&terms_, &moved_}) row->resize(n_);
    before_.resize(n_ + 1);
}

bool Contraction::contract(Box& x) {
    for (int round = 0; round < most_rounds; ++round) {
        for (std::size_t j = 0; j < n_; ++j) widths_[j] = width(x[j]);
        if (!project(x) || !use_linear_rows(x)) return false;
        double left = 1.0;
        for (std::size_t j = 0; j < n_; ++j)
            if (widths_[j] > 0.0) left *= width(x[j]) / widths_[j];
        if (!(left < worthwhile_round)) break;
    }
    return true;
}

bool Contraction::project(Box& x) {
    for (int k = 0; k < most_projections; ++k) {
        const double before = total_width(x);
        if (!project_once(x)) return false;
        if (!(total_width(x) < worthwhile_projection * before)) break;
    }
    return true;
}

bool Contraction::project_once(Box& x) {
    if (products_ == nullptr) return bench_.rows.project(x.data(), targets_);
    for (const std::size_t r : projected_)
        if (!products_->project(r, x.data(), targets_[r], desk_)) return false;
    return true;
}

// 0 = f(c) + G (x - c) for every solution x of the box: mixtures of the equations are solved for one
// unknown at a time.
bool Contraction::use_linear_rows(Box& x) {
    for (std::size_t j = 0; j < n_; ++j)
        if (!(width(x[j]) < infinity)) return true;
    if (mixture_) return mixture_->contract(x);
    is_regular_ = false;
    for (std::size_t j = 0; j < n_; ++j) {
        centre_[j] = middle(x[j]);
        felt_[j] = 0.0;
    }
    if (!take_slopes(x)) return false;
    most_felt_ = static_cast<std::size_t>(std::max_element(felt_.begin(), felt_.end()) - felt_.begin());
    Point& widths = felt_;
    for (std::size_t j = 0; j < n_; ++j) widths[j] = width(x[j]);
    pivots_->eliminate(middle_.data(), widths.data());
    is_regular_ = pivots_->size() == n_;
    for (std::size_t r = 0; r < pivots_->size(); ++r) {
        const bool is_finite = mix(r);
        if (is_finite && !use_row(x)) return false;
        is_regular_ = is_regular_ && is_finite && !holds_zero(terms_[pivots_->column(r)]);
    }
    return true;
}

// Slopes and values of all rows; false where a row cannot vanish in the box. A row that is not continuous
// there, or steeper than all numbers, has none: it stays zero, so that no mixture takes anything of it.
bool Contraction::take_slopes(const Box& x) {
    bench_.rows.slopes(x.data(), centre_.data());
    const double share = rounding_share(all_ + n_);
    std::fill(middle_.begin(), middle_.end(), 0.0);
    std::fill(radius_.begin(), radius_.end(), 0.0);
    for (std::size_t i = 0; i < all_; ++i) {
        const auto support = bench_.rows.support(i);
        const Interval* const g = bench_.rows.gradient(i);
        const Interval& f = bench_.rows.at_centre(i);
        f_[i] = f_radius_[i] = 0.0;
        if (!bench_.rows.is_continuous(i) || !is_bounded(f)) continue;
        double total = 0.0;
        for (std::size_t e = 0; e < support.size(); ++e)
            total += is_bounded(g[e]) ? greatest(g[e]) * width(x[support[e]]) : infinity;
        if (!(total < infinity)) continue;
        Interval sum = f;
        for (std::size_t e = 0; e < support.size(); ++e) {
            const std::size_t j = support[e];
            const double mid = middle(g[e]);
            middle_[i * n_ + j] = mid;
            radius_[i * n_ + j] =
                larger(add_up(g[e].upper, -mid), add_up(mid, g[e].negated_lower)) + share * std::abs(mid);
            sum = sum + g[e] * (x[j] - Interval::point(centre_[j]));
        }
        if (!holds_zero(sum)) return false;
        f_[i] = middle(f);
        f_radius_[i] = larger(add_up(f.upper, -f_[i]), add_up(f_[i], f.negated_lower)) + share * std::abs(f_[i]);
        if (i < bench_.problem.m && total > 0.0)
            for (std::size_t e = 0; e < support.size(); ++e)
                felt_[support[e]] += greatest(g[e]) * width(x[support[e]]) / total;
    }
    return true;
}

// A mixture of the equations' slopes and values: middles and radii are mixed. False where it is beyond all
// numbers and tells nothing.
bool Contraction::mix(std::size_t r) {
    const double share = rounding_share(all_ + n_), stretch = 1.0 + 4.0 * share;
    std::fill(mixture_of_.begin(), mixture_of_.end(), 0.0);
    for (std::size_t q = 0; q < pivots_->size(); ++q) mixture_of_[pivots_->row(q)] = pivots_->share(r, q);
    const double* const mixture = mixture_of_.data();
    for (std::size_t i = 0; i < bench_.problem.m; ++i)
        if (!(std::abs(mixture[i]) <= largest_factor)) return false;
    double sizes = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
        double mid = 0.0, off = 0.0;
        for (std::size_t i = 0; i < bench_.problem.m; ++i) {
            mid += mixture[i] * middle_[i * n_ + j];
            off += std::abs(mixture[i]) * radius_[i * n_ + j];
        }
        off = mul_up(off, stretch) + underflow;
        terms_[j] = {add_up(-mid, off), add_up(mid, off)};
        sizes += std::abs(mid) + off;
    }
    double f = 0.0, f_off = 0.0;
    for (std::size_t i = 0; i < bench_.problem.m; ++i) {
        f += mixture[i] * f_[i];
        f_off += std::abs(mixture[i]) * f_radius_[i];
    }
    f_off = mul_up(f_off, stretch) + underflow;
    before_[0] = {add_up(-f, f_off), add_up(f, f_off)};
    return sizes + std::abs(f) + f_off < infinity;
}

bool Contraction::use_row(Box& x) {
    const std::vector<Interval>& row = terms_;
    for (std::size_t j = 0; j < n_; ++j) {
        moved_[j] = row[j] * (x[j] - Interval::point(centre_[j]));
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
