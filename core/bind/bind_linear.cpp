#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <limits>
#include <memory>
#include <optional>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "linear/diagonal_blocks.hpp"
#include "linear/sparse_lu.hpp"
#include "schur/schur_ldlt.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe;
using namespace kempe::bind;

namespace {

void bind_orders(nb::module_& m) {
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
            const Triplets matrix = triplets(size, rows, cols);
            const Index samples = sample_count(values, rows.size());
            require(!unit || unit->size() == rows.size(), "unit must have one flag per entry");
            MarkowitzLimits limits;
            limits.threshold = threshold;
            PivotOrder order;
            {
                nb::gil_scoped_release release;
                order = markowitz_order(matrix, view(values), samples,
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
                order = minimum_degree_order(graph_of_edges(size, view(from), view(to)),
                                             weights ? view(*weights) : std::span<const Index>{});
            }
            return integers(std::move(order));
        },
        "size"_a, "from_nodes"_a, "to_nodes"_a, "weights"_a = nb::none(),
        "Nodes of an undirected graph in an order that fills in little when eliminated.");
}

void bind_dense(nb::module_& m) {
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
            RowRank rank;
            {
                nb::gil_scoped_release release;
                rank = rank_revealing_rows(matrix_view(J), tolerance);
            }
            return rank;
        },
        "J"_a, "tolerance"_a = rank_tolerance, "Which rows of J are independent, every row counted with length 1.");
    m.def(
        "null_space",
        [](const Matrix& A, double tolerance) {
            std::vector<double> basis;
            {
                nb::gil_scoped_release release;
                basis = null_space(matrix_view(A), tolerance);
            }
            const std::size_t cols = A.shape(1);
            const std::size_t count = cols == 0 ? 0 : basis.size() / cols;
            return reals(std::move(basis), count, cols);
        },
        "A"_a, "tolerance"_a = rank_tolerance, "Orthonormal vectors, one per row, that A maps to zero.");
}

struct LuHandle {
    SparseLU lu;
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
    const Triplets matrix = triplets(size, rows, cols);
    const auto n = static_cast<std::size_t>(size);
    const std::size_t count = values.shape(0), entries = values.shape(1);
    require(entries == rows.size(), "values must have one column per entry");
    require(b.shape(0) == count && b.shape(1) == n, "b must have one row per matrix, as long as it");
    std::vector<double> x(count * n, std::numeric_limits<double>::quiet_NaN());
    if (count > 0) {
        nb::gil_scoped_release release;
        SparseLU lu;
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

struct SaddleSolution {
    RealsOut a, lam;
};

struct SchurHandle {
    SchurLDLT solver;
    std::mutex busy;

    static void require_blocks(const Vector& blocks, Index values, const char* what) {
        require(blocks.size() == static_cast<std::size_t>(values), std::string(what) + " has " +
                                                                       std::to_string(blocks.size()) + " numbers, " +
                                                                       std::to_string(values) + " are needed");
    }

    /// Blocks of J that are given row by row, as the solver takes them.
    [[nodiscard]] std::vector<double> columns(const double* rows) const {
        const SchurProgram& program = solver.program();
        std::vector<double> result(static_cast<std::size_t>(program.jacobian_values) + SchurLDLT::spill);
        for (const SchurProgram::Touch& touch : program.touches) {
            for (Index r = 0; r < touch.rows; ++r)
                for (Index k = 0; k < touch.size; ++k)
                    result[touch.jacobian + k * touch.rows + r] = rows[touch.jacobian + r * touch.size + k];
        }
        return result;
    }

    SaddleSolution solve(const Numbers& f, const Numbers& g) {
        const auto velocities = static_cast<std::size_t>(solver.program().velocities);
        const auto rows = static_cast<std::size_t>(solver.program().rows);
        const Index count = vector_count(f, velocities, "f");
        require(vector_count(g, rows, "g") == count && f.ndim() == g.ndim(),
                "f and g must hold the same number of right-hand sides");
        require(solver.is_factored(), "there are no factors to solve with; factor J first");
        std::vector<double> a(f.size());
        std::vector<double> lam(g.size());
        alone(busy, [&] {
            for (Index k = 0; k < count; ++k) {
                solver.solve(f.data() + k * velocities, g.data() + k * rows, a.data() + k * velocities,
                             lam.data() + k * rows);
            }
        });
        return {shaped_like(f, std::move(a)), shaped_like(g, std::move(lam))};
    }
};

void bind_sparse_lu(nb::module_& m) {
    bind_answers(m);
    m.def("transposed_solutions", &transposed_solutions, "size"_a, "rows"_a, "cols"_a, "values"_a, "b"_a,
          "x with A^T x = b for every row of values (samples, entries) and b (samples, n); NaN\n"
          "where the matrix is singular.");
    m.def(
        "diagonal_blocks",
        [](Index size, const Integers& rows, const Integers& cols) {
            return diagonal_blocks(triplets(size, rows, cols));
        },
        "size"_a, "rows"_a, "cols"_a, "The diagonal blocks that rows and columns belong to.");
    nb::class_<LuHandle>(m, "SparseLU", "LU of a sparse matrix with a frozen order of pivots.")
        .def(
            "__init__",
            [](LuHandle* self, Index size, const Integers& rows, const Integers& cols, const Numbers& values,
               double threshold, double weak, double vanished) {
                const Triplets matrix = triplets(size, rows, cols);
                const Index samples = sample_count(values, rows.size());
                LuLimits limits;
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
                const Triplets matrix = triplets(size, rows, cols);
                PivotOrder order;
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
                PivotOrder order;
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

void bind_schur(nb::module_& m) {
    nb::class_<SaddleSolution> solution(m, "SaddleSolution", "What solves [M J^T; J 0] [a; lam] = [f; g].");
    array_field(solution, "a", &SaddleSolution::a, "The upper part, as f is shaped.");
    array_field(solution, "lam", &SaddleSolution::lam, "The multipliers, as g is shaped.");
    nb::class_<SaddlePlace>(m, "SaddlePlace", "A row of a joint; -1 where there is none.")
        .def_ro("joint", &SaddlePlace::joint, "The joint.")
        .def_ro("row", &SaddlePlace::row, "Its row.");
    m.def(
        "inverse_mass",
        [](const Matrix& mass) -> std::optional<RealsOut> {
            const auto n = mass.shape(0);
            require(n == mass.shape(1) && n <= 6, "a mass matrix is square, of six rows or fewer");
            std::vector<double> c(n * n), inverse(n * n);
            if (!make_whitener(mass.data(), static_cast<Index>(n), c.data())) return std::nullopt;
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j)
                    for (std::size_t k = std::max(i, j); k < n; ++k) inverse[i * n + j] += c[k * n + i] * c[k * n + j];
            }
            return reals(std::move(inverse));
        },
        "mass"_a,
        "M^-1 of a symmetric M, row by row; None where a pivot of it is rounding beside its own\n"
        "diagonal, so that some direction has no mass.");
    nb::class_<SchurHandle>(m, "SchurLDLT", "Solves [M J^T; J 0] [a; lam] = [f; g] for bodies held by joints.")
        .def(
            "__init__",
            [](SchurHandle* self, const Integers& body_sizes, const Integers& joint_rows, const Integers& touch_starts,
               const Integers& touch_bodies, double pivot, double damping, Index refinements, Index most_refinements) {
                SchurLimits limits;
                limits.pivot = pivot;
                limits.damping = damping;
                limits.refinements = refinements;
                limits.most_refinements = most_refinements;
                require(0 <= refinements && refinements <= most_refinements,
                        "refinements must lie between 0 and most_refinements");
                const SaddleLayout layout{list(body_sizes), list(joint_rows), list(touch_starts), list(touch_bodies)};
                new (self) SchurHandle{SchurLDLT(layout, limits), {}};
            },
            "body_sizes"_a, "joint_rows"_a, "touch_starts"_a, "touch_bodies"_a, "pivot"_a = 1e-7, "damping"_a = 1e-8,
            "refinements"_a = 2, "most_refinements"_a = 8,
            "Joint i has joint_rows[i] rows and touches the bodies\n"
            "touch_bodies[touch_starts[i]:touch_starts[i + 1]].")
        .def(
            "set_mass",
            [](SchurHandle& self, const Vector& blocks) {
                SchurHandle::require_blocks(blocks, self.solver.program().mass_values, "M");
                const bool sound = alone(self.busy, [&] { return self.solver.set_mass(blocks.data()); });
                require(sound, "the mass block of body " + std::to_string(self.solver.weakest().body) +
                                   " is not positive definite; give the body mass and inertia");
            },
            "blocks"_a, "Mass blocks, body after body, each (size, size), flattened.")
        .def(
            "factor",
            [](SchurHandle& self, const Vector& blocks) {
                SchurHandle::require_blocks(blocks, self.solver.program().jacobian_values, "J");
                require(self.solver.has_mass(), "set_mass comes before factor");
                const auto columns = self.columns(blocks.data());
                return alone(self.busy, [&] { return self.solver.factor(columns.data()); });
            },
            "blocks"_a,
            "Jacobian blocks, joint after joint, body after body, each (rows, size), flattened.\n\n"
            "False where even the damped factors fail: J or M is not finite.")
        .def("solve", &SchurHandle::solve, "f"_a, "g"_a,
             "The solution for one right-hand side or for several, one per row.")
        .def_prop_ro(
            "damped", [](const SchurHandle& self) { return self.solver.damped(); },
            "Whether a small pivot made the last factorisation a damped one.")
        .def_prop_ro(
            "smallest_pivot_ratio", [](const SchurHandle& self) { return self.solver.smallest_pivot_ratio(); },
            "Smallest pivot over its diagonal of S, before any damping.")
        .def_prop_ro(
            "weakest", [](const SchurHandle& self) { return self.solver.weakest(); }, nb::rv_policy::move,
            "The row that made damping necessary.")
        .def_prop_ro(
            "remaining_misfit", [](const SchurHandle& self) { return self.solver.remaining_misfit(); },
            "What the last damped solve left of J a = g, over its start; 0 where not damped.");
}

}  // namespace

void bind_linear(nb::module_& m) {
    bind_orders(m);
    bind_dense(m);
    bind_sparse_lu(m);
    bind_schur(m);
}
