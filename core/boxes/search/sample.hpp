#pragma once

#include <vector>

#include "boxes/search/trace.hpp"

// Points along a curve, each with a bound of its distance from the true one.

namespace kempe::boxes {

struct Samples {
    std::vector<double> x;        // n numbers a point
    std::vector<double> radius;   // in the longest coordinate
    std::vector<double> length;   // along the curve up to the point
};

// Points no further apart than `step`, in order, by their enclosures; a closed curve does not repeat its first point.
// A step smaller than what points are known to within is not kept.
// With `anew` nothing is believed but p, A, h and w of every chart, and one whose C does not do for a point gets another.
Samples sample(Bench& bench, Curve& curve, double step, bool anew);

}  // namespace kempe::boxes
