#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/methods/gear.hpp"
#include "dynamics/methods/residual_derivatives.hpp"
#include "dynamics/systems/friction_dynamics.hpp"
#include "dynamics/systems/outside_dynamics.hpp"
#include "dynamics/systems/tape_dynamics.hpp"
#include "dynamics/systems/tile_dynamics.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe;
using namespace kempe::bind;

namespace {

using Phases = std::vector<std::vector<TileGroup>>;

// Which joints hold which bodies, and where the entries of J stand in dense blocks.
struct SaddleParts {
    std::vector<Index> body_sizes, joint_rows, touch_starts, touch_bodies, rows, columns, places;

    [[nodiscard]] SaddleLayout layout(bool is_white) const {
        return {body_sizes, joint_rows, touch_starts, touch_bodies, is_white};
    }
    [[nodiscard]] SaddleBlocks blocks(std::size_t solved) const {
        return {layout(false), {rows, columns, places}, solved};
    }
};

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

// A place, velocities and counted angles that fit a system.
struct Start {
    std::vector<double> q, v, turns;
};

// Gives the system its numbers.
Start start(DynamicSystem& system, const Vector& parameters, const Vector& mass, const Vector& q, const Vector& v,
            const Vector& turns) {
    const auto size = system.size();
    Start at{list(q, size.q, "q"), list(v, size.v, "v"), list(turns, size.turns, "turns")};
    const auto p = list(parameters, size.parameters, "parameters");
    const auto masses = list(mass, system.mass_numbers(), "mass");
    system.set_numbers(p.data(), masses.data());
    return at;
}

MotionAt motion_at(DynamicSystem& self, const Vector& parameters, const Vector& mass, const Vector& q, const Vector& v,
                   double t, const Vector& turns) {
    const auto size = self.size();
    const Start at = start(self, parameters, mass, q, v, turns);
    std::vector<double> a(size.v), lam(size.rows + size.spare);
    Powers powers;
    const Factor how = self.factor(at.q.data(), t, at.turns.data(), false);
    if (how != Factor::singular) self.motion(at.v.data(), a.data(), lam.data(), &powers);
    const double ratio = how == Factor::singular ? 0.0 : self.smallest_pivot_ratio();
    return {reals(std::move(a)), reals(std::move(lam)), powers, ratio};
}

// The terms of M a + J^T lam = f, J a = gamma, J v = -phi_t at one place and time.
struct EquationsAt {
    RealsOut entries, rhs, gamma, load, rates;
};

EquationsAt equations_at(DynamicSystem& self, const Vector& parameters, const Vector& mass, const Vector& q,
                         const Vector& v, double t, const Vector& turns) {
    const auto size = self.size();
    const auto rows = size.rows + size.spare;
    const Start at = start(self, parameters, mass, q, v, turns);
    std::vector<double> entries(self.entries()), rhs(rows), gamma(rows), load(size.v), rates(size.states.size());
    double dissipated = 0.0;
    self.equations(at.q.data(), at.v.data(), t, at.turns.data(), nullptr, entries.data(), rhs.data(), gamma.data(),
                   load.data(), &dissipated);
    if (!rates.empty()) self.rates(at.q.data(), at.v.data(), t, at.turns.data(), rates.data());
    return {reals(std::move(entries)), reals(std::move(rhs)), reals(std::move(gamma)), reals(std::move(load)),
            reals(std::move(rates))};
}

std::vector<std::array<double, 9>> stray_numbers(const std::vector<Stray>& strays) {
    std::vector<std::array<double, 9>> found;
    for (const auto& [which, from, to] : strays)
        found.push_back(
            {static_cast<double>(which), from.t, from.s, from.rate, from.bend, to.t, to.s, to.rate, to.bend});
    return found;
}

void make_limits(IntegratorLimits* self, double tolerance, double length, double mass, const Vector& rows,
                 const Integers& guards, const Integers& guard_sides, const Integers& clocks, const Vector& stops,
                 std::shared_ptr<const WatchList> watches, const Pace& pace, const std::optional<Integers>& told,
                 nb::object sampled, const std::vector<std::tuple<Index, Index, double, double>>& followed) {
    const auto switches = guards.size();
    require(guard_sides.size() == switches, "every switch has a guard, or -1");
    require(clocks.size() == switches, "every switch is a clock or not");
    require(stops.size() % 2 == 0, "a stop is two times");
    require(std::ranges::is_sorted(view(stops)), "the times of stops rise");
    for (const Index guard : view(guards)) {
        require(guard >= -1 && guard < static_cast<Index>(switches), "a guard is a switch");
        std::size_t length = 0;
        for (Index at = guard; at >= 0 && at < static_cast<Index>(switches); at = guards.data()[at])
            require(++length <= switches, "guards go round in a circle");
    }
    if (told)
        for (const Index k : view(*told))
            require(k >= 0 && k < static_cast<Index>(switches), "what is told is a switch");
    for (const auto& [q, v, low, high] : followed)
        require(q >= 0 && v >= 0 && low <= high, "what is followed has a place, and bounds that rise");
    new (self) IntegratorLimits{};
    for (const auto& [q, v, low, high] : followed) self->followed.push_back({q, v, low, high});
    if (told) self->told = list(*told);
    self->tolerance = tolerance;
    self->length = length;
    self->mass = mass;
    self->rows = list(rows);
    self->guards = list(guards);
    self->guard_sides = list(guard_sides);
    self->clocks = list(clocks);
    self->watches = std::move(watches);
    self->pace = pace;
    if (!sampled.is_none()) {
        using Numbers = std::vector<double>;
        self->sampled = [function = std::move(sampled)](const Numbers& q, const Numbers& v, double t,
                                                        const Numbers& last, Numbers& z) {
            nb::gil_scoped_acquire acquire;
            const nb::object answer = function(reals(q), reals(v), t, reals(last), reals(z));
            if (!answer.is_none()) z = list(nb::cast<Vector>(answer), z.size(), "the states");
            return !answer.is_none();
        };
    }
    for (std::size_t k = 0; k < stops.size(); k += 2) self->stops.push_back({stops.data()[k], stops.data()[k + 1]});
}

// How implicit steps of a system are made, by its derivatives; `derive` gives these when they are first needed.
struct ImplicitSteps {
    nb::object derive;
    RowEntries places;
    GearSettings gear;
    FixedSteps fixed;

    Integrator::MakeImplicit maker(DynamicSystem& system, const Manifold& manifold, const std::string& method,
                                   std::vector<double> parameters, std::vector<double> mass) const {
        const Screws screws{manifold.bodies, manifold.plane};
        const auto linearization = [this, screws, &system, parameters, mass] {
            nb::gil_scoped_acquire acquire;
            auto derivatives = nb::cast<std::shared_ptr<ResidualDerivatives>>(derive())->clone();
            derivatives->set_parameters(parameters.data());
            derivatives->set_sides(std::vector<double>(system.size().switches).data());
            return Linearization(std::move(derivatives), screws, mass.data());
        };
        const auto rosenbrock = [=, this, &system](const RosenbrockTableau& tableau, FixedSteps steps) {
            return std::make_unique<Rosenbrock>(system, tableau, linearization(), screws, places, mass, steps);
        };
        return [=, this, &system]() -> std::unique_ptr<ImplicitMethod> {
            if (method == "rodas3" || method == "rodas5p")
                return rosenbrock(method == "rodas3" ? rodas3() : rodas5p(), fixed);
            if (method != "gear") return rosenbrock(rodas5p(), {});
            return std::make_unique<Gear>(system, gear, linearization(), screws, places, mass,
                                          rosenbrock(rodas5p(), {}));
        };
    }
};

bool is_always_implicit(const std::string& method) {
    return method == "rodas3" || method == "rodas5p" || method == "gear";
}

void require_method(const std::string& method) {
    require(method == "dop853" || method == "tsit5" || is_always_implicit(method),
            "the method is dop853, tsit5, rodas3, rodas5p or gear");
}

IntegratorOutput outputs(const DynamicSize& size, std::size_t count, const WritableMatrix& q, const WritableMatrix& v,
                         const WritableMatrix& a, const WritableMatrix& lam, const WritableMatrix& energy,
                         const WritableMatrix& violation, const WritableMatrix& states) {
    const auto into = [&](const WritableMatrix& array, std::size_t columns) {
        require(array.shape(0) == count && array.shape(1) == columns,
                "the output arrays do not match the samples and the system");
        return array.data();
    };
    return {into(q, size.q),
            into(v, size.v),
            into(a, size.v),
            into(lam, size.rows + size.spare),
            into(energy, 6),
            into(violation, 1),
            into(states, size.states.size())};
}

Manifold manifold_of(const DynamicSize& size, bool plane, const IntegratorLimits& limits) {
    require(limits.rows.size() == size.rows + size.spare, "every row needs a weight");
    require(limits.guards.size() == size.switches, "every switch has a guard, or -1");
    for (const Followed& one : limits.followed)
        require(static_cast<std::size_t>(one.q) < size.q && static_cast<std::size_t>(one.v) < size.v,
                "what is followed is a coordinate");
    const Manifold manifold{size.v / (plane ? 3 : 6), plane};
    require(manifold.n_q() == size.q && manifold.n_v() == size.v, "the sizes are not those of whole bodies");
    return manifold;
}

IntegratorEnd integrate(DynamicSystem& system, const Vector& parameters, const Vector& mass, const Vector& q,
                        const Vector& v, const Vector& turns, const Vector& times, bool plane,
                        const std::string& method, const IntegratorLimits& limits, WritableMatrix q_out,
                        WritableMatrix v_out, WritableMatrix a_out, WritableMatrix lam_out, WritableMatrix energy_out,
                        WritableMatrix violation_out, const Vector& states, WritableMatrix states_out,
                        nb::object progress, const PutOff& put_off, const std::optional<ImplicitSteps>& implicit) {
    const auto size = system.size();
    const auto count = times.size();
    require(count >= 1, "at least one time is needed");
    const IntegratorOutput out =
        outputs(size, count, q_out, v_out, a_out, lam_out, energy_out, violation_out, states_out);
    const Manifold manifold = manifold_of(size, plane, limits);
    require_method(method);
    const Start at = start(system, parameters, mass, q, v, turns);
    const std::vector<double> z = list(states, size.states.size(), "states");
    Integrator integrator(system, manifold, method == "tsit5" ? tsit5() : dop853(), limits);
    Pulse pulse(std::move(progress));
    IntegratorEnd end;
    {
        nb::gil_scoped_release release;
        if (integrator.start(at.q.data(), at.v.data(), at.turns.data(), z.data(), times.data()[0])) {
            if (implicit)
                integrator.allow_implicit(implicit->maker(system, manifold, method, list(parameters), list(mass)),
                                          !is_always_implicit(method));
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

// An integrator that stays: each stretch starts where it is told to, with the numbers it is given.
class LiveIntegrator {
  public:
    LiveIntegrator(std::shared_ptr<DynamicSystem> system, const Vector& parameters, const Vector& mass, bool plane,
                   const std::string& method, const IntegratorLimits& limits, std::optional<ImplicitSteps> implicit)
        : system_(std::move(system)), implicit_(std::move(implicit)),
          manifold_(manifold_of(system_->size(), plane, limits)) {
        require_method(method);
        require(mass.size() == system_->mass_numbers(), "the mass blocks do not match the bodies");
        system_->set_numbers(list(parameters, system_->size().parameters, "parameters").data(), list(mass).data());
        integrator_.emplace(*system_, manifold_, method == "tsit5" ? tsit5() : dop853(), limits);
        if (implicit_ && is_always_implicit(method)) {
            const auto make = implicit_->maker(*system_, manifold_, method, list(parameters), list(mass));
            nb::gil_scoped_release release;
            integrator_->allow_implicit(make, false);
        }
    }

    IntegratorEnd run(const Vector& parameters, const Vector& q, const Vector& v, const Vector& turns,
                      const Vector& times, WritableMatrix q_out, WritableMatrix v_out, WritableMatrix a_out,
                      WritableMatrix lam_out, WritableMatrix energy_out, WritableMatrix violation_out,
                      const Vector& states, WritableMatrix states_out, const PutOff& put_off) {
        const auto size = system_->size();
        const auto count = times.size();
        require(count >= 1, "at least one time is needed");
        const IntegratorOutput out =
            outputs(size, count, q_out, v_out, a_out, lam_out, energy_out, violation_out, states_out);
        const auto p = list(parameters, size.parameters, "parameters");
        const auto at = list(q, size.q, "q"), moving = list(v, size.v, "v"), last = list(turns, size.turns, "turns"),
                   z = list(states, size.states.size(), "states");
        Pulse pulse{nb::object(nb::none())};
        IntegratorEnd end;
        {
            nb::gil_scoped_release release;
            integrator_->set_parameters(p.data());
            if (integrator_->start(at.data(), moving.data(), last.data(), z.data(), times.data()[0])) {
                end = integrator_->run(times.data(), static_cast<std::int64_t>(count), out,
                                       [&](double t) { return !system_->stopped() && pulse(t); });
            } else {
                end.halt = Halt::diverged;
                end.t = times.data()[0];
            }
            integrator_->release_sides();
        }
        end.halt = system_->stopped() ? Halt::outside : end.halt;
        end.counts = integrator_->counts();
        end.turns = integrator_->turns();
        hand_on_raised(put_off);
        return end;
    }

  private:
    std::shared_ptr<DynamicSystem> system_;
    std::optional<ImplicitSteps> implicit_;
    Manifold manifold_;
    std::optional<Integrator> integrator_;
};

RealsOut derivatives_at(ResidualDerivatives& self, const Vector& parameters, const Vector& q, const Vector& v, double t,
                        const Vector& turns, const Vector& sides, const Vector& a, const Vector& lam) {
    const auto size = self.size();
    const auto rows = size.rows + size.spare;
    self.set_parameters(list(parameters, size.parameters, "parameters").data());
    self.set_sides(list(sides, size.switches, "sides").data());
    std::vector<double> values(self.rows().size());
    self.evaluate(list(q, size.q, "q").data(), list(v, size.v, "v").data(), t, list(turns, size.turns, "turns").data(),
                  list(a, size.v, "a").data(), list(lam, rows, "lam").data(), values.data());
    return reals(std::move(values));
}

// What implicit steps solve: U of (1 / g - F_y) U = r + tau F_t for every row r, y = (u, V, works, z).
RealsOut implicit_ways(DynamicSystem& system, ResidualDerivatives& derivatives, bool plane, const Vector& parameters,
                       const Vector& mass, const Vector& q, const Vector& v, double t, const Vector& turns, double g,
                       const Matrix& r, double tau) {
    const auto size = system.size();
    const std::size_t n = size.integrated(), all = n + size.v + size.rows;
    const Start at = start(system, parameters, mass, q, v, turns);
    require(r.shape(1) == n, "every right side has one number for each that is integrated");
    std::vector<double> a(size.v), lam(size.rows + size.spare), z, U(all), found, none(size.v + size.rows);
    Powers powers;
    for (const auto place : size.states) z.push_back(parameters.data()[place]);
    system.set_states(z.data());
    require(system.factor(at.q.data(), t, at.turns.data(), false) != Factor::singular, "the position is singular");
    system.motion(at.v.data(), a.data(), lam.data(), &powers);
    const LoadSlopes* const loads = system.load_slopes(at.q.data(), at.v.data(), t, at.turns.data(), lam.data());
    const auto own = derivatives.clone();
    const double* const answered = system.answered_parameters();
    own->set_parameters(answered != nullptr ? answered : parameters.data());
    own->set_sides(std::vector<double>(size.switches).data());
    Linearization linear(own, Screws{size.v / (plane ? 3 : 6), plane}, mass.data());
    linear.set_states(z.data());
    linear.at(at.q.data(), at.v.data(), t, at.turns.data(), a.data(), lam.data());
    linear.set_loads(loads);
    require(linear.factor(g), "the implicit matrix is singular");
    for (std::size_t k = 0; k < r.shape(0); ++k) {
        linear.solve(r.data() + k * n, none.data(), tau, U.data());
        found.insert(found.end(), U.begin(), U.end());
    }
    return reals(std::move(found), r.shape(0), all);
}

void bind_derivatives(nb::module_& m) {
    using G = GearSettings;
    made_of(m, "GearSettings", "How steps of backward differences are made; 0: as errors ask for.",
            Field{"order", &G::order}, Field{"step", &G::step}, Field{"most_order", &G::most_order},
            Field{"newton_tolerance", &G::newton_tolerance}, Field{"newton_iterations", &G::newton_iterations});
    made_of(m, "FixedSteps", "Steps of one length (s), and the largest estimate of an error they may have.",
            Field{"step", &FixedSteps::step}, Field{"most_error", &FixedSteps::most_error});
    nb::class_<ImplicitSteps>(m, "ImplicitSteps", "How implicit steps are made, by derivatives of the equations.")
        .def(
            "__init__",
            [](ImplicitSteps* self, nb::object derive, const Integers& rows, const Integers& columns,
               const GearSettings& gear, const FixedSteps& fixed) {
                new (self) ImplicitSteps{std::move(derive), {list(rows), list(columns)}, gear, fixed};
            },
            "derive"_a, "rows"_a, "columns"_a, "gear"_a = GearSettings{}, "fixed"_a = FixedSteps{},
            "A function that gives the derivatives, and where the entries of J stand.");
    m.def("implicit_ways", &implicit_ways, "system"_a, "derivatives"_a, nb::kw_only(), "plane"_a, "parameters"_a,
          "mass"_a, "q"_a, "v"_a, "t"_a, "turns"_a, "g"_a, "r"_a, "tau"_a = 0.0,
          "Rows U (k, y, a, lam) of (1 / g - F_y) U = r + tau F_t, as implicit steps solve it at a place: y has\n"
          "displacements and velocities in body axes, two works and the states of forces.");
    using R = RosenbrockTableau;
    nb::class_<R>(m, "RosenbrockTableau", "The numbers of a linearly implicit method, without products with F_y.")
        .def_ro("order", &R::order, "Of the method.")
        .def_ro("gamma", &R::gamma, "1 / (h gamma) - F_y is factored.")
        .def_ro("a", &R::a, "Stages before it, in where each stage is evaluated.")
        .def_ro("C", &R::C, "Stages before it, over h, in the right-hand side of each.")
        .def_ro("b", &R::b, "Stages in the result.")
        .def_ro("c", &R::c, "When each stage is evaluated, shares of h.")
        .def_ro("d", &R::d, "Of h dF/dt in each stage.")
        .def_ro("error", &R::error, "Stages in the estimate of the error.")
        .def_ro("dense", &R::dense, "Stages in the terms of the dense output.");
    m.def("rodas5p", &rodas5p, nb::rv_policy::reference, "The numbers of Rodas5P.");
    m.def("rodas3", &rodas3, nb::rv_policy::reference, "The numbers of Rodas3.");
    using M = DerivativeMemory;
    made_of(m, "DerivativeMemory", "Where the inputs and results of derivatives in tiles begin in memory.",
            Field{"q", &M::q}, Field{"v", &M::v}, Field{"t", &M::t}, Field{"last", &M::last}, Field{"a", &M::a},
            Field{"lam", &M::lam}, Field{"p", &M::p}, Field{"sides", &M::sides}, Field{"derivatives", &M::derivatives},
            Field{"size", &M::size});
    nb::class_<ResidualDerivatives>(m, "ResidualDerivatives",
                                    "Derivatives of R = [M a + J^T lam - f; J a - gamma] by place, velocity and time.")
        .def("clone", &ResidualDerivatives::clone, "The same derivatives with numbers of their own.")
        .def_prop_ro(
            "rows", [](const ResidualDerivatives& self) { return integers(self.rows()); }, nb::rv_policy::automatic,
            "The row (entries,) of every entry: velocities, rows of the system, two powers.")
        .def_prop_ro(
            "columns", [](const ResidualDerivatives& self) { return integers(self.columns()); },
            nb::rv_policy::automatic,
            "The column (entries,) of every entry: by place, by velocity, by time, by a, by lam.")
        .def("evaluate", &derivatives_at, "parameters"_a, "q"_a, "v"_a, "t"_a, "turns"_a, "sides"_a, "a"_a, "lam"_a,
             "The entries; those at one place add up.");
    nb::class_<TapeDerivatives, ResidualDerivatives>(m, "TapeDerivatives", "Derivatives that are one tape.")
        .def(
            "__init__",
            [](TapeDerivatives* self, std::shared_ptr<Tape> tape, const DynamicSize& size, const Integers& outputs,
               const Integers& rows, const Integers& columns) {
                new (self) TapeDerivatives(std::move(tape), size, list(outputs), list(rows), list(columns));
            },
            "tape"_a, "size"_a, "outputs"_a, "rows"_a, "columns"_a)
        .def("set_compiled", &TapeDerivatives::set_compiled, "addresses"_a, "Run this function instead of the VM.");
    nb::class_<TileDerivatives, ResidualDerivatives>(m, "TileDerivatives", "Derivatives of many alike elements.")
        .def(
            "__init__",
            [](TileDerivatives* self, const DynamicSize& size, const DerivativeMemory& memory, Phases phases,
               const Integers& rows, const Integers& columns) {
                new (self) TileDerivatives(size, memory, std::move(phases), list(rows), list(columns));
            },
            "size"_a, "memory"_a, "phases"_a, "rows"_a, "columns"_a);
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
        .value("outside", Halt::outside, "The function for numbers from outside gave none.")
        .value("event", Halt::event, "A watch was met.")
        .value("lost_watch", Halt::lost_watch, "A watch has no finite value.")
        .value("fast_watch", Halt::fast_watch, "The formula of a watch is too fast to be followed.")
        .value("step_not_held", Halt::step_not_held, "A step of given length errs too much or does not converge.");
    nb::class_<Pace>(m, "Pace", "What a simulation has learnt of the motion, for one that goes on.")
        .def(nb::init<>())
        .def(
            "without_step", [](Pace self) { return self.first_step = 0.0, self; }, "Its first step is to be chosen.")
        .def(
            "implicitly", [](Pace self) { return self.is_implicit = true, self; },
            "Its first steps are implicit, where it may choose.");
    nb::class_<IntegratorCounts>(m, "IntegratorCounts", "What a simulation cost.")
        .def_ro("evaluations", &IntegratorCounts::evaluations, "Of the accelerations.")
        .def_ro("steps", &IntegratorCounts::steps, "Accepted steps.")
        .def_ro("rejected", &IntegratorCounts::rejected, "Steps that were too long.")
        .def_ro("damped", &IntegratorCounts::damped, "Evaluations that had to be damped.")
        .def_ro("projections", &IntegratorCounts::projections, "Corrections of positions.")
        .def_ro("switched", &IntegratorCounts::switched, "Times at which laws of forces have changed over.")
        .def_ro("jacobians", &IntegratorCounts::jacobians, "Derivatives of the equations for implicit steps.");
    nb::class_<IntegratorEnd> ended(m, "IntegratorEnd", "How far a simulation came, and why it ended.");
    array_field(ended, "met", &IntegratorEnd::met, "The watches that ended it.");
    array_field(ended, "q", &IntegratorEnd::q, "Coordinates there, where watches ended it.");
    array_field(ended, "v", &IntegratorEnd::v, "Velocities there.");
    array_field(ended, "turns", &IntegratorEnd::turns, "Angles that rows and forces count, there.");
    array_field(ended, "watch_turns", &IntegratorEnd::watch_turns, "Angles that watches count, there.");
    array_field(ended, "work", &IntegratorEnd::work, "Energy (J) dissipated and driven until there.");
    array_field(ended, "states", &IntegratorEnd::states, "States of forces there.");
    ended.def_ro("pace", &IntegratorEnd::pace, "For a run that goes on from there.")
        .def_ro("samples", &IntegratorEnd::samples, "Rows written.")
        .def_ro("halt", &IntegratorEnd::halt, "Why it ended early.")
        .def_ro("t", &IntegratorEnd::t, "The time (s) reached.")
        .def_ro("stiff", &IntegratorEnd::stiff, "Whether stability held its steps down.")
        .def_ro("steps_left", &IntegratorEnd::steps_left, "To the end, at the present length.")
        .def_ro("largest_error", &IntegratorEnd::largest_error,
                "Estimate of a step of given length: lengths beside the machine's, angles in rad.")
        .def_ro("sliding_switch", &IntegratorEnd::sliding_switch, "The switch of a force law that ended it, or -1.")
        .def_ro("counts", &IntegratorEnd::counts, "What it cost.")
        .def_prop_ro(
            "methods",
            [](const IntegratorEnd& end) {
                std::vector<std::pair<double, bool>> found;
                for (const MethodChange& change : end.methods) found.emplace_back(change.t, change.implicit);
                return found;
            },
            "When (s) steps became implicit (true) or explicit, the first from the start on.")
        .def_prop_ro(
            "changes",
            [](const IntegratorEnd& end) {
                std::vector<std::tuple<double, std::int32_t, double, std::vector<double>, std::vector<double>>> found;
                for (const SideChange& one : end.changes) found.emplace_back(one.t, one.told, one.side, one.q, one.v);
                return found;
            },
            "Of switches that are told: when (s) which of them came to which side, and q and v there.")
        .def_prop_ro(
            "law_changes",
            [](const IntegratorEnd& end) {
                std::vector<std::tuple<double, std::int32_t, double>> found;
                for (const LawChange& one : end.law_changes) found.emplace_back(one.t, one.at, one.side);
                return found;
            },
            "When (s) which switch came to which side where laws changed over: the first hundred thousand.")
        .def_prop_ro(
            "strays", [](const IntegratorEnd& end) { return stray_numbers(end.strays); },
            "Steps, or parts of one, in which what is followed may have left its bounds (n, 9): which, then time,\n"
            "value, rate and acceleration before and after.")
        .def_prop_ro(
            "last_looks",
            [](const IntegratorEnd& end) {
                std::vector<std::array<double, 4>> found;
                for (const Look& one : end.last_looks) found.push_back({one.t, one.s, one.rate, one.bend});
                return found;
            },
            "Time, value, rate and acceleration of what is followed, where the last step ended.")
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
    array_field(terms, "rates", &EquationsAt::rates, "Of the states of forces (states,).");
}

// The functions that are watched; `read` gives values (moments, readings) of what is not on the tape.
void make_watches(WatchList* self, std::shared_ptr<Tape> tape, const Integers& q, const Integers& v,
                  const Integers& outputs, const Integers& turned, const Vector& last, const Vector& numbers,
                  const Integers& kinds, const Integers& indices, const Vector& signs, const Vector& offsets,
                  const Vector& slacks, const Integers& begun, const Integers& idle, const Integers& formula_of,
                  const std::vector<WordFormula>& formulas, std::size_t readings, nb::object read) {
    const auto n = kinds.size();
    require(indices.size() == n && signs.size() == n && offsets.size() == n && slacks.size() == n &&
                begun.size() == n && idle.size() == n && formula_of.size() == n,
            "every watch has a kind, an index, a sign, an offset, a slack and a beginning");
    require(last.size() == turned.size(), "every angle that is counted has a first value");
    new (self) WatchList{std::move(tape), list(q), list(v), list(outputs), list(turned), list(last), list(numbers)};
    for (std::size_t k = 0; k < n; ++k)
        self->watches.push_back({static_cast<Watched>(kinds.data()[k]), indices.data()[k], signs.data()[k],
                                 offsets.data()[k], slacks.data()[k], static_cast<Begun>(begun.data()[k]),
                                 formula_of.data()[k], idle.data()[k] != 0});
    for (const Watch& watch : self->watches)
        require(watch.formula < static_cast<std::int32_t>(formulas.size()),
                "a watch names a formula that there is not");
    self->formulas = formulas;
    self->readings = readings;
    if (read.is_none()) return;
    self->read = [read = std::move(read), readings](const std::vector<Moment>& moments, std::vector<double>& values) {
        nb::gil_scoped_acquire acquire;
        const auto table = [&](auto member) {
            std::vector<double> all;
            for (const Moment& one : moments) all.insert(all.end(), (one.*member).begin(), (one.*member).end());
            return reals(std::move(all), moments.size(), (moments[0].*member).size());
        };
        std::vector<double> t;
        for (const Moment& one : moments) t.push_back(one.t);
        const nb::object answer = read(reals(std::move(t)), table(&Moment::q), table(&Moment::v), table(&Moment::a),
                                       table(&Moment::lam), table(&Moment::energy), table(&Moment::states));
        if (answer.is_none()) return false;
        values = list(nb::cast<Vector>(answer), moments.size() * readings, "what was read");
        return true;
    };
}

void bind_parts(nb::module_& m) {
    nb::class_<WordFormula>(m, "WordFormula", "A formula of what is smooth along a step.")
        .def(
            "__init__",
            [](WordFormula* self, std::shared_ptr<Tape> tape, std::int32_t value, std::int32_t slope,
               const Integers& words) { new (self) WordFormula{std::move(tape), value, slope, list(words)}; },
            nb::kw_only(), "tape"_a, "value"_a, "slope"_a, "words"_a,
            "A tape of words and of how fast they change; `value` and `slope` are its outputs. A word is an output of\n"
            "the tape of a list, the time (-1), or the reading k (-2 - k).");
    nb::class_<WatchList>(m, "WatchList", "Functions of the motion whose zeros end a run.")
        .def("__init__", &make_watches, nb::kw_only(), "tape"_a.none(), "q"_a, "v"_a, "outputs"_a, "turned"_a, "last"_a,
             "numbers"_a, "kinds"_a, "indices"_a, "signs"_a, "offsets"_a, "slacks"_a, "begun"_a, "idle"_a,
             "formula_of"_a, "formulas"_a, "readings"_a, "read"_a = nb::none(),
             "A tape of places of q and v, t, angles and numbers; of every watch what it looks at (0 an output, 1 a\n"
             "reading, 2 a multiplier), its sign, offset and slack, how it begins (0 judged, 1 met, 2 leaving), and\n"
             "whether it is idle: met only where another one is. `formula_of` is the formula of each, -1 where none.");
    using Size = DynamicSize;
    made_of(m, "DynamicSize", "How many numbers of each kind a dynamic system has.", Field{"q", &Size::q},
            Field{"v", &Size::v}, Field{"rows", &Size::rows}, Field{"spare", &Size::spare},
            Field{"turns", &Size::turns}, Field{"parameters", &Size::parameters}, Field{"switches", &Size::switches},
            Field{"states", &Size::states}, Field{"flow_bodies", &Size::flow_bodies},
            Field{"flow_states", &Size::flow_states});
    using R = DynamicRegisters;
    made_of(m, "DynamicRegisters", "Where the results of a dynamic tape are.", Field{"phi", &R::phi},
            Field{"turns", &R::turns}, Field{"pivots", &R::pivots}, Field{"diagonals", &R::diagonals},
            Field{"x", &R::x}, Field{"velocity", &R::velocity}, Field{"a", &R::a}, Field{"lam", &R::lam},
            Field{"powers", &R::powers}, Field{"jacobian", &R::jacobian}, Field{"velocity_rhs", &R::velocity_rhs},
            Field{"gamma", &R::gamma}, Field{"load", &R::load}, Field{"dissipated", &R::dissipated},
            Field{"energies", &R::energies}, Field{"switches", &R::switches}, Field{"rates", &R::rates});
    using M = DynamicMemory;
    made_of(m, "DynamicMemory", "Where the numbers of each kind begin in the memory of a tiled dynamic system.",
            Field{"q", &M::q}, Field{"v", &M::v}, Field{"t", &M::t}, Field{"last", &M::last}, Field{"p", &M::p},
            Field{"phi", &M::phi}, Field{"turns", &M::turns}, Field{"velocity_rhs", &M::velocity_rhs},
            Field{"gamma", &M::gamma}, Field{"blocks", &M::blocks}, Field{"loads", &M::loads},
            Field{"powers", &M::powers}, Field{"kinetic", &M::kinetic}, Field{"stored", &M::stored},
            Field{"size", &M::size}, Field{"whiteners", &M::whiteners}, Field{"idle", &M::idle},
            Field{"switches", &M::switches}, Field{"sides", &M::sides}, Field{"rates", &M::rates},
            Field{"n_powers", &M::n_powers}, Field{"n_kinetic", &M::n_kinetic}, Field{"n_stored", &M::n_stored});
    using E = DynamicEntries;
    made_of(m, "DynamicEntries", "Where entries of J and loads go that stand in no dense block of a tiled system.",
            Field{"idle_bodies", &E::idle_bodies}, Field{"sum_slots", &E::sum_slots},
            Field{"sum_places", &E::sum_places}, Field{"load_columns", &E::load_columns});
    using S = SaddleParts;
    auto saddle =
        made_of(m, "Saddle", "Which joints hold which bodies, and where every entry of J stands in dense blocks.",
                Field{"body_sizes", &S::body_sizes}, Field{"joint_rows", &S::joint_rows},
                Field{"touch_starts", &S::touch_starts}, Field{"touch_bodies", &S::touch_bodies},
                Field{"rows", &S::rows}, Field{"columns", &S::columns}, Field{"places", &S::places});
    array_field(saddle, "joint_rows", &S::joint_rows, "Rows (joints,) of every joint.");
    array_field(saddle, "touch_starts", &S::touch_starts, "Where (joints + 1,) the bodies of every joint begin.");
    array_field(saddle, "touch_bodies", &S::touch_bodies, "Bodies that joints touch, joint after joint.");
    array_field(saddle, "places", &S::places, "The place (entries,) of every entry among the blocks.");
    nb::class_<IntegratorLimits>(m, "IntegratorLimits", "How exact a simulation is, and where its steps end.")
        .def("__init__", &make_limits, nb::kw_only(), "tolerance"_a, "length"_a, "mass"_a, "rows"_a, "guards"_a,
             "guard_sides"_a, "clocks"_a, "stops"_a, "watches"_a = nb::none(), "pace"_a = Pace{}, "told"_a = nb::none(),
             "sampled"_a = nb::none(), "followed"_a = std::vector<std::tuple<Index, Index, double, double>>{},
             "Error of a step, size (m) and mass (kg) of the machine, weights of the rows; of every switch its guard,\n"
             "the side of that, and whether it is a function of time alone; pairs of times (s) where drives change;\n"
             "what is watched, what an earlier run has learnt, the switches whose changes are listed, who tells\n"
             "states that change at those times, and which coordinates (place in q and in v, bounds) are followed.");
}

}  // namespace

void bind_dynamics(nb::module_& m) {
    bind_answers(m);
    bind_parts(m);
    bind_derivatives(m);
    nb::class_<DynamicSystem>(m, "DynamicSystem", "The equations of motion of one mechanism.")
        .def("clone", &DynamicSystem::clone, "The same equations with numbers of their own, for another thread.")
        .def("motion", &motion_at, "parameters"_a, "mass"_a, "q"_a, "v"_a, "t"_a, "turns"_a,
             "The motion at (q, v, t) under the forces there.")
        .def("equations", &equations_at, "parameters"_a, "mass"_a, "q"_a, "v"_a, "t"_a, "turns"_a,
             "The terms of the equations of motion at (q, v, t).")
        .def("integrate", &integrate, "parameters"_a, "mass"_a, "q"_a, "v"_a, "turns"_a, "times"_a, "plane"_a,
             "method"_a, "limits"_a, "q_out"_a, "v_out"_a, "a_out"_a, "lam_out"_a, "energy_out"_a, "violation_out"_a,
             "states"_a, "states_out"_a, "progress"_a = nb::none(), "put_off"_a = nb::none(), "implicit"_a = nb::none(),
             "Fills the arrays sample by sample, as far as it comes.");
    nb::class_<LiveIntegrator>(m, "LiveIntegrator", "An integrator that stays, for one stretch after the other.")
        .def(nb::init<std::shared_ptr<DynamicSystem>, const Vector&, const Vector&, bool, const std::string&,
                      const IntegratorLimits&, std::optional<ImplicitSteps>>(),
             "system"_a, "parameters"_a, "mass"_a, "plane"_a, "method"_a, "limits"_a, "implicit"_a = nb::none(),
             "For this system, whose numbers others must not change from now on.")
        .def("run", &LiveIntegrator::run, "parameters"_a, "q"_a, "v"_a, "turns"_a, "times"_a, "q_out"_a, "v_out"_a,
             "a_out"_a, "lam_out"_a, "energy_out"_a, "violation_out"_a, "states"_a, "states_out"_a,
             "put_off"_a = nb::none(), "Fills the arrays sample by sample from (q, v, turns) on, as far as it comes.");
    nb::class_<TileDynamics, DynamicSystem>(m, "TileDynamics", "A dynamic system of many alike elements, in tiles.")
        .def(
            "__init__",
            [](TileDynamics* self, const DynamicSize& size, const DynamicMemory& memory, Phases phases,
               const SaddleParts& saddle, const DynamicEntries& entries, const SaddleParts& all_rows) {
                new (self) TileDynamics(size, memory, std::move(phases), saddle.layout(true), entries,
                                        all_rows.blocks(size.rows));
            },
            "size"_a, "memory"_a, "phases"_a, "saddle"_a, "entries"_a, "all_rows"_a);
    using L = JointLoads;
    nb::class_<FrictionDynamics, DynamicSystem>(m, "FrictionDynamics",
                                                "A dynamic system whose joints rub by their own reactions.")
        .def(
            "__init__",
            [](FrictionDynamics* self, std::shared_ptr<DynamicSystem> inner, std::shared_ptr<Tape> tape,
               const Integers& q, const Integers& lam, const Integers& moved, const Integers& outputs,
               const Integers& derivatives, const Integers& along, const Vector& numbers, const Integers& places,
               const Vector& ways) {
                new (self) FrictionDynamics(std::move(inner),
                                            L{std::move(tape), list(q), list(lam), list(moved), list(outputs),
                                              list(derivatives), list(along), list(numbers), list(places), list(ways)});
            },
            "inner"_a, nb::kw_only(), "tape"_a, "q"_a, "lam"_a, "moved"_a, "outputs"_a, "derivatives"_a, "along"_a,
            "numbers"_a, "places"_a, "ways"_a,
            "Loads N (k,), dN/dlam (k, lam) and dN/dq along velocities (k, moved) from a tape of places of q and lam\n"
            "and of numbers; places (k,) of the loads among the parameters; ways (k,) in which it slides, +1, -1, or 0 "
            "where nothing rubs.")
        .def_prop_ro("jammed_at", &FrictionDynamics::jammed_at, "The last time (s) without loads; nan where none.")
        .def_prop_ro("raised", &FrictionDynamics::raised, "How many times friction has raised the largest load.");
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
            [](TapeDynamics* self, std::shared_ptr<Tape> tape, const DynamicSize& size,
               const DynamicRegisters& registers, const SaddleParts& saddle, std::vector<std::int32_t> massless) {
                new (self)
                    TapeDynamics(std::move(tape), size, registers, saddle.blocks(size.rows), std::move(massless));
            },
            "tape"_a, "size"_a, "registers"_a, "saddle"_a, "massless"_a,
            "`massless`: velocities without mass that the tape solves for beside the multipliers.")
        .def("set_compiled", &TapeDynamics::set_compiled, "addresses"_a,
             "Run these compiled sections instead of the VM.");
}
