#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "bind/bind_saddle.hpp"
#include "bind/bind_tiles.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/outside_dynamics.hpp"
#include "dynamics/tape_dynamics.hpp"
#include "dynamics/tile_dynamics.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe;
using namespace kempe::bind;

namespace {

DynamicSize dynamic_size(const std::vector<std::size_t>& size) {
    if (size.size() != 7)
        throw nb::value_error("seven sizes are needed: q, v, rows, spare, turns, parameters, switches");
    return {size[0], size[1], size[2], size[3], size[4], size[5], size[6]};
}

SaddleBlocks saddle_blocks(const nb::dict& saddle, std::size_t solved) {
    const SaddleLayout layout = checked({named(saddle, "body_sizes"), named(saddle, "joint_rows"),
                                         named(saddle, "touch_starts"), named(saddle, "touch_bodies")});
    SaddleEntries entries{named(saddle, "rows"), named(saddle, "columns"), named(saddle, "places")};
    return SaddleBlocks(layout, std::move(entries), solved);
}

DynamicRegisters dynamic_registers(const nb::dict& lists) {
    DynamicRegisters r;
    r.phi = named(lists, "phi");
    r.turns = named(lists, "turns");
    r.pivots = named(lists, "pivots");
    r.diagonals = named(lists, "diagonals");
    r.x = named(lists, "x");
    r.velocity = named(lists, "velocity");
    r.a = named(lists, "a");
    r.lam = named(lists, "lam");
    r.powers = named(lists, "powers");
    r.jacobian = named(lists, "jacobian");
    r.velocity_rhs = named(lists, "velocity_rhs");
    r.gamma = named(lists, "gamma");
    r.load = named(lists, "load");
    r.energies = named(lists, "energies");
    r.switches = named(lists, "switches");
    return r;
}

DynamicMemory dynamic_memory(const nb::dict& m) {
    auto at = [&](const char* name) { return nb::cast<std::size_t>(m[name]); };
    return {at("q"),         at("v"),        at("t"),     at("last"),
            at("p"),         at("phi"),      at("turns"), at("velocity_rhs"),
            at("gamma"),     at("blocks"),   at("loads"), at("powers"),
            at("kinetic"),   at("stored"),   at("size"),  at("whiteners"),
            at("idle"),      at("switches"), at("sides"), at("n_powers"),
            at("n_kinetic"), at("n_stored")};
}

// Every kind of number has its place inside the memory.
void require_room(const DynamicSize& size, const DynamicMemory& m, const SaddleLayout& layout) {
    const std::size_t rows = size.rows + size.spare;
    std::size_t whiteners = 0;
    for (const auto body : layout.body_sizes) {
        whiteners += body == 3 ? 2 : 7;
        require(body == 3 || body == 6, "a body has three velocities or six");
    }
    require_places(m.size, {{m.q, size.q},
                            {m.v, size.v},
                            {m.t, 1},
                            {m.last, size.turns},
                            {m.p, size.parameters},
                            {m.phi, rows},
                            {m.turns, size.turns},
                            {m.velocity_rhs, rows},
                            {m.gamma, rows},
                            {m.blocks, 0},
                            {m.loads, 0},
                            {m.powers, m.n_powers},
                            {m.kinetic, m.n_kinetic},
                            {m.stored, m.n_stored},
                            {m.whiteners, whiteners},
                            {m.switches, size.switches},
                            {m.sides, size.switches},
                            {m.idle, 0}});
}

// Signals and progress, asked for at most twenty times a second.
class Pulse {
  public:
    explicit Pulse(nb::object progress) : progress_(std::move(progress)) {}

    bool operator()(double t) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(50)) return true;
        last_ = now;
        nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) return false;
        try {
            if (!progress_.is_none()) progress_(t);
        } catch (nb::python_error& error) {
            error.restore();
            return false;
        }
        return true;
    }

  private:
    nb::object progress_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// The motion that the forces make at one place and time.
struct MotionAt {
    RealsOut a, lam;
    Powers powers;
    double pivot_ratio = 0.0;
};

MotionAt motion_at(DynamicSystem& self, const Vector& parameters, const Vector& mass, const Vector& q, const Vector& v,
                   double t, const Vector& last) {
    const auto size = self.size();
    const auto p = list(parameters, size.parameters, "parameters");
    const auto at = list(q, size.q, "q");
    const auto moving = list(v, size.v, "v");
    const auto turns = list(last, size.turns, "last");
    const auto masses = list(mass, self.mass_numbers(), "mass");
    self.set_numbers(p.data(), masses.data());
    std::vector<double> a(size.v), lam(size.rows + size.spare);
    Powers powers;
    const Factor how = self.factor(at.data(), t, turns.data(), false);
    if (how != Factor::singular) self.motion(moving.data(), a.data(), lam.data(), &powers);
    const double ratio = how == Factor::singular ? 0.0 : self.smallest_pivot_ratio();
    return {reals(std::move(a)), reals(std::move(lam)), powers, ratio};
}

// The terms of M a + J^T lam = f, J a = gamma, J v = -phi_t at one place and time.
struct EquationsAt {
    RealsOut entries, rhs, gamma, load;
};

EquationsAt equations_at(DynamicSystem& self, const Vector& parameters, const Vector& mass, const Vector& q,
                         const Vector& v, double t, const Vector& last) {
    const auto size = self.size();
    const auto p = list(parameters, size.parameters, "parameters");
    const auto at = list(q, size.q, "q");
    const auto moving = list(v, size.v, "v");
    const auto turns = list(last, size.turns, "last");
    const auto masses = list(mass, self.mass_numbers(), "mass");
    self.set_numbers(p.data(), masses.data());
    const auto rows = size.rows + size.spare;
    std::vector<double> entries(self.entries()), rhs(rows), gamma(rows), load(size.v);
    self.equations(at.data(), moving.data(), t, turns.data(), entries.data(), rhs.data(), gamma.data(), load.data());
    return {reals(std::move(entries)), reals(std::move(rhs)), reals(std::move(gamma)), reals(std::move(load))};
}

IntegratorEnd integrate(DynamicSystem& system, const Vector& parameters, const Vector& mass, const Vector& q,
                        const Vector& v, const Vector& last, const Vector& times, bool plane, const std::string& method,
                        const nb::dict& limits, const nb::dict& output, nb::object progress, const PutOff& put_off) {
    const auto size = system.size();
    const auto count = times.size();
    const auto p = list(parameters, size.parameters, "parameters");
    const auto at = list(q, size.q, "q");
    const auto moving = list(v, size.v, "v");
    const auto turns = list(last, size.turns, "last");
    require(count >= 1, "at least one time is needed");
    const auto into = [&](const char* name, std::size_t columns) {
        auto array = nb::cast<WritableMatrix>(output[name]);
        require(array.shape(0) == count && array.shape(1) == columns,
                std::string("the array for ") + name + " does not match the samples");
        return array.data();
    };
    const IntegratorOutput out{into("q", size.q), into("v", size.v),
                               into("a", size.v), into("lam", size.rows + size.spare),
                               into("energy", 6), into("violation", 1)};
    IntegratorLimits l;
    l.tolerance = nb::cast<double>(limits["tolerance"]);
    l.length = nb::cast<double>(limits["length"]);
    l.mass = nb::cast<double>(limits["mass"]);
    l.largest_step = nb::cast<double>(limits["largest_step"]);
    l.rows = list(nb::cast<Vector>(limits["rows"]), size.rows + size.spare, "rows");
    l.guards = list(nb::cast<Integers>(limits["guards"]));
    l.guard_sides = list(nb::cast<Integers>(limits["guard_sides"]));
    require(l.guards.size() == size.switches && l.guard_sides.size() == size.switches,
            "every switch has a guard, or -1");
    for (std::size_t k = 0; k < size.switches; ++k)
        require(l.guards[k] >= -1 && l.guards[k] < static_cast<Index>(size.switches), "a guard is a switch");
    if (limits.contains("clocks")) {
        l.clocks = list(nb::cast<Integers>(limits["clocks"]));
        require(l.clocks.size() == size.switches, "every switch is a clock or not");
    }
    if (limits.contains("stops")) {
        const auto stops = list(nb::cast<Vector>(limits["stops"]));
        require(stops.size() % 2 == 0, "a stop is two times");
        require(std::is_sorted(stops.begin(), stops.end()), "the times of stops rise");
        for (std::size_t k = 0; k < stops.size(); k += 2) l.stops.push_back({stops[k], stops[k + 1]});
    }
    for (std::size_t k = 0; k < size.switches; ++k) {
        std::size_t length = 0;
        for (Index at = l.guards[k]; at >= 0; at = l.guards[static_cast<std::size_t>(at)])
            require(++length <= size.switches, "guards go round in a circle");
    }
    const Manifold manifold{size.v / (plane ? 3 : 6), plane};
    require(manifold.n_q() == size.q && manifold.n_v() == size.v, "the sizes are not those of whole bodies");
    require(method == "dop853" || method == "tsit5", "the method is dop853 or tsit5");
    const auto masses = list(mass, system.mass_numbers(), "mass");
    system.set_numbers(p.data(), masses.data());
    Integrator integrator(system, manifold, method == "dop853" ? dop853() : tsit5(), std::move(l));
    Pulse pulse(std::move(progress));
    IntegratorEnd end;
    {
        nb::gil_scoped_release release;
        if (integrator.start(at.data(), moving.data(), turns.data(), times.data()[0])) {
            end = integrator.run(times.data(), static_cast<std::int64_t>(count), out,
                                 [&](double t) { return !system.stopped() && pulse(t); });
        } else {
            end.halt = Halt::diverged;
            end.t = times.data()[0];
        }
        integrator.release_sides();
    }
    end.halt = system.stopped() ? Halt::outside : end.halt;
    end.counts = integrator.counts();
    end.bytes = system.bytes() + integrator.bytes();
    hand_on_raised(put_off);
    return end;
}

// A Python function of (q, v, t, turns) that gives the numbers, or None to stop.
OutsideDynamics::Ask outside_numbers(nb::callable function, std::size_t count) {
    using Numbers = OutsideDynamics::Numbers;
    return [function = std::move(function), count](const Numbers& q, const Numbers& v, double t, const Numbers& last,
                                                   Numbers& answers) {
        nb::gil_scoped_acquire acquire;
        const nb::object answer = function(reals(q), reals(v), t, reals(last));
        if (!answer.is_none()) answers = list(nb::cast<Vector>(answer), count, "the answer from outside");
        return !answer.is_none();
    };
}

void bind_answers(nb::module_& m) {
    nb::enum_<Halt>(m, "Halt", "Why a simulation ended early.")
        .value("none", Halt::none, "It did not.")
        .value("interrupted", Halt::interrupted, "By request.")
        .value("step_too_small", Halt::step_too_small, "No step is small enough.")
        .value("diverged", Halt::diverged, "Numbers are not finite, however small the step.")
        .value("singular", Halt::singular, "It was damped for too long.")
        .value("locked", Halt::locked, "Rows contradict each other.")
        .value("sliding", Halt::sliding, "Neither side of a switch of a force law holds.")
        .value("too_many_steps", Halt::too_many_steps, "It would take ever so many steps.")
        .value("outside", Halt::outside, "The function for numbers from outside gave none.");
    nb::class_<IntegratorCounts>(m, "IntegratorCounts", "What a simulation cost.")
        .def_ro("evaluations", &IntegratorCounts::evaluations, "Of the accelerations.")
        .def_ro("steps", &IntegratorCounts::steps, "Accepted steps.")
        .def_ro("rejected", &IntegratorCounts::rejected, "Steps that were too long.")
        .def_ro("damped", &IntegratorCounts::damped, "Evaluations that had to be damped.")
        .def_ro("projections", &IntegratorCounts::projections, "Corrections of positions.")
        .def_ro("switched", &IntegratorCounts::switched, "Times at which laws of forces have changed over.");
    nb::class_<IntegratorEnd>(m, "IntegratorEnd", "How far a simulation came, and why it ended.")
        .def_ro("samples", &IntegratorEnd::samples, "Rows written.")
        .def_ro("halt", &IntegratorEnd::halt, "Why it ended early.")
        .def_ro("t", &IntegratorEnd::t, "The time (s) reached.")
        .def_ro("stiff", &IntegratorEnd::stiff, "Whether stability held its steps down.")
        .def_ro("steps_left", &IntegratorEnd::steps_left, "To the end, at the present length.")
        .def_ro("sliding_switch", &IntegratorEnd::sliding_switch, "The switch of a force law that ended it, or -1.")
        .def_ro("counts", &IntegratorEnd::counts, "What it cost.")
        .def_ro("bytes", &IntegratorEnd::bytes, "Memory it took, beside that of the samples.");
    nb::class_<MotionAt> motion(m, "MotionAt", "The motion that forces make at one place and time.");
    array_field(motion, "a", &MotionAt::a, "Accelerations (n_v,).");
    array_field(motion, "lam", &MotionAt::lam, "Multipliers (rows,).");
    motion
        .def_prop_ro(
            "dissipated", [](const MotionAt& at) { return at.powers.dissipated; }, "Power (W) that forces take away.")
        .def_prop_ro(
            "driven", [](const MotionAt& at) { return at.powers.driven; }, "Power (W) that drives put in.")
        .def_ro("pivot_ratio", &MotionAt::pivot_ratio, "The smallest; 0 where it is singular.");
    nb::class_<EquationsAt> terms(m, "EquationsAt", "Terms of M a + J^T lam = f, J a = gamma at one place and time.");
    array_field(terms, "entries", &EquationsAt::entries, "Non-zeros of J.");
    array_field(terms, "rhs", &EquationsAt::rhs, "-phi_t (rows,), which J v is.");
    array_field(terms, "gamma", &EquationsAt::gamma, "gamma (rows,).");
    array_field(terms, "load", &EquationsAt::load, "f (n_v,).");
}

}  // namespace

void bind_dynamics(nb::module_& m) {
    bind_answers(m);
    nb::class_<DynamicSystem>(m, "DynamicSystem", "The equations of motion of one mechanism.")
        .def("clone", &DynamicSystem::clone, "The same equations with numbers of their own, for another thread.")
        .def("motion", &motion_at, "parameters"_a, "mass"_a, "q"_a, "v"_a, "t"_a, "last"_a,
             "The motion at (q, v, t) under the forces there.")
        .def("equations", &equations_at, "parameters"_a, "mass"_a, "q"_a, "v"_a, "t"_a, "last"_a,
             "The terms of the equations of motion at (q, v, t).")
        .def("integrate", &integrate, "parameters"_a, "mass"_a, "q"_a, "v"_a, "last"_a, "times"_a, "plane"_a,
             "method"_a, "limits"_a, "output"_a, "progress"_a = nb::none(), "put_off"_a = nb::none(),
             "Fills the arrays sample by sample, as far as it comes.");
    nb::class_<TileDynamics, DynamicSystem>(m, "TileDynamics", "A dynamic system of many alike elements, in tiles.")
        .def(
            "__init__",
            [](TileDynamics* self, const std::vector<std::size_t>& size, const nb::dict& memory, const nb::list& phases,
               const nb::dict& saddle, const nb::dict& lists, const nb::dict& all_rows) {
                auto all = tile_phases(phases);
                require(all.size() == dynamic_phase_count, "a tiled dynamic system has six phases");
                const auto sizes = dynamic_size(size);
                const auto places = dynamic_memory(memory);
                const SaddleLayout layout =
                    checked({named(saddle, "body_sizes"), named(saddle, "joint_rows"), named(saddle, "touch_starts"),
                             named(saddle, "touch_bodies"), true});
                require_room(sizes, places, layout);
                DynamicEntries entries{named(lists, "idle_bodies"), named(lists, "sum_slots"),
                                       named(lists, "sum_places"), named(lists, "load_columns")};
                new (self) TileDynamics(sizes, places, std::move(all), layout, std::move(entries),
                                        saddle_blocks(all_rows, sizes.rows));
            },
            "size"_a, "memory"_a, "phases"_a, "saddle"_a, "entries"_a, "all_rows"_a);
    nb::class_<OutsideDynamics, DynamicSystem>(m, "OutsideDynamics",
                                               "A dynamic system some of whose numbers a Python function gives.")
        .def(
            "__init__",
            [](OutsideDynamics* self, std::shared_ptr<DynamicSystem> inner, const Integers& places,
               nb::callable function) {
                new (self) OutsideDynamics(std::move(inner), list(places),
                                           outside_numbers(std::move(function), places.size()));
            },
            "inner"_a, "places"_a, "function"_a);
    nb::class_<TapeDynamics, DynamicSystem>(m, "TapeDynamics", "A dynamic system that is one tape.")
        .def(
            "__init__",
            [](TapeDynamics* self, std::shared_ptr<Tape> tape, const std::vector<std::size_t>& size,
               const nb::dict& registers, const nb::dict& saddle) {
                new (self) TapeDynamics(std::move(tape), dynamic_size(size), dynamic_registers(registers),
                                        saddle_blocks(saddle, size.at(2)));
            },
            "tape"_a, "size"_a, "registers"_a, "saddle"_a)
        .def(
            "set_compiled",
            [](TapeDynamics& self, const std::vector<std::uintptr_t>& addresses) {
                std::vector<TapeDynamics::Compiled> sections;
                for (auto address : addresses) sections.push_back(reinterpret_cast<TapeDynamics::Compiled>(address));
                self.set_compiled(std::move(sections));
            },
            "addresses"_a, "Run these compiled sections instead of the VM.");
}
