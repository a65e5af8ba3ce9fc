#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
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

}  // namespace

void bind_system(nb::module_& m) {
    bind_parts(m);
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
