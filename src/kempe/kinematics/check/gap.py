"""How far a marker of a joint is from where the joint would be closed."""

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.kinematics.check.remedy import joints_adjustable, marker_moved
from kempe.kinematics.closing.closing import ASSEMBLED, FloatArray

MOST_STEPS = 40
NUDGE = 1e-6  # sizes of the machine, by which a marker is moved to see what its rows do
SMALL = 1e-9  # singular values of that, beside the largest, that count as none


def gap_at(layout: Layout, q: FloatArray, t: float, element: int, *, side: str = "J") -> FloatArray:
    """The least displacement (m) of a joint's marker that closes its rows of lengths.

    In coordinates of the marker's body. With g the rows that are lengths, at fixed bodies,
    x <- x - G^+ g(x), G = dg/dx: the least x to first order, repeated until g vanishes. NaN where
    it does not. Own.
    """
    joint = layout.model.joints[element]
    marker = joint.J if side == "J" else joint.I
    loose = Layout(joints_adjustable(layout.model, {joint.name}))
    equations = equations_of(loose)
    mine = np.array([r.element == element and r.unit == "m" for r in equations.program.shape.rows])
    n = 2 if layout.model.plane else 3
    p = loose.parameters
    last = np.zeros(equations.program.shape.n_turns)
    units = [
        Layout(marker_moved(loose.model, joint, marker, tuple(e))).parameters - p
        for e in np.eye(3)[:n]
    ]
    h, x = NUDGE * layout.size, np.zeros(n)

    def rows(x: FloatArray) -> FloatArray:
        moved = p + sum(a * unit for a, unit in zip(x, units, strict=True))
        return np.asarray(equations.program.evaluate(moved, q, t, last)[0][mine])

    for _ in range(MOST_STEPS):
        g = rows(x)
        if np.abs(g).max(initial=0.0) <= ASSEMBLED * layout.size:
            return x
        G = np.column_stack([(rows(x + h * e) - rows(x - h * e)) / (2.0 * h) for e in np.eye(n)])
        x = x - np.linalg.pinv(G, rcond=SMALL) @ g
    return np.full(n, np.nan)
