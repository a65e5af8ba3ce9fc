#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "kinematics/closing.hpp"
#include "kinematics/nearest_sweep.hpp"
#include "kinematics/sweep.hpp"
#include "kinematics/tape_system.hpp"
#include "kinematics/tile_system.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe;
using namespace kempe::bind;

namespace {

using Phases = std::vector<std::vector<TileGroup>>;

// The rows at one place and time.
struct RowsAt {
    RealsOut phi, entries, turns;
};

// What J v and J a are at one place and time.
struct RightHand {
    RealsOut rhs, gamma;
};

RowsAt evaluate(KinematicSystem& self, const Vector& parameters, const Vector& q, double t, const Vector& turns) {
    const auto size = self.size();
    const auto p = list(parameters, size.parameters, "parameters");
    const auto at = list(q, size.q, "q");
    const auto before = list(turns, size.turns, "turns");
    std::vector<double> phi(self.solved_rows() + size.spare), now(size.turns), entries(self.jacobian_entries());
    self.set_parameters(p.data());
    self.residual(at.data(), t, before.data(), phi.data(), phi.data() + self.solved_rows(), now.data());
    self.jacobian(entries.data());
    return {reals(std::move(phi)), reals(std::move(entries)), reals(std::move(now))};
}

RightHand right_hand(KinematicSystem& self, const Vector& parameters, const Vector& q, double t, const Vector& v) {
    const auto size = self.size();
    const auto rows = self.solved_rows() + size.spare;
    const auto p = list(parameters, size.parameters, "parameters");
    const auto at = list(q, size.q, "q");
    const auto speed = list(v, size.v, "v");
    std::vector<double> phi(rows), turns(size.turns), velocity_rhs(rows), gamma(rows);
    self.set_parameters(p.data());
    const std::vector<double> last(size.turns, 0.0);  // whole turns have no derivative
    self.residual(at.data(), t, last.data(), phi.data(), phi.data() + self.solved_rows(), turns.data());
    self.right_hand(speed.data(), velocity_rhs.data(), gamma.data());
    return {reals(std::move(velocity_rhs)), reals(std::move(gamma))};
}

RealsOut retract(KinematicSystem& self, const Vector& q, const Vector& d) {
    const auto from = list(q, self.size().q, "q");
    const auto by = list(d, self.size().v, "d");
    std::vector<double> moved(from.size());
    self.retract(from.data(), by.data(), moved.data());
    return reals(std::move(moved));
}

// A Python function of q, and of v or None; what it raises ends whatever runs.
TapeSystem::Ask outside_parameters(nb::callable function, std::size_t count) {
    using Numbers = std::vector<double>;
    return [function = std::move(function), count](const Numbers& q, const Numbers* v, Numbers& answers) {
        nb::gil_scoped_acquire acquire;
        const nb::object moving = v == nullptr ? nb::none() : nb::cast(reals(*v));
        answers = list(nb::cast<Vector>(function(reals(q), moving)), count, "the answer from outside");
    };
}

void bind_parts(nb::module_& m) {
    using Size = SystemSize;
    made_of(m, "SystemSize", "How many numbers of each kind a kinematic system has.", Field{"q", &Size::q},
            Field{"v", &Size::v}, Field{"spare", &Size::spare}, Field{"turns", &Size::turns},
            Field{"parameters", &Size::parameters});
    using R = TapeRegisters;
    made_of(m, "TapeRegisters", "Where the results of a kinematic tape are.", Field{"retracted", &R::retracted},
            Field{"phi", &R::phi}, Field{"spare", &R::spare}, Field{"turns", &R::turns}, Field{"dx", &R::dx},
            Field{"correct_pivots", &R::correct_pivots}, Field{"qd", &R::qd},
            Field{"velocity_pivots", &R::velocity_pivots}, Field{"qdd", &R::qdd}, Field{"jacobian", &R::jacobian},
            Field{"velocity_rhs", &R::velocity_rhs}, Field{"gamma", &R::gamma},
            Field{"jacobian_rows", &R::jacobian_rows}, Field{"jacobian_columns", &R::jacobian_columns},
            Field{"blocks", &R::blocks}, Field{"pivot_blocks", &R::pivot_blocks});
    using M = TileMemory;
    made_of(m, "TileMemory", "Where the numbers of each kind begin in the memory of a tiled kinematic system.",
            Field{"q", &M::q}, Field{"v", &M::v}, Field{"delta", &M::delta}, Field{"t", &M::t}, Field{"last", &M::last},
            Field{"p", &M::p}, Field{"phi", &M::phi}, Field{"spare", &M::spare}, Field{"turns", &M::turns},
            Field{"jacobian", &M::jacobian}, Field{"velocity_rhs", &M::velocity_rhs}, Field{"gamma", &M::gamma},
            Field{"size", &M::size});
    nb::class_<TileGroup>(m, "TileGroup", "Elements of one kind: their tape, and where each finds its numbers.")
        .def(
            "__init__",
            [](TileGroup* self, std::shared_ptr<Tape> tape, const Integers& inputs, const Integers& outputs,
               const Integers& gather, const Integers& scatter, std::size_t count, std::uintptr_t compiled) {
                new (self) TileGroup{};
                self->tape = std::move(tape);
                self->inputs = list(inputs);
                self->outputs = list(outputs);
                self->gather = list(gather);
                self->scatter = list(scatter);
                self->count = count;
                self->compiled = reinterpret_cast<TileGroup::Compiled>(compiled);
            },
            nb::kw_only(), "tape"_a, "inputs"_a, "outputs"_a, "gather"_a, "scatter"_a, "count"_a, "compiled"_a,
            "Registers `inputs` are filled from the places `gather`, `outputs` go to `scatter`, a row of `count` "
            "each.");
}

bool is_not_signalled() {
    nb::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() == 0;
}

SweepEnd nearest_sweep(KinematicSystem& system, const Vector& parameters, const Vector& q, const Vector& turns,
                       const Vector& times, WritableMatrix q_out, const Integers& rows, const Integers& columns,
                       const Integers& kept, const Vector& weights, const Vector& steps, double converged,
                       int iterations, const PutOff& put_off) {
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
    NearestSweep sweep(system, {list(rows), list(columns), list(kept), list(weights, size.spare, "weights"),
                                list(steps, size.v, "steps"), converged, iterations});
    system.set_parameters(p.data());
    SweepEnd end;
    {
        nb::gil_scoped_release release;
        end = sweep.run(std::move(at), std::move(turned), view(times), q_out.data(), is_not_signalled);
    }
    hand_on_raised(put_off);
    return end;
}

SweepEnd run(Sweeper& sweeper, const Vector& parameters, const Vector& q, const Vector& turns, const Vector& times,
             WritableMatrix q_out, WritableMatrix v_out, WritableMatrix a_out, const Vector& rows, const Vector& spare,
             const Vector& steps, const Vector& pivot_floors, int iterations, std::uintptr_t fused,
             const PutOff& put_off) {
    const auto size = sweeper.system().size();
    const auto count = times.size();
    require(sweeper.system().solved_rows() == size.v, "this tape solves no rows: it can be evaluated, not swept");
    require(count >= 1 && q_out.shape(0) == count && v_out.shape(0) == count && a_out.shape(0) == count &&
                q_out.shape(1) == size.q && v_out.shape(1) == size.v && a_out.shape(1) == size.v,
            "the output arrays do not match the samples and the system");
    SweepTask task{
        list(parameters, size.parameters, "parameters"),
        list(q, size.q, "q"),
        list(turns, size.turns, "turns"),
        {list(rows, size.v, "rows"), list(spare, size.spare, "spare"), list(steps, size.v, "steps"), iterations},
        list(pivot_floors),
        fused};
    SweepEnd end;
    {
        nb::gil_scoped_release release;
        end = sweeper.run(std::move(task), view(times), {q_out.data(), v_out.data(), a_out.data()}, is_not_signalled);
    }
    hand_on_raised(put_off);
    return end;
}

void bind_ends(nb::module_& m) {
    nb::enum_<Refusal>(m, "Refusal", "Why a step of a sweep was refused.")
        .value("none", Refusal::none, "It was not.")
        .value("too_far", Refusal::too_far, "More than a quarter turn, or the machine's size.")
        .value("not_contracting", Refusal::not_contracting, "A correction did not halve its residual.")
        .value("wandered", Refusal::wandered, "The corrections left the predictor's neighbourhood.")
        .value("singular", Refusal::singular, "There was no factorisation.")
        .value("sign_changed", Refusal::sign_changed, "A block of det J has changed its sign.")
        .value("spare_violated", Refusal::spare_violated, "A redundant row does not hold.")
        .value("too_many_iterations", Refusal::too_many_iterations,
               "Newton's method came nearer, but not near enough.");
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

constexpr std::size_t asked = 64;  // steps between two looks at Ctrl-C

// How the searches for many variants ended: row or number k is that of variant k.
struct Closings {
    RealsOut q, turns, residual, slope;
    IntegersOut iterations;
};

Closings close_loops(KinematicSystem& system, const Matrix& parameters, const Matrix& q, const Matrix& turns, double t,
                     const Vector& rows, const Vector& columns, const Integers& row_of, const Integers& column_of,
                     const Integers& followed, double tolerance, int most_iterations) {
    const auto size = system.size();
    const std::size_t count = q.shape(0);
    require(parameters.shape(0) == count && turns.shape(0) == count && parameters.shape(1) == size.parameters &&
                q.shape(1) == size.q && turns.shape(1) == size.turns,
            "parameters, q and turns do not match each other or the system");
    require(row_of.size() == system.jacobian_entries() && column_of.size() == row_of.size(),
            "rows and columns of the Jacobian do not match the system");
    ClosingScale scale{list(rows, system.solved_rows() + size.spare, "rows"),
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
        Closer closer(system, std::move(scale));
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

void bind_system(nb::module_& m) {
    nb::class_<RowsAt> rows(m, "RowsAt", "All rows of a mechanism at one place and time.");
    array_field(rows, "phi", &RowsAt::phi, "How far (rows,) they are from holding.");
    array_field(rows, "entries", &RowsAt::entries, "Non-zeros of the Jacobian.");
    array_field(rows, "turns", &RowsAt::turns, "The angles (n_turns,) that rows count, unwrapped.");
    nb::class_<RightHand> right(m, "RightHand", "What J v and J a are at one place and time.");
    array_field(right, "rhs", &RightHand::rhs, "-phi_t (rows,), which J v is.");
    array_field(right, "gamma", &RightHand::gamma, "gamma(v) (rows,), which J a is.");
    nb::class_<KinematicSystem>(m, "KinematicSystem", "The equations of one mechanism.")
        .def("evaluate", &evaluate, "parameters"_a, "q"_a, "t"_a, "turns"_a,
             "The rows at (q, t), angles counted on from `turns`.")
        .def("right_hand", &right_hand, "parameters"_a, "q"_a, "t"_a, "v"_a,
             "The right-hand sides of all rows at (q, t), moving with v.")
        .def("clone", &KinematicSystem::clone, "The same equations with numbers of their own, for another thread.")
        .def("retract", &retract, "q"_a, "d"_a, "The coordinates after the displacement d.");
    nb::class_<TapeSystem, KinematicSystem>(m, "TapeSystem", "A system that is one tape.")
        .def(nb::init<std::shared_ptr<Tape>, SystemSize, TapeRegisters>(), "tape"_a, "size"_a, "registers"_a)
        .def("set_compiled", &TapeSystem::set_compiled, "addresses"_a, "Run these compiled sections instead of the VM.")
        .def(
            "ask_outside",
            [](TapeSystem& self, const Integers& places, nb::callable function) {
                self.ask_outside(list(places), outside_parameters(std::move(function), places.size()));
            },
            "places"_a, "function"_a, "Have a function of q, and of v or None, give the parameters at these places.")
        .def(
            "pivots",
            [](TapeSystem& self) {
                std::vector<double> values(self.pivot_count());
                self.pivots(values.data());
                return reals(std::move(values));
            },
            "The pivots of the tape's elimination at the last evaluation.");
    nb::class_<TileSystem, KinematicSystem>(m, "TileSystem", "A system of many alike elements, in tiles.")
        .def(
            "__init__",
            [](TileSystem* self, const SystemSize& size, const TileMemory& memory, Phases phases, const Integers& rows,
               const Integers& columns, std::size_t solved_rows) {
                new (self) TileSystem(size, memory, std::move(phases), list(rows), list(columns), solved_rows);
            },
            "size"_a, "memory"_a, "phases"_a, "rows"_a, "columns"_a, "solved_rows"_a);
}

void bind_sweep(nb::module_& m) {
    m.def("nearest_sweep", &nearest_sweep, "system"_a, "parameters"_a, "q"_a, "turns"_a, "times"_a, "q_out"_a, "rows"_a,
          "columns"_a, "kept"_a, "weights"_a, "steps"_a, "converged"_a, "iterations"_a, "put_off"_a = nb::none(),
          "Fills q_out with positions in which whatever is free has moved as little as it could.");
    nb::class_<Sweeper>(m, "Sweeper", "Sweeps a mechanism over samples of time.")
        .def(nb::init<std::shared_ptr<KinematicSystem>>(), "system"_a)
        .def("run", &run, "parameters"_a, "q"_a, "turns"_a, "times"_a, "q_out"_a, "v_out"_a, "a_out"_a, "rows"_a,
             "spare"_a, "steps"_a, "pivot_floors"_a, "iterations"_a, "fused"_a, "put_off"_a = nb::none(),
             "Fills the arrays sample by sample, as far as it comes.");
}

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

}  // namespace

void bind_kinematics(nb::module_& m) {
    bind_parts(m);
    bind_system(m);
    bind_ends(m);
    bind_sweep(m);
    bind_closing(m);
}
