"""A turned part."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry.number import Floats, finite
from kempe.geometry.solids.abstract import AbstractSolid
from kempe.geometry.solids.convex_part import ConvexPart
from kempe.geometry.solids.facets import Facets, lathe
from kempe.geometry.solids.moments import turned_moments
from kempe.geometry.solids.polygons import convex_pieces
from kempe.units import Metres

FEWEST = 3  # corners
SEGMENTS = 72  # convex parts round a turn: they lie within 0.1 % of the radii


@final
@dataclass(frozen=True, slots=True)
class Revolution(AbstractSolid):
    """What a lathe leaves: a closed outline of corners (radius, height), turned about z.

    V = 2 pi int r dA,  z_c = 2 pi int r z dA / V,  K_zz = 2 pi int r^3 dA / V

    Source: Pappus's theorem for the volume.
    """

    corners: tuple[tuple[Metres, Metres], ...]  # (r, z) around the outline, either way

    def __post_init__(self) -> None:
        pairs = tuple(
            tuple(finite(x, "a corner of a revolution", "m") for x in pair) for pair in self.corners
        )
        if len(pairs) < FEWEST or any(len(pair) != 2 for pair in pairs):
            raise BadNumber(
                f"a revolution has {FEWEST} corners (radius, height) or more, not {self.corners!r}."
            )
        least = min(pair[0] for pair in pairs)
        if least < 0.0:
            raise BadNumber(
                f"a corner of a revolution has the radius {least:g} m: all lie at 0 or more."
            )
        object.__setattr__(self, "corners", pairs)
        extent = float(np.ptp(np.array(pairs), axis=0).max())
        if not self.volume > 1e-12 * extent**3:
            raise BadNumber("the corners of a revolution lie on one line: it has no volume.")

    @property
    def volume(self) -> float:
        return turned_moments(np.array(self.corners)).volume

    @property
    def centroid(self) -> Floats:
        return np.array([0.0, 0.0, turned_moments(np.array(self.corners)).height])

    @property
    def gyration(self) -> Floats:
        return turned_moments(np.array(self.corners)).gyration

    @property
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        edges = np.linspace(0.0, math.tau, SEGMENTS + 1)
        rims = np.column_stack([np.cos(edges), np.sin(edges)])
        parts = []
        for piece in convex_pieces(np.array(self.corners)):
            r, z = piece[:, :1], piece[:, 1:]
            for a, b in pairwise(rims):
                parts.append(ConvexPart(np.vstack([np.hstack([r * c, z]) for c in (a, b)])))
        return tuple(parts)

    @property
    def facets(self) -> Facets | None:
        return lathe(np.array(self.corners))
