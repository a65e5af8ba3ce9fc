"""A curve through points."""

import itertools
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from kempe.algebra.functions import Interpolation
from kempe.drives.formula import Formula
from kempe.drives.law import AbstractLaw
from kempe.errors import BadNumber
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.units import Reading, Seconds

# A closed curve's ends may differ by what a file's digits lose.
CLOSED = 1e-9
FEWEST = {False: 2, True: 3}  # points of an open and of a periodic curve


@final
@dataclass(frozen=True, slots=True)
class Table(AbstractLaw):
    """The cubic spline through points (t, value).

    f = ((a_k u + b_k) u + c_k) u + d_k,  u = t - t_k,  t_k <= t < t_k+1;  f, f', f'' have no jumps

    An open one has not-a-knot ends and is held at its first and last value outside the points; at
    the first and at the last point itself its rate and acceleration are those of the curve between
    the points. A periodic one repeats, and its last point is its first one a period later.
    """

    points: tuple[tuple[Seconds, Reading], ...]  # times rising
    periodic: bool = False

    def __post_init__(self) -> None:
        rows = tuple(tuple(finite(x, "a point of a table") for x in row) for row in self.points)
        if any(len(row) != 2 for row in rows) or len(rows) < FEWEST[self.periodic]:
            raise BadNumber(
                f"a table needs {FEWEST[self.periodic]} points (t, value) or more, it has"
                f" {len(rows)}."
            )
        for k, (before, after) in enumerate(itertools.pairwise(rows)):
            if not after[0] > before[0]:
                raise BadNumber(
                    f"the times of a table must rise: point {k + 2} is at {after[0]:g} s, point"
                    f" {k + 1} at {before[0]:g} s.",
                    row=k + 1,
                )
        size = max(abs(row[1]) for row in rows)
        if self.periodic and abs(rows[0][1] - rows[-1][1]) > CLOSED * size:
            raise BadNumber(
                f"a periodic table must end where it starts: it goes from {rows[0][1]:g} to"
                f" {rows[-1][1]:g}."
            )
        object.__setattr__(self, "points", rows)

    def value(self, t: Scalar) -> Scalar:
        if not self.periodic:
            return _held(self.points)(t)
        return _curve(self.points, self.periodic)(t - self._period * self._periods(t))

    def corners(self, start: float, stop: float) -> list[float]:
        first, last = self.points[0][0], self.points[-1][0]
        if not self.periodic:
            return [t for t in (first, last) if start < t < stop]
        rounds = range(int(self._periods(start)) - 1, int(self._periods(stop)) + 2)
        return [t for k in rounds if start < (t := first + k * self._period) < stop]

    def between(self, start: float, stop: float) -> AbstractLaw:
        middle = 0.5 * (start + stop)
        first, last = self.points[0], self.points[-1]
        curve = _curve(self.points, self.periodic)
        if self.periodic:
            away = self._period * float(self._periods(middle))
            return Formula(lambda t: curve(t - away))
        if first[0] <= middle <= last[0]:
            return Formula(curve)
        level = first[1] if middle < first[0] else last[1]
        return Formula(lambda t: level + 0.0 * t)

    @property
    def _period(self) -> float:
        return self.points[-1][0] - self.points[0][0]

    def _periods(self, t: Scalar) -> Scalar:
        """How many whole periods t is away from those of the points."""
        middle = 0.5 * (self.points[0][0] + self.points[-1][0])
        return np.rint((t - middle) * (1.0 / self._period))

    def integral(self, t: Scalar) -> Scalar | None:
        """The integral from 0 to `t` (s): of the pieces, and beyond them of the values held there.

        That of a periodic table grows by the same with every period.
        """
        return self._area(t) - float(self._area(0.0))

    def _area(self, t: Scalar) -> Scalar:
        """The integral from some time on, the same for every t."""
        area = _integrated(self.points, self.periodic)
        if not self.periodic:
            return area(t)
        first, last = (float(area(end)) for end in (self.points[0][0], self.points[-1][0]))
        periods = self._periods(t)
        return (last - first) * periods + area(t - self._period * periods)


@lru_cache(maxsize=256)
def _held(points: tuple[tuple[float, float], ...]) -> Interpolation:
    """The curve with a level piece before and after it, which go on for ever.

    A break belongs to the piece on its right. So the last level piece begins one rounding after the
    last point, which stays with the curve, its rate and its acceleration.
    """
    curve = _curve(points, False)
    (first, low), (last, high) = points[0], points[-1]
    breaks = [
        2.0 * first - last,
        *curve.breaks[:-1],
        np.nextafter(last, np.inf),
        2.0 * last - first,
    ]
    levels = np.zeros((2, curve.coefficients.shape[1]))
    levels[:, -1] = low, high
    return Interpolation(breaks, np.vstack([levels[:1], curve.coefficients, levels[1:]]))


@lru_cache(maxsize=256)
def _integrated(points: tuple[tuple[float, float], ...], periodic: bool) -> Interpolation:
    """The integral of the held or the periodic curve from its first break on, piece by piece."""
    curve = _curve(points, True) if periodic else _held(points)
    order = curve.coefficients.shape[1]
    raised = curve.coefficients / np.arange(order, 0, -1)
    widths = np.diff(curve.breaks)
    areas = (raised * widths[:, None] ** np.arange(order, 0, -1)).sum(axis=1)
    before = np.concatenate([[0.0], np.cumsum(areas)[:-1]])
    return Interpolation(curve.breaks, np.column_stack([raised, before]))


@lru_cache(maxsize=256)
def _curve(points: tuple[tuple[float, float], ...], periodic: bool) -> Interpolation:
    values = [value for _, value in points]
    if periodic:
        values[-1] = values[0]
    return Interpolation.through([t for t, _ in points], values, periodic=periodic)
