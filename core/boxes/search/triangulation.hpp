#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "boxes/search/packing.hpp"

// A triangle mesh of surfaces (k = 2) whose corners are the points of a packing, and the proof that it is
// the surfaces: one to one, as a topological space.
//
// The proof. Let V, U be true points at two corners joined by an edge, and n a vector with n . (U - V) = 0.
// The *edge* is the part from V to U of the curve n . (x - V) = 0 on the surface. In the chart of a corner
// the surface is x = p + T s + N y(s), |y_i(s) - y_i(s')| <= lean |s - s'|, and with a = T^T n, b = N^T n
//
//   sin t = lean |b|_1 / |a| < 1
//
// says that the curve stays, seen from both ends, within the angle t of the direction across a, and so does
// the straight line from end to end: the curve is within 2 t of that line. Two edges at a corner whose lines
// are farther apart than their two angles do not meet again. So three edges of a triangle bound a disc of
// the surface, and the triangles round a corner, in order and once round, are discs that fill a
// neighbourhood of it. Where that holds at every corner, the mesh is mapped into the surface without folds, and so
// covers it, a whole number of times everywhere on a component; that this number is one is seen at one corner
// that lies in no other triangle.
//
// A disc is the same in the charts of all its corners: two discs of a surface with the same boundary are
// one, or a sphere together; and a corner outside both charts is in neither.

namespace kempe::boxes {

struct Mesh {
    using Triangle = std::array<std::uint32_t, 3>;
    std::vector<Triangle> triangles;      // corners, oriented alike
    std::vector<std::uint8_t> proved;  // of every corner: that its triangles fill a neighbourhood of it, if it has any
    std::vector<std::int32_t> component;  // of every corner, -1 where it is not known
    std::vector<std::uint8_t> once;  // of every component: that its surface is covered once, and by no other
    std::vector<Chart> stars;  // a chart of every corner that holds the triangles about it
};

// Numbers make the mesh, bounds prove it; where they do not, points are added to the packing and the mesh is
// made again, a few times. Where `go_on` says no it ends, and of the rest nothing is proved. Wants an UpwardMode.
Mesh triangulate(Bench& bench, const Atlas& atlas, Packing& packing, const std::function<bool()>& go_on);

}  // namespace kempe::boxes
