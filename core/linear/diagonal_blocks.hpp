// Which unknowns hang together: the diagonal blocks of a matrix that can be solved part by part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linear/order.hpp"

namespace kempe {

/// The diagonal blocks of a square pattern, numbered by their first rows.
///
/// The determinant is the product of the blocks' determinants. `ranks` puts blocks that others need
/// before those: eliminated in that order, no pivot changes another block, and a row has nothing
/// left outside of its own when its pivot is taken. A pattern that cannot be
/// paired row by column, singular whatever its values, is one block.
struct DiagonalBlocks {
    std::vector<std::int32_t> of_row, of_column;
    std::vector<std::int32_t> ranks;  // of every block
};

/// Source: [DuffErismanReid] ch. 6: strongly connected parts, by Tarjan's algorithm, of any complete
/// matching; all matchings give the same blocks. Pivots are none: they may stand where the pattern
/// has no entry.
[[nodiscard]] DiagonalBlocks diagonal_blocks(const Triplets& matrix);

/// All in one.
[[nodiscard]] DiagonalBlocks one_block(std::int32_t size);

/// Whether an order of pivots changes the determinant's sign, block by block.
[[nodiscard]] std::vector<bool> odd_blocks(std::span<const std::int32_t> block_of_row,
                                           std::span<const std::int32_t> matched_rows,
                                           std::span<const std::int32_t> matched_cols);

}  // namespace kempe
