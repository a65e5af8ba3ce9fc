#include "kinematics/sweeper.hpp"

#include <algorithm>
#include <utility>

namespace kempe {

namespace {

// The compiled sweep as it is called, and the blocks of doubles it works on.
class CompiledSweep {
  public:
    using Function = std::int64_t (*)(const double*, const double*, std::int64_t, std::int64_t, double*, const double*,
                                      double*, double*, double*, std::int64_t*);

    CompiledSweep(const SweepTask& task, const double* times, SweepOutput output)
        : function_(reinterpret_cast<Function>(task.fused)), parameters_(task.parameters), floors_(task.pivot_floors),
          times_(times), output_(output) {}

    std::int64_t operator()(std::int64_t first, std::int64_t count, SweepState& state, SweepCounts& counts,
                            const SweepLimits& limits, const Signs& parity) {
        limits_.clear();
        for (const auto* part : {&limits.rows, &limits.spare, &limits.steps, &floors_, &floors_})
            limits_.insert(limits_.end(), part->begin(), part->end());
        block_.clear();
        for (const auto* part : {&state.q, &state.v, &state.a, &state.a_old, &state.turns})
            block_.insert(block_.end(), part->begin(), part->end());
        block_.push_back(state.t);
        block_.push_back(state.h_old);
        for (std::size_t k = 0; k < parity.size(); ++k)
            block_.push_back(static_cast<double>(state.signs[k] * parity[k]));
        const std::int64_t stopped = function_(parameters_.data(), times_, first, count, block_.data(), limits_.data(),
                                               output_.q, output_.v, output_.a, &counts.iterations);
        const double* from = block_.data();
        for (auto* part : {&state.q, &state.v, &state.a, &state.a_old, &state.turns}) {
            std::copy(from, from + part->size(), part->begin());
            from += part->size();
        }
        state.t = from[0];
        state.h_old = from[1];
        return stopped;
    }

  private:
    Function function_;
    const std::vector<double>&parameters_, &floors_;
    std::vector<double> limits_, block_;
    const double* times_;
    SweepOutput output_;
};

}  // namespace

Sweeper::Sweeper(std::shared_ptr<KinematicSystem> system)
    : system_(std::move(system)), tape_(std::dynamic_pointer_cast<TapeSystem>(system_)) {}

SweepEnd Sweeper::run(SweepTask task, std::span<const double> times, SweepOutput output,
                      const std::function<bool()>& alive) {
    system_->set_parameters(task.parameters.data());
    system_->set_steps(task.limits.steps.data());
    const auto fallbacks = tape_ ? tape_->fallbacks() : 0;
    if (tape_) tape_->set_pivot_floors(task.pivot_floors);
    SweepState state;
    state.q = std::move(task.q);
    state.turns = std::move(task.turns);
    Sweep sweep(*system_, std::move(task.limits));
    CompiledSweep compiled(task, times.data(), output);
    FusedSweep inner;
    if (task.fused != 0 && tape_) {
        inner = [&](std::int64_t first, std::int64_t stop, SweepState& s, SweepCounts& counts, const SweepLimits& now) {
            if (!tape_->knows_signs()) return first;  // no signs to watch yet
            return compiled(first, stop, s, counts, now, tape_->parity());
        };
    }
    SweepEnd end;
    end.refusal = sweep.start(state, times[0]);
    if (end.refusal == Refusal::none)
        end = sweep.run(state, times.data(), static_cast<std::int64_t>(times.size()), output, inner, alive);
    else end.t = times[0];
    end.counts = sweep.counts();
    end.counts.fallbacks = tape_ ? tape_->fallbacks() - fallbacks : 0;
    end.q = std::move(state.q);
    end.turns = std::move(state.turns);
    return end;
}

}  // namespace kempe
