#pragma once

#include <cstdint>
#include <vector>

#include "boxes/rows/formulas.hpp"

// Formulas multiplied out as polynomials of at most the second degree, where they are such.

namespace kempe::boxes {

// A coefficient of x_a x_b, a <= b, where the index n stands for the number 1.
struct Term {
    std::uint32_t a, b;
    Interval c;
};
using Polynomial = std::vector<Term>;  // in order of (a, b)

class Expansion {
  public:
    // Wants an UpwardMode.
    explicit Expansion(const Formulas& formulas);

    // Multiplies all nodes out; false where one is of no such polynomial.
    bool run();
    const Polynomial& operator[](std::size_t node) const { return made_[node]; }
    bool is_constant(const Polynomial& x) const { return x.size() == 1 && x[0].a == one_; }
    bool is_affine(const Polynomial& x) const;

  private:
    bool expand(const Node& node, Polynomial& to) const;
    bool multiply(const Polynomial& x, const Polynomial& y, Polynomial& to) const;

    const Formulas& formulas_;
    std::uint32_t one_;
    std::vector<Polynomial> made_;
};

}  // namespace kempe::boxes
