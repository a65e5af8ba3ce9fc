#pragma once

#include <functional>
#include <vector>

#include "boxes/proof/atlas.hpp"

// Following a curve from chart to chart, each proved to share a point with the one before.

namespace kempe::boxes {

enum class End {
    loop,        // the curve closes
    limit,       // it leaves the domain through the bound of an unknown
    stuck,       // no chart could be proved any further: singular, or too sharp
    joined,      // it entered a chart of a component that is already known
    unfinished,  // it has as many charts as are allowed
};

struct CurveEnd {
    End kind = End::stuck;
    int unknown = -1;  // whose bound was met
    int side = 0;      // -1 its lower, 1 its upper bound
    Enclosed at;
};

// A connected piece of the solution set. Chart i and i + 1 share the point links[i]; on a closed
// curve the last link joins the last chart and the first. Along chart i the curve runs from
// parameter from[i] to parameter to[i].
struct Curve {
    std::vector<Chart> charts;
    std::vector<Enclosed> links;
    std::vector<double> from, to;
    Enclosed start;
    CurveEnd ends[2];
    bool closed = false;
};

// The curve (or the point, k = 0) through p; false where no chart can be proved there or where p is
// not surely within the domain. Where `go_on` says no the curve stays unfinished.
bool trace(Bench& bench, const Atlas& atlas, const Point& p, Curve& curve, const std::function<bool()>& go_on);

}  // namespace kempe::boxes
