"""A B-spline surface, rational or not."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.algebra import Expression
from kempe.algebra.spline import Spline
from kempe.errors import BadNumber
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import Domain, Numbers, Points, point_of
from kempe.geometry.curves.pieces import bspline_pieces, checked_knots, checked_weights
from kempe.geometry.surfaces.abstract import AbstractSurface, Orders, surface_program
from kempe.geometry.surfaces.nearest import Parameters
from kempe.geometry.surfaces.patches import SplineBasis, least_squared_distances

Grid = tuple[Points, ...]
Part = Spline | float
FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True)
class BSplineSurface(AbstractSurface):
    """A B-spline surface by a grid of control points; with weights a NURBS surface, exactly.

    S(u, v) = sum_ij w_ij P_ij N_i(u) M_j(v) / sum_ij w_ij N_i(u) M_j(v)

    `points[i][j]` goes along u with i and along v with j. Each direction has its degree, and knots
    as a curve has them: count + degree + 1, or none, and then it reaches its edge points. A
    direction that is closed takes count + 1 knots from 0 on: its points are used again after one
    round.

    Source: [PieglTiller] eq. 3.11 and 4.15.
    """

    points: Grid  # m
    degrees: tuple[int, int] = (3, 3)
    knots_u: Numbers = ()
    knots_v: Numbers = ()
    weights: tuple[Numbers, ...] = ()
    closed: tuple[bool, bool] = (False, False)

    def __post_init__(self) -> None:
        rows = [tuple(point_of(p, "a control point") for p in row) for row in self.points]
        if not rows or any(len(row) != len(rows[0]) for row in rows):
            raise BadNumber(
                "the control points of a surface stand in a grid: its rows have"
                f" {', '.join(str(len(row)) for row in rows) or 'no'} points."
            )
        counts = (len(rows), len(rows[0]))
        for name, knots, count, degree, closed in zip(
            ("knots_u", "knots_v"),
            (self.knots_u, self.knots_v),
            counts,
            self.degrees,
            self.closed,
            strict=True,
        ):
            checked = checked_knots(knots or None, count, degree, closed=closed)
            if closed and checked[0] != 0.0:
                raise BadNumber(f"{name} of a closed direction start at 0, not {checked[0]:g}.")
            object.__setattr__(self, name, checked)
        weights = self.weights or ((1.0,) * counts[1],) * counts[0]
        if len(weights) != counts[0]:
            raise BadNumber(
                f"{counts[0]} rows of points need as many of weights, not {len(weights)}."
            )
        checked_rows = tuple(checked_weights(row, counts[1]) for row in weights)
        object.__setattr__(self, "points", tuple(rows))
        object.__setattr__(self, "weights", checked_rows)

    @property
    def domains(self) -> Parameters:
        found = []
        for knots, degree, closed in zip(
            (self.knots_u, self.knots_v), self.degrees, self.closed, strict=True
        ):
            low, high = (knots[0], knots[-1]) if closed else (knots[degree], knots[-1 - degree])
            found.append(Domain(low, high, high - low if closed else 0.0))
        return Parameters(*found)

    @property
    def breaks(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        u, v = (
            tuple(sorted({k for k in knots if d.low < k < d.high}))
            for knots, d in zip((self.knots_u, self.knots_v), self.domains, strict=True)
        )
        return u, v

    @property
    def is_rational(self) -> bool:
        """Whether its weights differ."""
        return len({w for row in self.weights for w in row}) > 1

    def least_squared_distances(
        self, low: FloatArray, high: FloatArray, place: FloatArray
    ) -> FloatArray:
        weights = np.array(self.weights)
        arms = weights[..., None] * (np.array(self.points) - place)
        return least_squared_distances(self._bases, arms, weights, low, high)

    def derivative(self, u: Scalar, v: Scalar, order: Orders = (0, 0)) -> Vector:
        if not (isinstance(u, Expression) or isinstance(v, Expression)):
            return self._by_program(u, v, order)
        if not self.is_rational:
            middle = Vector(*(self._middle if order == (0, 0) else (0.0, 0.0, 0.0)))
            x, y, z = self._sums(u, v, order, range(3))
            return middle + Vector(x, y, z)
        return self._rational(u, v, order)

    def _by_program(self, u: ArrayLike, v: ArrayLike, order: Orders) -> Vector:
        """Values of a derivative at numbers or arrays, all sums in one program."""
        a, b = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (u, v)))
        tape, program = surface_program(self, order)
        found = program.evaluate(np.column_stack([a.ravel(), b.ravel()]), tape.outputs)
        if a.ndim == 0:
            return Vector(*found[0].tolist())
        return Vector(*(found[:, k].reshape(a.shape) for k in range(3)))

    def _rational(self, u: Scalar, v: Scalar, order: Orders) -> Vector:
        """By Leibniz's rule for S W = A: the terms of lower order of S are taken off.

        Source: [PieglTiller] eq. 4.20.
        """
        found: dict[Orders, Vector] = {}
        weight = {
            (i, j): self._sums(u, v, (i, j), (3,))[0]
            for i, j in itertools.product(range(order[0] + 1), range(order[1] + 1))
        }
        for k, m in sorted(weight):
            above = Vector(*self._sums(u, v, (k, m), range(3)))
            for i, j in itertools.product(range(k + 1), range(m + 1)):
                if (i, j) != (0, 0):
                    often = math.comb(k, i) * math.comb(m, j)
                    above = above - found[k - i, m - j] * (weight[i, j] * float(often))
            found[k, m] = above / weight[0, 0]
        middle = Vector(*self._middle) if order == (0, 0) else Vector(0.0, 0.0, 0.0)
        return middle + found[order]

    def _sums(self, u: Scalar, v: Scalar, order: Orders, which: Sequence[int]) -> list[Scalar]:
        """R_0c(v) + sum_(i > 0) C_i(u) (R_ic - R_(i-1)c)(v) for some of c = w x, w y, w z, w."""
        products = _products(self)
        return [
            sum((_value(f, u, order[0]) * _value(g, v, order[1]) for f, g in products[c]), 0.0)
            for c in which
        ]

    @cached_property
    def _bases(self) -> tuple[SplineBasis, SplineBasis]:
        u, v = (
            SplineBasis.of(count, partial(_part, self, way))
            for way, count in enumerate((len(self.points), len(self.points[0])))
        )
        return u, v

    @cached_property
    def _middle(self) -> tuple[float, float, float]:
        """The middle of the control points (m): sums are taken from it, so that they stay small."""
        x, y, z = np.mean(np.array(self.points).reshape(-1, 3), axis=0).tolist()
        return x, y, z


def _value(part: Part, t: Scalar, order: int) -> Scalar:
    if isinstance(part, Spline):
        return part(t, order)
    return part if order == 0 else 0.0


@lru_cache(maxsize=64)
def _products(surface: BSplineSurface) -> tuple[list[tuple[Part, Part]], ...]:
    """Splines of u and of v, whose products add up to w x, w y, w z (from the middle), and w.

    sum_i N_i R_i = R_0 + sum_(i > 0) C_i (R_i - R_(i-1)) with C_i = N_i + N_(i+1) + ..., for the
    N_i add up to 1. The C_i rise from 0 to 1, so that over an interval little is lost; what does
    not change along u or along v is one spline.
    """
    weights = np.array(surface.weights)[..., None]
    arms = weights * (np.array(surface.points) - np.array(surface._middle))
    return tuple(_of_grid(surface, grid) for grid in np.moveaxis(np.dstack((arms, weights)), 2, 0))


def _of_grid(surface: BSplineSurface, grid: FloatArray) -> list[tuple[Part, Part]]:
    """Splines of u and of v, whose products add up to sum_ij N_i(u) M_j(v) `grid`[i, j]."""
    if (grid == grid[:, :1]).all():
        return [(_part(surface, 0, grid[:, 0]), 1.0)]
    count, rises = len(grid), np.diff(grid, axis=0)
    found: list[tuple[Part, Part]] = [(1.0, _part(surface, 1, grid[0]))]
    for i in range(1, count):
        if rises[i - 1].any():
            later = (np.arange(count) >= i).astype(float)
            found.append((_part(surface, 0, later), _part(surface, 1, rises[i - 1])))
    return found


def _part(surface: BSplineSurface, way: int, controls: FloatArray) -> Part:
    """The spline of u (way 0) or of v (way 1) with these control numbers."""
    knots = (surface.knots_u, surface.knots_v)[way]
    points = tuple((float(x), 0.0, 0.0) for x in controls)
    return _parts(points, surface.degrees[way], knots, surface.closed[way])[0]


def _parts(points: Points, degree: int, knots: Numbers, closed: bool) -> tuple[Part, ...]:
    """Three coordinates of a plain B-spline, as splines."""
    if closed:
        period = knots[-1] - knots[0]
        before = tuple(k - period for k in knots[-1 - degree : -1])
        after = tuple(k + period for k in knots[1 : degree + 1])
        knots, points = (*before, *knots, *after), points + points[:degree]
    return bspline_pieces(points, (1.0,) * len(points), degree, knots, closed).coordinates
