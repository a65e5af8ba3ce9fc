"""Slopes of explicit formulas that cannot be traced, by differences of high order.

Source: [Fornberg] table 1 for the weights; how the step is chosen: Own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# Weights of f(x + k h) - f(x - k h), k = 1, 2, ..., for h f'(x): of orders 8 and 6.
EIGHTH: Final = (4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0)
SIXTH: Final = (3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0)
# Weights of f(x + k h) - f(x), k = 1, ..., 8, and of the first seven alone.
AHEAD: Final = tuple(float(w) for w in (8, -14, 56 / 3, -35 / 2, 56 / 5, -14 / 3, 8 / 7, -1 / 8))
AHEAD_LESS: Final = tuple(float(w) for w in (7, -21 / 2, 35 / 3, -35 / 4, 21 / 5, -7 / 6, 1 / 7))
# Weights of f(x + k h) + f(x - k h) - 2 f(x), k = 1, ..., 4, for the part of it that grows as k:
# a function that bends at x has one, as |x| does, whose differences otherwise all agree.
BEND: Final = tuple(
    np.linalg.inv(np.array([[k, k**2, k**4, k**6] for k in range(1, 5)], dtype=float))[0].tolist()
)
ROUNDING: Final = 1e-13  # of the values themselves: a change that is less tells nothing
GOOD: Final = 1e-9  # of what changes over the stencil, by order six: order eight has 1e-12
HALVINGS: Final = 6


@final
@dataclass(frozen=True, slots=True, eq=False)
class Slope:
    """f'(x) of arrays, and how far off it may be beside the largest change over the stencil."""

    values: FloatArray
    doubt: float


def smooth_slope(f: Callable[[float], FloatArray], step: float, side: int = 0) -> Slope:
    """f'(0), from values around 0, or on one side of it where `side` is 1 or -1.

    The step is halved until differences of two orders agree; `doubt` is by how much they do not.
    """
    best = Slope(np.zeros(0), np.inf)
    for _ in range(HALVINGS):
        found = _at(f, step, side)
        if found.doubt < best.doubt:
            best = found
        if best.doubt <= GOOD:
            break
        step *= 0.5
    return best


def _at(f: Callable[[float], FloatArray], h: float, side: int) -> Slope:
    here = f(0.0)
    if side:
        away = [f(side * k * h) - here for k in range(1, 9)]
        fine = side * sum(w * d for w, d in zip(AHEAD, away, strict=True))
        less = side * sum(w * d for w, d in zip(AHEAD_LESS, away, strict=False))
    else:
        ways = [(f(k * h), f(-k * h)) for k in range(1, 5)]
        away = [ahead - behind for ahead, behind in ways]
        even = [ahead + behind - 2.0 * here for ahead, behind in ways]
        bend = np.asarray(sum(w * e for w, e in zip(BEND, even, strict=True)))
        fine = sum(w * d for w, d in zip(EIGHTH, away, strict=True))
        less = sum(w * d for w, d in zip(SIXTH, away, strict=False))
    changes = [*away, *([] if side else even)]
    values = np.asarray(fine) / h
    if not np.isfinite(values).all():
        return Slope(values, np.inf)
    off = float(np.abs(np.asarray(fine) - np.asarray(less)).max(initial=0.0))
    off = off if side else max(off, float(np.abs(bend).max(initial=0.0)))
    largest = max((float(np.abs(d).max(initial=0.0)) for d in changes), default=0.0)
    rounding = ROUNDING * float(np.abs(here).max(initial=0.0))
    return Slope(values, max(0.0, off - rounding) / largest if largest > 0.0 else 0.0)
