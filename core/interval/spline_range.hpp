#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "interval/interval.hpp"
#include "tape/spline.hpp"

// The range of one derivative of one spline, prepared for many intervals: what `spline_range` finds of each piece
// is found once. Of polynomials, between the first break and the last; anything else goes to `spline_range`.

namespace kempe {

class SplineRange {
  public:
    // Wants an UpwardMode.
    SplineRange(const double* block, std::size_t order);

    // As `spline_range` of the same block.
    Interval over(const double* block, const Interval& x) const;

  private:
    struct Piece {
        double start, end;
        Interval inverse;  // of its length
        Interval scale;    // 1 over its length, `order` times
        double slack;      // for s in [0, 1]
        std::array<double, 4> c;
    };

    Interval of_piece(const Piece& piece, const double* block, const Interval& part) const;

    std::size_t order_, count_ = 0;  // coefficients of the derivative; 0: not prepared
    double first_ = 0.0, last_ = 0.0;
    std::vector<double> breaks_;
    std::vector<Piece> pieces_;
};

}  // namespace kempe
