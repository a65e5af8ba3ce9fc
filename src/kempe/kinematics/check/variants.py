"""Whether many variants of one mechanism go together, in one go."""

import numpy as np

from kempe.equations import Equations
from kempe.kinematics.closing.attempts import AGREEING, ATTEMPTS, SAME
from kempe.kinematics.closing.closing import (
    ASSEMBLED,
    STATIONARY,
    FloatArray,
    close_many,
)
from kempe.kinematics.closing.placement import NONE, first_guess
from kempe.kinematics.closing.winding import initial_turns


def variant_residuals(equations: Equations, parameters: FloatArray, t: float = 0.0) -> FloatArray:
    """The smallest weighted residual of every variant; closed where it is at most `ASSEMBLED`.

    Row k of `parameters` are the numbers of variant k in the layout's order. All start from the
    placements of the layout's own bodies, one after the other until they close, and are measured
    by its size: give variants of about that size.
    """
    rows, columns = equations.row_weights, 1.0 / equations.layout.step_weights
    best = np.full(len(parameters), np.inf)
    agreeing = np.zeros(len(parameters), dtype=int)
    for attempt in range(ATTEMPTS):
        open_ones = np.flatnonzero((best > ASSEMBLED) & (agreeing < AGREEING))
        if not len(open_ones):
            break
        q = first_guess(equations.layout, attempt, t, NONE)
        last = initial_turns(equations, t, q)
        starts, turns = (np.tile(x, (len(open_ones), 1)) for x in (q, last))
        ends = close_many(equations, parameters[open_ones], starts, t, turns, rows, columns)
        before, found = best[open_ones], ends.residual
        better = found < before * (1.0 - SAME)
        same = (found <= before * (1.0 + SAME)) & (ends.slope <= STATIONARY)
        agreeing[open_ones] = np.where(better, 1, agreeing[open_ones] + same)
        best[open_ones] = np.minimum(before, found)
    return best
