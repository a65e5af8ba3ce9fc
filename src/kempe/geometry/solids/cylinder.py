"""A round bar or a disc."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry import Pose
from kempe.geometry.number import Floats
from kempe.geometry.solids.abstract import AbstractSolid, along_bar
from kempe.geometry.solids.convex_part import ConvexPart
from kempe.geometry.solids.facets import Facets, drum
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class Cylinder(AbstractSolid):
    """A round bar or a disc about z, its middle at the origin.

    K_zz = r^2 / 2,  K_xx = K_yy = r^2 / 4 + l^2 / 12
    """

    radius: Metres  # r
    length: Metres  # l

    @property
    def volume(self) -> float:
        return math.pi * self.radius**2 * self.length

    @property
    def gyration(self) -> Floats:
        across = self.radius**2 / 4.0 + self.length**2 / 12.0
        return np.diag([across, across, self.radius**2 / 2.0])

    @property
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        ends = np.array([[0.0, 0.0, -self.length / 2.0], [0.0, 0.0, self.length / 2.0]])
        return (ConvexPart(ends, rim=self.radius),)

    @property
    def facets(self) -> Facets | None:
        return drum(self.radius, -self.length / 2.0, self.length / 2.0)

    def on_bar(self, length: float) -> Pose:
        return along_bar(length)
