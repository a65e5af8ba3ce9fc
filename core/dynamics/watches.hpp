// Watches: functions of the motion whose zeros end a step, found on the dense output of any method.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dynamics/formula_range.hpp"
#include "tape/running_tape.hpp"

namespace kempe {

/// The motion at one time: `a`, `lam` and `energy` only where a watch needs them.
struct Moment {
    double t = 0.0;
    std::vector<double> q, v, a, lam, energy, states;
};

/// What a watch looks at: an output of the tape, a number that is read from outside, a multiplier.
enum class Watched : std::uint8_t { formula, reading, multiplier };

/// How a watch begins: judged by what it is; just met, so that it has to come back first; or known to
/// be about to leave zero upwards.
enum class Begun : std::uint8_t { judged, met, leaving };

/// f = sign (value - offset): it is met where f falls to zero, or jumps to below it; not where it passes infinity.
struct Watch {
    Watched of = Watched::formula;
    std::int32_t index = 0;
    double sign = 1.0, offset = 0.0;
    double slack = 0.0;  // |f| that is rounding: it is met only after it was more
    Begun begun = Begun::judged;
    std::int32_t formula = -1;  // of the list, where it may be faster than the motion
    bool is_idle = false;  // it ends no step, but is met where another one is
};

struct WatchList {
    /// Inputs of the tape are these places of q and v, then t, the angles it counts, and numbers.
    std::shared_ptr<const Tape> tape;
    std::vector<std::int32_t> q, v, outputs, turned;
    std::vector<double> last, numbers;
    std::vector<Watch> watches;
    std::vector<WordFormula> formulas;
    /// Values (moments x readings) from outside; false where there are none.
    std::function<bool(const std::vector<Moment>&, std::vector<double>&)> read;
    std::size_t readings = 0;
};

class Watcher {
  public:
    /// Puts the motion at a share x of the step into a moment; projected where it shall be `exact`.
    using Look = std::function<bool(double x, bool exact, Moment& into)>;

    explicit Watcher(WatchList list);

    /// Whether moments need accelerations, multipliers and energies.
    [[nodiscard]] bool needs_motion() const { return needs_motion_; }
    /// Where a run begins; false where a watch has no finite value.
    bool start(const Moment& now);
    /// The share of the step at which the first watch is met, if any is. A watch without a finite
    /// value is `lost`. Where it `may_refuse` the step, it is `coarse` if looks along it do not tell what
    /// something is between them, as of a distance that passes its least value.
    std::optional<double> find(const Look& look, bool may_refuse);
    /// How far, as a share of the step, the first watch is from zero at a moment.
    [[nodiscard]] double distance(const Moment& there);
    /// The step ends at this moment: angles are counted on from there.
    void pass(const Moment& end);

    /// The watches that are met at the place that was found.
    [[nodiscard]] const std::vector<std::int32_t>& met() const { return met_; }
    [[nodiscard]] std::int32_t lost() const { return lost_; }
    /// The watch whose formula is too fast to be followed along this step; -1 where none is.
    [[nodiscard]] std::int32_t too_fast() const { return too_fast_; }
    [[nodiscard]] bool is_coarse() const { return is_coarse_; }
    /// A shorter step may find it again, or follow it.
    void forget_lost() {
        lost_ = too_fast_ = -1;
        is_coarse_ = false;
    }
    [[nodiscard]] const std::vector<double>& last() const { return list_.last; }

  private:
    /// A part of the step in which a formula may have several zeros.
    struct Part {
        double low, high, f_high;
        int halvings;
    };
    /// A function along the step: places so near each other that it has one zero at most between them, laid as
    /// they are asked for.
    struct Course {
        std::vector<double> x, f;
        std::vector<Part> left;  // still to be looked at, the first one last
        int looked_at = 0;
    };

    /// Two places of the step, and a watch there.
    struct Dip {
        double low, high, f_low, f_high;
    };

    void see(std::size_t moment);
    bool is_followed();
    void lay_courses();
    bool extend(std::size_t k, const Look& look);
    bool values(const std::vector<Moment>& moments, std::vector<double>& f);
    void run_tape(const Moment& at);
    [[nodiscard]] double value(std::size_t k, double x, const Look& look);
    [[nodiscard]] double root(std::size_t k, double low, double high, double f_low, double f_high, const Look& look);
    [[nodiscard]] bool is_pole(std::size_t k, double x, double low, double high, double most, const Look& look);
    [[nodiscard]] double left(std::size_t k, double low, double high, double f_high, const Look& look);
    [[nodiscard]] bool passes(std::size_t k, double x, const Look& look);
    [[nodiscard]] std::optional<Dip> fold(std::size_t k, const Dip& between, double slope, int halvings,
                                          const Look& look);
    [[nodiscard]] std::optional<double> first(std::size_t k, const Look& look);
    [[nodiscard]] Course& course_of(std::size_t k);

    WatchList list_;
    std::optional<RunningTape> file_;
    bool needs_motion_ = false, is_coarse_ = false;
    std::int32_t lost_ = -1, too_fast_ = -1;
    double slope_ = 0.0;  // of the first watch that is met, over the step; 0: it jumps
    std::vector<std::int32_t> met_;
    std::vector<std::uint8_t> is_armed_, stays_armed_;  // was more than its slack; is so after this step
    std::vector<double> now_, looks_, one_, read_;
    std::vector<Moment> moments_, single_;
    std::vector<FormulaRange> ranges_;
    std::vector<Course> courses_;  // of the formulas, and of the watch without one that is looked at
    std::vector<std::vector<double>> words_;  // of all formulas, moment after moment
    std::vector<double> now_words_;
    std::vector<double> most_, most_word_;  // of every watch and word: the largest value so far
    double now_t_ = 0.0;
};

}  // namespace kempe
