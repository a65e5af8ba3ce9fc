#pragma once

#include "interval/interval.hpp"

// Elementary functions at a point, enclosed by proof: reductions and polynomials in interval arithmetic,
// with a bound of what the polynomial leaves out. They rest on +, -, *, / and sqrt rounded as IEEE 754 says, and
// on nothing else; no result of the C library is trusted. Each is a few ulp wide.
//
// Every function here wants an UpwardMode alive.

namespace kempe {

Interval exponential_at(double x);        // any x but NaN
Interval logarithm_at(double x);          // x >= 0
Interval hyperbolic_tangent_at(double x);
Interval arcsine_at(double x);            // |x| <= 1
Interval arccosine_at(double x);          // |x| <= 1
Interval arctangent2_at(double y, double x);  // not both 0, not both infinite

}  // namespace kempe
