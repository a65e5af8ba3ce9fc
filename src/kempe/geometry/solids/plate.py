"""A plate with corners."""

from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry.number import Floats, finite, positive
from kempe.geometry.solids.abstract import AbstractSolid
from kempe.geometry.solids.convex_part import ConvexPart, prisms
from kempe.geometry.solids.polygons import convex_pieces
from kempe.units import Metres

FEWEST = 3  # corners


@final
@dataclass(frozen=True, slots=True)
class Plate(AbstractSolid):
    """A flat plate of any outline in the plane z = 0, half its thickness on either side.

    Sums over the triangles of the origin and each edge give area, centroid and second moments.

    Source: Green's theorem for a polygon.
    """

    corners: tuple[tuple[Metres, Metres], ...]  # around the plate, either way
    thickness: Metres

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
    def volume(self) -> float:
        return abs(self._area) * self.thickness

    @property
    def centroid(self) -> Floats:
        a, b, twice = self._edges
        x, y = (a + b).T @ twice / (6.0 * self._area)
        return np.array([x, y, 0.0])

    @property
    def gyration(self) -> Floats:
        a, b, twice = self._edges
        # integral of p p^T over a triangle with a corner at the origin
        spread = np.einsum("n,ni,nj->ij", twice, a, a) + np.einsum("n,ni,nj->ij", twice, b, b)
        spread = spread + 0.5 * np.einsum("n,ni,nj->ij", twice, a, b)
        spread = spread + 0.5 * np.einsum("n,ni,nj->ij", twice, b, a)
        c = self.centroid[:2]
        S = np.zeros((3, 3))
        S[:2, :2] = spread / (12.0 * self._area) - np.outer(c, c)
        S[2, 2] = self.thickness**2 / 12.0
        return np.asarray(np.trace(S) * np.eye(3) - S)

    @property
    def profile(self) -> tuple[Floats, float] | None:
        return np.array(self.corners), self.thickness

    @property
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        return prisms(convex_pieces(np.array(self.corners)), self.thickness)
