#include <nanobind/stl/optional.h>

#include <optional>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe::bind;

namespace {

void bind_orders(nb::module_& m) {
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
                order = kempe::markowitz_order(
                    matrix, view(values), samples,
                    unit ? view(*unit) : std::span<const std::uint8_t>{}, limits);
            }
            return nb::make_tuple(integers(std::move(order.rows)), integers(std::move(order.cols)),
                                  integers(std::move(order.left_rows)),
                                  integers(std::move(order.left_cols)), order.weakest_ratio);
        },
        "size"_a, "rows"_a, "cols"_a, "values"_a, "unit"_a = nb::none(), "threshold"_a = 0.1,
        "Pivots of a sparse matrix that cost little and are large in their row in every sample.\n\n"
        "values: (entries,) or (samples, entries); unit: flags of entries that are always +-1.\n"
        "Returns rows, cols of the pivots, rows and cols left over, and the smallest ratio of a\n"
        "pivot to the largest entry left in its row.");
    m.def(
        "minimum_degree_order",
        [](Index size, const Integers& from, const Integers& to,
           const std::optional<Integers>& weights) {
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
                order = kempe::minimum_degree_order(
                    kempe::graph_of_edges(size, view(from), view(to)),
                    weights ? view(*weights) : std::span<const Index>{});
            }
            return integers(std::move(order));
        },
        "size"_a, "from_nodes"_a, "to_nodes"_a, "weights"_a = nb::none(),
        "Nodes of an undirected graph in an order that fills in little when eliminated.");
}

void bind_dense(nb::module_& m) {
    m.def(
        "rank_revealing_rows",
        [](const Matrix& J, double tolerance) {
            kempe::RowRank rank;
            {
                nb::gil_scoped_release release;
                rank = kempe::rank_revealing_rows(matrix_view(J), tolerance);
            }
            return nb::make_tuple(integers(std::move(rank.independent)),
                                  integers(std::move(rank.dependent)), reals(std::move(rank.rest)),
                                  rank.largest_singular, rank.smallest_singular);
        },
        "J"_a, "tolerance"_a = kempe::rank_tolerance,
        "Independent rows, dependent rows, and what is left of each dependent row over its length.\n"
        "\nRows count with length 1. The last two are the largest and smallest singular value of\n"
        "the independent rows, estimated: the first never too large, the second never too small.");
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
        "A"_a, "tolerance"_a = kempe::rank_tolerance,
        "Orthonormal vectors, one per row, that A maps to zero.");
    m.def(
        "dense_solve",
        [](const Matrix& A, const Vector& b, double tolerance) {
            require(b.size() == A.shape(0), "b has length " + std::to_string(b.size()) + ", A has " +
                                                std::to_string(A.shape(0)) + " rows");
            std::vector<double> x(A.shape(1));
            Index rank = 0;
            {
                nb::gil_scoped_release release;
                rank = kempe::dense_solve(matrix_view(A), b.data(), x.data(), tolerance);
            }
            return nb::make_tuple(reals(std::move(x)), rank);
        },
        "A"_a, "b"_a, "tolerance"_a = kempe::rank_tolerance,
        "The x with A x = b and the rank of A; where there is none or many, the shortest of those\n"
        "that come closest.");
    m.def(
        "determinant_sign",
        [](const Matrix& A) {
            require(A.shape(0) == A.shape(1), "A must be square");
            nb::gil_scoped_release release;
            return kempe::DenseLU(matrix_view(A)).determinant_sign();
        },
        "A"_a, "+1, -1, or 0 where A is singular to rounding.");
}

}  // namespace

void bind_linear(nb::module_& m) {
    bind_orders(m);
    bind_dense(m);
    bind_sparse_lu(m);
    bind_schur(m);
}
