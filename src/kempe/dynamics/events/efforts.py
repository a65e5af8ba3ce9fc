"""Efforts of friction at rest: within boxes, and within balls where a joint slides several ways.

With w = A f + b the accelerations that efforts f leave,

    |f_i| <= R_i,   and  f_i = -R_i w_i / |w_i|  where w_i is not 0

for the parts f_i of every joint: one number of a hinge or a slider, a vector of a ball or a foot.
That is the minimum of f . A f / 2 + b . f over those f, which is convex.

Own: joint after joint, each by its eigenvectors, then exactly for those that stay.
"""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int_]

MOST_SWEEPS = 5000  # over joints that hold one motion
STIFF = 1e-13  # of how lightly a joint moves: a direction in which others hold it
MOST_TURNS = 200  # of Newton's method for the push that is left over


def norms(x: FloatArray, owners: IntArray, count: int) -> FloatArray:
    """|x_i| (count,) of the parts of x (rows,) that belong to each owner."""
    largest = np.zeros(count)
    np.maximum.at(largest, owners, np.abs(x))
    unit = np.where(largest > 0.0, largest, 1.0)
    return largest * np.sqrt(np.bincount(owners, (x / unit[owners]) ** 2, minlength=count))


def box_efforts(
    A: FloatArray, b: FloatArray, limits: FloatArray, owners: IntArray | None = None
) -> FloatArray:
    """f (rows,) with the limits R (joints,) of who owns the rows: by default one each."""
    n = len(b)
    owners = np.arange(n) if owners is None else owners
    parts = [np.flatnonzero(owners == k) for k in range(len(limits))]
    turned = [np.linalg.eigh(A[np.ix_(mine, mine)]) for mine in parts]
    f = np.zeros(n)
    scale = float(np.abs(b).max(initial=0.0))
    for _ in range(MOST_SWEEPS if n and scale else 0):
        before = f.copy()
        for mine, (values, axes), limit in zip(parts, turned, limits.tolist(), strict=True):
            if len(mine):
                left = b[mine] + A[mine] @ f - A[np.ix_(mine, mine)] @ f[mine]
                f[mine] = axes @ _ball(values, axes.T @ left, limit)
        if np.abs(A @ (f - before)).max() <= 1e-15 * scale:
            break
    is_inside = (norms(f, owners, len(limits)) < limits)[owners] if n else np.zeros(0, dtype=bool)
    if is_inside.any():
        rest = b[is_inside] + A[np.ix_(is_inside, ~is_inside)] @ f[~is_inside]
        exact = f.copy()
        exact[is_inside] = np.linalg.lstsq(A[np.ix_(is_inside, is_inside)], -rest)[0]
        if (norms(exact, owners, len(limits)) <= limits).all():
            f = exact
    return f


def _ball(values: FloatArray, b: FloatArray, limit: float) -> FloatArray:
    """The shortest f with |f| <= limit that makes diag(values) f + b least, or -m f, m > 0."""
    moves = values > STIFF * values.max(initial=0.0)
    if not moves.any() or limit <= 0.0:
        return np.zeros(len(b))
    f = np.zeros(len(b))
    f[moves] = -b[moves] / values[moves]
    if float(np.linalg.norm(f)) <= limit:
        return f
    if len(b) == 1:
        return np.asarray(np.clip(f, -limit, limit))
    a, c, m = values[moves], b[moves], 0.0
    for _ in range(MOST_TURNS):  # |c / (a + m)| = limit, by Newton's method on 1 / |f|
        g = c / (a + m)
        size = float(np.linalg.norm(g))
        step = (size / limit - 1.0) * size * size / float(g @ (g / (a + m)))
        m += step
        if abs(step) <= 1e-16 * m:
            break
    g = -c / (a + m)
    f[moves] = g * (limit / float(np.linalg.norm(g)))
    return f
