// Accelerations and multipliers of bodies held by joints: mass first, then the joints.
#pragma once

#include <cstdint>
#include <vector>

#include "schur/pages.hpp"
#include "schur/schur_kernels.hpp"
#include "schur/schur_program.hpp"
#include "schur/schur_whitener.hpp"

namespace kempe {

struct SchurLimits {
    double pivot = 1e-7;      // pivot over its diagonal of S at or below this: damp
    double damping = 1e-8;    // then S + damping diag(S) is factored in place of S
    std::int32_t refinements = 2;       // at least so many corrections against the true S
    std::int32_t most_refinements = 8;  // and no more than so many, while they still help
};

/// C (size x size) with C M C^T = I, lower triangular; false where M is not positive definite: where
/// a pivot is rounding beside its own diagonal. The one decision whether a body has mass.
bool make_whitener(const double* mass, std::int32_t size, double* c);

/// A row of a joint, or the body whose mass block failed; -1 where there is none.
struct SaddlePlace {
    std::int32_t body = -1;
    std::int32_t joint = -1;
    std::int32_t row = -1;  // of that joint
};

/// [M J^T; J 0] [a; lam] = [f; g] with M in blocks per body and J in blocks per joint and body.
///
///   M = C^-1 C^-T,  Y = J C^T,  S = J M^-1 J^T = Y Y^T,  S lam = J M^-1 f - g,
///   a = M^-1 (f - J^T lam)
///
/// S stands on the graph of joints that share a body and is factored as block L D L^T in a frozen
/// minimum degree order. Where a pivot is small beside its diagonal, the factors are those of
/// S + damping diag(S), and every solve is refined against the true S: a proximal iteration,
/// whose accelerations are right where the rows are redundant but consistent; of the multipliers it
/// gives one of many. A small pivot is a trigger, not a rank test.
///
/// Own: the whitened form Y keeps S symmetric and gives S times a vector without storing S.
/// One object belongs to one thread; copies are independent.
class SchurLDLT {
  public:
    static constexpr std::size_t spill = schur::spill;

    explicit SchurLDLT(const SaddleLayout& layout, const SchurLimits& limits = {});

    /// Mass blocks, body after body, each size x size row by row. False where one is not positive
    /// definite: see `weakest`. To be repeated only when the masses change.
    bool set_mass(const double* blocks);

    /// Jacobian blocks, joint after joint, body after body as the joint lists them, each
    /// rows x size column by column, and `spill` readable numbers behind the last. False where even
    /// the damped factors fail: see `weakest`. Where the layout is white these are the blocks of Y,
    /// which stay with the caller: solves read them as they then are.
    bool factor(const double* blocks);

    /// `factor` and `solve` in one pass, which is quicker.
    bool factor_and_solve(const double* blocks, const double* f, const double* g, double* a, double* lam);

    /// Solves for one right-hand side; f and a by body, g and lam by joint. f may be null for 0, and
    /// lam where it is not wanted.
    void solve(const double* f, const double* g, double* a, double* lam);

    /// The nearest velocities, by mass, with J v = g; in place.
    void project(const double* g, double* v);

    /// J of Y = J C^T, of all blocks or of some rows at one body.
    void unwhiten(const double* white, double* blocks) const;
    void unwhiten(std::size_t body, std::int32_t rows, const double* y, double* j) const;
    /// C of a body at row k and column m <= k.
    [[nodiscard]] double whitener(std::size_t body, std::int32_t k, std::int32_t m) const;
    [[nodiscard]] std::size_t bytes() const;

    [[nodiscard]] bool is_factored() const { return factored_; }
    [[nodiscard]] bool has_mass() const { return has_mass_; }
    /// Whether the last factorisation had to be damped.
    [[nodiscard]] bool damped() const { return damped_; }
    /// Smallest pivot over its diagonal of S, before any damping; 0 where one was not positive.
    [[nodiscard]] double smallest_pivot_ratio() const { return smallest_ratio_; }
    /// The row that made damping necessary or where the factors failed; or the body without mass.
    [[nodiscard]] SaddlePlace weakest() const;
    /// max |g - J a|, each row over sqrt(S_rr), of the last damped solve, over that of its start:
    /// where it stays far above rounding, the rows contradict each other. 0 where not damped.
    [[nodiscard]] double remaining_misfit() const { return misfit_; }
    [[nodiscard]] const SchurProgram& program() const { return program_; }

  private:
    /// Calls act(rows, size, touch) for every block of J, the numbers as constants where common.
    template <class Act> void each_touch(Act act);
    template <bool with_right>
    void whiten(const double* blocks, std::int32_t begin, std::int32_t end);
    void make(const SchurProgram::Column& column, std::int32_t block, std::int32_t pair, double damping);
    template <bool with_right> void eliminate_columns(const double* blocks, double damping);
    void eliminate(const double* blocks, double damping);
    void eliminate_with_right(const double* blocks);
    bool check_factors(const double* blocks);
    void whiten_forces(const double* f);
    void whiten_velocities(const double* v);
    void begin_residual(const double* g);
    void balance(const double* g);
    [[nodiscard]] const double* white() const { return given_white_ != nullptr ? given_white_ : white_.data(); }
    void give_bodies(double* a) const;
    void scale(double* y) const;
    void substitute_back(double* y) const;
    [[nodiscard]] double smallest_ratio() const;
    [[nodiscard]] std::int32_t worst_row() const;
    void residual(const double* g);
    void push_bodies();
    void refine(const double* g, double start);
    void substitute(double* y) const;
    [[nodiscard]] double misfit() const;

    SchurProgram program_;
    SchurLimits limits_;
    bool is_white_;
    const double* given_white_ = nullptr;  // Y, where it is given
    std::vector<double> whitener_;  // C, block after block, packed as its shape allows
    std::vector<std::int32_t> whitener_start_;
    std::vector<schur::WhitenerShape> whitener_shape_;
    LongList white_;     // Y, block after block, size x rows
    LongList blocks_;    // S, then L, lower blocks in elimination order
    std::vector<double> diagonal_;  // of S, in elimination order
    std::vector<double> inverse_;   // 1 / pivots, in elimination order
    std::vector<double> scratch_;   // L D of one block column
    std::vector<double> body_;      // C f, then C (f - J^T lam)
    std::vector<double> joint_;     // rows in elimination order
    std::vector<double> lam_;
    bool has_mass_ = false;
    bool factored_ = false;
    bool damped_ = false;
    double smallest_ratio_ = 0.0;
    double misfit_ = 0.0;
    std::int32_t worst_row_ = -1;
    std::int32_t bad_body_ = -1;
};

template <class Act> void SchurLDLT::each_touch(Act act) {
    for (const auto [begin, end] : program_.touch_runs) {
        const SchurProgram::Touch* const touches = program_.touches.data();
        schur::with_rows(touches[begin].rows, [&](auto rows) {
            schur::with_size(touches[begin].size, [&](auto size) {
                for (std::int32_t t = begin; t < end; ++t) act(rows, size, touches[t]);
            });
        });
    }
}

}  // namespace kempe
