// LU of a sparse matrix whose pattern stays and whose values change: order once, factor often.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linear/elimination.hpp"
#include "linear/order.hpp"

namespace kempe {

/// How the last analysis or factorisation ended.
enum class LuOutcome : std::uint8_t {
    empty,           // nothing factored yet
    factored,        // every pivot is sound
    weak_pivot,      // a pivot became small beside its row: solvable with fewer digits, order anew
    vanished_pivot,  // a pivot is noise or not finite: not solvable, order anew
    singular,        // a new order ended with a row that has vanished: no order helps
};

struct LuLimits {
    MarkowitzLimits order;
    double weak = 1e-3;       // |pivot| / (largest entry left in its row) below this: weak
    double vanished = 1e-12;  // the same, or |pivot| / (largest given entry of its row): vanished
};

/// A pivot by its place in the matrix; ratio is |pivot| over the larger of the two scales above.
struct PivotPlace {
    std::int32_t row = -1;
    std::int32_t col = -1;
    double ratio = 1.0;
};

/// P A Q = L U with a frozen order and a flat program, checked at every factorisation.
///
/// A Newton loop reads: analyze once; then per iteration `factor(values) ||
/// refactor_with_new_order(values)`, and `solve`. One object belongs to one thread; copies are
/// independent. Cost of a factorisation: about 1 ns per multiply-subtract.
///
/// Own: static programs by level; Source: [DuffErismanReid] ch. 10 for analyse/factor/solve.
class SparseLU {
  public:
    /// Orders on `samples` sets of values (entry by entry) and writes the program.
    /// False where the matrix is singular in every sample: see `stopped_at`. The object can still
    /// factor other values then, in an order completed arbitrarily.
    bool analyze(const Triplets& matrix, std::span<const double> values, std::int32_t samples = 1,
                 const LuLimits& limits = {});

    /// Writes the program for a complete order chosen elsewhere.
    void analyze_in_order(const Triplets& matrix, const PivotOrder& order, const LuLimits& limits = {});

    /// Factors the values in the frozen order; false where a pivot fails its check.
    bool factor(const double* values);

    /// Orders anew on these values alone, then factors. False where that fails too; then
    /// `stopped_at` says where, and the old order is kept.
    bool refactor_with_new_order(const double* values);

    /// A x = b. `b` and `x` may be the same array.
    void solve(const double* b, double* x);
    /// A^T x = b.
    void solve_transposed(const double* b, double* x);
    /// `count` right-hand sides, one after the other in memory.
    void solve_several(const double* b, double* x, std::int32_t count);

    [[nodiscard]] LuOutcome outcome() const { return outcome_; }
    [[nodiscard]] bool is_solvable() const {
        return outcome_ == LuOutcome::factored || outcome_ == LuOutcome::weak_pivot;
    }
    /// Pivot `step` of the last factorisation.
    [[nodiscard]] double pivot(std::int32_t step) const { return values_[step]; }
    /// Smallest |pivot| / max(largest entry left in its row, largest given entry of its row).
    [[nodiscard]] double smallest_pivot_ratio() const { return smallest_ratio_; }
    /// The pivot with that ratio.
    [[nodiscard]] PivotPlace weakest_pivot() const;
    /// Row and column left over where the order stopped or a pivot vanished; -1 where neither did.
    [[nodiscard]] PivotPlace stopped_at() const { return stopped_; }
    [[nodiscard]] std::int32_t size() const { return program_.size; }
    [[nodiscard]] std::int32_t entries() const { return static_cast<std::int32_t>(rows_.size()); }
    [[nodiscard]] std::int32_t reorderings() const { return reorderings_; }
    [[nodiscard]] const EliminationProgram& program() const { return program_; }
    /// Memory of its lists.
    [[nodiscard]] std::size_t bytes() const;

  private:
    void adopt(EliminationProgram program);
    void load(const double* values);
    void eliminate();
    bool judge();
    template <int Lanes> void substitute();
    template <int Lanes> void solve_lanes(const double* b, double* x);

    std::vector<std::int32_t> rows_;
    std::vector<std::int32_t> cols_;
    LuLimits limits_;
    EliminationProgram program_;
    LuOutcome outcome_ = LuOutcome::empty;
    PivotPlace stopped_;
    double smallest_ratio_ = 0.0;
    std::int32_t reorderings_ = 0;
    std::vector<double> values_;   // [pivots | U | L], see EliminationProgram
    std::vector<double> inverse_;  // 1 / pivot
    std::vector<std::uint64_t> scale_;  // bits of each row's largest entry, by row groups
    std::vector<double> merged_;   // given values summed where they share a place
    std::vector<double> work_;     // right-hand sides, lanes interleaved
    std::vector<std::int32_t> lower_ends_, upper_ends_;  // of every step's entries
};

}  // namespace kempe
