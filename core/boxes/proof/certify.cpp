#include <cmath>
#include <iterator>

#include "boxes/proof/chart.hpp"

// The proof of a chart, by the parametric Krawczyk operator. With
//
//   b     >= |C F(p) + C G T s|     for |s_j| <= h, G the slopes about p over p + T s
//   rho_i >= sum_j |1 - C J N|_ij   for J over the whole parallelotope
//
// b_i + rho_i w < w for all i proves that y -> y - C F(p + N y + T s) maps |y| <= w into its inside
// and contracts there, for every s: exactly one zero, and J N is regular at it.
//
// C J N is bounded by middle and radius. Sums of products of doubles are formed plainly, under
// whatever rounding is in force; each is off by at most `rounding_share` of the sum of the sizes of
// its terms, and that is added. Sums of sizes are stretched by the same share.

namespace kempe::boxes {

namespace {

constexpr double least_breadth = 0x1p-10;  // of the width that is tried first

}  // namespace

double Bench::promising(double most) const {
    if (!problem.quadratics || problem.k == 0) return most;
    return form_.half_length(most, problem.settings.breadth, problem.settings.shortest);
}

double Bench::least_width(const Chart& chart, double h) const {
    double farthest = h;
    for (const double x : chart.p) farthest = larger(farthest, std::abs(x));
    const double n = static_cast<double>(n_);
    return 1e-12 + 32.0 * n * (rounding_share(n_) * (1.0 + 2.0 * n) * farthest + chart.skew * 1e-12);
}

bool Bench::certify_by_form(Chart& chart, double h) const {
    const double along = problem.k > 0 ? h : 0.0;
    const double w = form_.half_width(along, problem.settings.breadth * h);
    if (!(w > least_width(chart, h))) return false;
    form_.describe(chart, along, w);
    chart.h = h;
    bound(chart);
    return chart.contraction < 1.0;
}

bool Bench::certify(Chart& chart, double h) {
    if (problem.quadratics) return certify_by_form(chart, h);
    const double share = rounding_share(n_);
    const bool T = problem.k > 0;
    const auto reach_along = [&](std::size_t i) {  // of T s
        double reach = 0.0;
        for (std::size_t j = m_; j < n_; ++j) reach = add_up(reach, mul_up(std::abs(chart.column(j)[i]), h));
        return reach;
    };
    const auto share_along = [&](std::size_t i) {  // of row i of C J T, the sizes of its entries added
        double sum = 0.0;
        for (std::size_t j = m_; j < n_; ++j) {
            double off;
            const double along = share_of_column(i, chart.column(j), off);
            sum = add_up(sum, add_up(std::abs(along), off));
        }
        return sum;
    };
    std::vector<double>& b = work_;  // the first m numbers; then the spread of N
    double* const spread = work_.data() + m_;
    for (std::size_t i = 0; i < n_; ++i) {
        spread[i] = 0.0;
        for (std::size_t j = 0; j < m_; ++j) spread[i] += std::abs(chart.A[j * n_ + i]);
        spread[i] = stretched(spread[i], share);
        const double along = reach_along(i);
        box_[i] = {add_up(-chart.p[i], along), add_up(chart.p[i], along)};
    }
    rows.slopes(box_.data(), chart.p.data());
    if (!has_gradients() || !(residual(chart, true) < infinity)) return false;
    double largest = 0.0;
    if (T) take_products(chart);
    for (std::size_t i = 0; i < m_; ++i) {
        b[i] = step_[i];
        if (T) b[i] = add_up(b[i], mul_up(h, share_along(i)));
        largest = larger(largest, b[i]);
    }
    if (!(largest < infinity)) return false;
    const double broad = problem.settings.breadth * h;
    const double least = least_width(chart, h);
    double contraction = 0.0, steepest = 0.0;
    const auto holds_within = [&](double w) {
        for (std::size_t i = 0; i < n_; ++i) {
            const double reach = add_up(reach_along(i), mul_up(spread[i], w));
            box_[i] = {add_up(-chart.p[i], reach), add_up(chart.p[i], reach)};
        }
        rows.gradients(box_.data());
        if (!has_gradients()) return false;
        take_products(chart);
        contraction = steepest = 0.0;
        bool holds = true;
        tube_.resize(m_);
        for (std::size_t i = 0; i < m_ && holds; ++i) {
            const double rho = row_of_contraction(chart, i, spread);
            tube_[i] = add_up(b[i], mul_up(rho, w));
            holds = tube_[i] < w;
            contraction = larger(contraction, rho);
            if (T) steepest = larger(steepest, share_along(i));
        }
        return holds && contraction < 1.0;
    };
    const auto take_tube = [&] {
        chart.tube = tube_;
        chart.lean = div_up(steepest, -add_up(contraction, -1.0));
    };
    // Along a straight curve the narrowest would do for any length, but boxes are covered by broad charts:
    // one that is too narrow for its length is left to be tried again, shorter.
    const double narrowest = 1.6 * largest + least;
    const double tries[] = {broad, 0.5 * broad, 0.125 * broad, larger(narrowest, least_breadth * broad)};
    const std::size_t count = problem.k == 0 ? 2 : std::size(tries);
    for (std::size_t attempt = 0; attempt < count; ++attempt) {
        const double w = tries[attempt];
        if (w < 1.05 * largest || w < least || (attempt > 1 && (w < narrowest || w > tries[1]))) continue;
        if (!holds_within(w)) continue;
        chart.h = h;
        chart.w = w;
        chart.contraction = contraction;
        chart.bounds = box_;
        take_tube();
        // The one arc of the broad chart is that of the narrowest, where that holds as well.
        if (T && narrowest < 0.5 * w && holds_within(narrowest)) take_tube();
        return true;
    }
    return false;
}

}  // namespace kempe::boxes
