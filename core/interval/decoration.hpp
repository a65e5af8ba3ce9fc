#pragma once

#include <cstddef>
#include <cstdint>

#include "interval/interval.hpp"
#include "tape/tape.hpp"

// What is known of a formula over a whole box, beside the enclosure of its values: IEEE 1788's
// decorations, as far as a proof needs them.
//
// An enclosure speaks of those points of the box at which the formula is defined. That is enough to
// drop a box, for a point at which a formula is not defined is no solution of it. It is not enough
// for anything that rests on derivatives: 1 / x has the slope -1 / x^2 < 0 at every point of
// [-1, 2] where it is defined, and yet 1 / 2 > 1 / -1.

namespace kempe {

enum class Decoration : std::uint8_t {
    trivial,     // it may be undefined at some point of the box
    defined,     // it has a value at every point, and may jump (IEEE 1788: def)
    continuous,  // it is defined and continuous on the box (dac); also Lipschitz if its slope is bounded
};

inline Decoration weaker(Decoration x, Decoration y) { return x < y ? x : y; }

// Whether an operation is continuous everywhere, so that it needs no look at its operands.
bool is_continuous_everywhere(Op op);

// What an operation does to operands that are themselves decorated `continuous`. `block` is the table
// or spline of an operation that has one, `order` its derivative. Not for `where_positive` and
// `where_not_negative`, which pass on one of two operands. Wants an UpwardMode.
Decoration decoration(Op op, const Interval& a, const Interval& b, const double* block = nullptr,
                      std::size_t order = 0);

// The decorations of a derivative of a table and of a spline over an interval; those of other
// functions of interval_functions.cpp whose domain ends.
Decoration table_decoration(const double* block, const Interval& x, std::size_t order);
Decoration spline_decoration(const double* block, const Interval& x, std::size_t order);
bool has_tangent_pole(const Interval& x);
Decoration power_decoration(const Interval& x, const Interval& y);

}  // namespace kempe
