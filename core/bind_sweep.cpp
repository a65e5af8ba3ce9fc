#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>

#include "bind.hpp"
#include "sweep.hpp"
#include "tape_system.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Reals = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<double> list(const Reals& x) { return {x.data(), x.data() + x.size()}; }
std::vector<std::int32_t> list(const Integers& x) { return {x.data(), x.data() + x.size()}; }

std::vector<double> list(const Reals& x, std::size_t size, const char* what) {
    if (x.size() != size) {
        throw nb::value_error((std::string(what) + " has " + std::to_string(x.size()) +
                               " numbers, " + std::to_string(size) + " are needed")
                                  .c_str());
    }
    return list(x);
}

nb::object owned(std::vector<double> values) {
    auto* held = new std::vector<double>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(held->data(), {held->size()}, owner));
}

const char* refusal_name(kempe::Refusal refusal) {
    switch (refusal) {
        case kempe::Refusal::none: return "none";
        case kempe::Refusal::too_far: return "too_far";
        case kempe::Refusal::not_contracting: return "not_contracting";
        case kempe::Refusal::wandered: return "wandered";
        case kempe::Refusal::singular: return "singular";
        case kempe::Refusal::sign_changed: return "sign_changed";
        case kempe::Refusal::spare_violated: return "spare_violated";
    }
    return "unknown";
}

// The compiled sweep as it is called, and the blocks of doubles it works on.
class CompiledSweep {
  public:
    using Function = std::int64_t (*)(const double*, const double*, std::int64_t, std::int64_t,
                                      double*, const double*, double*, double*, double*,
                                      std::int64_t*);

    CompiledSweep(std::uintptr_t address, std::vector<double> parameters,
                  std::vector<double> limits, const double* times, kempe::SweepOutput output)
        : function_(reinterpret_cast<Function>(address)),
          parameters_(std::move(parameters)),
          limits_(std::move(limits)),
          times_(times),
          output_(output) {}

    std::int64_t operator()(std::int64_t first, std::int64_t count, kempe::SweepState& state,
                            kempe::SweepCounts& counts, int parity) {
        block_.clear();
        for (const auto* part : {&state.q, &state.v, &state.a, &state.a_old, &state.last}) {
            block_.insert(block_.end(), part->begin(), part->end());
        }
        block_.push_back(state.t);
        block_.push_back(state.h_old);
        block_.push_back(static_cast<double>(state.sign * parity));
        const std::int64_t stopped =
            function_(parameters_.data(), times_, first, count, block_.data(), limits_.data(),
                      output_.q, output_.v, output_.a, &counts.iterations);
        const double* from = block_.data();
        for (auto* part : {&state.q, &state.v, &state.a, &state.a_old, &state.last}) {
            std::copy(from, from + part->size(), part->begin());
            from += part->size();
        }
        state.t = from[0];
        state.h_old = from[1];
        return stopped;
    }

  private:
    Function function_;
    std::vector<double> parameters_, limits_, block_;
    const double* times_;
    kempe::SweepOutput output_;
};

// A mechanism ready to be swept.
class Sweeper {
  public:
    Sweeper(std::shared_ptr<kempe::TapeSystem> system) : system_(std::move(system)) {}

    nb::dict run(const Reals& parameters, const Reals& q, const Reals& last, const Reals& times,
                 Matrix q_out, Matrix v_out, Matrix a_out, const Reals& rows, const Reals& spare,
                 const Reals& steps, const Reals& pivot_floors, std::uintptr_t fused) {
        const auto size = system_->size();
        const auto count = times.size();
        if (!system_->is_square()) {
            throw nb::value_error("this tape solves no rows: it can be evaluated, not swept");
        }
        if (count < 1 || q_out.shape(0) != count || v_out.shape(0) != count ||
            a_out.shape(0) != count || q_out.shape(1) != size.q || v_out.shape(1) != size.v ||
            a_out.shape(1) != size.v) {
            throw nb::value_error("the output arrays do not match the samples and the system");
        }
        const auto p = list(parameters, size.parameters, "parameters");
        kempe::SweepLimits limits{list(rows, size.v, "rows"), list(spare, size.spare, "spare"),
                                  list(steps, size.v, "steps")};
        const auto floors = list(pivot_floors);
        system_->set_parameters(p.data());
        system_->set_pivot_floors(floors);
        auto block = limits.rows;
        block.insert(block.end(), limits.spare.begin(), limits.spare.end());
        block.insert(block.end(), limits.steps.begin(), limits.steps.end());
        block.insert(block.end(), floors.begin(), floors.end());
        block.insert(block.end(), floors.begin(), floors.end());
        const kempe::SweepOutput output{q_out.data(), v_out.data(), a_out.data()};
        kempe::SweepState state;
        state.q = list(q, size.q, "q");
        state.last = list(last, size.turns, "last");
        kempe::Sweep sweep(*system_, std::move(limits));
        CompiledSweep compiled(fused, p, std::move(block), times.data(), output);
        kempe::FusedSweep inner;
        if (fused != 0) {
            inner = [&](std::int64_t first, std::int64_t stop, kempe::SweepState& s,
                        kempe::SweepCounts& counts) {
                return compiled(first, stop, s, counts, system_->parity());
            };
        }
        kempe::SweepEnd end;
        kempe::Refusal refused;
        {
            nb::gil_scoped_release release;
            refused = sweep.start(state, times.data()[0]);
            if (refused == kempe::Refusal::none) {
                end = sweep.run(state, times.data(), static_cast<std::int64_t>(count), output,
                                inner, [] {
                                    nb::gil_scoped_acquire acquire;
                                    return PyErr_CheckSignals() == 0;
                                });
            } else {
                end.refusal = refused;
            }
        }
        PyErr_Clear();
        nb::dict facts;
        facts["samples"] = end.samples;
        facts["refusal"] = refusal_name(end.refusal);
        facts["t"] = end.t;
        facts["pivot_ratio"] = end.pivot_ratio;
        facts["worst_spare"] = end.worst_spare;
        facts["interrupted"] = end.interrupted;
        facts["iterations"] = sweep.counts().iterations;
        facts["halvings"] = sweep.counts().halvings;
        facts["substeps"] = sweep.counts().substeps;
        facts["fallbacks"] = system_->fallbacks();
        return facts;
    }

  private:
    std::shared_ptr<kempe::TapeSystem> system_;
};

}  // namespace

void bind_sweep(nb::module_& m) {
    using kempe::TapeSystem;
    nb::class_<TapeSystem>(m, "TapeSystem", "A kinematic tape that is ready to run.")
        .def(
            "__init__",
            [](TapeSystem* self, std::shared_ptr<kempe::Tape> tape, std::vector<std::size_t> size,
               nb::dict registers) {
                if (size.size() != 5) {
                    throw nb::value_error("five sizes are needed: q, v, spare, turns, parameters");
                }
                auto of = [&](const char* name) {
                    return list(nb::cast<Integers>(registers[name]));
                };
                kempe::TapeRegisters r;
                r.retracted = of("retracted");
                r.phi = of("phi");
                r.spare = of("spare");
                r.turns = of("turns");
                r.dx = of("dx");
                r.correct_pivots = of("correct_pivots");
                r.qd = of("qd");
                r.velocity_pivots = of("velocity_pivots");
                r.qdd = of("qdd");
                r.jacobian = of("jacobian");
                r.velocity_rhs = of("velocity_rhs");
                r.gamma = of("gamma");
                r.jacobian_rows = of("jacobian_rows");
                r.jacobian_columns = of("jacobian_columns");
                new (self) TapeSystem(std::move(tape), {size[0], size[1], size[2], size[3], size[4]},
                                      std::move(r));
            },
            "tape"_a, "size"_a, "registers"_a)
        .def(
            "set_compiled",
            [](TapeSystem& self, std::vector<std::uintptr_t> addresses) {
                std::vector<TapeSystem::Compiled> sections;
                for (auto address : addresses) {
                    sections.push_back(reinterpret_cast<TapeSystem::Compiled>(address));
                }
                self.set_compiled(std::move(sections));
            },
            "addresses"_a, "Run these compiled sections instead of the VM.")
        .def(
            "evaluate",
            [](TapeSystem& self, const Reals& parameters, const Reals& q, double t,
               const Reals& last) {
                const auto size = self.size();
                const auto p = list(parameters, size.parameters, "parameters");
                const auto at = list(q, size.q, "q");
                const auto turns = list(last, size.turns, "last");
                std::vector<double> phi(self.row_count()), now(size.turns), J;
                self.set_parameters(p.data());
                self.residual(at.data(), t, turns.data(), phi.data(),
                              phi.data() + (self.row_count() - size.spare), now.data());
                J.resize(self.jacobian_entries());
                self.jacobian(J.data());
                return nb::make_tuple(owned(std::move(phi)), owned(std::move(J)),
                                      owned(std::move(now)));
            },
            "parameters"_a, "q"_a, "t"_a, "last"_a,
            "phi of all rows, the entries of the Jacobian, and the unwrapped turns at (q, t).")
        .def(
            "pivots",
            [](TapeSystem& self) {
                std::vector<double> values(self.pivot_count());
                self.pivots(values.data());
                return owned(std::move(values));
            },
            "The pivots of the tape's elimination at the last evaluation.")
        .def(
            "retract",
            [](TapeSystem& self, const Reals& q, const Reals& d) {
                const auto from = list(q, self.size().q, "q");
                const auto by = list(d, self.size().v, "d");
                std::vector<double> moved(from.size());
                self.retract(from.data(), by.data(), moved.data());
                return owned(std::move(moved));
            },
            "q"_a, "d"_a, "The coordinates after the displacement d.");
    nb::class_<Sweeper>(m, "Sweeper", "Sweeps a mechanism over samples of time.")
        .def(nb::init<std::shared_ptr<TapeSystem>>(), "system"_a)
        .def("run", &Sweeper::run, "parameters"_a, "q"_a, "last"_a, "times"_a, "q_out"_a,
             "v_out"_a, "a_out"_a, "rows"_a, "spare"_a, "steps"_a, "pivot_floors"_a, "fused"_a,
             "Fills the arrays sample by sample; says how far it came and why it ended.");
}
