"""Bounds of a curve over a stretch of its parameter, by the tape that formulas use it on."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.algebra import Expression, Graph, Tape, record_formula
from kempe.algebra.native import native_tape
from kempe.errors import BadNumber
from kempe.geometry.curves.abstract import AbstractCurve

FloatArray = NDArray[np.float64]


@lru_cache(maxsize=256)
def curve_tape(curve: AbstractCurve, order: int) -> Tape:
    """A derivative of the curve as a program of its parameter."""
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    zero = 0.0 * t
    return record_formula([t], [zero + c for c in curve.derivative(t, order)])


def enclosure(
    curve: AbstractCurve, low: ArrayLike, high: ArrayLike, order: int = 0
) -> tuple[FloatArray, FloatArray]:
    """Bounds (3,) or (N, 3) of a derivative for t in [low, high]; proof: docs/theory/splines.md."""
    below, above = (np.asarray(b, dtype=np.float64) for b in (low, high))
    if below.shape != above.shape or not (below <= above).all():
        raise BadNumber("a stretch of a curve goes from a lower to a higher parameter.")
    curve.require(below)
    curve.require(above)
    tape = curve_tape(curve, order)
    boxes = (below.reshape(-1, 1), above.reshape(-1, 1))
    found = native_tape(tape).evaluate_intervals(*boxes, tape.outputs)
    lower, upper = (b.reshape(*below.shape, 3) for b in found)
    return lower, upper
