"""What every surface is: a formula S(u, v) over two domains, on numbers and on traced values.

From the formula alone follow its normals, its bounds, its curvatures and its nearest points.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra import Expression, Graph, Tape, record_formula
from kempe.algebra.native import core, native_tape
from kempe.errors import BadNumber, OutsideDomain
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import Domain
from kempe.geometry.number import Floats
from kempe.geometry.surfaces.nearest import (
    NearestOnSurface,
    Parameters,
    foot_of,
    nearest_point,
    squares_by_slopes,
)

Orders = tuple[int, int]
SAMPLES = 9  # a side, of typical speeds and extents
FLAT = 1e-12  # of S_u and S_v: a normal shorter than this share of |S_u| |S_v| has no direction


@final
@dataclass(frozen=True, slots=True)
class Curvature:
    """How a surface bends at a point, seen along its normal S_u x S_v (1/m).

    Positive where it bends towards the normal: a sphere of radius r, whose normal points out, has
    `least` = `most` = -1/r.
    """

    least: float
    most: float

    @property
    def gaussian(self) -> float:
        """The product of both (1/m^2): positive on domes, negative on saddles."""
        return self.least * self.most

    @property
    def mean(self) -> float:
        """Half their sum (1/m)."""
        return 0.5 * (self.least + self.most)


class AbstractSurface(ABC):
    """A surface S(u, v) in space over its domains.

    `derivative` is its one formula; it runs on plain numbers, on arrays and on traced values, so a
    surface may stand in any constraint or measure. Beyond its domains the formula goes on smoothly;
    whoever asks for a place by numbers is told that it is not on the surface. A surface without
    edges may say its equation too (`level`): a point is then held on it by one row, without
    parameters and their poles.
    """

    @property
    @abstractmethod
    def domains(self) -> Parameters:
        """Between which numbers u and v live."""

    @abstractmethod
    def derivative(self, u: Scalar, v: Scalar, order: Orders = (0, 0)) -> Vector:
        """d^(k+l) S / du^k dv^l (m per units of u and v) at `u`, `v` for `order` = (k, l)."""

    def signed_distance(self, p: Vector) -> Scalar | None:
        """The distance (m) of `p` from it, negative inside or below; None where no formula says.

        Formulas speak of the surface without edges.
        """
        return None

    def level(self, p: Vector) -> Scalar | None:
        """A formula (m) of `p` that is 0 on it and rises by 1 a metre along the normal, or None."""
        return self.signed_distance(p)

    @property
    def ball(self) -> tuple[tuple[float, float, float], float] | None:
        """Centre and radius (m) where all of it lies about a point and looks out; else None."""
        return None

    @property
    def breaks(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Values of u, and of v, inside the domains at which a formula of it changes."""
        return (), ()

    def point(self, u: Scalar, v: Scalar) -> Vector:
        """S(u, v) (m)."""
        return self.derivative(u, v, (0, 0))

    def across(self, u: Scalar, v: Scalar) -> Vector:
        """S_u x S_v at `u`, `v`: along the normal, as long as the area of a unit of u and v."""
        return self.derivative(u, v, (1, 0)).cross(self.derivative(u, v, (0, 1)))

    def offset(self, u: Scalar, v: Scalar, distance: Scalar) -> Vector:
        """S(u, v) + distance n (m), n the unit normal along S_u x S_v; it has none at a pole."""
        n = self.across(u, v)
        place: Vector = self.point(u, v) + n * (distance / n.norm)
        return place

    def window(self, _place: Floats) -> Parameters:
        """Domains with ends, in which the point nearest to a place (m) is sure to lie."""
        if not all(d.is_bounded for d in self.domains):
            raise BadNumber(
                f"this {_called(self)} has no edge: give it `limits`, so that there is an end to"
                " the search for a nearest point."
            )
        return self.domains

    # -- numbers -----------------------------------------------------------------------------

    def __call__(self, u: ArrayLike, v: ArrayLike, order: Orders = (0, 0)) -> Floats:
        """S, or the derivative of this `order`, at one pair (3,) or several pairs (N, 3)."""
        a, b = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (u, v)))
        self.require(a, b)
        return self._values(a, b, order)

    def _values(self, u: Floats, v: Floats, order: Orders) -> Floats:
        """Values (N, 3) of a derivative at pairs that are known to be on the surface."""
        parts = [np.broadcast_to(c, u.shape) for c in self.derivative(u, v, order)]
        return np.stack(parts, axis=-1).astype(np.float64)

    def unit_normal(self, u: float, v: float) -> Floats:
        """The unit normal (3,) at `u`, `v`, along S_u x S_v; refused where there is none."""
        a, b = self(u, v, (1, 0)), self(u, v, (0, 1))
        n: Floats = np.cross(a, b)
        if not np.linalg.norm(n) > FLAT * max(math.prod(self.speeds), np.finfo(float).tiny):
            raise BadNumber(
                f"the {_called(self)} has no normal at u = {u:g}, v = {v:g}: it comes to a point,"
                " or its lines of u and v run along each other there.",
                u=u,
                v=v,
            )
        return n / np.linalg.norm(n)

    def curvature(self, u: float, v: float) -> Curvature:
        """The principal curvatures (1/m) at `u`, `v`: eigenvalues of its second form in its first.

        Source: [DoCarmo] section 3-3.
        """
        n = self.unit_normal(u, v)
        a, b = self(u, v, (1, 0)), self(u, v, (0, 1))
        first = np.array([[a @ a, a @ b], [a @ b, b @ b]])
        mixed = n @ self(u, v, (1, 1))
        second = np.array([[n @ self(u, v, (2, 0)), mixed], [mixed, n @ self(u, v, (0, 2))]])
        half = np.linalg.cholesky(first)
        shape = np.linalg.solve(half, np.linalg.solve(half, second).T)
        least, most = np.linalg.eigvalsh(0.5 * (shape + shape.T)).tolist()
        return Curvature(least, most)

    def require(self, u: ArrayLike, v: ArrayLike) -> None:
        """An OutsideDomain unless every pair `u`, `v` belongs to the surface."""
        for name, values, domain in zip("uv", (u, v), self.domains, strict=True):
            given = np.asarray(values, dtype=np.float64)
            inside = np.isfinite(given)
            if not domain.period:
                inside &= (domain.low <= given) & (given <= domain.high)
            if not inside.all():
                number = float(given[~inside].flat[0])
                raise OutsideDomain(
                    f"{name} = {number:g} is not on the {_called(self)}: its {name} runs over"
                    f" {domain}. Keep within it, or make the surface larger.",
                    parameter=number,
                    low=domain.low,
                    high=domain.high,
                )

    def enclosure(
        self, low: ArrayLike, high: ArrayLike, order: Orders = (0, 0)
    ) -> tuple[Floats, Floats]:
        """Bounds (3,) or (N, 3) of all values for (u, v) between `low` and `high`, (2,) or (N, 2).

        They hold roundings too: the formula of the derivative of this `order`, on intervals.
        """
        below, above = (np.asarray(b, dtype=np.float64) for b in (low, high))
        if below.shape != above.shape or below.shape[-1] != 2 or not (below <= above).all():
            raise BadNumber("a patch of a surface goes from lower to higher u and v.")
        for corner in (below, above):
            self.require(corner[..., 0], corner[..., 1])
        tape, program = surface_program(self, order)
        boxes = (below.reshape(-1, 2), above.reshape(-1, 2))
        found = program.evaluate_intervals(*boxes, tape.outputs)
        lower, upper = (b.reshape(*below.shape[:-1], 3) for b in found)
        return lower, upper

    def least_squared_distances(self, low: Floats, high: Floats, place: Floats) -> Floats:
        """Lower bounds (N,) (m^2) of |S - place|^2 over patches from `low` to `high` (N, 2).

        No `breaks` lie inside a patch. In the middle c of a patch of half widths h,
        f >= f(c) - |grad f(c)| . h - 1/2 h . sup |f''| . h; its box tells another bound.
        """
        return squares_by_slopes(self, low, high, place)

    def nearest(self, place: ArrayLike) -> NearestOnSurface:
        """The point nearest to a `place` (m), with a proved lower bound of the distance."""
        return nearest_point(self, place)

    def foot(self, place: ArrayLike) -> tuple[float, float]:
        """u and v of a point near a `place` (m), most often the nearest: quick, and not proved."""
        return foot_of(self, place)

    @property
    def speeds(self) -> tuple[float, float]:
        """Typical |S_u| and |S_v| (m), by which parameters compare to lengths."""
        return _proportions(self)[:2]

    @property
    def size(self) -> float:
        """How far apart points of the surface are (m), roughly."""
        return _proportions(self)[2]


def _called(surface: AbstractSurface) -> str:
    """What it is called in a message."""
    return type(surface).__name__.removesuffix("Surface").lower() + " surface"


def drawn_between(domain: Domain, reach: float) -> tuple[float, float]:
    """The ends of a domain, where it has none `reach` from 0 or from the end it has."""
    low, high = domain.low, domain.high
    if not math.isfinite(low):
        low = (high if math.isfinite(high) else 0.0) - reach
    if not math.isfinite(high):
        high = (domain.low if math.isfinite(domain.low) else 0.0) + reach
    return low, high


@lru_cache(maxsize=256)
def _proportions(surface: AbstractSurface) -> tuple[float, float, float]:
    """Typical speeds along u and v, and the extent, from samples."""
    sides = [np.linspace(*drawn_between(d, 1.0), SAMPLES) for d in surface.domains]
    u, v = (x.ravel() for x in np.meshgrid(*sides))
    place, along, across = (surface._values(u, v, k) for k in ((0, 0), (1, 0), (0, 1)))
    speeds = (float(np.linalg.norm(rate, axis=1).mean()) for rate in (along, across))
    first, second = speeds
    return first, second, float(np.ptp(place, axis=0).max())


@lru_cache(maxsize=256)
def surface_tape(surface: AbstractSurface, order: Orders) -> Tape:
    """The derivative of this `order` of the `surface` as a program of u and v."""
    graph = Graph()
    u, v = (Expression(graph, graph.input(name)) for name in "uv")
    zero = 0.0 * u + 0.0 * v
    return record_formula([u, v], [zero + c for c in surface.derivative(u, v, order)])


@lru_cache(maxsize=256)
def surface_program(surface: AbstractSurface, order: Orders) -> "tuple[Tape, core.Tape]":
    """The derivative of this `order` of the `surface` as a program, and as the core runs it."""
    tape = surface_tape(surface, order)
    return tape, native_tape(tape)
