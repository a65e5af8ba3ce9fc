// Magnitudes of numbers, ordered so that what is not finite comes last and is not lost.
#pragma once

#include <bit>
#include <cstdint>

namespace kempe {

/// The bits of |x|: as integers they are in the order of the magnitudes, then infinity, then NaN.
[[nodiscard]] inline std::uint64_t magnitude_bits(double x) {
    return std::bit_cast<std::uint64_t>(x) & 0x7fff'ffff'ffff'ffffULL;
}

}  // namespace kempe
