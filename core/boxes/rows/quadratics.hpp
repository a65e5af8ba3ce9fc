#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "boxes/rows/formulas.hpp"
#include "boxes/rows/products.hpp"

// Rows that are polynomials of at most the second degree, as those of bars, joints and circles are:
//
//   f(x) = c + l x + x^T H x / 2,   grad f = l + H x
//
// The gradient over a box is then known exactly but for roundings, and so are slopes: about a centre
// they are the gradient halfway, f(x) - f(c) = grad f((x + c) / 2) (x - c).
//
// Every coefficient is a middle and an `off`: its radius, and its share of the roundings of all
// sums of products that are made with it (see `roundings`).

namespace kempe::boxes {

// (n + 2) roundings of one sum of n products, as a factor of the sum of their sizes.
inline double rounding_share(std::size_t n) { return 1.01 * 0x1p-52 * static_cast<double>(n + 2); }

// What the products of such sums lose to underflow, in all: each loses 2^-1074 at most, and is multiplied after
// that by at most one entry of a matrix C or of a mixture, no larger than `largest_factor`, and by numbers of a frame.
inline constexpr double underflow = 1e-290;
inline constexpr double largest_factor = 0x1p64;

// Plain sums of sizes, stretched so as not to lie below the exact sum.
inline double stretched(double sum, double share) { return mul_up(sum, 1.0 + 4.0 * share) + underflow; }

class Quadratics {
  public:
    // A coefficient H_ab = H_ba, a <= b, as places in the row's support.
    struct Entry {
        std::uint32_t a, b;
        double H, off;
    };
    struct Row {
        std::uint32_t first, count;  // of its unknowns
        std::uint32_t first_entry, last_entry;
        double c, c_off;
        double l_off, bend_off;  // the sums of all l's and of all H's offs
    };

    // Nothing where an output is no such polynomial.
    static std::optional<Quadratics> of(const Formulas& formulas);

    std::size_t size() const { return rows_.size(); }
    const Row& row(std::size_t r) const { return rows_[r]; }
    const std::uint32_t* support(std::size_t r) const { return support_.data() + rows_[r].first; }
    const double* linear(std::size_t r) const { return l_.data() + rows_[r].first; }
    const Entry* begin(std::size_t r) const { return entries_.data() + rows_[r].first_entry; }
    const Entry* end(std::size_t r) const { return entries_.data() + rows_[r].last_entry; }

    // The same rows as they were written, for projections, where they are short enough.
    const Products* products() const { return products_ ? &*products_ : nullptr; }

    // f and its gradient at x, rounded.
    double number(std::size_t r, const double* x, double* g) const;
    // The same, with bounds of what they are off: one for f, one for every entry of the gradient.
    double number(std::size_t r, const double* x, double* g, double& f_off, double* g_off) const;
    // Bounds of how far the gradient is from that in the middle x of a box with these radii.
    void spread(std::size_t r, const double* x, const double* radius, double* g_off) const;

  private:
    std::vector<Row> rows_;
    std::vector<std::uint32_t> support_;
    std::vector<double> l_, l_off_;
    std::vector<Entry> entries_;
    std::optional<Products> products_;
};

}  // namespace kempe::boxes
