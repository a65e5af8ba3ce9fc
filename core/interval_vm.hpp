#pragma once

#include <cstddef>

#include "interval.hpp"
#include "tape.hpp"

// The executor of a tape on intervals: the same program, each register an enclosure. An UpwardMode
// must be alive.

namespace kempe {

void load_constants(const Tape& tape, Interval* registers) noexcept;
void run_section(const Tape& tape, std::size_t section, Interval* registers) noexcept;

// The interval of two bounds as a user gives them. A bound pair beyond the largest double,
// (inf, inf) or (-inf, -inf), stands for a number that overflowed. Wants lower <= upper, or the
// empty interval (inf, -inf).
Interval interval_of_bounds(double lower, double upper) noexcept;

}  // namespace kempe
