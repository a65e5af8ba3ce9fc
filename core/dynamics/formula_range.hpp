// Formulas of what is smooth along a step: where such a formula may have more than one zero.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "interval/interval_vm.hpp"
#include "tape/tape.hpp"

namespace kempe {

constexpr std::size_t step_looks = 8;  // along a step, equally far apart

/// A formula of words: measures, rates, readings and the time, each of them smooth along a step.
struct WordFormula {
    std::shared_ptr<const Tape> tape;  // inputs are the words, then how fast they change
    std::int32_t value = 0, slope = 0;  // registers: the formula, and how fast it changes
    std::vector<std::int32_t> words;    // an output of a list's tape; -1: the time; -2 - k: reading k
};

/// Encloses a formula over any part of a step.
///
/// With p a polynomial of degree 8 through what was seen of a word, at the middle c of a part of half-width r:
///
///     w in p(c) +- (|p'(c)| r + B r^2 / 2),   w' in p'(c) +- B r,   B >= |p''| along the step
///
/// and the formula runs on these intervals, rounded outward. It is as sure as the words are smooth, which is what steps are
/// chosen for; of a formula of the time alone it is a proof.
class FormulaRange {
  public:
    explicit FormulaRange(WordFormula of);

    [[nodiscard]] const WordFormula& of() const { return of_; }
    /// What a word was at the start of the step and at the looks along it.
    void lay(std::size_t word, const std::array<double, step_looks + 1>& seen);
    /// A word that is the time: the step starts then, and takes h.
    void lay_time(std::size_t word, double start, double h);
    /// Whether the formula has one zero at most between two shares of the step, and passes it one way only; or is
    /// nowhere more than `slack`, which is rounding.
    [[nodiscard]] bool is_clear(double low, double high, double slack);

  private:
    using Polynomial = std::array<double, step_looks + 1>;  // of s = 8 x - 4, x the share of the step

    WordFormula of_;
    std::vector<Polynomial> words_;
    std::vector<double> bends_;  // B of every word
    std::vector<Interval> registers_;
    std::vector<Decoration> decorations_;
};

}  // namespace kempe
