// Marks: times at which a law of time is known to change over. Steps end on them exactly.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/integrator.hpp"

namespace kempe {

namespace {

constexpr int glances = 4;           // ahead, along a step: its stages see what these miss
constexpr int most_halvings = 200;   // of the time in which a law changes over
constexpr double touching = std::numeric_limits<double>::min();  // clearance of one that changes over
constexpr double nowhere = std::numeric_limits<double>::infinity();

}  // namespace

void Integrator::share_marks() {
    for (std::size_t k = 0; k < limits_.clocks.size(); ++k)
        if (limits_.clocks[k] != 0) clocks_.push_back(k);
    ahead_.assign(clocks_.empty() ? 0 : size_.switches, 0.0);
}

/// What was seen ahead no longer holds, for laws have changed over.
void Integrator::forget_clocks() { clock_ = seen_until_ = t_; }

/// Whether the law of a clock has changed over at time t. Bodies stand where they stand.
bool Integrator::has_struck(std::size_t k, double t) {
    system_.switches(q_.data(), v_.data(), t, last_.data(), seen_.data());
    return !(sides_[k] * seen_[k] > 0.0);
}

/// The first time at which the law of a clock has changed over: not yet at `low`, and at `high`.
///
/// Own: secants of the two ends, and halves in turn, down to neighbouring numbers.
double Integrator::strike(std::size_t k, double low, double high) {
    double f_low = 0.0, f_high = 0.0;
    for (int round = 0; round < most_halvings; ++round) {
        double middle = 0.5 * (low + high);
        if (f_low > 0.0 && f_high < 0.0 && round % 3 != 2) middle = low + (high - low) * (f_low / (f_low - f_high));
        if (!(middle > low && middle < high)) {
            middle = 0.5 * (low + high);
            if (!(middle > low && middle < high)) break;
        }
        const bool struck = has_struck(k, middle);
        (struck ? high : low) = middle;
        (struck ? f_high : f_low) = sides_[k] * seen_[k];
        if (seen_[k] == 0.0) {
            const double before = std::nextafter(high, low);
            if (!(before > low) || !has_struck(k, before)) break;
            high = before;
            f_high = sides_[k] * seen_[k];
        }
    }
    return high;
}

/// The first time after the present, and not after `until`, at which a law of time changes over.
double Integrator::next_clock(double until) {
    if (clock_ > t_) return clock_ <= until ? clock_ : nowhere;
    double low = std::max(t_, seen_until_);
    const double begin = low;
    for (int i = 1; i <= glances && until > low; ++i) {
        const double high = i == glances ? until : begin + (until - begin) * i / glances;
        double first = nowhere;
        system_.switches(q_.data(), v_.data(), high, last_.data(), ahead_.data());
        for (const std::size_t k : clocks_)
            if (is_active(k) && !(sides_[k] * ahead_[k] > 0.0)) first = std::min(first, strike(k, low, high));
        if (first < nowhere) {
            clock_ = first;
            return first;
        }
        low = seen_until_ = high;
    }
    return nowhere;
}

/// The next mark, a law of a force or of a drive; none before `until`: infinite.
double Integrator::next_mark(double until) {
    double first = clocks_.empty() ? nowhere : next_clock(until);
    while (stop_ < limits_.stops.size() && !(limits_.stops[stop_].after > t_)) ++stop_;
    if (stop_ < limits_.stops.size()) {
        const double before = limits_.stops[stop_].before;
        first = before > t_ && before <= until ? std::min(first, before) : first;
    }
    return first;
}

/// The step has ended on a mark: laws that change over there stand at it, not beyond.
void Integrator::stand_on_mark() {
    double* const end = switches(static_cast<std::size_t>(tableau_.stages));
    for (const std::size_t k : clocks_)
        if (is_active(k) && !(sides_[k] * end[k] > 0.0)) end[k] = sides_[k] * touching;
}

/// Whether clocks stand on the mark that the step has ended on; they change over next.
bool Integrator::meets_clocks() {
    const double* const end = switches(static_cast<std::size_t>(tableau_.stages));
    bool any = false;
    for (const std::size_t k : clocks_) {
        is_met_[k] = is_active(k) && end[k] == sides_[k] * touching;
        any = any || is_met_[k] != 0;
    }
    return any;
}

/// Clocks that have changed over stand just beyond, not on zero.
void Integrator::leave_mark() {
    for (const std::size_t k : clocks_)
        if (sides_[k] != 0.0 && !(sides_[k] * switches(0)[k] > 0.0)) switches(0)[k] = sides_[k] * touching;
}

/// Beyond a mark of drives: what acts there is found anew.
bool Integrator::pass_stop() {
    if (stop_ < limits_.stops.size() && limits_.stops[stop_].before == t_) {
        t_ = limits_.stops[stop_++].after;
        std::fill(y_.begin(), y_.end(), 0.0);
        if (!evaluate(y_.data(), q_.data(), v_.data(), t_, stage(0), lam_.data())) {
            end_.halt = Halt::diverged;
            return false;
        }
        refer_speed();
        refer_energy(stage(0) + 2 * size_.v);
    }
    return true;
}

}  // namespace kempe
