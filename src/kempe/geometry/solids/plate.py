"""A plate with corners."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.number import Floats, finite, positive
from kempe.geometry.solids.abstract import AbstractSolid
from kempe.geometry.solids.convex_part import ConvexPart, prisms
from kempe.geometry.solids.facets import Facets, prism
from kempe.geometry.solids.polygons import bridged, convex_pieces
from kempe.units import Metres

FEWEST = 3  # corners
HOLE_CORNERS = 32  # of a hole, in pictures and where distances are measured
Holes = tuple[tuple[Metres, Metres, Metres], ...]


@final
@dataclass(frozen=True, slots=True)
class Plate(AbstractSolid):
    """A flat plate of any outline in the plane z = 0, half its thickness on either side.

    Sums over the triangles of the origin and each edge give area, centroid and second moments;
    holes (x, y, radius), round and through the plate, take theirs away.

        A = A_outline - sum pi r^2,  S = S_outline - sum pi r^2 (p p^T + r^2 / 4)

    Source: Green's theorem for a polygon.
    """

    corners: tuple[tuple[Metres, Metres], ...]  # around the plate, either way
    thickness: Metres
    holes: tuple[tuple[Metres, Metres, Metres], ...] = ()  # (x, y, radius), apart and inside

    def __post_init__(self) -> None:
        pairs = tuple(
            tuple(finite(x, "a corner of a plate", "m") for x in pair) for pair in self.corners
        )
        if len(pairs) < FEWEST or any(len(pair) != 2 for pair in pairs):
            raise BadNumber(f"a plate has {FEWEST} corners (x, y) or more, not {self.corners!r}.")
        object.__setattr__(self, "corners", pairs)
        thickness = positive(self.thickness, "the thickness of a plate", "m")
        object.__setattr__(self, "thickness", thickness)
        extent = np.ptp(np.array(pairs), axis=0)
        if not abs(self._area) > 1e-12 * float(extent @ extent):
            raise BadNumber("the corners of a plate lie on one line: it has no area.")
        object.__setattr__(self, "holes", tuple(_hole(hole) for hole in self.holes))
        self._refuse_holes()

    @classmethod
    def of_curve(
        cls, curve: AbstractCurve, thickness: Metres, *, holes: Holes = (), corners: int = 180
    ) -> "Plate":
        """The extrusion of a sketch: a plate whose outline is a closed curve in the plane z = 0.

        The curve is taken at so many `corners`, evenly in its parameter.
        """
        if not curve.is_closed:
            raise BadNumber(f"{type(curve).__name__} does not close: a plate has a closed outline.")
        low, high = curve.domain.low, curve.domain.high
        places = [curve(float(t)) for t in np.linspace(low, high, corners + 1)[:-1]]
        outline = tuple((float(x), float(y)) for x, y, *_ in places)
        return cls(outline, thickness, holes)

    def _refuse_holes(self) -> None:
        """Refuse holes that reach over the edge, or into each other."""
        start, end, _ = self._edges
        for k, (x, y, r) in enumerate(self.holes):
            p = np.array([x, y])
            along = end - start
            share = np.einsum("ni,ni->n", p - start, along) / np.maximum(
                np.einsum("ni,ni->n", along, along), 1e-300
            )
            feet = start + np.clip(share, 0.0, 1.0)[:, None] * along
            gap = float(np.linalg.norm(p - feet, axis=1).min())
            if gap <= r or not _is_inside(p, start, end):
                raise BadNumber(
                    f"hole {k + 1} of a plate, of radius {r:g} m at ({x:g}, {y:g}), reaches over"
                    " its edge: move it in or make it smaller."
                )
            for other, (u, v, s) in enumerate(self.holes[:k]):
                if math.hypot(x - u, y - v) <= r + s:
                    pair = f"holes {other + 1} and {k + 1}"
                    raise BadNumber(f"{pair} of a plate run into each other: move one away.")

    @property
    def _edges(self) -> tuple[Floats, Floats, Floats]:
        """Both ends of every edge (n, 2), and twice the area of its triangle with the origin."""
        start = np.array(self.corners)
        end = np.roll(start, -1, axis=0)
        return start, end, start[:, 0] * end[:, 1] - start[:, 1] * end[:, 0]

    @property
    def _area(self) -> float:
        return float(self._edges[2].sum()) / 2.0

    @property
    def _sums(self) -> tuple[float, Floats, Floats]:
        """The integrals of 1, p (2,) and p p^T (2, 2) over what there is of the plate."""
        a, b, twice = self._edges
        way = math.copysign(1.0, self._area)
        area, first = abs(self._area), way * (a + b).T @ twice / 6.0
        # integral of p p^T over a triangle with a corner at the origin
        spread = np.einsum("n,ni,nj->ij", twice, a, a) + np.einsum("n,ni,nj->ij", twice, b, b)
        spread = spread + 0.5 * np.einsum("n,ni,nj->ij", twice, a, b)
        spread = spread + 0.5 * np.einsum("n,ni,nj->ij", twice, b, a)
        second = way * spread / 12.0
        for x, y, r in self.holes:
            p, gone = np.array([x, y]), math.pi * r * r
            area, first = area - gone, first - gone * p
            second = second - gone * (np.outer(p, p) + 0.25 * r * r * np.eye(2))
        return area, first, second

    @property
    def volume(self) -> float:
        return self._sums[0] * self.thickness

    @property
    def centroid(self) -> Floats:
        area, first, _ = self._sums
        return np.array([*(first / area), 0.0])

    @property
    def gyration(self) -> Floats:
        area, first, second = self._sums
        c = first / area
        S = np.zeros((3, 3))
        S[:2, :2] = second / area - np.outer(c, c)
        S[2, 2] = self.thickness**2 / 12.0
        return np.asarray(np.trace(S) * np.eye(3) - S)

    @property
    def profile(self) -> tuple[Floats, float] | None:
        return (np.array(self.corners), self.thickness) if not self.holes else None

    @property
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        outline = np.array(self.corners)
        if self.holes:
            way = outline if self._area > 0.0 else outline[::-1]
            outline = bridged(way, [ring[::-1] for ring in self.rings])
        return prisms(convex_pieces(outline), self.thickness)

    @property
    def rings(self) -> list[Floats]:
        """The rims of its holes, each as corners (n, 2) counter-clockwise (m)."""
        angles = math.tau * np.arange(HOLE_CORNERS) / HOLE_CORNERS
        rim = np.column_stack([np.cos(angles), np.sin(angles)])
        return [np.array([x, y]) + r * rim for x, y, r in self.holes]

    @property
    def facets(self) -> Facets | None:
        half = self.thickness / 2.0
        return prism(np.array(self.corners), -half, half, self.rings)


def _hole(given: tuple[Metres, ...]) -> tuple[float, float, float]:
    if len(given) != 3:
        raise BadNumber(f"a hole of a plate is (x, y, radius), not {given!r}.")
    x, y = (finite(c, "the place of a hole", "m") for c in given[:2])
    return x, y, positive(given[2], "the radius of a hole", "m")


def _is_inside(p: Floats, start: Floats, end: Floats) -> bool:
    """Whether an odd number of edges lies to the right of a point."""
    crosses = (start[:, 1] > p[1]) != (end[:, 1] > p[1])
    a, b = start[crosses], end[crosses]
    x = a[:, 0] + (p[1] - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1])
    return int((x > p[0]).sum()) % 2 == 1
