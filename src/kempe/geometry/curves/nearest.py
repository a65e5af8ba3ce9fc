"""The nearest point of a curve."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.geometry.curves.abstract import AbstractCurve
from kempe.geometry.curves.enclosure import enclosure
from kempe.geometry.curves.point_arguments import place

FloatArray = NDArray[np.float64]

FIRST_PARTS = 16  # of every smooth piece
MOST_ROUNDS = 48
MOST_PARTS = 4096
ENOUGH = 1e-9  # relative gap between the distance found and its lower bound


@final
@dataclass(frozen=True, slots=True)
class Nearest:
    """A point of a curve and its distance from a place; no point is nearer than `bound`."""

    parameter: float
    point: tuple[float, float, float]  # m
    distance: float  # m
    bound: float  # m, proved


def nearest(curve: AbstractCurve, given: ArrayLike) -> Nearest:
    """The nearest point, by bounding boxes of stretches of the curve and Newton's method.

    Stretches whose enclosure is farther away than a point already found are dropped, the others
    halved, until the bound meets the distance or the stretches are as short as roundings allow.
    """
    p = np.array(place(np.asarray(given, float).tolist(), "the place"))
    parts = [np.linspace(a, b, FIRST_PARTS + 1) for a, b in itertools.pairwise(_ends(curve, p))]
    low = np.concatenate([e[:-1] for e in parts])
    high = np.concatenate([e[1:] for e in parts])
    best, least = _polished(curve, p, [*low.tolist(), float(high[-1])]), 0.0
    for _ in range(MOST_ROUNDS):
        below = _least_distance(curve, low, high, p)
        keep = below <= best[1]
        low, high, below = low[keep], high[keep], below[keep]
        least = float(below.min()) if len(below) else best[1]
        if best[1] - least <= ENOUGH * best[1] or len(low) > MOST_PARTS:
            break
        middle = 0.5 * (low + high)
        order = np.argsort(below)[:8]
        best = min(best, _polished(curve, p, middle[order].tolist()), key=lambda found: found[1])
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    t = float(best[0])
    x, y, z = curve(t).tolist()
    return Nearest(t, (x, y, z), float(best[1]), max(0.0, least))


def _ends(curve: AbstractCurve, p: FloatArray) -> tuple[float, ...]:
    """Stretches to look at; of a line without ends those around the foot of the perpendicular."""
    if curve.domain.is_bounded:
        return curve.pieces
    a, d = curve.point(0.0), curve.derivative(0.0, 1)
    foot = float((p - np.array(a, float)) @ np.array(d, float)) / float(d.square)
    low, high = curve.domain.low, curve.domain.high
    return (max(low, min(foot, high) - 1.0), min(high, max(foot, low) + 1.0))


def _least_distance(
    curve: AbstractCurve, low: FloatArray, high: FloatArray, p: FloatArray
) -> FloatArray:
    """A lower bound of the distance from p to each stretch: to its bounding box."""
    lower, upper = enclosure(curve, low, high)
    gap = np.maximum(np.maximum(lower - p, p - upper), 0.0)
    distance: FloatArray = np.sqrt((gap**2).sum(axis=1)) * (1.0 - 1e-15)
    return distance


def _polished(curve: AbstractCurve, p: FloatArray, starts: Sequence[float]) -> tuple[float, float]:
    """The best of Newton's iterations (C - p) . C' = 0 from the nearest of some parameters."""
    t = np.array(starts, dtype=np.float64)
    d = np.linalg.norm(curve(t) - p, axis=1)
    best = (float(t[d.argmin()]), float(d.min()))
    domain = curve.domain
    for start in t[np.argsort(d)[:4]].tolist():
        x = start
        for _ in range(30):
            C, D, E = (curve(x, order) for order in range(3))
            slope, bend = float((C - p) @ D), float(D @ D + (C - p) @ E)
            if not bend > 0.0:
                break
            step = x - slope / bend
            step = step if domain.period else min(max(step, domain.low), domain.high)
            if step == x or not math.isfinite(step):
                break
            x = step
        x = domain.low + (x - domain.low) % domain.period if domain.period else x
        best = min(best, (x, float(np.linalg.norm(curve(x) - p))), key=lambda found: found[1])
    return best
