"""The formulas of addition and inversion, on arrays alone."""

import numpy as np

from kempe.frames.states.arrays import FloatArray, cross, transposed, turned, turned_back

# position, rotation, velocity, angular velocity, acceleration, angular acceleration
Parts = tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]


def composed(b: Parts, c: Parts) -> Parts:
    """The parts of C seen from A; `KinematicState.__add__` has the formula."""
    p, R, v, w, a, alpha = b
    p_, R_, v_, w_, a_, alpha_ = c
    if R.ndim == 2 and p_.ndim == 1:
        d, u, s, f, g = np.array((p_, v_, w_, a_, alpha_)) @ R.T
    else:
        d, u, s, f, g = (turned(R, x) for x in (p_, v_, w_, a_, alpha_))
    wd = cross(w, d)
    return (
        p + d,
        R @ R_,
        v + wd + u,
        w + s,
        a + cross(alpha, d) + cross(w, wd + 2.0 * u) + f,
        alpha + cross(w, s) + g,
    )


def inverted(s: Parts) -> Parts:
    """The parts of A seen from B.

    w_BA = -R^T w,  p_BA = -R^T p,  and with w, v, a, alpha turned into B:
    v_BA = -(v - w x p),  a_BA = -(a - alpha x p - 2 w x v + w x (w x p)),  alpha_BA = -alpha
    """
    p, R, v, w, a, alpha = s
    if R.ndim == 2 and p.ndim == 1:
        p, v, w, a, alpha = np.array((p, v, w, a, alpha)) @ R
    else:
        p, v, w, a, alpha = (turned_back(R, x) for x in (p, v, w, a, alpha))
    wp = cross(w, p)
    a_BA = cross(alpha, p) + cross(w, 2.0 * v - wp) - a
    return -p, transposed(R), wp - v, -w, a_BA, -alpha
