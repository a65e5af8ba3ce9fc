#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "bind/bind_tiles.hpp"
#include "kinematics/tape_system.hpp"
#include "kinematics/tile_system.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe;
using namespace kempe::bind;

namespace {

SystemSize system_size(const std::vector<std::size_t>& size) {
    if (size.size() != 5) throw nb::value_error("five sizes are needed: q, v, spare, turns, parameters");
    return {size[0], size[1], size[2], size[3], size[4]};
}

TapeRegisters tape_registers(const nb::dict& lists) {
    TapeRegisters r;
    r.retracted = named(lists, "retracted");
    r.phi = named(lists, "phi");
    r.spare = named(lists, "spare");
    r.turns = named(lists, "turns");
    r.dx = named(lists, "dx");
    r.correct_pivots = named(lists, "correct_pivots");
    r.qd = named(lists, "qd");
    r.velocity_pivots = named(lists, "velocity_pivots");
    r.qdd = named(lists, "qdd");
    r.jacobian = named(lists, "jacobian");
    r.velocity_rhs = named(lists, "velocity_rhs");
    r.gamma = named(lists, "gamma");
    r.jacobian_rows = named(lists, "jacobian_rows");
    r.jacobian_columns = named(lists, "jacobian_columns");
    r.blocks = named(lists, "blocks");
    r.pivot_blocks = named(lists, "pivot_blocks");
    return r;
}

TileMemory tile_memory(const nb::dict& m) {
    auto at = [&](const char* name) { return nb::cast<std::size_t>(m[name]); };
    return {at("q"),     at("v"),        at("delta"),        at("t"),     at("last"), at("p"), at("phi"), at("spare"),
            at("turns"), at("jacobian"), at("velocity_rhs"), at("gamma"), at("size")};
}

// The rows at one place and time.
struct RowsAt {
    RealsOut phi, entries, turns;
};

// What J v and J a are at one place and time.
struct RightHand {
    RealsOut rhs, gamma;
};

RowsAt evaluate(KinematicSystem& self, const Vector& parameters, const Vector& q, double t, const Vector& last) {
    const auto size = self.size();
    const auto p = list(parameters, size.parameters, "parameters");
    const auto at = list(q, size.q, "q");
    const auto turns = list(last, size.turns, "last");
    std::vector<double> phi(self.solved_rows() + size.spare), now(size.turns), entries(self.jacobian_entries());
    self.set_parameters(p.data());
    self.residual(at.data(), t, turns.data(), phi.data(), phi.data() + self.solved_rows(), now.data());
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

}  // namespace

void bind_system(nb::module_& m) {
    nb::class_<RowsAt> rows(m, "RowsAt", "All rows of a mechanism at one place and time.");
    array_field(rows, "phi", &RowsAt::phi, "How far (rows,) they are from holding.");
    array_field(rows, "entries", &RowsAt::entries, "Non-zeros of the Jacobian.");
    array_field(rows, "turns", &RowsAt::turns, "The angles (n_turns,) that rows count, unwrapped.");
    nb::class_<RightHand> right(m, "RightHand", "What J v and J a are at one place and time.");
    array_field(right, "rhs", &RightHand::rhs, "-phi_t (rows,), which J v is.");
    array_field(right, "gamma", &RightHand::gamma, "gamma(v) (rows,), which J a is.");
    nb::class_<KinematicSystem>(m, "KinematicSystem", "The equations of one mechanism.")
        .def("evaluate", &evaluate, "parameters"_a, "q"_a, "t"_a, "last"_a, "The rows at (q, t).")
        .def("right_hand", &right_hand, "parameters"_a, "q"_a, "t"_a, "v"_a,
             "The right-hand sides of all rows at (q, t), moving with v.")
        .def("clone", &KinematicSystem::clone, "The same equations with numbers of their own, for another thread.")
        .def("retract", &retract, "q"_a, "d"_a, "The coordinates after the displacement d.");
    nb::class_<TapeSystem, KinematicSystem>(m, "TapeSystem", "A system that is one tape.")
        .def(
            "__init__",
            [](TapeSystem* self, std::shared_ptr<Tape> tape, const std::vector<std::size_t>& size,
               const nb::dict& registers) {
                const auto sizes = system_size(size);
                auto lists = tape_registers(registers);
                require(tape != nullptr, "a system needs a tape to run");
                require_entries(lists.jacobian_rows, lists.jacobian_columns, lists.phi.size() + sizes.spare, sizes.v);
                new (self) TapeSystem(std::move(tape), sizes, std::move(lists));
            },
            "tape"_a, "size"_a, "registers"_a)
        .def(
            "set_compiled",
            [](TapeSystem& self, const std::vector<std::uintptr_t>& addresses) {
                std::vector<TapeSystem::Compiled> sections;
                for (auto address : addresses) sections.push_back(reinterpret_cast<TapeSystem::Compiled>(address));
                self.set_compiled(std::move(sections));
            },
            "addresses"_a, "Run these compiled sections instead of the VM.")
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
            [](TileSystem* self, const std::vector<std::size_t>& size, const nb::dict& memory, const nb::list& phases,
               const Integers& rows, const Integers& columns, std::size_t solved_rows) {
                auto all = tile_phases(phases);
                const auto sizes = system_size(size);
                const auto m = tile_memory(memory);
                require(solved_rows == sizes.v || solved_rows == 0,
                        "a system solves as many rows as it has velocities, or none");
                const std::size_t all_rows = solved_rows + sizes.spare;
                auto row_of = list(rows), column_of = list(columns);
                require_entries(row_of, column_of, all_rows, sizes.v);
                require_places(m.size, {{m.q, sizes.q},
                                        {m.v, sizes.v},
                                        {m.delta, sizes.v},
                                        {m.t, 1},
                                        {m.last, sizes.turns},
                                        {m.p, sizes.parameters},
                                        {m.phi, solved_rows},
                                        {m.spare, sizes.spare},
                                        {m.turns, sizes.turns},
                                        {m.jacobian, row_of.size()},
                                        {m.velocity_rhs, all_rows},
                                        {m.gamma, all_rows}});
                new (self) TileSystem(sizes, m, std::move(all), std::move(row_of), std::move(column_of), solved_rows);
            },
            "size"_a, "memory"_a, "phases"_a, "rows"_a, "columns"_a, "solved_rows"_a);
}
