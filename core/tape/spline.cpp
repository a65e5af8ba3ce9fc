#include "tape/spline.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tape/functions.hpp"

namespace kempe {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("spline: " + what); }

// De Casteljau's scheme on three numbers, step by step as it runs on any.
double quadratic_value(double a, double b, double c, double s, double r) {
    const double ab = r * a + s * b, bc = r * b + s * c;
    return r * ab + s * bc;
}

// The derivative of a Bernstein form of `terms` coefficients, in x where dx = h ds, at s:
// differences, then de Casteljau's scheme. Of cubics it is written out: the same numbers, sooner.
double bernstein_value(const double* c, std::size_t terms, std::size_t order, double s, double h) {
    if (order >= terms) return 0.0;
    if (terms == 4 && order < 2) {
        const double r = 1.0 - s;
        if (order == 1) return quadratic_value(c[1] - c[0], c[2] - c[1], c[3] - c[2], s, r) * (3.0 / h);
        return quadratic_value(r * c[0] + s * c[1], r * c[1] + s * c[2], r * c[2] + s * c[3], s, r);
    }
    double w[most_spline_terms];
    std::copy_n(c, terms, w);
    std::size_t count = terms;
    for (std::size_t k = 0; k < order; ++k, --count)
        for (std::size_t j = 0; j + 1 < count; ++j) w[j] = w[j + 1] - w[j];
    const double r = 1.0 - s;
    for (; count > 1; --count)
        for (std::size_t j = 0; j + 1 < count; ++j) w[j] = r * w[j] + s * w[j + 1];
    if (order == 0) return w[0];
    double scale = falling_factorial(terms - 1, order);
    for (std::size_t k = 0; k < order; ++k) scale /= h;
    return w[0] * scale;
}

// f = N / D by f^(r) = (N^(r) - sum_k C(r, k) D^(k) f^(r - k)) / D.
double quotient_value(const Spline& spline, std::size_t piece, std::size_t order, double s, double h) {
    double f[most_spline_order + 2], d[most_spline_order + 2];  // also the slope of the last
    for (std::size_t r = 0; r <= order; ++r) {
        d[r] = bernstein_value(spline.denominator(piece), spline.terms, r, s, h);
        double sum = bernstein_value(spline.numerator(piece), spline.terms, r, s, h);
        for (std::size_t k = 1; k <= r; ++k) sum -= binomial(r, k) * d[k] * f[r - k];
        f[r] = sum / d[0];
    }
    return f[order];
}

double piece_value(const Spline& spline, std::size_t piece, double x, std::size_t order) {
    const double h = spline.breaks[piece + 1] - spline.breaks[piece];
    const double s = (x - spline.breaks[piece]) / h;
    if (spline.is_rational) return quotient_value(spline, piece, order, s, h);
    return bernstein_value(spline.numerator(piece), spline.terms, order, s, h);
}

// Along the tangent at the end of a piece.
double beyond(const Spline& spline, std::size_t piece, double end, double x, std::size_t order) {
    if (order > 1) return 0.0;
    const double slope = piece_value(spline, piece, end, 1);
    if (order == 1) return slope;
    const double value = piece_value(spline, piece, end, 0);
    return slope == 0.0 ? value : value + slope * (x - end);
}

void check_breaks(std::span<const double> breaks, bool is_periodic) {
    if (breaks.size() < 2) refuse("it needs at least two breaks");
    for (std::size_t i = 0; i < breaks.size(); ++i)
        if (!std::isfinite(breaks[i]) || (i > 0 && !(breaks[i] - breaks[i - 1] > 0.0)))
            refuse("break " + std::to_string(i) + " is not finite and above the one before");
    if (!std::isfinite(breaks.back() - breaks.front())) refuse("its breaks are too far apart");
    if (is_periodic && breaks.front() != 0.0) refuse("a periodic one must start at 0");
}

}  // namespace

double binomial(std::size_t n, std::size_t k) noexcept {
    double value = 1.0;
    for (std::size_t i = 1; i <= k; ++i) value = value * static_cast<double>(n - k + i) / static_cast<double>(i);
    return value;
}

Spline::Spline(const double* block) noexcept
    : pieces(static_cast<std::size_t>(block[0])), terms(static_cast<std::size_t>(block[1])),
      is_rational(block[2] != 0.0), period(block[3]), breaks(block + 4), coefficients(block + 4 + pieces + 1) {}

std::size_t Spline::piece(double x) const noexcept {
    const double* const interior = breaks + 1;
    return static_cast<std::size_t>(std::upper_bound(interior, interior + (pieces - 1), x) - interior);
}

SplineBlock spline_block(std::span<const double> breaks, std::span<const double> numerators,
                         std::span<const double> denominators, std::size_t terms, bool is_periodic) {
    check_breaks(breaks, is_periodic);
    const std::size_t pieces = breaks.size() - 1;
    if (terms == 0 || terms > most_spline_terms)
        refuse("it has " + std::to_string(terms) + " coefficients a piece; 1 to " + std::to_string(most_spline_terms) +
               " are possible");
    if (numerators.size() != pieces * terms)
        refuse(std::to_string(pieces) + " pieces need as many rows of coefficients");
    if (!denominators.empty() && denominators.size() != numerators.size())
        refuse("it has not as many denominators as numerators");
    for (const double c : numerators)
        if (!std::isfinite(c)) refuse("a coefficient is not finite");
    for (const double c : denominators)
        if (!(std::isfinite(c) && c > 0.0)) refuse("a denominator is not positive and finite");
    SplineBlock block{static_cast<double>(pieces), static_cast<double>(terms), denominators.empty() ? 0.0 : 1.0,
                      is_periodic ? breaks.back() : 0.0};
    block.insert(block.end(), breaks.begin(), breaks.end());
    block.insert(block.end(), numerators.begin(), numerators.end());
    block.insert(block.end(), denominators.begin(), denominators.end());
    return block;
}

double spline_value(const double* block, double x, std::int32_t order) noexcept {
    const Spline spline(block);
    const auto derivative = static_cast<std::size_t>(order);
    if (x != x) return x;
    if (spline.period > 0.0) {
        const double turns = std::floor(x / spline.period);
        if (turns != 0.0) x = std::min(std::max(x - turns * spline.period, 0.0), spline.period);
    } else if (x < spline.first()) {
        return beyond(spline, 0, spline.first(), x, derivative);
    } else if (x > spline.last()) {
        return beyond(spline, spline.pieces - 1, spline.last(), x, derivative);
    }
    return piece_value(spline, spline.piece(x), x, derivative);
}

}  // namespace kempe

double kempe_spline(const double* block, double x, std::int32_t order) { return kempe::spline_value(block, x, order); }
