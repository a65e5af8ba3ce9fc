// Right-hand sides of the block solver.
#include <algorithm>
#include <cmath>
#include <limits>

#include "schur/schur_kernels.hpp"
#include "schur/schur_ldlt.hpp"
#include "schur/schur_whitener.hpp"
#include "tape/generations.hpp"

namespace kempe {

using schur::Index;
using schur::with_rows;
using schur::with_size;

void SchurLDLT::solve(const double* f, const double* g, double* a, double* lam) {
    if (f == nullptr) std::fill(body_.begin(), body_.end(), 0.0);
    else whiten_forces(f);
    balance(g);
    give_bodies(a);
    for (Index r = 0; lam != nullptr && r < program_.rows; ++r) lam[program_.given_row[r]] = lam_[r];
}

/// lam, and body_ = C (f - J^T lam) in place of C f, such that J a = g.
void SchurLDLT::balance(const double* g) {
    residual(g);
    const double start = damped_ ? misfit() : 0.0;
    misfit_ = 0.0;
    substitute(joint_.data());
    std::copy_n(joint_.begin(), lam_.size(), lam_.begin());
    push_bodies();
    if (damped_) refine(g, start);
}

// M v in place of forces: a = v - M^-1 J^T lam with J a = g.
void SchurLDLT::project(const double* g, double* v) {
    whiten_velocities(v);
    balance(g);
    give_bodies(v);
}

void SchurLDLT::begin_residual(const double* g) {
    for (Index r = 0; r < program_.rows; ++r) joint_[r] = -g[program_.given_row[r]];
}

/// joint_ = J a - g for the accelerations that stand in body_ as C^-T a.
KEMPE_GENERATIONS void SchurLDLT::residual(const double* g) {
    begin_residual(g);
    each_touch([&](auto rows, auto size, const SchurProgram::Touch& touch) {
        schur::add_product(rows, size, touch.rows, touch.size, 1.0, white() + touch.white,
                           body_.data() + touch.velocity, joint_.data() + touch.row);
    });
}

/// The bodies feel the multipliers that stand in joint_.
KEMPE_GENERATIONS void SchurLDLT::push_bodies() {
    each_touch([&](auto rows, auto size, const SchurProgram::Touch& touch) {
        schur::subtract_transposed(rows, size, touch.rows, touch.size, white() + touch.white, joint_.data() + touch.row,
                                   body_.data() + touch.velocity);
    });
}

/// Proximal iteration: the damped factors, the true residual.
void SchurLDLT::refine(const double* g, double start) {
    double before = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < limits_.most_refinements; ++k) {
        residual(g);
        const double now = misfit();
        misfit_ = start > 0.0 ? now / start : 0.0;
        if (k >= limits_.refinements && !(now < 0.5 * before)) break;
        before = now;
        substitute(joint_.data());
        for (Index r = 0; r < program_.rows; ++r) lam_[r] += joint_[r];
        push_bodies();
    }
}

double SchurLDLT::misfit() const {
    double most = 0.0;
    for (Index r = 0; r < program_.rows; ++r) most = std::max(most, std::abs(joint_[r]) / std::sqrt(diagonal_[r]));
    return most;
}

/// L D L^T y = y, in place.
KEMPE_GENERATIONS void SchurLDLT::substitute(double* y) const {
    const double* const blocks = blocks_.data();
    for (const SchurProgram::Step& step : program_.steps) {
        with_rows(step.shape, [&](auto fixed) {
            const Index rows = schur::number(fixed, step.rows);
            double* const x = y + step.row;
            const double* const diagonal = blocks + step.block;
            schur::substitute_down(fixed, rows, diagonal, x);
            for (Index i = step.below_begin; i < step.below_end; ++i) {
                const SchurProgram::Below& below = program_.below[i];
                schur::add_product(fixed, fixed, below.rows, rows, -1.0, blocks + below.block, x, y + below.row);
            }
        });
    }
    scale(y);
    substitute_back(y);
}

void SchurLDLT::scale(double* y) const {
    for (Index r = 0; r < program_.rows; ++r) y[r] *= inverse_[r];
}

/// L^T y = y, in place.
KEMPE_GENERATIONS void SchurLDLT::substitute_back(double* y) const {
    const double* const blocks = blocks_.data();
    for (auto step = program_.steps.rbegin(); step != program_.steps.rend(); ++step) {
        with_rows(step->shape, [&](auto fixed) {
            const Index rows = schur::number(fixed, step->rows);
            double* const x = y + step->row;
            const double* const diagonal = blocks + step->block;
            for (Index i = step->below_begin; i < step->below_end; ++i) {
                const SchurProgram::Below& below = program_.below[i];
                schur::subtract_transposed(fixed, fixed, below.rows, rows, blocks + below.block, y + below.row, x);
            }
            schur::substitute_up(fixed, rows, diagonal, x);
        });
    }
}

}  // namespace kempe
