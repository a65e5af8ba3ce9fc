#pragma once

#include <cstddef>
#include <vector>

#include "boxes/rows/quadratics.hpp"

// Equations of second degree as seen from a frame x = p + A z, A = [N | T], z = (y, s):
//
//   C F(p + A z) = v + y + S z + K[z, z] / 2
//
// with v = C F(p), S = C J(p) A - [1 0] and K_i = sum_q C_iq A^T H_q A. This is exact, so what it
// tells about a slanted parallelotope is not lost to the upright box around it.

namespace kempe::boxes {

struct Chart;

class Form {
  public:
    Form(std::size_t n, std::size_t m);

    // As seen from the frame of a chart: its p, A and C.
    void take(const Quadratics& quadratics, const Chart& frame);

    // The half-width of a chart with half-length h, as large as can be proved up to `most`; 0 where
    // none can.
    double half_width(double h, double most) const;
    // The largest half-length up to `most` with which a chart can be proved, 0 where there is none.
    double half_length(double most, double breadth, double least) const;
    // Contraction, lean and tube of a chart that was proved with h and w.
    void describe(Chart& chart, double h, double w) const;

    // What y can be where |z_j - centre_j| <= radius_j, from row i: -(v + S z + K[z, z] / 2), as a
    // middle and a bound of the distance from it. `extent` bounds all |z_j|.
    double y_of(std::size_t i, const double* centre, const double* radius, double extent, double& off) const;

  private:
    double mapped(std::size_t i, double h, double w) const;

    struct Sizes {         // of row i, bounded above; sums over entries of y alone are `across`
        double v;          // |v|
        double S_across;   // sum_j |S_ij|
        double S_along;    // sum_s |S_is|
        double K_across;   // sum_jk |K_ijk|
        double K_mixed;    // sum_js |K_ijs|
        double K_along;    // sum_st |K_ist|
        double S_off, K_off, v_off;  // of every entry, and of v
        double S_steep, K_steep;     // of two parameters: |S_is| and |K_iss| as lengths, not as sums
        double rounded_v, rounded_S, rounded_K;  // what the sums in `y_of` are off
    };

    std::size_t n_, m_;
    std::vector<double> v_, S_, K_;  // m, m x n, m x n x n
    std::vector<Sizes> sizes_;
    std::vector<double> rows_of_A_, bends_, bent_, J_, J_off_;
    mutable std::vector<double> slope_, spread_;
};

}  // namespace kempe::boxes
