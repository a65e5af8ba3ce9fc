#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Boxes that are near each other, put together.

namespace kempe::boxes {

// A label for every one of `count` boxes in n unknowns: boxes that are no more than `reach` apart in
// every unknown, directly or by way of others, have the same. Labels count up from 0.
std::vector<std::int32_t> groups(std::span<const double> low, std::span<const double> high, std::size_t n,
                                 double reach);

}  // namespace kempe::boxes
