// A mechanism ready to be swept, by its compiled sweep where there is one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kinematics/sweep.hpp"
#include "kinematics/system.hpp"
#include "kinematics/tape_system.hpp"

namespace kempe {

/// What one sweep starts from, and what its steps must satisfy.
struct SweepTask {
    std::vector<double> parameters, q, turns;
    SweepLimits limits;
    std::vector<double> pivot_floors;  // below them a pivot of the tape is not trusted
    std::uintptr_t fused = 0;          // address of the compiled sweep; 0: there is none
};

class Sweeper {
  public:
    explicit Sweeper(std::shared_ptr<KinematicSystem> system);

    [[nodiscard]] const KinematicSystem& system() const { return *system_; }

    /// Samples at the times, rising or falling, from the task's state at the first of them. `alive`
    /// is asked now and then, and false ends the sweep.
    SweepEnd run(SweepTask task, std::span<const double> times, SweepOutput output, const std::function<bool()>& alive);

  private:
    std::shared_ptr<KinematicSystem> system_;
    std::shared_ptr<TapeSystem> tape_;  // the same, where it is one
};

}  // namespace kempe
