#include <nanobind/stl/unique_ptr.h>

#include <limits>
#include <memory>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "linear/diagonal_blocks.hpp"
#include "linear/sparse_lu.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe::bind;

namespace {

struct LuHandle {
    kempe::SparseLU lu;
    std::mutex busy;

    void require_values(const Vector& values) const {
        require(values.size() == static_cast<std::size_t>(lu.entries()), "values has " + std::to_string(values.size()) +
                                                                             " numbers for " +
                                                                             std::to_string(lu.entries()) + " entries");
    }

    RealsOut solve(const Numbers& b, bool transposed) {
        const auto size = static_cast<std::size_t>(lu.size());
        const Index count = vector_count(b, size, "b");
        require(lu.is_solvable(), "there are no factors to solve with; factor a matrix first");
        std::vector<double> x(b.size());
        alone(busy, [&] {
            if (!transposed) lu.solve_several(b.data(), x.data(), count);
            for (Index k = 0; transposed && k < count; ++k)
                lu.solve_transposed(b.data() + k * size, x.data() + k * size);
        });
        return shaped_like(b, std::move(x));
    }
};

// A_k^T x_k = b_k for matrices of one pattern; a row of NaN where A_k is singular.
RealsOut transposed_solutions(Index size, const Integers& rows, const Integers& cols, const Matrix& values,
                              const Matrix& b) {
    const kempe::Triplets matrix = triplets(size, rows, cols);
    const auto n = static_cast<std::size_t>(size);
    const std::size_t count = values.shape(0), entries = values.shape(1);
    require(entries == rows.size(), "values must have one column per entry");
    require(b.shape(0) == count && b.shape(1) == n, "b must have one row per matrix, as long as it");
    std::vector<double> x(count * n, std::numeric_limits<double>::quiet_NaN());
    if (count > 0) {
        nb::gil_scoped_release release;
        kempe::SparseLU lu;
        lu.analyze(matrix, {values.data(), entries});
        for (std::size_t k = 0; k < count; ++k) {
            const double* now = values.data() + k * entries;
            if (!lu.factor(now)) lu.refactor_with_new_order(now);
            if (lu.is_solvable()) lu.solve_transposed(b.data() + k * n, x.data() + k * n);
        }
    }
    return reals(std::move(x), count, n);
}

void bind_answers(nb::module_& m) {
    using kempe::DiagonalBlocks, kempe::LuOutcome, kempe::PivotPlace;
    nb::class_<DiagonalBlocks> blocks(m, "DiagonalBlocks",
                                      "The diagonal blocks of a matrix, numbered by their first rows.");
    array_field(blocks, "of_row", &DiagonalBlocks::of_row, "The block of every row.");
    array_field(blocks, "of_column", &DiagonalBlocks::of_column, "The block of every column.");
    nb::enum_<LuOutcome>(m, "LuOutcome", "How a factorisation went.")
        .value("empty", LuOutcome::empty, "Nothing is factored yet.")
        .value("factored", LuOutcome::factored, "Every pivot is sound.")
        .value("weak_pivot", LuOutcome::weak_pivot, "Solvable with fewer digits.")
        .value("vanished_pivot", LuOutcome::vanished_pivot, "Not solvable in this order.")
        .value("singular", LuOutcome::singular, "Not solvable in any order.");
    nb::class_<PivotPlace>(m, "PivotPlace", "Where a pivot stands; -1 where there is none.")
        .def_ro("row", &PivotPlace::row, "Its row.")
        .def_ro("col", &PivotPlace::col, "Its column.")
        .def_ro("ratio", &PivotPlace::ratio, "Over the largest entry of its row.");
}

}  // namespace

void bind_sparse_lu(nb::module_& m) {
    bind_answers(m);
    m.def("transposed_solutions", &transposed_solutions, "size"_a, "rows"_a, "cols"_a, "values"_a, "b"_a,
          "x with A^T x = b for every row of values (samples, entries) and b (samples, n); NaN\n"
          "where the matrix is singular.");
    m.def(
        "diagonal_blocks",
        [](Index size, const Integers& rows, const Integers& cols) {
            return kempe::diagonal_blocks(triplets(size, rows, cols));
        },
        "size"_a, "rows"_a, "cols"_a, "The diagonal blocks that rows and columns belong to.");
    nb::class_<LuHandle>(m, "SparseLU", "LU of a sparse matrix with a frozen order of pivots.")
        .def(
            "__init__",
            [](LuHandle* self, Index size, const Integers& rows, const Integers& cols, const Numbers& values,
               double threshold, double weak, double vanished) {
                const kempe::Triplets matrix = triplets(size, rows, cols);
                const Index samples = sample_count(values, rows.size());
                kempe::LuLimits limits;
                limits.order.threshold = threshold;
                limits.order.vanished = vanished;
                limits.weak = weak;
                limits.vanished = vanished;
                new (self) LuHandle;
                nb::gil_scoped_release release;
                self->lu.analyze(matrix, view(values), samples, limits);
            },
            "size"_a, "rows"_a, "cols"_a, "values"_a, "threshold"_a = 0.1, "weak"_a = 1e-3, "vanished"_a = 1e-12,
            "Orders on one or several samples of values; entries at one place are summed.")
        .def_static(
            "in_order",
            [](Index size, const Integers& rows, const Integers& cols, const Integers& pivot_rows,
               const Integers& pivot_cols) {
                const kempe::Triplets matrix = triplets(size, rows, cols);
                kempe::PivotOrder order;
                order.rows.assign(pivot_rows.data(), pivot_rows.data() + pivot_rows.size());
                order.cols.assign(pivot_cols.data(), pivot_cols.data() + pivot_cols.size());
                for (std::vector<Index> lines : {order.rows, order.cols}) {
                    std::ranges::sort(lines);
                    bool each_once = lines.size() == static_cast<std::size_t>(size);
                    for (std::size_t k = 0; each_once && k < lines.size(); ++k)
                        each_once = lines[k] == static_cast<Index>(k);
                    require(each_once, "pivots must name every row and every column once");
                }
                auto handle = std::make_unique<LuHandle>();
                handle->lu.analyze_in_order(matrix, order);
                return handle;
            },
            "size"_a, "rows"_a, "cols"_a, "pivot_rows"_a, "pivot_cols"_a,
            "Takes the pivots in an order chosen elsewhere.")
        .def(
            "factor",
            [](LuHandle& self, const Vector& values) {
                self.require_values(values);
                return alone(self.busy, [&] { return self.lu.factor(values.data()); });
            },
            "values"_a, "Factors in the frozen order; False where a pivot fails its check.")
        .def(
            "refactor_with_new_order",
            [](LuHandle& self, const Vector& values) {
                self.require_values(values);
                return alone(self.busy, [&] { return self.lu.refactor_with_new_order(values.data()); });
            },
            "values"_a, "Orders anew on these values and factors; False where that fails too.")
        .def(
            "solve", [](LuHandle& self, const Numbers& b) { return self.solve(b, false); }, "b"_a,
            "x with A x = b, for b of shape (n,) or (count, n).")
        .def(
            "solve_transposed", [](LuHandle& self, const Numbers& b) { return self.solve(b, true); }, "b"_a,
            "x with A^T x = b, for b of shape (n,) or (count, n).")
        .def_prop_ro(
            "outcome", [](const LuHandle& self) { return self.lu.outcome(); }, "How the last factorisation went.")
        .def_prop_ro(
            "determinant_sign", [](const LuHandle& self) { return self.lu.determinant_sign(); },
            "+1 or -1, the same in every order; 0 without usable factors.")
        .def_prop_ro(
            "smallest_pivot_ratio", [](const LuHandle& self) { return self.lu.smallest_pivot_ratio(); },
            "Smallest pivot over the largest entry of its row, given or left.")
        .def_prop_ro(
            "weakest_pivot", [](const LuHandle& self) { return self.lu.weakest_pivot(); }, nb::rv_policy::move,
            "Where that pivot stands.")
        .def_prop_ro(
            "stopped_at", [](const LuHandle& self) { return self.lu.stopped_at(); }, nb::rv_policy::move,
            "Where no pivot was left, or one vanished.")
        .def_prop_ro(
            "pivot_order",
            [](const LuHandle& self) {
                kempe::PivotOrder order;
                order.rows = self.lu.program().row_of_step;
                order.cols = self.lu.program().col_of_step;
                return order;
            },
            nb::rv_policy::move, "The pivots in the order they are taken.")
        .def_prop_ro(
            "reorderings", [](const LuHandle& self) { return self.lu.reorderings(); },
            "How often the order was renewed.")
        .def_prop_ro(
            "multiplications", [](const LuHandle& self) { return self.lu.program().multiplications; },
            "Multiply-subtracts of one factorisation.");
}
