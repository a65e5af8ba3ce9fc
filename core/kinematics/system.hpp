// What a sweep needs to know of a mechanism: residual, correction, velocity, acceleration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kempe {

/// Sizes of a square kinematic system and of what is only watched.
struct SystemSize {
    std::size_t q = 0;           // coordinates
    std::size_t v = 0;           // velocities = solved rows
    std::size_t spare = 0;       // redundant rows that are watched
    std::size_t turns = 0;       // angles whose whole turns are carried along
    std::size_t parameters = 0;  // run-time numbers of the model
};

/// Signs (+1, -1) of the determinants of the Jacobian's diagonal blocks: the branch one is on.
///
/// A single determinant would not do: it keeps its sign where two loops fold flat at once.
using Signs = std::vector<std::int8_t>;

/// How a factorisation went; `weak` can be solved with fewer digits.
enum class Factor : std::uint8_t { sound, weak, singular };

/// The equations phi(q, t) = 0 of one mechanism with its parameters set.
///
/// `residual` fixes the point; `correction`, `velocity` and `acceleration` refer to it.
class KinematicSystem {
  public:
    virtual ~KinematicSystem() = default;

    [[nodiscard]] virtual SystemSize size() const = 0;
    /// The same equations with numbers of their own: one system belongs to one thread.
    [[nodiscard]] virtual std::shared_ptr<KinematicSystem> clone() const = 0;
    virtual void set_parameters(const double* p) = 0;
    /// How displacements are measured: 1 / length of the machine, 1 for angles. Pivots are compared
    /// in these units, so that a machine of any size is judged alike.
    virtual void set_steps(const double* steps) = 0;

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
    [[nodiscard]] virtual std::size_t jacobian_entries() const = 0;
    /// Where these entries stand, watched rows last.
    [[nodiscard]] virtual const std::vector<std::int32_t>& jacobian_rows() const = 0;
    [[nodiscard]] virtual const std::vector<std::int32_t>& jacobian_columns() const = 0;
    /// How many rows are solved: all velocities' worth, or none.
    [[nodiscard]] virtual std::size_t solved_rows() const = 0;
    /// Smallest pivot of the last factorisation beside its row; 0 where it is singular.
    [[nodiscard]] virtual double smallest_pivot_ratio() = 0;
};

}  // namespace kempe
