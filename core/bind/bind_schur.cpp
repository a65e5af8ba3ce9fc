#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "schur/schur_ldlt.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe::bind;

namespace {

struct SaddleSolution {
    RealsOut a, lam;
};

struct SchurHandle {
    kempe::SchurLDLT solver;
    std::mutex busy;

    static void require_blocks(const Vector& blocks, Index values, const char* what) {
        require(blocks.size() == static_cast<std::size_t>(values), std::string(what) + " has " +
                                                                       std::to_string(blocks.size()) + " numbers, " +
                                                                       std::to_string(values) + " are needed");
    }

    /// Blocks of J that are given row by row, as the solver takes them.
    [[nodiscard]] std::vector<double> columns(const double* rows) const {
        const kempe::SchurProgram& program = solver.program();
        std::vector<double> result(static_cast<std::size_t>(program.jacobian_values) + kempe::SchurLDLT::spill);
        for (const kempe::SchurProgram::Touch& touch : program.touches) {
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

}  // namespace

void bind_schur(nb::module_& m) {
    nb::class_<SaddleSolution> solution(m, "SaddleSolution", "What solves [M J^T; J 0] [a; lam] = [f; g].");
    array_field(solution, "a", &SaddleSolution::a, "The upper part, as f is shaped.");
    array_field(solution, "lam", &SaddleSolution::lam, "The multipliers, as g is shaped.");
    nb::class_<kempe::SaddlePlace>(m, "SaddlePlace", "A row of a joint; -1 where there is none.")
        .def_ro("joint", &kempe::SaddlePlace::joint, "The joint.")
        .def_ro("row", &kempe::SaddlePlace::row, "Its row.");
    m.def(
        "inverse_mass",
        [](const Matrix& mass) -> std::optional<RealsOut> {
            const auto n = mass.shape(0);
            require(n == mass.shape(1) && n <= 6, "a mass matrix is square, of six rows or fewer");
            std::vector<double> c(n * n), inverse(n * n);
            if (!kempe::make_whitener(mass.data(), static_cast<Index>(n), c.data())) return std::nullopt;
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
                kempe::SchurLimits limits;
                limits.pivot = pivot;
                limits.damping = damping;
                limits.refinements = refinements;
                limits.most_refinements = most_refinements;
                require(0 <= refinements && refinements <= most_refinements,
                        "refinements must lie between 0 and most_refinements");
                const kempe::SaddleLayout layout{list(body_sizes), list(joint_rows), list(touch_starts),
                                                 list(touch_bodies)};
                new (self) SchurHandle{kempe::SchurLDLT(layout, limits), {}};
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
