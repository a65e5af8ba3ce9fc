#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>

#include <memory>
#include <utility>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "kinematics/nearest_sweep.hpp"
#include "kinematics/sweeper.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe::bind;

namespace {

bool is_not_signalled() {
    nb::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() == 0;
}

kempe::SweepEnd nearest_sweep(kempe::KinematicSystem& system, const Vector& parameters, const Vector& q,
                              const Vector& turns, const Vector& times, WritableMatrix q_out, const Integers& rows,
                              const Integers& columns, const Integers& kept, const Vector& weights, const Vector& steps,
                              const PutOff& put_off) {
    const auto size = system.size();
    require(system.solved_rows() == 0, "this system solves its rows: it is swept by a Sweeper");
    require(times.size() >= 1 && q_out.shape(0) == times.size() && q_out.shape(1) == size.q,
            "the output array does not match the samples and the system");
    require(rows.size() == system.jacobian_entries() && columns.size() == rows.size(),
            "the pattern does not match the Jacobian");
    require_in_range(rows, static_cast<Index>(size.spare), "rows");
    require_in_range(columns, static_cast<Index>(size.v), "columns");
    require_in_range(kept, static_cast<Index>(size.spare), "kept");
    const auto p = list(parameters, size.parameters, "parameters");
    auto at = list(q, size.q, "q");
    auto turned = list(turns, size.turns, "turns");
    kempe::NearestSweep sweep(system, {list(rows), list(columns), list(kept), list(weights, size.spare, "weights"),
                                       list(steps, size.v, "steps")});
    system.set_parameters(p.data());
    kempe::SweepEnd end;
    {
        nb::gil_scoped_release release;
        end = sweep.run(std::move(at), std::move(turned), view(times), q_out.data(), is_not_signalled);
    }
    hand_on_raised(put_off);
    return end;
}

kempe::SweepEnd run(kempe::Sweeper& sweeper, const Vector& parameters, const Vector& q, const Vector& turns,
                    const Vector& times, WritableMatrix q_out, WritableMatrix v_out, WritableMatrix a_out,
                    const Vector& rows, const Vector& spare, const Vector& steps, const Vector& pivot_floors,
                    std::uintptr_t fused, const PutOff& put_off) {
    const auto size = sweeper.system().size();
    const auto count = times.size();
    require(sweeper.system().solved_rows() == size.v, "this tape solves no rows: it can be evaluated, not swept");
    require(count >= 1 && q_out.shape(0) == count && v_out.shape(0) == count && a_out.shape(0) == count &&
                q_out.shape(1) == size.q && v_out.shape(1) == size.v && a_out.shape(1) == size.v,
            "the output arrays do not match the samples and the system");
    kempe::SweepTask task{list(parameters, size.parameters, "parameters"),
                          list(q, size.q, "q"),
                          list(turns, size.turns, "turns"),
                          {list(rows, size.v, "rows"), list(spare, size.spare, "spare"), list(steps, size.v, "steps")},
                          list(pivot_floors),
                          fused};
    kempe::SweepEnd end;
    {
        nb::gil_scoped_release release;
        end = sweeper.run(std::move(task), view(times), {q_out.data(), v_out.data(), a_out.data()}, is_not_signalled);
    }
    hand_on_raised(put_off);
    return end;
}

void bind_ends(nb::module_& m) {
    using kempe::Refusal, kempe::SweepCounts, kempe::SweepEnd;
    nb::enum_<Refusal>(m, "Refusal", "Why a step of a sweep was refused.")
        .value("none", Refusal::none, "It was not.")
        .value("too_far", Refusal::too_far, "More than a quarter turn, or the machine's size.")
        .value("not_contracting", Refusal::not_contracting, "A correction did not halve its residual.")
        .value("wandered", Refusal::wandered, "The corrections left the predictor's neighbourhood.")
        .value("singular", Refusal::singular, "There was no factorisation.")
        .value("sign_changed", Refusal::sign_changed, "A block of det J has changed its sign.")
        .value("spare_violated", Refusal::spare_violated, "A redundant row does not hold.");
    nb::class_<SweepCounts>(m, "SweepCounts", "What a sweep cost.")
        .def_ro("iterations", &SweepCounts::iterations, "Of Newton's method.")
        .def_ro("halvings", &SweepCounts::halvings, "Steps refused and halved.")
        .def_ro("substeps", &SweepCounts::substeps, "Accepted steps between samples.")
        .def_ro("fallbacks", &SweepCounts::fallbacks, "Steps solved with a fresh order of pivots.")
        .def_ro("smallest_step", &SweepCounts::smallest_step,
                "The smallest step (s) between samples; infinite where there was none.")
        .def_ro("refusals", &SweepCounts::refusals, "Steps refused, one number for every Refusal, in their order.");
    nb::class_<SweepEnd> end(m, "SweepEnd", "How far a sweep came, and why it ended.");
    end.def_ro("samples", &SweepEnd::samples, "Rows written.")
        .def_ro("refusal", &SweepEnd::refusal, "Why it ended early.")
        .def_ro("t", &SweepEnd::t, "The last accepted time (s).")
        .def_ro("interrupted", &SweepEnd::interrupted, "Whether a signal ended it.")
        .def_ro("pivot_ratio", &SweepEnd::pivot_ratio, "The smallest pivot at t, over its row.")
        .def_ro("speed", &SweepEnd::speed, "The largest weighted velocity at t.")
        .def_ro("counts", &SweepEnd::counts, "What it cost.");
    array_field(end, "q", &SweepEnd::q, "The coordinates (n_q,) at t.");
    array_field(end, "turns", &SweepEnd::turns, "The angles (n_turns,) that rows count, at t.");
}

}  // namespace

void bind_sweep(nb::module_& m) {
    bind_ends(m);
    m.def("nearest_sweep", &nearest_sweep, "system"_a, "parameters"_a, "q"_a, "turns"_a, "times"_a, "q_out"_a, "rows"_a,
          "columns"_a, "kept"_a, "weights"_a, "steps"_a, "put_off"_a = nb::none(),
          "Fills q_out with positions in which whatever is free has moved as little as it could.");
    nb::class_<kempe::Sweeper>(m, "Sweeper", "Sweeps a mechanism over samples of time.")
        .def(nb::init<std::shared_ptr<kempe::KinematicSystem>>(), "system"_a)
        .def("run", &run, "parameters"_a, "q"_a, "turns"_a, "times"_a, "q_out"_a, "v_out"_a, "a_out"_a, "rows"_a,
             "spare"_a, "steps"_a, "pivot_floors"_a, "fused"_a, "put_off"_a = nb::none(),
             "Fills the arrays sample by sample, as far as it comes.");
}
