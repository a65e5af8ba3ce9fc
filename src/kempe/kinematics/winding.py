"""Whole turns of planar bodies: counted so that drives start within half a turn of their values.

In the plane the angle of a body is a coordinate, and a drive that starts at 2 pi + 0.7 rad holds
that coordinate there. A body that was put at 0.7 rad stands right already, one turn short in the
count. Walking there would take the mechanism once round, and it could come back on another branch.
"""

import math

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.compile.program import Program

FloatArray = NDArray[np.float64]

# A row that changes by this much of a body's angle reads the angle itself.
WHOLE = 1e-12


def wound(
    layout: Layout, program: Program, q: FloatArray, t: float, last: FloatArray
) -> FloatArray:
    """q with bodies turned by whole turns, none of which changes where anything is."""
    rows = program.shape.rows
    drives = [k for k, r in enumerate(rows) if r.element >= layout.first_drive and r.unit == "rad"]
    if not layout.model.plane or not drives:
        return q
    phi, entries, _ = program.evaluate(layout.parameters, q, t, last)
    if not np.isfinite(phi[drives]).all() or not (np.abs(phi[drives]) > math.pi).any():
        return q
    counted = q.copy()
    settled: set[int] = set()  # angles that a drive before has counted
    for row in drives:
        slopes = _angles_read(layout, program, entries, row)
        off = phi[row] + sum(s * (counted[k] - q[k]) for k, s in slopes.items())
        turns = round(float(off) / math.tau)
        free = [k for k in slopes if k not in settled]
        settled.update(slopes)
        if turns and free:
            counted[free[-1]] -= math.tau * turns * slopes[free[-1]]
    return counted


def _angles_read(
    layout: Layout, program: Program, entries: FloatArray, row: int
) -> dict[int, float]:
    """The angles of bodies that the row reads as they are, or with their sign changed."""
    n = layout.chart.n_v
    mine = np.flatnonzero(program.shape.jacobian_rows == row)
    found = {int(program.shape.jacobian_columns[e]): float(entries[e]) for e in mine}
    return {
        k: float(round(slope))
        for k, slope in sorted(found.items())
        if k < layout.n_bodies * n and layout.chart.angular[k % n] and abs(abs(slope) - 1.0) < WHOLE
    }
