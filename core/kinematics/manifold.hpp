// Bodies' coordinates moved by twists: planar ones by addition, spatial ones by the exponential.
#pragma once

#include <cstddef>

namespace kempe {

/// Coordinates of bodies that are all planar (x, y, angle) or all spatial (r, unit quaternion).
struct Manifold {
    std::size_t bodies = 0;
    bool plane = false;

    [[nodiscard]] std::size_t n_q() const { return bodies * (plane ? 3 : 7); }
    [[nodiscard]] std::size_t n_v() const { return bodies * (plane ? 3 : 6); }

    /// out = q moved by u: r + u_r, and the rotation times exp(u_w). `out` may be `q`.
    void move(const double* q, const double* u, double* out) const;
    /// How u changes while the body has velocities v: its rotation is R0 exp(u_w), so
    ///   du_w/dt = w + u x w / 2 + (1 - (s/2) cot(s/2)) / s^2  u x (u x w),  s = |u_w|
    /// Source: [MuntheKaas]; dexp^-1 on SO(3) in closed form.
    void rate(const double* u, const double* v, double* out) const;
    /// The largest |u_w|; 0 in the plane.
    [[nodiscard]] double largest_turn(const double* u) const;
};

}  // namespace kempe
