// The static program of a sparse LU: which number meets which, decided before any number is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/order.hpp"

namespace kempe {

/// A = L U in pivot order, U with unit diagonal, as flat lists of positions in one array of values.
///
/// The values stand as [pivots | entries of U, step by step | entries of L, step by step]. Steps are
/// numbered by level: steps of one level do not depend on each other, so each level is three plain
/// loops (reciprocals, rows of U, updates) with no branch per step.
struct EliminationProgram {
    /// values[target] -= values[lower] * values[upper]
    struct Update {
        std::int32_t target;
        std::int32_t lower;
        std::int32_t upper;
    };
    /// All updates of one long step: an outer product, lowers by uppers, both contiguous.
    struct Panel {
        std::int32_t lower_begin;
        std::int32_t lowers;
        std::int32_t upper_begin;
        std::int32_t uppers;
        std::size_t targets_begin;
    };
    /// Ends of the level's share of each list; it begins where the level before it ends.
    struct Level {
        std::int32_t step_end;
        std::int32_t upper_end;
        std::size_t update_end;
        std::size_t panel_end;
    };
    /// `count` rows with `length` entries each, so that weighing them has one loop shape.
    struct RowGroup {
        std::int32_t length;
        std::int32_t count;
    };

    std::int32_t size = 0;
    std::int32_t uppers = 0;  // entries of U above the diagonal
    std::int32_t lowers = 0;  // entries of L below the diagonal
    std::vector<std::int32_t> row_of_step;
    std::vector<std::int32_t> col_of_step;

    std::vector<Level> levels;
    std::vector<Update> updates;
    std::vector<Panel> panels;
    std::vector<std::int32_t> panel_targets;
    std::size_t multiplications = 0;  // multiply-subtracts of one factorisation

    std::vector<std::int32_t> upper_step, upper_col;  // U's entry e stands at (step, step of column)
    std::vector<std::int32_t> lower_row, lower_step;  // L's entry e stands at (step of row, step)

    std::vector<std::int32_t> merge_into;   // given entry -> distinct entry; empty where all differ
    std::vector<std::int32_t> load_target;  // where each distinct entry goes
    std::vector<RowGroup> row_groups;       // rows sorted by their number of distinct entries
    std::vector<std::int32_t> group_step;   // row by row in that order: its step
    std::vector<std::int32_t> group_entry;  // group by group: first entries of all rows, second ...

    [[nodiscard]] std::size_t values() const { return static_cast<std::size_t>(size) + uppers + lowers; }
};

/// Works out the fill and writes the program for pivots taken in the given complete order.
///
/// Own: symbolic elimination row by row, then steps sorted by level (longest chain of steps before).
[[nodiscard]] EliminationProgram elimination_program(const Triplets& matrix, const PivotOrder& order);

}  // namespace kempe
