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
GOOD: Final = 1e-11  # of what changes over the stencil: no smaller step is tried
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
        away = [f(k * h) - f(-k * h) for k in range(1, 5)]
        fine = sum(w * d for w, d in zip(EIGHTH, away, strict=True))
        less = sum(w * d for w, d in zip(SIXTH, away, strict=False))
    values, other = np.asarray(fine) / h, np.asarray(less) / h
    largest = max((float(np.abs(d).max(initial=0.0)) for d in away), default=0.0) / h
    off = float(np.abs(values - other).max(initial=0.0))
    if not np.isfinite(values).all():
        return Slope(values, np.inf)
    return Slope(values, off / largest if largest > 0.0 else 0.0)
