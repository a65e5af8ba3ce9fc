// Bodies moved by screws: places and velocities in the bodies' own axes, as implicit methods take them.
#pragma once

#include <cstddef>

namespace kempe {

/// Coordinates of bodies that are all planar (x, y, angle) or all spatial (r, unit quaternion), moved by
/// twists u = (u_v, u_w) in body axes: X exp(u).
///
/// A machine that spins as a whole has steady velocities in these axes, and u grows evenly.
struct Screws {
    std::size_t bodies = 0;
    bool plane = false;

    [[nodiscard]] std::size_t each() const { return plane ? 3 : 6; }
    [[nodiscard]] std::size_t each_q() const { return plane ? 3 : 7; }

    /// out = q exp(u). `out` may be `q`.
    void move(const double* q, const double* u, double* out) const;
    /// u with q exp(u) = other, bodies turned by less than half a turn.
    void way(const double* q, const double* other, double* u) const;
    /// How u changes while the bodies have velocities V in body axes:
    ///   u' = V + [u, V] / 2 + c2 [u, [u, V]] + c4 [u, [u, [u, [u, V]]]]
    /// Source: [MuntheKaas]; the series of dexp^-1 on SE(3), closed by ad^5 + 2 s^2 ad^3 + s^4 ad = 0.
    void rate(const double* u, const double* V, double* out) const;
    /// Linear components from world to body axes at q; `out` may be `v`.
    void to_body(const double* q, const double* v, double* out) const;
    /// Linear components from body to world axes at q; `out` may be `v`.
    void to_world(const double* q, const double* v, double* out) const;
};

/// A rotation matrix by rows.
struct Turn {
    double r[3][3];

    /// That of one body with these coordinates.
    static Turn of(bool plane, const double* q);
    /// x = R x.
    void forth(double* x) const;
    /// x = R^T x.
    void back(double* x) const;
};

/// out = a x b; none may be out.
inline void cross(const double* a, const double* b, double* out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Velocities of one body with all six components.
struct Twist {
    double v[3] = {0.0, 0.0, 0.0}, w[3] = {0.0, 0.0, 0.0};

    Twist() = default;
    Twist(bool plane, const double* x) {
        v[0] = x[0];
        v[1] = x[1];
        if (plane) {
            w[2] = x[2];
            return;
        }
        v[2] = x[2];
        for (int k = 0; k < 3; ++k) w[k] = x[3 + k];
    }
    void put(bool plane, double* x) const {
        x[0] = v[0];
        x[1] = v[1];
        if (plane) {
            x[2] = w[2];
            return;
        }
        x[2] = v[2];
        for (int k = 0; k < 3; ++k) x[3 + k] = w[k];
    }
};

}  // namespace kempe
