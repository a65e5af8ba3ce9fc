#pragma once

#include <cstddef>

#include "interval/decoration.hpp"
#include "interval/interval.hpp"
#include "tape/tape.hpp"

// The executor of a tape on intervals: the same program, each register an enclosure. An UpwardMode
// must be alive.

namespace kempe {

void load_constants(const Tape& tape, Interval* registers) noexcept;
void run_section(const Tape& tape, std::size_t section, Interval* registers) noexcept;

// The same, each register with a decoration, which `load_decorations` gives inputs and constants.
void run_section(const Tape& tape, std::size_t section, Interval* registers, Decoration* decorations) noexcept;
void load_decorations(const Tape& tape, const Interval* registers, Decoration* decorations) noexcept;

// The interval of two bounds as a user gives them. A bound pair beyond the largest double,
// (inf, inf) or (-inf, -inf), stands for a number that overflowed. Wants lower <= upper, or the
// empty interval (inf, -inf).
Interval interval_of_bounds(double lower, double upper) noexcept;

}  // namespace kempe
