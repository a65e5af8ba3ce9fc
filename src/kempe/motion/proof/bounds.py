"""Bounds that rows of second degree imply for unknowns that have none of their own.

A row in which every unbounded unknown has a square of one sign, and products of unbounded ones are
outweighed by the squares, bounds them: with a = least weight of squares, b the size of all that is
linear in them, c of the rest, a |x|^2 <= b |x| + c, so |x| <= b / a + sqrt(c / a).
"""

import math

import numpy as np
from numpy.typing import NDArray

from kempe.motion.proof.balls import BallRows

FloatArray = NDArray[np.float64]

ROOM = 1.0 + 1e-9  # far more than the roundings of a bound


def bounded(
    rows: BallRows, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray] | None:
    """A box that holds all solutions between low and high; None where the rows imply none."""
    low, high = low.copy(), high.copy()
    going = True
    while going and not (np.isfinite(low) & np.isfinite(high)).all():
        going = False
        for i in range(len(rows.c)):
            is_open = ~(np.isfinite(low) & np.isfinite(high))
            reach = _reach(rows, i, low, high, is_open)
            if reach is not None:
                seen = is_open & ((rows.H[i] != 0.0).any(axis=0) | (rows.l[i] != 0.0))
                low[seen], high[seen] = np.maximum(low[seen], -reach), np.minimum(high[seen], reach)
                going = True
    return (low, high) if (np.isfinite(low) & np.isfinite(high)).all() else None


def _reach(
    rows: BallRows, i: int, low: FloatArray, high: FloatArray, is_open: NDArray[np.bool_]
) -> float | None:
    """How far out the open unknowns of a row can be, in the sum of their squares."""
    H, l = rows.H[i], rows.l[i]
    seen = is_open & ((H != 0.0).any(axis=0) | (l != 0.0))
    if not seen.any():
        return None
    square = 0.5 * H[np.ix_(seen, seen)]
    sign = np.sign(square[0, 0])
    own = sign * np.diag(square)
    others = np.abs(square).sum(axis=1) - np.abs(np.diag(square))
    a = float((own - others).min()) * (1.0 - 1e-9)
    if not a > 1e-6 * float(own.max()):  # what is left of a difference is no rounding
        return None
    size = np.where(is_open, 0.0, np.maximum(np.abs(low), np.abs(high)))
    Hs, ls = rows.H_size[i] * ROOM, rows.l_size[i] * ROOM
    b = float(np.linalg.norm(ls[seen] + Hs[seen] @ size)) * ROOM
    c = float(rows.c_size[i] + ls[~seen] @ size[~seen] + 0.5 * size @ Hs @ size) * ROOM
    reach = (b / a + math.sqrt(c / a)) * ROOM
    return reach if math.isfinite(reach) else None
