"""Bounds that rows imply for unknowns that have none of their own.

A row of second degree in the unbounded unknowns x, whatever it is in the others, bounds them where
squares outweigh products: with a the least weight of squares, b the size of all that is linear in
them and c of the rest, a |x|^2 <= b |x| + c, so |x| <= b / a + sqrt(c / a).
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.enclosures.span_rows import SpanRows
from kempe.motion.verify.written.polynomial import Polynomial

FloatArray = NDArray[np.float64]

ROOM = 1.0 + 1e-9  # far more than the roundings of a bound
SURE = 1e-6  # of the largest square: what is left of a difference is no rounding


def bounded(
    rows: Sequence[Polynomial], unknowns: Sequence[int], low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray] | None:
    """A box that holds all solutions between low and high; None where the rows imply none."""
    low, high = low.copy(), high.copy()
    going = True
    while going and not (np.isfinite(low) & np.isfinite(high)).all():
        going = False
        for row in rows:
            is_open = ~(np.isfinite(low) & np.isfinite(high))
            seen = [j for j, g in enumerate(unknowns) if is_open[j] and g in row.unknowns]
            reach = _reach(row, unknowns, (low, high), seen) if seen else None
            if reach is not None:
                low[seen], high[seen] = np.maximum(low[seen], -reach), np.minimum(high[seen], reach)
                going = True
    return (low, high) if (np.isfinite(low) & np.isfinite(high)).all() else None


def _reach(
    row: Polynomial,
    unknowns: Sequence[int],
    box: tuple[FloatArray, FloatArray],
    seen: Sequence[int],
) -> float | None:
    """How far out the unbounded unknowns of a row can be, all together."""
    place = {unknowns[j]: k for k, j in enumerate(seen)}
    of, parts = row.ring.generators, dict[tuple[int, ...], Polynomial]()
    for m, c in row.terms.items():
        if any(of[g].op is not None and of[g].unknowns & place.keys() for g in m):
            return None
        outer = tuple(g for g in m if g in place)
        inner = tuple(g for g in m if g not in place)
        parts[outer] = parts.get(outer, row.ring.number(0)) + Polynomial(row.ring, {inner: c})
    if any(len(m) > 2 for m in parts):
        return None
    low, high = (np.where(np.isfinite(e), e, 0.0)[None, :] for e in box)
    values, _ = SpanRows(list(parts.values()), unknowns).over(low, high)
    spans = {m: (values.low[i, 0], values.high[i, 0]) for i, m in enumerate(parts)}
    k = len(seen)
    least, most, size = np.zeros((k, k)), np.zeros((k, k)), np.zeros(k)
    for m, (a, b) in spans.items():
        if len(m) == 2:
            i, j = place[m[0]], place[m[1]]
            share = 1.0 if i == j else 0.5
            least[i, j], most[i, j] = share * a, share * b
            least[j, i], most[j, i] = share * a, share * b
        elif len(m) == 1:
            size[place[m[0]]] = max(abs(a), abs(b))
    if np.diag(most).max() < 0.0:
        least, most = -most, -least
    own = np.diag(least)
    others = np.maximum(np.abs(least), np.abs(most)).sum(axis=1)
    others = others - np.maximum(np.abs(np.diag(least)), np.abs(np.diag(most)))
    a = float((own - others).min()) * (1.0 - 1e-9)
    if not a > SURE * float(np.abs(most).max()):
        return None
    rest = spans.get((), (0.0, 0.0))
    b = float(np.linalg.norm(size)) * ROOM
    c = max(abs(rest[0]), abs(rest[1])) * ROOM
    reach = (b / a + math.sqrt(c / a)) * ROOM
    return reach if math.isfinite(reach) else None
