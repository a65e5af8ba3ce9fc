#include "dynamics/formula_range.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace kempe {
namespace {

constexpr double middle = 0.5 * step_looks;  // s at half the step

}  // namespace

FormulaRange::FormulaRange(WordFormula of) : of_(std::move(of)), words_(of_.words.size()), bends_(of_.words.size()) {
    if (of_.tape == nullptr || of_.tape->n_inputs() != 2 * of_.words.size())
        throw std::invalid_argument("a formula takes its words and how fast they change");
    const auto n = static_cast<std::int32_t>(of_.tape->n_registers());
    if (of_.value < 0 || of_.slope < 0 || of_.value >= n || of_.slope >= n)
        throw std::invalid_argument("an output register lies outside the register file");
    registers_.assign(of_.tape->n_registers(), Interval::point(0.0));
    decorations_.assign(of_.tape->n_registers(), Decoration::trivial);
}

// Newton's divided differences at whole numbers, multiplied out.
void FormulaRange::lay(std::size_t word, const std::array<double, step_looks + 1>& seen) {
    Polynomial differences = seen;
    for (std::size_t order = 1; order <= step_looks; ++order)
        for (std::size_t i = step_looks; i >= order; --i)
            differences[i] = (differences[i] - differences[i - 1]) / static_cast<double>(order);
    Polynomial made{};
    for (std::size_t i = step_looks + 1; i-- > 0;) {
        const double place = static_cast<double>(i) - middle;
        for (std::size_t j = step_looks; j > 0; --j) made[j] = made[j - 1] - place * made[j];
        made[0] = differences[i] - place * made[0];
    }
    words_[word] = made;
    double bend = 0.0, power = 1.0;
    for (std::size_t j = 2; j <= step_looks; ++j) {
        bend += static_cast<double>(j * (j - 1)) * std::abs(made[j]) * power;
        power *= middle;
    }
    bends_[word] = bend;
}

void FormulaRange::lay_time(std::size_t word, double start, double h) {
    words_[word] = {};
    words_[word][0] = start + 0.5 * h;
    words_[word][1] = h / static_cast<double>(step_looks);
    bends_[word] = 0.0;
}

bool FormulaRange::is_clear(double low, double high, double slack) {
    const double c = static_cast<double>(step_looks) * 0.5 * (low + high) - middle;
    const double r = static_cast<double>(step_looks) * 0.5 * (high - low);
    for (std::size_t w = 0; w < words_.size(); ++w) {
        double value = 0.0, slope = 0.0;
        for (std::size_t j = step_looks + 1; j-- > 0;) {
            slope = slope * c + value;
            value = value * c + words_[w][j];
        }
        const double bend = bends_[w] * r, way = std::abs(slope) * r + 0.5 * bend * r;
        registers_[w] = interval_of_bounds(value - way, value + way);
        registers_[words_.size() + w] = interval_of_bounds(slope - bend, slope + bend);
    }
    const UpwardMode upward;
    load_constants(*of_.tape, registers_.data());
    load_decorations(*of_.tape, registers_.data(), decorations_.data());
    run_section(*of_.tape, 0, registers_.data(), decorations_.data());
    const Interval& f = registers_[static_cast<std::size_t>(of_.value)];
    if (!f.is_empty() && (f.lower() > 0.0 || f.upper < 0.0 || (f.lower() >= -slack && f.upper <= slack))) return true;
    const Interval& rate = registers_[static_cast<std::size_t>(of_.slope)];
    const bool is_continuous = decorations_[static_cast<std::size_t>(of_.value)] == Decoration::continuous;
    return is_continuous && !rate.is_empty() && (rate.lower() > 0.0 || rate.upper < 0.0);
}

}  // namespace kempe
