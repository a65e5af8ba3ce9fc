"""Corners of piecewise polynomials, and the two smooth halves that such a table is made of.

Corners cut a table into *stretches*, counted from 0. Its even half has all even stretches, each of
which goes on to the middle of its neighbours, and its odd half the odd ones: whoever knows which
half a value belongs to has a smooth function, also a little beyond a corner.
"""

import itertools
import math

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Pieces = tuple[FloatArray, FloatArray]  # breaks (k + 1,), coefficients (k, order), highest first

# A derivative jumps where two pieces differ by more than this share of its largest value.
SMOOTH = 1e-9
FELT = 1e-5  # of the range of a table: what pieces continued over each other differ by


def table_jumps(table: Pieces, order: int) -> FloatArray:
    """The inner breaks at which the derivative of that order jumps."""
    breaks, coefficients = table
    lower = max(float(np.abs(part).max()) for part in _ends(table, max(order - 1, 0)))
    starts, stops = _ends((breaks, coefficients), order)
    size = max(float(np.abs(starts).max()), float(np.abs(stops).max()))
    if order > 0:  # what rounding makes of level pieces is no slope
        size = max(size, lower / float(breaks[-1] - breaks[0]))
    found: FloatArray = breaks[1:-1][np.abs(starts[1:] - stops[:-1]) > SMOOTH * size]
    return found


def table_bends(table: Pieces, order: int) -> FloatArray:
    """The inner breaks at which a higher derivative of that derivative jumps, enough to be felt.

    Neighbouring pieces of a cubic spline, each continued over the other, differ by (jump of the
    third derivative) h^3 / 6. Where points are few that is much, and no step of an integrator of
    high order should cross it; where they are many and smooth it is next to nothing.
    """
    found: FloatArray = table[0][1:-1][_bends(table, order)[1:]]
    return found


def _bends(table: Pieces, order: int) -> NDArray[np.bool_]:
    """Whether it bends at the start of each piece, from the piece before, or the last, on."""
    values = np.concatenate(_ends(table, order))
    width = np.diff(table[0])
    width = np.maximum(width, np.roll(width, 1))
    differ = np.zeros(len(width))
    for k in (2, 3):
        starts, stops = _ends(table, order + k)
        jump = np.abs(starts - np.roll(stops, 1))
        differ = np.maximum(differ, jump * width**k / math.factorial(k))
    return np.asarray(differ > FELT * np.ptp(values))


def is_smooth_round(table: Pieces, order: int, period: float) -> bool:
    """Whether the derivative of that order goes on where a table begins anew, and does not bend."""
    breaks = table[0]
    if abs(breaks[-1] - breaks[0] - period) > SMOOTH * period:
        return False
    for k in (order, order + 1):
        starts, stops = _ends(table, k)
        size = max(float(np.abs(starts).max()), float(np.abs(stops).max()))
        if abs(starts[0] - stops[-1]) > SMOOTH * size:
            return False
    return not _bends(table, order)[0]


def _ends(table: Pieces, order: int) -> tuple[FloatArray, FloatArray]:
    """The derivative of that order at the start and at the end of every piece."""
    breaks, c = table
    for _ in range(order):
        c = c[:, :-1] * np.arange(c.shape[1] - 1, 0, -1)
    stops = np.zeros(len(c))
    for column in c.T:
        stops = stops * np.diff(breaks) + column
    return (c[:, -1] if c.shape[1] else np.zeros(len(c))), stops


def alternating(corners: FloatArray) -> Pieces:
    """A function that is 0 at every corner with slopes 1 and -1 in turn, positive before them."""
    if len(corners) == 1:
        return np.array([corners[0], corners[0] + max(1.0, abs(corners[0]))]), np.array([[-1.0, 0]])
    signs = np.where(np.arange(len(corners) - 1) % 2 == 0, -1.0, 1.0)
    width = np.diff(corners)
    return corners, np.stack([-signs / width, signs, np.zeros_like(signs)], axis=1)


def halves(table: Pieces, corners: FloatArray) -> tuple[Pieces, Pieces]:
    """The even and the odd half of a table."""
    breaks, _ = table
    cuts = [0, *np.searchsorted(breaks, corners).tolist(), len(breaks) - 1]
    stretches = list(itertools.pairwise(cuts))
    return _joined(table, stretches[::2]), _joined(table, stretches[1::2])


def _joined(table: Pieces, stretches: list[tuple[int, int]]) -> Pieces:
    """Stretches (first piece, the one after the last), those between them shared in the middle."""
    breaks, coefficients = table
    places: list[float] = []
    rows: list[FloatArray] = []
    before = None
    for first, end in stretches:
        if before is not None:
            middle = 0.5 * (breaks[before] + breaks[first])
            if breaks[before] < middle < breaks[first]:
                places.append(middle)
                rows.append(_moved(coefficients[first], middle - breaks[first]))
        places += breaks[first:end].tolist()
        rows += list(coefficients[first:end])
        before = end
    return np.array([*places, breaks[before]]), np.array(rows)


def _moved(c: FloatArray, by: float) -> FloatArray:
    """The polynomial of x + by, highest power first: by Horner's rule, again and again."""
    moved = c.copy()
    for stop in range(len(c), 1, -1):
        for k in range(1, stop):
            moved[k] += by * moved[k - 1]
    return moved
