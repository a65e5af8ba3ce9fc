"""How far a curve lies from a surface, and where it comes nearest, as formulas."""

import dataclasses
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Union, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.functions import as_guess, sqrt, tanh, where
from kempe.algebra.functions import first_guess_where as guessed
from kempe.geometry import Pose, Rotation, Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import Domain, across
from kempe.geometry.surfaces import AbstractSurface, ConeSurface, CylinderSurface, TorusSurface

FloatArray = NDArray[np.float64]
TINY = 1e-30  # m^2, beside squares whose root is taken: a distance has a slope everywhere
CORRECTIONS = 12  # by Newton's method, of a parameter of a curve
FLAT = 1e-9  # of a curve's size: less than it bends away from the surface is none
AXIS = 0.5  # of the hole of a ring: nearer to its axis there is no contact
GRID = 25  # a side, of places of a sheet that guesses are fitted to
DEGREE = 6  # of those guesses, in each direction
STEEP = 0.25  # cosine between a sheet's normal and its mean one: beyond it it is no sheet
GOOD = 0.06  # of its extent, by which guesses of a sheet may be off
BOTH = 7  # corrections of a place on a sheet and the parameter of a curve together
REACH = 0.2  # of the extent in u and v: farther no correction goes
SINGULAR = 1e-12  # of a determinant's usual size


@final
@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """f + f' s + f'' s^2 / 2: a value and how it changes with s, in arithmetic and square roots."""

    value: Scalar
    first: Scalar = 0.0
    second: Scalar = 0.0

    __array_priority__ = 2000

    def __add__(self, other: "Term") -> "Series":
        b = _series(other)
        return Series(self.value + b.value, self.first + b.first, self.second + b.second)

    __radd__ = __add__

    def __neg__(self) -> "Series":
        return Series(-self.value, -self.first, -self.second)

    def __sub__(self, other: "Term") -> "Series":
        return self + -_series(other)

    def __rsub__(self, other: "Term") -> "Series":
        return _series(other) - self

    def __mul__(self, other: "Term") -> "Series":
        b = _series(other)
        mixed = self.value * b.second + 2.0 * (self.first * b.first) + self.second * b.value
        return Series(self.value * b.value, self.value * b.first + self.first * b.value, mixed)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> "Series":
        return Series(self.value / other, self.first / other, self.second / other)

    def sqrt(self) -> "Series":
        """The root; NumPy's `sqrt` calls it."""
        root = sqrt(self.value + TINY)
        first = 0.5 * self.first / root
        return Series(root, first, (0.5 * self.second - first * first) / root)


Term = Union["Series", Scalar]


def _series(x: Any) -> Series:
    return x if isinstance(x, Series) else Series(x)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """A curve as the frame of a surface sees it."""

    curve: AbstractCurve
    X: Pose  # of its frame in that of the surface
    step: float  # of the parameter: no correction goes farther
    size: float  # m

    def at(self, t: Scalar, order: int = 0) -> Vector:
        """C(t) (m) at `t`, or its derivative of this `order`."""
        if order == 0:
            return self.X.point(self.curve.point(t))
        return self.X.rotation.apply(self.curve.derivative(t, order))

    def still(self) -> "Edge":
        """The curve as one that does not move with its body, for what is only a guess."""
        R, p = self.X.rotation, self.X.position
        x, y, z, place = (Vector(*(as_guess(c) for c in v)) for v in (R.x, R.y, R.z, p))
        return Edge(self.curve, Pose(place, Rotation(x, y, z)), self.step, self.size)


class AbstractBeside(ABC):
    """Distances (m) from a surface, positive where its normal points."""

    @abstractmethod
    def near(self, p: Vector) -> Scalar:
        """About the distance of `p` (m), enough to tell where a curve comes nearest."""

    @abstractmethod
    def nearest(self, edge: Edge, t: Scalar, way: float) -> "Foot":
        """Where on the `edge` near `t` the distance is least, or with a `way` of -1 most."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """A point and the point of a surface that is nearest to it."""

    point: Vector  # m
    distance: Scalar  # m
    normal: Vector  # of the surface
    over: Scalar | None  # positive where the nearest point is no edge; None of what has none


@final
@dataclass(frozen=True, slots=True)
class BesideFormula(AbstractBeside):
    """Of a surface whose distance is one formula: a plane, a sphere, a cylinder, a cone, a ring."""

    surface: AbstractSurface

    def near(self, p: Vector) -> Scalar:
        return self._level(p)

    def nearest(self, edge: Edge, t: Scalar, way: float) -> Foot:
        flat = (FLAT * edge.size / edge.step**2) ** 2
        for k, seen in enumerate((*(edge.still(),) * (CORRECTIONS - 1), edge)):
            t = as_guess(t)
            moving = zip(*(seen.at(t, k) for k in range(3)), strict=True)
            gap = _series(self._level(Vector(*(Series(*terms) for terms in moving))))
            # a step of Newton's method towards what is looked for, shorter ones from turn to turn
            whole = way * gap.first / sqrt(gap.second * gap.second + flat)
            t = t - _limited(whole, edge.step / 2.0**k)
        p = edge.at(t)
        normal = []
        for way_out in range(3):
            moved = (Series(c, float(k == way_out)) for k, c in enumerate(p))
            normal.append(_series(self._distance(Vector(*moved))).first)
        return Foot(p, self._distance(p), Vector(*normal), self._over(p))

    def _distance(self, p: Vector) -> Any:
        return self._formula(p, "signed_distance")

    def _level(self, p: Vector) -> Any:
        """What rises and falls with the distance, and is smooth far inside too."""
        return self._formula(p, "level")

    def _formula(self, p: Vector, what: Literal["signed_distance", "level"]) -> Any:
        surface = self.surface
        if isinstance(surface, ConeSurface):
            along, away = _about(surface, p)
            a = surface.half_angle
            return away * math.cos(a) - along * math.sin(a)
        if isinstance(surface, CylinderSurface):
            surface = dataclasses.replace(surface, limits=None)
        found = surface.signed_distance(p) if what == "signed_distance" else surface.level(p)
        assert found is not None  # `beside` asks before
        return found

    def _over(self, p: Vector) -> Scalar | None:
        surface = self.surface
        if isinstance(surface, ConeSurface):
            along, away = _about(surface, p)
            a = surface.half_angle
            return _within(along * math.cos(a) + away * math.sin(a), surface.domains.v)
        if isinstance(surface, CylinderSurface):
            return _within(_about(surface, p)[0], surface.domains.v)
        if isinstance(surface, TorusSurface):  # its axis is as far from all of the ring
            return _about(surface, p)[1] - AXIS * (surface.radius - surface.tube)
        return None


def _about(surface: ConeSurface | CylinderSurface | TorusSurface, p: Vector) -> tuple[Any, Any]:
    """How far along its axis from the centre a point lies, and how far away from the axis (m)."""
    d, (x, y, z) = p - Vector(*surface.centre), across(surface.axis)
    return d @ z, np.sqrt((d @ x) * (d @ x) + (d @ y) * (d @ y))


def _within(x: Scalar, domain: Domain) -> Scalar | None:
    """A number that is positive where `x` lies inside a domain; None of one without ends."""
    low = x - domain.low if math.isfinite(domain.low) else None
    return both(low, domain.high - x if math.isfinite(domain.high) else None)


def both(a: Scalar | None, b: Scalar | None) -> Scalar | None:
    """A number that is positive where `a` and `b` are; of None the other one."""
    if a is None or b is None:
        return b if a is None else a
    return where(a > 0.0, b, a)


@final
@dataclass(frozen=True, slots=True, eq=False)
class BesideSheet(AbstractBeside):
    """Of a surface that lies over a plane like a sheet: the foot by Newton's method.

    A first guess of its u and v are polynomials of the place over the plane.
    """

    surface: AbstractSurface
    axes: tuple[Vector, Vector, Vector]  # x and y along the plane, z out of it
    middle: tuple[float, float, float]  # m
    reach: tuple[float, float]  # m, of x and y to both sides of the middle
    guesses: FloatArray  # (4, DEGREE + 1, DEGREE + 1): u, v, the height (m), its cosine

    def near(self, p: Vector) -> Scalar:
        x, y, z = self._over(p)
        height, cosine = (_polynomial(self.guesses[k], x, y) for k in (2, 3))
        return (z - height) * cosine

    def nearest(self, edge: Edge, t: Scalar, way: float) -> Foot:
        still = edge.still()
        u, v = self._guess(still.at(t))
        for k, seen in enumerate((*(still,) * (BOTH - 1), edge)):
            t, u, v = (as_guess(x) for x in (t, u, v))
            dt, du, dv = self._together(seen, t, u, v)
            t = t - _limited(dt, edge.step / 2.0**k)
            u, v = u - _limited(du, self._room[0]), v - _limited(dv, self._room[1])
        p = edge.at(t)
        n = self.surface.across(u, v)
        n = n / n.norm
        inside = (
            _within(w, domain) for w, domain in zip((u, v), self.surface.domains, strict=True)
        )
        return Foot(p, (p - self.surface.point(u, v)) @ n, n, both(*inside))

    def _together(self, edge: Edge, t: Scalar, u: Scalar, v: Scalar) -> Vector:
        """By how much t, u and v are too large, by Newton's method."""
        here, slope = Here.of(self.surface, u, v), edge.at(t, 1)
        d = edge.at(t) - self.surface.point(u, v)
        mixed = d @ here.uv - here.u @ here.v
        rows = (
            Vector(slope @ here.u, d @ here.uu - here.u @ here.u, mixed),
            Vector(slope @ here.v, mixed, d @ here.vv - here.v @ here.v),
            Vector(here.n @ edge.at(t, 2), here.n_u @ slope, here.n_v @ slope),
        )
        pairs = ((rows[1], rows[2]), (rows[2], rows[0]), (rows[0], rows[1]))
        a, b, c = (one.cross(other) for one, other in pairs)
        size = edge.size**2 / edge.step**2 * math.prod(self.surface.speeds) ** 3
        inverse = _inverse(rows[0] @ a, size)
        misses: Vector = a * (d @ here.u) + b * (d @ here.v) + c * (here.n @ slope)
        found: Vector = misses * inverse
        return found

    @property
    def _room(self) -> tuple[float, float]:
        u, v = self.surface.domains
        return REACH * u.width, REACH * v.width

    def _over(self, p: Vector) -> tuple[Scalar, Scalar, Scalar]:
        """Where `p` lies over the plane: shares of its reach, and the height (m)."""
        d = p - Vector(*self.middle)
        shares = ((d @ axis) / far for axis, far in zip(self.axes, self.reach, strict=False))
        x, y = (guessed(e > 1.0, 1.0, guessed(e < -1.0, -1.0, e)) for e in shares)
        return x, y, d @ self.axes[2]

    def _guess(self, p: Vector) -> tuple[Scalar, Scalar]:
        x, y, _ = self._over(p)
        return _polynomial(self.guesses[0], x, y), _polynomial(self.guesses[1], x, y)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Here:
    """A surface at a place: derivatives of S, and of its normal n = S_u x S_v."""

    u: Vector
    v: Vector
    uu: Vector
    uv: Vector
    vv: Vector
    n: Vector
    n_u: Vector
    n_v: Vector

    @classmethod
    def of(cls, surface: AbstractSurface, u: Scalar, v: Scalar) -> "Here":
        """Those of a `surface` at `u`, `v`."""
        orders = ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
        a, b, aa, ab, bb = (surface.derivative(u, v, order) for order in orders)
        n_u, n_v = aa.cross(b) + a.cross(ab), ab.cross(b) + a.cross(bb)
        return cls(a, b, aa, ab, bb, a.cross(b), n_u, n_v)


def _limited(step: Scalar, most: float) -> Scalar:
    """A small `step` as it is, and none longer than the `most`."""
    return most * tanh(step / most)


def _inverse(x: Scalar, size: float) -> Scalar:
    """1 / `x`, of a usual `size`; 0 where that is nothing."""
    return x / (x * x + (SINGULAR * size) ** 2)


def _polynomial(terms: FloatArray, x: Scalar, y: Scalar) -> Scalar:
    """sum over i, j of terms[i, j] x^i y^j."""
    found: Scalar = 0.0
    for row in terms[::-1].tolist():
        part: Scalar = 0.0
        for term in row[::-1]:
            part = part * y + term
        found = found * x + part
    return found


@lru_cache(maxsize=64)
def _sheet(surface: AbstractSurface) -> BesideSheet | None:
    """Formulas beside a `surface` that lies over a plane like a sheet; None of any other."""
    if not all(d.is_bounded and not d.period for d in surface.domains):
        return None
    sides = [np.linspace(d.low, d.high, GRID) for d in surface.domains]
    u, v = (x.ravel() for x in np.meshgrid(*sides))
    places, a, b = (surface(u, v, k) for k in ((0, 0), (1, 0), (0, 1)))
    normals = np.cross(a, b)
    area = np.linalg.norm(normals, axis=1, keepdims=True)
    if not (area > SINGULAR * math.prod(surface.speeds)).all():
        return None
    normals = normals / area
    mean = normals.mean(axis=0)
    if not (normals @ mean > STEEP * np.linalg.norm(mean)).all():
        return None
    axes = across(tuple(mean.tolist()))
    frame = np.array([list(axis) for axis in axes], dtype=np.float64)
    low, high = (edge(places @ frame.T, axis=0) for edge in (np.min, np.max))
    middle = 0.5 * (low + high) @ frame
    x, y, height = ((places - middle) @ frame.T).T
    reach = np.abs(x).max(), np.abs(y).max()
    powers = np.arange(DEGREE + 1)
    x, y = x[:, None] / reach[0], y[:, None] / reach[1]
    terms = (x**powers)[:, :, None] * (y**powers)[:, None, :]
    matrix = terms.reshape(len(places), -1)
    wanted = np.stack([u, v, height, normals @ frame[2]], axis=1)
    found = np.linalg.lstsq(matrix, wanted, rcond=None)[0]
    off = np.abs(matrix @ found - wanted).max(axis=0)
    allowed = [*(GOOD * d.width for d in surface.domains), GOOD * surface.size]
    if not (off[:3] <= allowed).all():
        return None
    guesses = found.T.reshape(4, DEGREE + 1, DEGREE + 1)
    return BesideSheet(surface, axes, tuple(middle.tolist()), reach, guesses)


def beside(surface: AbstractSurface) -> AbstractBeside | None:
    """Formulas of distances from a `surface`; None where there are none."""
    known = isinstance(surface, ConeSurface | CylinderSurface)
    if known or surface.signed_distance(Vector(1.1, 1.2, 1.3)) is not None:
        return BesideFormula(surface)
    return _sheet(surface)
