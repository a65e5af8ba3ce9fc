"""A bar without thickness."""

from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry.number import Floats
from kempe.geometry.solids.abstract import AbstractSolid
from kempe.geometry.solids.convex_part import ConvexPart
from kempe.geometry.solids.facets import Facets
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class SlenderBar(AbstractSolid):
    """A bar from the origin along x, as the builder's bars lie; it has a mass and no thickness.

    centroid (l / 2, 0, 0),  K_yy = K_zz = l^2 / 12
    """

    length: Metres  # l

    @property
    def volume(self) -> float:
        return 0.0

    @property
    def centroid(self) -> Floats:
        return np.array([self.length / 2.0, 0.0, 0.0])

    @property
    def gyration(self) -> Floats:
        across = self.length**2 / 12.0
        return np.diag([0.0, across, across])

    @property
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        return (ConvexPart(np.array([[0.0, 0.0, 0.0], [self.length, 0.0, 0.0]])),)

    @property
    def facets(self) -> Facets | None:
        return None
