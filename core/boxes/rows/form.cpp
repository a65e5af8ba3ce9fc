#include "boxes/rows/form.hpp"

#include <algorithm>
#include <cmath>

#include "boxes/proof/chart.hpp"

namespace kempe::boxes {

namespace {

constexpr double most_contraction = 0.9;  // beyond, points are enclosed badly
constexpr double decay = 0.9;             // of the half-length from try to try
constexpr double column_size = 1.001;     // |A_ij| at most: A^T A is 1 to within 1e-6

}  // namespace

Form::Form(std::size_t n, std::size_t m)
    : n_(n), m_(m), v_(m), S_(m * n), K_(m * n * n), sizes_(m), rows_of_A_(n * n), bends_(m * (n * (n + 1) / 2)),
      bent_(n * n), J_(n), J_off_(n), slope_(n), spread_(n) {}

void Form::take(const Quadratics& quadratics, const Chart& frame) {
    const std::size_t n = n_, m = m_, triangle = n * (n + 1) / 2;
    double* const A = rows_of_A_.data();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) A[i * n + j] = frame.A[j * n + i];
    std::fill(v_.begin(), v_.end(), 0.0);
    std::fill(S_.begin(), S_.end(), 0.0);
    std::fill(bends_.begin(), bends_.end(), 0.0);
    std::fill(sizes_.begin(), sizes_.end(), Sizes{});
    double* const bend = bent_.data();  // H_q A on the row's support
    double* const packed = K_.data();   // A^T H_q A, above the diagonal; K itself is written last
    for (std::size_t q = 0; q < m; ++q) {
        const Quadratics::Row& row = quadratics.row(q);
        const std::uint32_t* const at = quadratics.support(q);
        double f_off;
        const double f = quadratics.number(q, frame.p.data(), J_.data(), f_off, J_off_.data());
        double J_off = 0.0;
        for (std::uint32_t e = 0; e < row.count; ++e) J_off += J_off_[e];
        std::fill_n(bend, row.count * n, 0.0);
        for (auto e = quadratics.begin(q); e != quadratics.end(q); ++e) {
            const double* const b = A + at[e->b] * n;
            double* const to = bend + e->a * n;
            for (std::size_t k = 0; k < n; ++k) to[k] += e->H * b[k];
            if (e->a == e->b) continue;
            const double* const a = A + at[e->a] * n;
            double* const other = bend + e->b * n;
            for (std::size_t k = 0; k < n; ++k) other[k] += e->H * a[k];
        }
        std::fill_n(packed, triangle, 0.0);
        double* to = packed;
        for (std::size_t j = 0; j < n; to += n - j, ++j)
            for (std::uint32_t e = 0; e < row.count; ++e) {
                const double a = A[at[e] * n + j];
                const double* const from = bend + e * n + j;
                for (std::size_t k = 0; k < n - j; ++k) to[k] += a * from[k];
            }
        double* const slope = slope_.data();
        std::fill_n(slope, n, 0.0);
        for (std::uint32_t e = 0; e < row.count; ++e)
            for (std::size_t j = 0; j < n; ++j) slope[j] += J_[e] * A[at[e] * n + j];
        for (std::size_t i = 0; i < m; ++i) {
            const double c = frame.C[i * m + q], size = std::abs(c);
            if (c == 0.0) continue;
            v_[i] += c * f;
            double* const S = S_.data() + i * n;
            for (std::size_t j = 0; j < n; ++j) S[j] += c * slope[j];
            double* const K = bends_.data() + i * triangle;
            for (std::size_t k = 0; k < triangle; ++k) K[k] += c * packed[k];
            sizes_[i].v_off += size * f_off;
            sizes_[i].S_off += size * J_off;
            sizes_[i].K_off += size * row.bend_off;
        }
    }
    const double share = rounding_share(4 * n + 8), stretch = 1.0 + 4.0 * share;
    for (std::size_t i = 0; i < m; ++i) {
        double* const S = S_.data() + i * n;
        double* const K = K_.data() + i * n * n;
        const double* from = bends_.data() + i * triangle;
        S[i] -= 1.0;
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t k = j; k < n; ++k) K[j * n + k] = K[k * n + j] = *from++;
        Sizes& of = sizes_[i];
        of.v_off = of.v_off * stretch + underflow;
        of.S_off = (of.S_off * column_size + share) * stretch;
        of.K_off = of.K_off * (column_size * column_size) * stretch + underflow;
        for (std::size_t j = 0; j < n; ++j) {
            double line = 0.0;
            for (std::size_t k = 0; k < m; ++k) line += std::abs(K[j * n + k]);
            (j < m ? of.K_across : of.K_mixed) += line;
            (j < m ? of.S_across : of.S_along) += std::abs(S[j]);
        }
        for (std::size_t j = m; j < n; ++j)
            for (std::size_t k = m; k < n; ++k) of.K_along += std::abs(K[j * n + k]);
        const double S_all = of.S_across + of.S_along;
        const double K_all = of.K_across + 2.0 * of.K_mixed + of.K_along;
        const auto count = static_cast<double>(m), all = static_cast<double>(n), free = m < n ? all - count : 1.0;
        of.rounded_v = (of.v_off + share * std::abs(v_[i])) * stretch;
        of.rounded_S = (of.S_off * all + 2.0 * share * S_all) * stretch;
        of.rounded_K = (0.5 * of.K_off * all * all + 2.0 * share * K_all) * stretch;
        of.v = (std::abs(v_[i]) + of.v_off) * stretch;
        if (n == m + 2) {  // lengths of a row of two, and of its largest turn by a symmetric matrix
            const double* const k = K + m * n + m;
            const double half = 0.5 * std::hypot(k[0] - k[n + 1], 2.0 * k[1]);
            of.S_steep = (std::hypot(S[m], S[m + 1]) + 2.0 * of.S_off) * stretch + underflow;
            of.K_steep = (0.5 * std::abs(k[0] + k[n + 1]) + half + 4.0 * of.K_off) * stretch + underflow;
        }
        of.S_across = (of.S_across + count * of.S_off) * stretch;
        of.S_along = (of.S_along + free * of.S_off) * stretch;
        of.K_across = (of.K_across + count * count * of.K_off) * stretch;
        of.K_mixed = (of.K_mixed + free * count * of.K_off) * stretch;
        of.K_along = (of.K_along + free * free * of.K_off) * stretch;
    }
}

// |y - C F| over |y_j| <= w, |s_j| <= h, at most.
double Form::mapped(std::size_t i, double h, double w) const {
    const Sizes& of = sizes_[i];
    const double fixed = of.v + h * (of.S_along + 0.5 * h * of.K_along);
    const double total = fixed + w * (of.S_across + h * of.K_mixed + 0.5 * w * of.K_across);
    return mul_up(total, 1.0 + rounding_share(8)) + underflow;
}

double Form::half_width(double h, double most) const {
    double w = most;
    for (std::size_t i = 0; i < m_; ++i) {
        const double left = most_contraction - sizes_[i].S_across - h * sizes_[i].K_mixed;
        if (!(left > 0.0)) return 0.0;
        if (w * sizes_[i].K_across > left) w = left / sizes_[i].K_across;
    }
    for (std::size_t i = 0; i < m_; ++i)
        if (!(mapped(i, h, w) < w)) return 0.0;
    return w;
}

double Form::half_length(double most, double breadth, double least) const {
    for (double h = most; h > least; h *= decay)
        if (half_width(h, breadth * h) > 0.0) return h;
    return 0.0;
}

// On the arc |y| <= t, t the largest entry of the tube: so the tube follows from t itself.
void Form::describe(Chart& chart, double h, double w) const {
    chart.h = h;
    chart.w = w;
    chart.tube.resize(m_);
    double t = w;
    for (int round = 0; round < 3; ++round) {
        double widest = 0.0;
        for (std::size_t i = 0; i < m_; ++i) {
            chart.tube[i] = mapped(i, h, t);
            widest = larger(widest, chart.tube[i]);
        }
        t = smaller(t, widest);
    }
    chart.contraction = 0.0;
    double on_arc = 0.0, steepest = 0.0;
    const double stretch = 1.0 + rounding_share(8);
    for (std::size_t i = 0; i < m_; ++i) {
        const Sizes& of = sizes_[i];
        const double fixed = of.S_across + h * of.K_mixed;
        chart.contraction = larger(chart.contraction, mul_up(fixed + w * of.K_across, stretch));
        on_arc = larger(on_arc, mul_up(fixed + t * of.K_across, stretch));
        const double straight = n_ == m_ + 2 ? of.S_steep + h * of.K_steep : of.S_along + h * of.K_along;
        steepest = larger(steepest, mul_up(straight + t * of.K_mixed, stretch));
    }
    chart.lean = div_up(steepest, -add_up(on_arc, -1.0));
}

double Form::y_of(std::size_t i, const double* centre, const double* radius, double extent, double& off) const {
    const double* const S = S_.data() + i * n_;
    const double* K = K_.data() + i * n_ * n_;
    double* const slope = slope_.data();
    double* const spread = spread_.data();
    std::copy_n(S, n_, slope);
    std::fill_n(spread, n_, 0.0);
    for (std::size_t k = 0; k < n_; ++k, K += n_) {
        const double c = centre[k], r = radius[k];
        for (std::size_t j = 0; j < n_; ++j) {
            slope[j] += c * K[j];
            spread[j] += r * std::abs(K[j]);
        }
    }
    double twice = 0.0, away = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
        twice += centre[j] * (S[j] + slope[j]);
        away += radius[j] * (std::abs(slope[j]) + 0.5 * spread[j]);
    }
    const Sizes& of = sizes_[i];
    off = away + of.rounded_v + extent * (of.rounded_S + extent * of.rounded_K);
    off = mul_up(off, 1.0 + 4.0 * rounding_share(2 * n_)) + underflow;
    return -(v_[i] + 0.5 * twice);
}

}  // namespace kempe::boxes
