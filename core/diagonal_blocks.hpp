// Which unknowns hang together: the diagonal blocks of a matrix that can be solved part by part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "order.hpp"

namespace kempe {

/// The diagonal block of every row of a square pattern, numbered by their first rows.
///
/// Row `matched_rows[k]` is solved for column `matched_cols[k]`; any complete matching gives the
/// same blocks. The determinant is the product of the blocks' determinants.
///
/// Source: [DuffErismanReid] ch. 6: strongly connected parts by Tarjan's algorithm.
[[nodiscard]] std::vector<std::int32_t> diagonal_blocks(const Triplets& matrix,
                                                        std::span<const std::int32_t> matched_rows,
                                                        std::span<const std::int32_t> matched_cols);

/// Whether an order of pivots changes the determinant's sign, block by block.
[[nodiscard]] std::vector<bool> odd_blocks(std::span<const std::int32_t> block_of_row,
                                           std::span<const std::int32_t> matched_rows,
                                           std::span<const std::int32_t> matched_cols);

}  // namespace kempe
