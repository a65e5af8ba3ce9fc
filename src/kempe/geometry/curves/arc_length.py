"""Arc lengths."""

import itertools

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry.curves.abstract import AbstractCurve

NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
AGREEMENT = 1e-13  # relative; two rules of which the second has twice the panels
MOST_PANELS = 1 << 14


def arc_length(
    curve: AbstractCurve, start: float | None = None, stop: float | None = None
) -> float:
    """The integral of |dC/dt| between two parameters, over every smooth piece apart.

    Gauss's rule of 12 points, the panels doubled until two results agree to 1e-13.
    """
    ends = curve.domain
    if (start is None or stop is None) and not ends.is_bounded:
        raise BadNumber("a curve without ends has no length: say between which parameters.")
    a, b = (ends.low if start is None else start), (ends.high if stop is None else stop)
    curve.require([a, b])
    if b < a:
        raise BadNumber(
            f"a length goes from a lower to a higher parameter, not from {a:g} to {b:g}."
        )
    inner = [c for c in _breaks(curve, a, b) if a < c < b]
    return sum(_piece(curve, u, v) for u, v in itertools.pairwise([a, *inner, b]))


def _breaks(curve: AbstractCurve, a: float, b: float) -> list[float]:
    """Where the integrand is not smooth; on a closed curve in every round."""
    from kempe.geometry.curves.pieces import AbstractPiecewise

    if not isinstance(curve, AbstractPiecewise):
        return list(curve.corners)
    breaks: list[float] = curve.bezier.breaks.tolist()
    if not curve.is_closed:
        return breaks
    period = curve.domain.period
    rounds = range(int(np.floor(a / period)), int(np.ceil(b / period)) + 1)
    return sorted({k + r * period for r in rounds for k in breaks})


def _piece(curve: AbstractCurve, a: float, b: float) -> float:
    panels, before = 1, np.inf
    while True:
        edges = np.linspace(a, b, panels + 1)
        half = 0.5 * np.diff(edges)[:, None]
        t = edges[:-1, None] + half * (1.0 + NODES)
        rate = np.stack([np.broadcast_to(c, t.shape) for c in curve.derivative(t, 1)])
        total = float((half * WEIGHTS * np.sqrt((rate**2).sum(axis=0))).sum())
        if abs(total - before) <= AGREEMENT * abs(total) or panels >= MOST_PANELS:
            return total
        panels, before = 2 * panels, total
