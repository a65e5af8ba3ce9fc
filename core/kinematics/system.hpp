// What a sweep needs to know of a mechanism: residual, correction, velocity, acceleration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "linear/jacobian_lu.hpp"

namespace kempe {

/// Sizes of a square kinematic system and of what is only watched.
struct SystemSize {
    std::size_t q = 0;           // coordinates
    std::size_t v = 0;           // velocities = solved rows
    std::size_t spare = 0;       // redundant rows that are watched
    std::size_t turns = 0;       // angles whose whole turns are carried along
    std::size_t parameters = 0;  // run-time numbers of the model
};

/// The equations phi(q, t) = 0 of one mechanism with its parameters set.
///
/// `residual` fixes the point; `correction`, `velocity` and `acceleration` refer to it.
///
/// The first `solved` rows are solved, all velocities' worth or none; the watched ones come after them.
class KinematicSystem {
  public:
    virtual ~KinematicSystem() = default;

    [[nodiscard]] SystemSize size() const { return size_; }
    /// The same equations with numbers of their own: one system belongs to one thread.
    [[nodiscard]] virtual std::shared_ptr<KinematicSystem> clone() const = 0;
    virtual void set_parameters(const double* p) = 0;
    /// How displacements are measured: 1 / length of the machine, 1 for angles. Pivots are compared
    /// in these units, so that a machine of any size is judged alike.
    virtual void set_steps(const double* steps) { lu_.set_steps(steps); }

    /// q (+) d on the manifold of the coordinates. `out` may be `q`.
    virtual void retract(const double* q, const double* d, double* out) = 0;
    /// phi, the watched rows and the unwrapped turns at (q, t).
    virtual void residual(const double* q, double t, const double* last, double* phi, double* spare, double* turns) = 0;
    /// J dx = phi.
    virtual Factor correction(double* dx) = 0;
    /// J v = -phi_t; also the signs of det J, block by block, the same along a branch.
    virtual Factor velocity(double* v, Signs& signs) = 0;
    /// J a = gamma(v), with the factors of the last `velocity`.
    virtual void acceleration(const double* v, double* a) = 0;
    /// -phi_t and gamma(v) of all rows, watched ones last, at the last residual.
    virtual void right_hand(const double* v, double* velocity_rhs, double* gamma) = 0;
    /// Non-zeros of the Jacobian of all rows, watched ones last, at the last residual.
    virtual void jacobian(double* values) = 0;
    [[nodiscard]] std::size_t jacobian_entries() const { return rows_.size(); }
    /// Where these entries stand, watched rows last.
    [[nodiscard]] const std::vector<std::int32_t>& jacobian_rows() const { return rows_; }
    [[nodiscard]] const std::vector<std::int32_t>& jacobian_columns() const { return columns_; }
    [[nodiscard]] std::size_t solved_rows() const { return solved_; }
    /// Smallest pivot of the last factorisation beside its row; 0 where it is singular.
    [[nodiscard]] double smallest_pivot_ratio() {
        return factor() == Factor::singular ? 0.0 : lu_.smallest_pivot_ratio();
    }

  protected:
    KinematicSystem(SystemSize size, std::size_t solved, std::vector<std::int32_t> rows,
                    std::vector<std::int32_t> columns)
        : size_(size), solved_(solved), rows_(std::move(rows)), columns_(std::move(columns)),
          lu_(solved, solved + size.spare, size.v, rows_, columns_) {}
    KinematicSystem(const KinematicSystem&) = default;

    /// Factors the solved rows of J at the last residual.
    virtual Factor factor() = 0;

    SystemSize size_;
    std::size_t solved_;
    std::vector<std::int32_t> rows_, columns_;  // of the Jacobian's entries
    JacobianLU lu_;
};

}  // namespace kempe
