"""How far one configuration of a mechanism is from another."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout

FloatArray = NDArray[np.float64]


def displacement(layout: Layout, q: FloatArray, other: FloatArray) -> FloatArray:
    """The displacement from q to another configuration: way in world, turn in body axes (m, rad).

    The turn is the rotation vector of R^T R'. Own unknowns follow as they are, (n_v,) in all.
    """
    n = layout.n_bodies * layout.chart.n_q
    a, b = (x[:n].reshape(layout.n_bodies, layout.chart.n_q) for x in (q, other))
    own = other[n:] - q[n:]
    if layout.model.plane:
        return np.concatenate([(b - a).ravel(), own])
    w0, v0, w1, v1 = a[:, 3:4], a[:, 4:], b[:, 3:4], b[:, 4:]
    w = w0 * w1 + np.sum(v0 * v1, axis=1, keepdims=True)  # conj(a) b
    v = w0 * v1 - w1 * v0 - np.cross(v0, v1)
    v, w = np.where(w < 0.0, -v, v), np.abs(w)
    sine = np.linalg.norm(v, axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, w)
    turn = v * np.where(sine > 0.0, angle / np.where(sine > 0.0, sine, 1.0), 2.0)
    moved = np.concatenate([b[:, :3] - a[:, :3], turn], axis=1)
    return np.concatenate([moved.ravel(), own])
