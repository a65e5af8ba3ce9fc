#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// A spline: pieces of polynomials or of quotients of polynomials in Bernstein form, so that two
// pieces share their common value exactly. As one block of doubles, which compiled code can carry
// as a plain array:
//
//   pieces, terms, is_rational, period, breaks[pieces + 1],
//   numerators[pieces][terms], denominators[pieces][terms] (rational ones only)
//
// On piece i, with s = (x - breaks[i]) / (breaks[i + 1] - breaks[i]), n = terms - 1:
//
//   N(s) = sum_j numerator[j] B_j^n(s),   f = N  or  f = N / D
//
// A spline of period 0 goes on along its end tangents beyond its breaks: it stays C1 there, and no
// denominator is asked outside the pieces. Any other spline repeats itself; its first break is 0,
// so that its period, the last break, is exact. A break belongs to the piece on its right.

namespace kempe {

using SplineBlock = std::vector<double>;

inline constexpr std::size_t most_spline_terms = 16;
inline constexpr std::size_t most_spline_order = 8;  // of derivatives on a tape

struct Spline {
    explicit Spline(const double* block) noexcept;

    std::size_t pieces;
    std::size_t terms;
    bool is_rational;
    double period;
    const double* breaks;

    const double* numerator(std::size_t piece) const noexcept { return coefficients + piece * terms; }
    const double* denominator(std::size_t piece) const noexcept { return coefficients + (pieces + piece) * terms; }
    double first() const noexcept { return breaks[0]; }
    double last() const noexcept { return breaks[pieces]; }
    std::size_t piece(double x) const noexcept;

  private:
    const double* coefficients;
};

// Throws std::invalid_argument where the numbers are no spline. Wants no denominators, or as many
// as numerators, all positive.
SplineBlock spline_block(std::span<const double> breaks, std::span<const double> numerators,
                         std::span<const double> denominators, std::size_t terms, bool is_periodic);

// The derivative of that order at x; order 0 is the value.
double spline_value(const double* block, double x, std::int32_t order) noexcept;

double binomial(std::size_t n, std::size_t k) noexcept;

}  // namespace kempe

extern "C" double kempe_spline(const double* block, double x, std::int32_t order);
