"""What every curve is: a formula C(t) over a domain, on numbers and on traced values.

From the formula alone follow its bounds, its length and its point nearest to a place.
"""

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra import Expression, Graph, Tape, record_formula
from kempe.algebra.native import native_tape
from kempe.errors import BadConnection, BadNumber, OutsideDomain
from kempe.geometry import Rotation, Scalar, Vector
from kempe.geometry.number import Floats
from kempe.units import Metres, Ratio

Point = tuple[Metres, ...]
Points = tuple[Point, ...]
Direction = tuple[Ratio, ...]
Numbers = tuple[Ratio, ...]
AGREEMENT = 1e-13  # relative; two rules of which the second has twice the panels
MOST_PANELS = 1 << 14
FIRST_PARTS = 16  # of every smooth piece
MOST_ROUNDS = 48
MOST_PARTS = 4096
ENOUGH = 1e-9  # relative gap between the distance found and its lower bound


@final
@dataclass(frozen=True, slots=True)
class Domain:
    """low <= t <= high; with a period t lives on a circle and any number will do."""

    low: float
    high: float
    period: float = 0.0

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise BadNumber(
                f"a domain must have room: it goes from {self.low:g} to {self.high:g}.",
                low=self.low,
                high=self.high,
            )

    @property
    def is_bounded(self) -> bool:
        """Whether it ends, or closes on itself."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def width(self) -> float:
        """How far it reaches."""
        return self.high - self.low

    def contains(self, t: float) -> bool:
        """Whether t belongs to it; on a circle every finite number does."""
        return math.isfinite(t) and (self.period > 0.0 or self.low <= t <= self.high)

    def __str__(self) -> str:
        return f"[{self.low:g}, {self.high:g}]"


def point_of(given: Sequence[float], what: str) -> tuple[float, float, float]:
    """A point (m) with z = 0 where it has two coordinates."""
    numbers = tuple(float(x) for x in given)
    if len(numbers) not in (2, 3):
        raise BadNumber(f"{what} has {len(numbers)} coordinates: 2 or 3 are wanted.")
    if not all(math.isfinite(x) for x in numbers):
        raise BadNumber(f"{what} lies at {numbers}: every coordinate must be finite.")
    x, y, z = (*numbers, 0.0)[:3]
    return x, y, z


def points_of(
    given: Sequence[Sequence[float]], fewest: int
) -> tuple[tuple[float, float, float], ...]:
    """Points of which there must be some, and not all in one place."""
    points = tuple(point_of(p, f"point {k + 1}") for k, p in enumerate(given))
    if len(points) < fewest:
        raise BadNumber(f"the curve needs {fewest} points or more, it has {len(points)}.")
    if all(p == points[0] for p in points):
        raise BadNumber(
            f"all {len(points)} points of the curve lie in one place, {points[0]}: a curve needs"
            " points that differ."
        )
    return points


def refuse_no_curve(what: str, *given: object) -> None:
    """A BadConnection where something `given` as a curve to `what` (joint 'rail') is none."""
    for thing in given:
        if not isinstance(thing, AbstractCurve):
            raise BadConnection(f"{what} needs a curve such as Circle((0, 0), 0.5), not {thing!r}.")


def across(normal: Sequence[float]) -> tuple[Vector, Vector, Vector]:
    """Unit vectors x, y, z with z along the normal; those of the world for (0, 0, 1)."""
    return _across(point_of(normal, "a normal"))


@lru_cache(maxsize=256)
def _across(n: tuple[float, float, float]) -> tuple[Vector, Vector, Vector]:
    """Unit vectors x, y, z with z along n, remembered: surfaces ask at every evaluation."""
    if n[:2] == (0.0, 0.0) and n[2] > 0.0:
        return Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)
    if not any(n):
        raise BadNumber("a normal of length 0 has no direction.")
    R = Rotation.with_z(np.array(n))
    return R.x, R.y, R.z


@final
@dataclass(frozen=True, slots=True)
class Nearest:
    """A point of a curve and its distance from a place; no point is nearer than `bound`."""

    parameter: float
    point: tuple[float, float, float]  # m
    distance: float  # m
    bound: float  # m, proved


class AbstractCurve(ABC):
    """A curve C(t) in space, or in the plane z = 0, over its domain.

    `derivative` is its one formula; it runs on plain numbers, on arrays and on traced values, so a
    curve may stand in any constraint or measure. Beyond the domain the formula goes on smoothly;
    whoever asks for a place by number is told that it is not on the curve.
    """

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """Between which numbers the parameter lives."""

    @abstractmethod
    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        """d^order C / dt^order (m per unit of t, so often); order 0 is the point itself."""

    @property
    def corners(self) -> tuple[float, ...]:
        """Parameters inside the domain where the derivative jumps."""
        return ()

    @property
    def is_closed(self) -> bool:
        """Whether it ends where it began, and its parameter lives on a circle."""
        return self.domain.period > 0.0

    @property
    def is_planar(self) -> bool:
        """Whether it lies in the plane z = 0."""
        t = self.domain.low if self.domain.is_bounded else 0.0
        z = [self.derivative(t, order).z for order in range(3)]
        return all(isinstance(e, (int, float)) and e == 0.0 for e in z)

    def point(self, t: Scalar) -> Vector:
        """C(t) (m)."""
        return self.derivative(t, 0)

    # -- numbers -----------------------------------------------------------------------------

    def __call__(self, t: ArrayLike, order: int = 0) -> Floats:
        """C, or a derivative of it, at one parameter (3,) or several (N, 3)."""
        given = np.asarray(t, dtype=np.float64)
        self.require(given)
        parts = [np.broadcast_to(c, given.shape) for c in self.derivative(given, order)]
        return np.stack(parts, axis=-1).astype(np.float64)

    def require(self, t: ArrayLike) -> None:
        """An OutsideDomain unless every parameter belongs to the curve."""
        for number in np.asarray(t, dtype=np.float64).ravel().tolist():
            if not self.domain.contains(number):
                raise OutsideDomain(
                    f"t = {number:g} is not on the {type(self).__name__.lower()}: its parameter"
                    f" runs over {self.domain}. Keep within it, or make the curve longer.",
                    parameter=number,
                    low=self.domain.low,
                    high=self.domain.high,
                )

    def enclosure(self, low: ArrayLike, high: ArrayLike, order: int = 0) -> tuple[Floats, Floats]:
        """Bounds (3,) or (N, 3) that hold every value for t in [low, high], and its roundings.

        Proof: docs/theory/splines.md.
        """
        below, above = (np.asarray(b, dtype=np.float64) for b in (low, high))
        if below.shape != above.shape or not (below <= above).all():
            raise BadNumber("a stretch of a curve goes from a lower to a higher parameter.")
        self.require(below)
        self.require(above)
        tape = curve_tape(self, order)
        boxes = (below.reshape(-1, 1), above.reshape(-1, 1))
        found = native_tape(tape).evaluate_intervals(*boxes, tape.outputs)
        lower, upper = (b.reshape(*below.shape, 3) for b in found)
        return lower, upper

    def length(self, start: float | None = None, stop: float | None = None) -> float:
        """The arc length (m) between two parameters, or of the whole curve.

        The integral of |dC/dt| over every smooth piece apart, by Gauss's rule of 12 points, the
        panels doubled until two results agree to 1e-13.
        """
        ends = self.domain
        if (start is None or stop is None) and not ends.is_bounded:
            raise BadNumber("a curve without ends has no length: say between which parameters.")
        a, b = (ends.low if start is None else start), (ends.high if stop is None else stop)
        self.require([a, b])
        if b < a:
            raise BadNumber(
                f"a length goes from a lower to a higher parameter, not from {a:g} to {b:g}."
            )
        breaks: Iterable[float] = self.breaks
        if self.is_closed:  # they come again in every round
            rounds = range(math.floor(a / ends.period), math.ceil(b / ends.period) + 1)
            breaks = sorted({k + r * ends.period for r in rounds for k in self.breaks})
        inner = [c for c in breaks if a < c < b]
        return sum(_smooth_length(self, u, v) for u, v in itertools.pairwise([a, *inner, b]))

    def nearest(self, place: ArrayLike) -> Nearest:
        """The point of the curve nearest to a place (m), with a proved lower bound of the distance.

        Stretches whose bounding box is farther away than a point already found are dropped, the
        others halved, until the bound meets the distance or they are as short as roundings allow.
        """
        return _nearest(self, point_of(np.asarray(place, float).tolist(), "the place"))

    @property
    def breaks(self) -> Sequence[float]:
        """Parameters inside the domain at which a formula of the curve changes."""
        return self.corners

    @property
    def pieces(self) -> tuple[float, ...]:
        """Parameters between which the curve is smooth: its ends, and its corners."""
        if not self.domain.is_bounded:
            raise BadNumber(
                f"this {type(self).__name__.lower()} has no ends: give it `limits`, the parameters"
                " it runs between."
            )
        return (self.domain.low, *self.corners, self.domain.high)

    @property
    def speed(self) -> float:
        """A typical |dC/dt| (m), by which a parameter compares to lengths."""
        return _proportions(self)[0]

    @property
    def size(self) -> float:
        """How far apart points of the curve are (m), roughly."""
        return _proportions(self)[1]


@lru_cache(maxsize=256)
def _proportions(curve: AbstractCurve) -> tuple[float, float]:
    """Typical speed and extent, from samples."""
    ends = curve.domain if curve.domain.is_bounded else Domain(-1.0, 1.0)
    t = np.linspace(ends.low, ends.high, 33)
    place, rate = (
        np.stack([np.broadcast_to(c, t.shape) for c in curve.derivative(t, k)]).astype(float)
        for k in (0, 1)
    )
    return float(np.sqrt((rate**2).sum(axis=0)).mean()), float(np.ptp(place, axis=1).max())


@lru_cache(maxsize=256)
def curve_tape(curve: AbstractCurve, order: int) -> Tape:
    """A derivative of the curve as a program of its parameter."""
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    zero = 0.0 * t
    return record_formula([t], [zero + c for c in curve.derivative(t, order)])


def _smooth_length(curve: AbstractCurve, a: float, b: float) -> float:
    """The arc length (m) of a piece without corners."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    panels, before = 1, np.inf
    while True:
        edges = np.linspace(a, b, panels + 1)
        half = 0.5 * np.diff(edges)[:, None]
        t = edges[:-1, None] + half * (1.0 + nodes)
        rate = np.stack([np.broadcast_to(c, t.shape) for c in curve.derivative(t, 1)])
        total = float((half * weights * np.sqrt((rate**2).sum(axis=0))).sum())
        if abs(total - before) <= AGREEMENT * abs(total) or panels >= MOST_PANELS:
            return total
        panels, before = 2 * panels, total


def _nearest(curve: AbstractCurve, place: tuple[float, float, float]) -> Nearest:
    """By bounding boxes of stretches of the curve and Newton's method."""
    p = np.array(place)
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


def _ends(curve: AbstractCurve, p: Floats) -> tuple[float, ...]:
    """Stretches to look at; of a line without ends those around the foot of the perpendicular."""
    if curve.domain.is_bounded:
        return curve.pieces
    a, d = curve.point(0.0), curve.derivative(0.0, 1)
    foot = float((p - np.array(a, float)) @ np.array(d, float)) / float(d.square)
    low, high = curve.domain.low, curve.domain.high
    return (max(low, min(foot, high) - 1.0), min(high, max(foot, low) + 1.0))


def _least_distance(curve: AbstractCurve, low: Floats, high: Floats, p: Floats) -> Floats:
    """A lower bound of the distance from p to each stretch: to its bounding box."""
    lower, upper = curve.enclosure(low, high)
    gap = np.maximum(np.maximum(lower - p, p - upper), 0.0)
    distance: Floats = np.sqrt((gap**2).sum(axis=1)) * (1.0 - 1e-15)
    return distance


def _polished(curve: AbstractCurve, p: Floats, starts: Sequence[float]) -> tuple[float, float]:
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
