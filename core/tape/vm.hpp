#pragma once

#include <cstddef>

#include "tape/tape.hpp"

// The executors of a tape that need no compiler. Rounding must be to nearest.

namespace kempe {

// Put the constants where the tape expects them: registers[n_inputs ...].
void load_constants(const Tape& tape, double* registers) noexcept;

// Run one section on a file of n_registers doubles.
void run_section(const Tape& tape, std::size_t section, double* registers) noexcept;

// The same for eight lanes in step: lane i of register r is registers[8 r + i], and `registers` is
// aligned to 64 bytes.
void load_constants_lanes(const Tape& tape, double* registers) noexcept;
void run_section_lanes(const Tape& tape, std::size_t section, double* registers) noexcept;

}  // namespace kempe
