// The order in which unknowns are eliminated: chosen once, frozen, used by every factorisation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kempe {

/// Where the entries of a square sparse matrix stand: entry e is at (rows[e], cols[e]).
struct Triplets {
    std::int32_t size = 0;  // number of rows = number of columns
    std::span<const std::int32_t> rows;
    std::span<const std::int32_t> cols;
};

/// What a pivot must be, and how long to look for it.
struct MarkowitzLimits {
    double threshold = 0.1;       // |pivot| >= threshold * (largest entry left in its row), every sample
    double vanished = 1e-12;      // a row at or below vanished * (its largest given entry) is dependent
    std::int32_t lines = 4;       // rows and columns looked through before the best so far is taken
};

/// Pivot k is the entry (rows[k], cols[k]). What could not be pivoted is left over, ascending.
struct PivotOrder {
    std::vector<std::int32_t> rows;
    std::vector<std::int32_t> cols;
    std::vector<std::int32_t> left_rows;
    std::vector<std::int32_t> left_cols;
    double weakest_ratio = 1.0;  // smallest |pivot| / (largest entry left in its row), worst sample

    [[nodiscard]] bool is_complete() const { return left_rows.empty(); }
};

/// Markowitz order with a threshold on values, the worst case over `samples` sets of them.
///
/// Each step takes an entry with the least (r - 1)(c - 1) found, r and c the counts left in its row
/// and column, among entries with |a_ij| >= threshold max_j |a_ij| in every sample. The threshold is
/// relative to the ROW: it does not change when a row is written in other units, and it bounds the
/// growth of each row relative to itself (U with unit diagonal has entries below 1/threshold).
/// Ties go to an entry marked in `unit` that no elimination has touched yet, then to the larger
/// ratio, then to the line that has waited longest. The same input gives the same order.
///
/// Only entries in diagonal blocks are taken: the signs of the blocks' determinants can then be
/// read off their pivots. A pivot may stand where the pattern has no entry and elimination left one.
///
/// `values` holds `samples` rows of one value per entry; entries at the same place are summed. A
/// row that vanishes in some samples only is pivoted last and judged by the other samples.
///
/// Source: [Markowitz] for the count, [DuffErismanReid] ch. 7, 10 for the threshold and the
/// search of few lines; the worst case over samples and the late, weak rows are our own.
[[nodiscard]] PivotOrder markowitz_order(const Triplets& matrix, std::span<const double> values, std::int32_t samples,
                                         std::span<const std::uint8_t> unit = {}, const MarkowitzLimits& limits = {});

/// A graph by neighbour lists: those of node i are neighbours[starts[i] .. starts[i + 1]).
struct Graph {
    std::vector<std::int32_t> starts;
    std::vector<std::int32_t> neighbours;

    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(starts.size()) - 1; }
};

/// The graph with the given undirected edges; loops and repeated edges are dropped.
[[nodiscard]] Graph graph_of_edges(std::int32_t size, std::span<const std::int32_t> from,
                                   std::span<const std::int32_t> to);

/// Minimum degree order for a symmetric matrix whose node i is a block of weights[i] rows.
///
/// Quotient graph with absorbed elements and the approximate external degree, bucketed; ties go to
/// the node that has waited longest. Without weights every node counts one.
///
/// Source: [AMD] sections 3-4, without supervariables.
[[nodiscard]] std::vector<std::int32_t> minimum_degree_order(const Graph& graph,
                                                             std::span<const std::int32_t> weights = {});

}  // namespace kempe
