// The equations of motion linearised at one place, in body axes, and their implicit matrix factored.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dynamics/methods/residual_derivatives.hpp"
#include "dynamics/systems/screws.hpp"
#include "dynamics/systems/varying_mass.hpp"
#include "linear/sparse_lu.hpp"

namespace kempe {

/// The matrix of y' = F(y, t), y = (u, V, works, z): places and velocities in body axes, two integrals of
/// power, and states of forces; with them go a = V' and the multipliers lam of solved rows, R(y, a, lam, t) = 0. With A = [M; J],
///
///   (1 / g - F_y) U = r + tau F_t,   0 = R + A U_a + J^T U_lam + K U_u + C U_V + tau T,   U_V / g - U_a = r_V
///
/// is a sparse system of V and lam, with u = g E (r_u + V), E = (1 - g D)^-1, D u = [u, V] / 2:
///
///   (A + g C + g^2 K E) U_V + J^T (g U_lam) = g (A r_V - g K E r_u - tau T - R)
///
/// Only rows that are solved count. LU with pivots by value: the matrix is not symmetric.
///
/// States of forces are few, and are a border: with U = U_0 + X U_z, X the answer to f_z, their rates N have
///
///   (1 / g - N_z - N_u X_u - N_V X_V) U_z = r_z + tau N_t + N_u U_0u + N_V U_0V
///
/// Loads p = N(q, lam) that joints rub by are of the same border: (1 - N_u X_u - N_lam X_lam) U_p = N_u U_0u + N_lam
/// U_0lam.
class Linearization {
  public:
    /// `mass` has the blocks of the bodies.
    Linearization(std::shared_ptr<ResidualDerivatives> derivatives, Screws screws, const double* mass);

    [[nodiscard]] ResidualDerivatives& derivatives() { return *derivatives_; }
    /// The states of forces from now on, and the masses that some of them are.
    void set_states(const double* z);
    /// Linearises at (q, v, t), where the bodies have accelerations a and the rows multipliers lam.
    void at(const double* q, const double* v, double t, const double* last, const double* a, const double* lam);
    /// How loads of joints change where it was linearised, and what they change; null where no joint rubs.
    void set_loads(const LoadSlopes* loads);
    /// Which equations rows of constraints are: J a = gamma, or J v = -phi_t. Of those the change on the way U is
    /// J U_V + (C / 2) U_u + J D U_u: half of C, which has J' twice, and what the order of two small motions makes.
    /// Their matrix has (J + g C / 2) E in place of A + g C + g^2 K E, and r_u goes with that less J.
    enum class Rows : std::uint8_t { accelerations, velocities };
    /// Factors the matrix for one g; false where it is singular.
    bool factor(double g, Rows rows = Rows::accelerations);
    /// U of (u, V, works, z, a, lam) for r of (u, V, works, z) and R, the residual of the equations.
    void solve(const double* r, const double* R, double tau, double* U);
    [[nodiscard]] std::int64_t reorderings() const { return lu_.reorderings(); }
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Strip {
        std::int32_t row, body;
        bool is_linear, is_angular;  // what it may hold, in body axes
    };
    /// What E takes of one body: s = g/2 w, g/2 V_v, and 1 / (1 + s . s).
    struct Ease {
        double s[3], lever[3], below;

        void G(const double* z, double* out) const { product(z, -1.0, out); }
        void G_transposed(const double* z, double* out) const { product(z, 1.0, out); }

      private:
        void product(const double* z, double sign, double* out) const {
            double turn[3];
            cross(s, z, turn);
            const double along = s[0] * z[0] + s[1] * z[1] + s[2] * z[2];
            for (int i = 0; i < 3; ++i) out[i] = below * (z[i] + sign * turn[i] + s[i] * along);
        }
    };
    struct Copy {
        std::size_t from;  // in A
        std::int32_t row, column;
    };

    void arrange();
    void place_masses();
    std::size_t strip_of(std::int32_t row, std::int32_t body);
    void to_body_axes(const double* q, const double* v, const double* a);
    void ease();
    void weigh_multipliers();
    [[nodiscard]] Twist eased(const Twist& y, std::size_t body) const;
    void solve_without_states(const double* r, const double* R, double tau, double* U);
    [[nodiscard]] double along(std::size_t row, const double* U) const;
    bool factor_border();
    [[nodiscard]] double load_along(std::size_t load, const double* U) const;
    template <std::size_t Each> void add_start(const double* r);
    [[nodiscard]] Twist turned(const Twist& k, std::size_t body) const;

    std::shared_ptr<ResidualDerivatives> derivatives_;
    Screws screws_;
    DynamicSize size_;
    std::size_t n_, each_, equations_;  // velocities, of each body, velocities and solved rows
    std::vector<Strip> strips_;
    std::vector<std::size_t> further_;     // strips of powers and rates
    std::vector<std::size_t> slots_;       // of derivatives in numbers_
    std::vector<double> values_, numbers_;  // [A K C] of every strip, T by rows, then by lam, then by states
    std::size_t n_z_, by_states_ = 0;       // states, and where derivatives by them begin in numbers_, row by row
    LoadSlopes loads_;                      // by place in body axes
    std::vector<double> border_, border_matrix_, no_r_, border_R_;  // X, a column a state or a load; what finds U_z
    std::vector<std::size_t> border_order_;  // of the pivots of border_matrix_
    VaryingMass mass_;
    std::vector<double> masses_;            // A of a system without rows
    std::vector<Copy> transposed_;
    std::vector<double> velocities_;  // in body axes
    std::vector<Turn> turns_;
    std::vector<Ease> eases_;
    double g_ = 0.0;
    Rows rows_ = Rows::accelerations;
    std::vector<std::int32_t> lu_rows_, lu_columns_;
    std::vector<double> lu_values_, transposed_values_, right_, eased_, sides_;
    std::vector<double> diagonal_;                    // of the masses
    std::vector<double> weights_, heavy_, largest_;  // of the multipliers
    SparseLU lu_;
    bool is_analyzed_ = false;
};

}  // namespace kempe
