#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "kinematics/nearest_sweep.hpp"
#include "kinematics/sweep.hpp"
#include "kinematics/tape_system.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe::bind;

namespace {

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

nb::dict facts_of(const kempe::SweepEnd& end, const kempe::SweepCounts& counts) {
    nb::dict facts;
    facts["samples"] = end.samples;
    facts["refusal"] = refusal_name(end.refusal);
    facts["t"] = end.t;
    facts["interrupted"] = end.interrupted;
    facts["iterations"] = counts.iterations;
    facts["halvings"] = counts.halvings;
    facts["substeps"] = counts.substeps;
    facts["smallest_step"] = counts.smallest_step;
    nb::dict refusals;
    for (std::size_t k = 1; k < kempe::refusal_kinds; ++k) {
        if (counts.refusals[k] > 0) {
            refusals[refusal_name(static_cast<kempe::Refusal>(k))] = counts.refusals[k];
        }
    }
    facts["refusals"] = refusals;
    return facts;
}

nb::dict nearest_sweep(kempe::KinematicSystem& system, const Vector& parameters, const Vector& q,
                       const Vector& last, const Vector& times, WritableMatrix q_out,
                       const Integers& rows, const Integers& columns, const Integers& kept,
                       const Vector& weights, const Vector& steps) {
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
    auto turns = list(last, size.turns, "last");
    kempe::NearestSweep sweep(system, {list(rows), list(columns), list(kept),
                                       list(weights, size.spare, "weights"),
                                       list(steps, size.v, "steps")});
    system.set_parameters(p.data());
    kempe::SweepEnd end;
    {
        nb::gil_scoped_release release;
        end = sweep.run(at, turns, times.data(), static_cast<std::int64_t>(times.size()),
                        q_out.data(), [] {
                            nb::gil_scoped_acquire acquire;
                            return PyErr_CheckSignals() == 0;
                        });
    }
    nb::dict facts = facts_of(end, sweep.counts());
    facts["raised"] = raised();
    return facts;
}

// The compiled sweep as it is called, and the blocks of doubles it works on.
class CompiledSweep {
  public:
    using Function = std::int64_t (*)(const double*, const double*, std::int64_t, std::int64_t,
                                      double*, const double*, double*, double*, double*,
                                      std::int64_t*);

    CompiledSweep(std::uintptr_t address, std::vector<double> parameters,
                  std::vector<double> floors, const double* times, kempe::SweepOutput output)
        : function_(reinterpret_cast<Function>(address)),
          parameters_(std::move(parameters)),
          floors_(std::move(floors)),
          times_(times),
          output_(output) {}

    std::int64_t operator()(std::int64_t first, std::int64_t count, kempe::SweepState& state,
                            kempe::SweepCounts& counts, const kempe::SweepLimits& limits,
                            const kempe::Signs& parity) {
        limits_.clear();
        for (const std::vector<double>* part :
             {&limits.rows, &limits.spare, &limits.steps, &std::as_const(floors_),
              &std::as_const(floors_)}) {
            limits_.insert(limits_.end(), part->begin(), part->end());
        }
        block_.clear();
        for (const auto* part : {&state.q, &state.v, &state.a, &state.a_old, &state.last}) {
            block_.insert(block_.end(), part->begin(), part->end());
        }
        block_.push_back(state.t);
        block_.push_back(state.h_old);
        for (std::size_t k = 0; k < parity.size(); ++k) {
            block_.push_back(static_cast<double>(state.signs[k] * parity[k]));
        }
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
    std::vector<double> parameters_, floors_, limits_, block_;
    const double* times_;
    kempe::SweepOutput output_;
};

// A mechanism ready to be swept.
class Sweeper {
  public:
    explicit Sweeper(std::shared_ptr<kempe::KinematicSystem> system)
        : system_(std::move(system)),
          tape_(std::dynamic_pointer_cast<kempe::TapeSystem>(system_)) {}

    nb::dict run(const Vector& parameters, const Vector& q, const Vector& last, const Vector& times,
                 WritableMatrix q_out, WritableMatrix v_out,
                 WritableMatrix a_out, const Vector& rows, const Vector& spare,
                 const Vector& steps, const Vector& pivot_floors, std::uintptr_t fused) {
        const auto size = system_->size();
        const auto count = times.size();
        if (system_->solved_rows() != size.v) {
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
        system_->set_steps(limits.steps.data());
        const auto fallbacks = tape_ ? tape_->fallbacks() : 0;
        if (tape_) {
            tape_->set_pivot_floors(floors);
        }
        const kempe::SweepOutput output{q_out.data(), v_out.data(), a_out.data()};
        kempe::SweepState state;
        state.q = list(q, size.q, "q");
        state.last = list(last, size.turns, "last");
        kempe::Sweep sweep(*system_, std::move(limits));
        CompiledSweep compiled(fused, p, floors, times.data(), output);
        kempe::FusedSweep inner;
        if (fused != 0 && tape_) {
            inner = [&](std::int64_t first, std::int64_t stop, kempe::SweepState& s,
                        kempe::SweepCounts& counts, const kempe::SweepLimits& now) {
                if (!tape_->knows_signs()) {
                    return first;  // no signs to watch yet
                }
                return compiled(first, stop, s, counts, now, tape_->parity());
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
                end.t = times.data()[0];
            }
        }
        nb::dict facts = facts_of(end, sweep.counts());
        facts["raised"] = raised();
        facts["pivot_ratio"] = end.pivot_ratio;
        facts["worst_spare"] = end.worst_spare;
        facts["speed"] = end.speed;
        facts["fallbacks"] = tape_ ? tape_->fallbacks() - fallbacks : 0;
        facts["q"] = reals(std::move(state.q));  // at "t", where the sweep stands
        facts["last"] = reals(std::move(state.last));
        return facts;
    }

  private:
    std::shared_ptr<kempe::KinematicSystem> system_;
    std::shared_ptr<kempe::TapeSystem> tape_;  // the same, where it is one
};

}  // namespace

void bind_sweep(nb::module_& m) {
    m.def("nearest_sweep", &nearest_sweep, "system"_a, "parameters"_a, "q"_a, "last"_a, "times"_a,
          "q_out"_a, "rows"_a, "columns"_a, "kept"_a, "weights"_a, "steps"_a,
          "Fills q_out with positions in which whatever is free has moved as little as it could;\n"
          "says how far it came and why it ended.");
    nb::class_<Sweeper>(m, "Sweeper", "Sweeps a mechanism over samples of time.")
        .def(nb::init<std::shared_ptr<kempe::KinematicSystem>>(), "system"_a)
        .def("run", &Sweeper::run, "parameters"_a, "q"_a, "last"_a, "times"_a, "q_out"_a,
             "v_out"_a, "a_out"_a, "rows"_a, "spare"_a, "steps"_a, "pivot_floors"_a, "fused"_a,
             "Fills the arrays sample by sample; says how far it came and why it ended.");
}
