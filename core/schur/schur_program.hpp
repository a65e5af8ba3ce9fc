// The static program of the block solver: which block meets which, decided from the joint graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kempe {

/// Which joints hold which bodies. Joint i touches touch_bodies[touch_starts[i] .. [i + 1]).
struct SaddleLayout {
    std::vector<std::int32_t> body_sizes;    // velocities of each body: 3 in the plane, 6 in space
    std::vector<std::int32_t> joint_rows;    // constraint rows of each joint
    std::vector<std::int32_t> touch_starts;  // one more than there are joints
    std::vector<std::int32_t> touch_bodies;  // no body twice in one joint; ground is not listed
    bool is_white = false;  // Y is given in place of J
};

/// Flat lists for assembling S = Y Y^T and factoring it. Matrix blocks stand column by column.
///
/// Joints are numbered anew in elimination order; "row" means a row in that order unless said.
struct SchurProgram {
    struct Body {
        std::int32_t size;
        std::int32_t first;  // velocity
        std::int32_t mass;   // start of its mass block
    };
    /// One block of J, rows x size, and its whitened transpose Y.
    struct Touch {
        std::int32_t rows;
        std::int32_t size;
        std::int32_t body;
        std::int32_t velocity;  // first velocity of the body
        std::int32_t row;       // first row of the joint
        std::int32_t jacobian;  // start of the block as given
        std::int32_t white;     // start of Y's block
    };
    /// Y(left)^T Y(right), one term of a block of S.
    struct Pair {
        std::int32_t size;
        std::int32_t left;
        std::int32_t right;
    };
    /// A block of S, the sum of some pairs; none where it is only filled in.
    struct SchurBlock {
        std::int32_t left_rows;
        std::int32_t right_rows;
        std::int32_t size;  // of all its pairs; 0 where they differ
        std::int32_t target;
        std::int32_t pair_end;
    };
    /// The blocks of a step's diagonal and below it; they are made when the first step needs them.
    struct Column {
        std::int32_t rows;
        std::int32_t row;
        std::int32_t block;      // of the diagonal
        std::int32_t touch_end;  // blocks of J to be whitened before it, in the order of `touches`
        std::int32_t block_end;
    };
    /// Neighbours in a list that share one shape, so that the shape is looked at once.
    struct Run {
        std::int32_t begin;
        std::int32_t end;
    };
    /// A block below the diagonal block of a step.
    struct Below {
        std::int32_t rows;
        std::int32_t row;      // first row of that later joint
        std::int32_t block;
        std::int32_t scratch;  // where L D of this block goes
    };
    struct Step {
        std::int32_t rows;
        std::int32_t shape;  // = rows where all blocks below have as many, else 0
        std::int32_t row;
        std::int32_t block;
        std::int32_t below_begin;
        std::int32_t below_end;
        std::int32_t column_end;   // columns that are made before it
        std::size_t target_begin;  // of the pairs (i, j), i >= j, of blocks below
    };

    std::int32_t velocities = 0;
    std::int32_t rows = 0;
    std::int32_t mass_values = 0;
    std::int32_t jacobian_values = 0;
    std::int32_t block_values = 0;
    std::int32_t scratch_values = 0;
    std::vector<Body> bodies;
    std::vector<Touch> touches;  // in the order in which the columns need them
    std::vector<Run> touch_runs;
    std::vector<Pair> pairs;
    std::vector<SchurBlock> blocks;
    std::vector<Column> columns;
    std::vector<Step> steps;
    std::vector<Below> below;
    std::vector<std::int32_t> targets;
    std::vector<std::int32_t> given_row;  // row as the caller counts it, by row here
    std::vector<std::int32_t> joint_order;
};

/// Own: graph of joints that share a body, [AMD] order, block fill, flat lists. A layout that does not say who touches
/// whom is refused.
[[nodiscard]] SchurProgram schur_program(const SaddleLayout& layout);

}  // namespace kempe
