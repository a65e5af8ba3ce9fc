#include <nanobind/stl/shared_ptr.h>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "kinematics/closing.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe::bind;

namespace {

constexpr std::size_t asked = 64;  // steps between two looks at Ctrl-C

// How the searches for many variants ended: row or number k is that of variant k.
struct Closings {
    RealsOut q, turns, residual, slope;
    IntegersOut iterations;
};

Closings close_loops(kempe::KinematicSystem& system, const Matrix& parameters, const Matrix& q, const Matrix& turns,
                     double t, const Vector& rows, const Vector& columns, const Integers& row_of,
                     const Integers& column_of, const Integers& followed, double tolerance, int most_iterations) {
    const auto size = system.size();
    const std::size_t count = q.shape(0);
    require(parameters.shape(0) == count && turns.shape(0) == count && parameters.shape(1) == size.parameters &&
                q.shape(1) == size.q && turns.shape(1) == size.turns,
            "parameters, q and turns do not match each other or the system");
    require(row_of.size() == system.jacobian_entries() && column_of.size() == row_of.size(),
            "rows and columns of the Jacobian do not match the system");
    kempe::ClosingScale scale{list(rows, system.solved_rows() + size.spare, "rows"),
                              list(columns, size.v, "columns"),
                              list(row_of),
                              list(column_of),
                              list(followed),
                              tolerance,
                              most_iterations};
    require_in_range(row_of, static_cast<Index>(scale.rows.size()), "row_of");
    require_in_range(column_of, static_cast<Index>(scale.columns.size()), "column_of");
    require_in_range(followed, static_cast<Index>(size.turns), "followed");
    std::vector<double> at(q.data(), q.data() + q.size()), counted(count * size.turns);
    std::vector<double> residual(count), slope(count);
    std::vector<Index> iterations(count);
    bool stopped = false;
    {
        nb::gil_scoped_release release;
        std::size_t steps = 0;
        const auto alive = [&] {
            if (++steps % asked == 0 && !stopped) {
                nb::gil_scoped_acquire acquire;
                stopped = PyErr_CheckSignals() != 0;
            }
            return !stopped;
        };
        kempe::Closer closer(system, std::move(scale));
        for (std::size_t k = 0; k < count && !stopped; ++k) {
            system.set_parameters(parameters.data() + k * size.parameters);
            const auto end = closer.run(t, {at.data() + k * size.q, size.q}, turns.data() + k * size.turns,
                                        counted.data() + k * size.turns, alive);
            residual[k] = end.residual;
            slope[k] = end.slope;
            iterations[k] = end.iterations;
        }
    }
    if (stopped) throw nb::python_error();
    return {reals(std::move(at), count, size.q), reals(std::move(counted), count, size.turns),
            reals(std::move(residual)), reals(std::move(slope)), integers(std::move(iterations))};
}

}  // namespace

void bind_closing(nb::module_& m) {
    nb::class_<Closings> ends(m, "Closings", "How searches for closed loops ended, one a row.");
    array_field(ends, "q", &Closings::q, "The coordinates (n, n_q).");
    array_field(ends, "turns", &Closings::turns, "The angles (n, n_turns) that rows count.");
    array_field(ends, "residual", &Closings::residual,
                "The largest weighted row (n,); infinite where one is not finite.");
    array_field(ends, "slope", &Closings::slope, "|J^T f| / |f| (n,): 0 where no small displacement brings it nearer.");
    array_field(ends, "iterations", &Closings::iterations, "Steps taken (n,).");
    m.def("close_loops", &close_loops, "system"_a, "parameters"_a, "q"_a, "turns"_a, "t"_a, "rows"_a, "columns"_a,
          "row_of"_a, "column_of"_a, "followed"_a, "tolerance"_a, "most_iterations"_a,
          "Closes the loops of many variants of one mechanism, each from its own guess: row k of "
          "parameters, q and turns. Turns that are followed are counted on from step to step.");
}
