// Pairs of rows and columns: which row each unknown can be solved from.
#pragma once

#include <cstdint>
#include <vector>

#include "linear/order.hpp"

namespace kempe {

/// The row that every column is paired with, each row once, -1 where none is left for it.
///
/// As many columns as possible are paired, always by entries of the pattern.
///
/// Source: [HopcroftKarp], after a greedy start with the shortest rows.
[[nodiscard]] std::vector<std::int32_t> row_of_column(const Triplets& matrix);

}  // namespace kempe
