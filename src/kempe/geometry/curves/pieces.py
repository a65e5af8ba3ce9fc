"""Curves in pieces: one spline for every coordinate, over common breaks."""

import itertools
import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.spline import Spline
from kempe.errors import BadNumber
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import AbstractCurve, Domain, Point, Points, points_of
from kempe.geometry.number import Floats

#: Two derivatives whose difference is this share of the larger are one: roundings of the pieces.
SAME_SLOPE = 1e-9


@final
@dataclass(frozen=True, eq=False)
class Pieces:
    """Bezier pieces of a curve: homogeneous control points (k, n + 1, 4) over k + 1 breaks."""

    breaks: Floats
    controls: Floats  # w x, w y, w z, w
    is_rational: bool
    is_closed: bool

    @cached_property
    def coordinates(self) -> tuple[Spline | float, ...]:
        """x, y and z as splines; a coordinate that never changes is a number."""
        return tuple(self._coordinate(k) for k in range(3))

    def _coordinate(self, k: int) -> Spline | float:
        values, weights = self.controls[:, :, k], self.controls[:, :, 3]
        if not self.is_rational and (values == values[0, 0]).all():
            return float(values[0, 0])
        if self.is_rational and not values.any():
            return 0.0
        below = weights if self.is_rational else None
        return Spline.of(self.breaks, values, below, is_periodic=self.is_closed)

    @cached_property
    def corners(self) -> tuple[float, ...]:
        """Breaks at which the derivative jumps; the seam of a closed curve may be one."""
        n = self.controls.shape[1] - 1
        h = np.diff(self.breaks)[:, None]
        places = self.controls[..., :3] / self.controls[..., 3:]
        w = self.controls[..., 3]
        after = n * (w[:, 1] / w[:, 0])[:, None] * (places[:, 1] - places[:, 0]) / h
        before = n * (w[:, -2] / w[:, -1])[:, None] * (places[:, -1] - places[:, -2]) / h
        jump = np.linalg.norm(after - np.roll(before, 1, axis=0), axis=1)
        size = np.linalg.norm(after, axis=1) + np.linalg.norm(np.roll(before, 1, axis=0), axis=1)
        is_corner = jump > SAME_SLOPE * size
        is_corner[0] &= self.is_closed
        return tuple(self.breaks[:-1][is_corner].tolist())


class AbstractPiecewise(AbstractCurve):
    """A curve made of Bezier pieces."""

    @property
    @abstractmethod
    def bezier(self) -> Pieces:
        """Its pieces."""

    @property
    def domain(self) -> Domain:
        low, high = float(self.bezier.breaks[0]), float(self.bezier.breaks[-1])
        return Domain(low, high, high - low if self.bezier.is_closed else 0.0)

    @property
    def corners(self) -> tuple[float, ...]:
        return self.bezier.corners

    @property
    def breaks(self) -> tuple[float, ...]:
        return tuple(self.bezier.breaks.tolist())

    @property
    def is_planar(self) -> bool:
        return self.bezier.coordinates[2] == 0.0

    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        values: list[Scalar] = []
        for part in self.bezier.coordinates:
            fixed = part if order == 0 else 0.0
            values.append(part(t, order) if isinstance(part, Spline) else fixed)
        return Vector(*values)


@lru_cache(maxsize=256)
def bspline_pieces(
    points: Points,
    weights: tuple[float, ...],
    degree: int,
    knots: tuple[float, ...],
    is_closed: bool,
) -> Pieces:
    """The Bezier pieces of a (rational) B-spline, exact but for one rounding of each number.

    The Bezier control point j of the piece over [u, v] is the spline's blossom at n - j times u and
    j times v. Rational arithmetic makes neighbouring pieces share their ends exactly.

    Source: [PieglTiller] ch. 5; the blossom: [Ramshaw].
    """
    homogeneous = [
        (*(Fraction(w) * Fraction(c) for c in p), Fraction(w))
        for p, w in zip(points, weights, strict=True)
    ]
    u = [Fraction(k) for k in knots]
    spans = [i for i in range(degree, len(points)) if u[i] < u[i + 1]]
    controls = np.empty((len(spans), degree + 1, 4))
    for row, i in enumerate(spans):
        for j in range(degree + 1):
            at = [u[i]] * (degree - j) + [u[i + 1]] * j
            controls[row, j] = [float(x) for x in _blossom(homogeneous, u, degree, i, at)]
    breaks = np.array([float(u[i]) for i in spans] + [float(u[spans[-1] + 1])])
    rational = any(w != weights[0] for w in weights)
    if not rational:
        controls = controls / controls[..., 3:]
    return Pieces(breaks, controls, rational, is_closed)


def _blossom(
    points: Sequence[tuple[Fraction, ...]],
    u: Sequence[Fraction],
    degree: int,
    span: int,
    at: Sequence[Fraction],
) -> tuple[Fraction, ...]:
    """The symmetric multi-affine form of the piece over [u_span, u_span+1]: de Boor's scheme."""
    d = [points[j] for j in range(span - degree, span + 1)]
    for r, t in enumerate(at, start=1):
        for j in range(degree, r - 1, -1):
            low = u[j + span - degree]
            a = (t - low) / (u[j + 1 + span - r] - low)
            d[j] = tuple((1 - a) * x + a * y for x, y in zip(d[j - 1], d[j], strict=True))
    return d[degree]


def checked_weights(weights: Sequence[float] | None, count: int) -> tuple[float, ...]:
    """One positive weight a point; ones where none are given."""
    if weights is None or not len(weights):
        return (1.0,) * count
    given = tuple(float(w) for w in weights)
    if len(given) != count:
        raise BadNumber(f"{count} points need as many weights, there are {len(given)}.")
    for k, w in enumerate(given):
        if not (np.isfinite(w) and w > 0.0):
            raise BadNumber(
                f"weight {k + 1} is {w:g}: a weight must be positive. A point of weight 0 pulls at"
                " nothing; leave it out.",
                weight=w,
                place=k,
            )
    return given


def checked_knots(
    knots: Sequence[float] | None, count: int, degree: int, *, closed: bool
) -> tuple[float, ...]:
    """Knots that never fall, none repeated so often that the curve would come apart."""
    if not 1 <= degree <= 15:
        raise BadNumber(f"a spline has degree 1 to 15, this one {degree}.", degree=degree)
    if count <= degree:
        raise BadNumber(
            f"a spline of degree {degree} needs {degree + 1} points or more, it has {count}."
        )
    if knots is None:
        return _uniform(count, degree, closed=closed)
    given = tuple(float(k) for k in knots)
    wanted = count + 1 if closed else count + degree + 1
    if len(given) != wanted:
        raise BadNumber(
            f"{count} points and degree {degree} need {wanted} knots, not {len(given)}."
        )
    if not np.isfinite(given).all():
        raise BadNumber("a knot is not finite.")
    for k, (a, b) in enumerate(itertools.pairwise(given)):
        if b < a:
            raise BadNumber(
                f"the knots must not fall: knot {k + 2} is {b:g}, knot {k + 1} is {a:g}."
            )
    inner = given if closed else given[degree : count + 1]
    if not inner[-1] > inner[0]:
        raise BadNumber(f"all knots between the ends are {inner[0]:g}: the curve has no length.")
    for value in set(inner[1:-1]) - {inner[0], inner[-1]}:
        often = given.count(value)
        if often > degree:
            raise BadNumber(
                f"knot {value:g} is repeated {often} times: at most {degree} (the degree) keep the"
                " curve in one piece.",
                knot=value,
            )
    return given


def _uniform(count: int, degree: int, *, closed: bool) -> tuple[float, ...]:
    if closed:
        return tuple(float(k) for k in range(count + 1))
    spans = count - degree
    return (*(0.0,) * degree, *(float(k) for k in range(spans + 1)), *(float(spans),) * degree)


@dataclass(frozen=True)
class AbstractStations(AbstractPiecewise):
    """A curve from point to point; a closed one comes back to the first."""

    points: Points  # m
    closed: bool = False

    called: ClassVar[str]  # in a message

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", points_of(self.points, 3 if self.closed else 2))
        for k, (a, b) in enumerate(itertools.pairwise(self._stations)):
            if a == b:
                raise BadNumber(
                    f"points {k + 1} and {k + 2} of the {self.called} lie in one place, {a}: leave"
                    " one out.",
                    place=k,
                )

    @property
    def _stations(self) -> Points:
        first: Point = self.points[0]
        return (*self.points, first) if self.closed else self.points

    @property
    def _breaks(self) -> NDArray[np.float64]:
        """How far along the chords every station lies, from 0."""
        chords = [math.dist(a, b) for a, b in itertools.pairwise(self._stations)]
        return np.concatenate([[0.0], np.cumsum(chords)])
