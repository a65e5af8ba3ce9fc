#include <nanobind/stl/optional.h>

#include <optional>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe::bind;

namespace {

void bind_orders(nb::module_& m) {
    using kempe::PivotOrder;
    nb::class_<PivotOrder> order(m, "PivotOrder", "Pivots of a matrix in the order they are taken.");
    array_field(order, "rows", &PivotOrder::rows, "Their rows.");
    array_field(order, "cols", &PivotOrder::cols, "Their columns.");
    array_field(order, "left_rows", &PivotOrder::left_rows, "Rows without a pivot.");
    array_field(order, "left_cols", &PivotOrder::left_cols, "Columns without a pivot.");
    order.def_ro("weakest_ratio", &PivotOrder::weakest_ratio,
                 "The smallest ratio of a pivot to the largest entry left in its row.");
    m.def(
        "markowitz_order",
        [](Index size, const Integers& rows, const Integers& cols, const Numbers& values,
           const std::optional<Flags>& unit, double threshold) {
            const kempe::Triplets matrix = triplets(size, rows, cols);
            const Index samples = sample_count(values, rows.size());
            require(!unit || unit->size() == rows.size(), "unit must have one flag per entry");
            kempe::MarkowitzLimits limits;
            limits.threshold = threshold;
            kempe::PivotOrder order;
            {
                nb::gil_scoped_release release;
                order = kempe::markowitz_order(matrix, view(values), samples,
                                               unit ? view(*unit) : std::span<const std::uint8_t>{}, limits);
            }
            return order;
        },
        "size"_a, "rows"_a, "cols"_a, "values"_a, "unit"_a = nb::none(), "threshold"_a = 0.1,
        "Pivots of a sparse matrix that cost little and are large in their row in every sample.\n\n"
        "values: (entries,) or (samples, entries); unit: flags of entries that are always +-1.");
    m.def(
        "minimum_degree_order",
        [](Index size, const Integers& from, const Integers& to, const std::optional<Integers>& weights) {
            require(size >= 0, "size must not be negative");
            require(from.size() == to.size(), "each edge needs two ends");
            require_in_range(from, size, "from");
            require_in_range(to, size, "to");
            require(!weights || weights->size() == static_cast<std::size_t>(size),
                    "weights must have one number per node");
            require(!weights || std::ranges::all_of(view(*weights), [](Index w) { return w > 0; }),
                    "weights must be positive");
            std::vector<Index> order;
            {
                nb::gil_scoped_release release;
                order = kempe::minimum_degree_order(kempe::graph_of_edges(size, view(from), view(to)),
                                                    weights ? view(*weights) : std::span<const Index>{});
            }
            return integers(std::move(order));
        },
        "size"_a, "from_nodes"_a, "to_nodes"_a, "weights"_a = nb::none(),
        "Nodes of an undirected graph in an order that fills in little when eliminated.");
}

void bind_dense(nb::module_& m) {
    using kempe::RowRank;
    nb::class_<RowRank> rank(m, "RowRank", "Which rows of a matrix are independent.");
    array_field(rank, "independent", &RowRank::independent, "Independent rows, as they were taken.");
    array_field(rank, "dependent", &RowRank::dependent, "The other rows, ascending.");
    array_field(rank, "rest", &RowRank::rest,
                "What the independent rows leave of each dependent one, over its length.");
    rank.def_ro("largest_singular", &RowRank::largest_singular,
                "The largest singular value of the independent rows, never above the true one.")
        .def_ro("smallest_singular", &RowRank::smallest_singular,
                "The smallest singular value of the independent rows, never below the true one.");
    m.def(
        "rank_revealing_rows",
        [](const Matrix& J, double tolerance) {
            kempe::RowRank rank;
            {
                nb::gil_scoped_release release;
                rank = kempe::rank_revealing_rows(matrix_view(J), tolerance);
            }
            return rank;
        },
        "J"_a, "tolerance"_a = kempe::rank_tolerance,
        "Which rows of J are independent, every row counted with length 1.");
    m.def(
        "null_space",
        [](const Matrix& A, double tolerance) {
            std::vector<double> basis;
            {
                nb::gil_scoped_release release;
                basis = kempe::null_space(matrix_view(A), tolerance);
            }
            const std::size_t cols = A.shape(1);
            const std::size_t count = cols == 0 ? 0 : basis.size() / cols;
            return reals(std::move(basis), count, cols);
        },
        "A"_a, "tolerance"_a = kempe::rank_tolerance, "Orthonormal vectors, one per row, that A maps to zero.");
}

}  // namespace

void bind_linear(nb::module_& m) {
    bind_orders(m);
    bind_dense(m);
    bind_sparse_lu(m);
    bind_schur(m);
}
