"""A tube."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry import Pose
from kempe.geometry.number import Floats
from kempe.geometry.solids.abstract import AbstractSolid, along_bar
from kempe.geometry.solids.convex_part import ConvexPart, prisms
from kempe.geometry.solids.facets import Facets, lathe
from kempe.units import Metres

SEGMENTS = 72  # convex parts that a tube is made of: they lie within 0.1 % of its radii


@final
@dataclass(frozen=True, slots=True)
class Tube(AbstractSolid):
    """A hollow cylinder about z, its middle at the origin.

    K_zz = (r^2 + s^2) / 2,  K_xx = K_yy = K_zz / 2 + l^2 / 12
    """

    radius: Metres  # r, outside
    bore: Metres  # s, radius of the hole
    length: Metres  # l

    def __post_init__(self) -> None:
        AbstractSolid.__post_init__(self)
        if not self.bore < self.radius:
            raise BadNumber(
                f"a tube of radius {self.radius:g} m has a bore of {self.bore:g} m: make the bore"
                " smaller."
            )

    @property
    def volume(self) -> float:
        return math.pi * (self.radius**2 - self.bore**2) * self.length

    @property
    def gyration(self) -> Floats:
        along = (self.radius**2 + self.bore**2) / 2.0
        across = along / 2.0 + self.length**2 / 12.0
        return np.diag([across, across, along])

    @property
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        edges = np.linspace(0.0, math.tau, SEGMENTS + 1)
        rims = np.column_stack([np.cos(edges), np.sin(edges)])
        wedges = [
            np.array([self.bore * a, self.radius * a, self.radius * b, self.bore * b])
            for a, b in pairwise(rims)
        ]
        return prisms(wedges, self.length)

    @property
    def facets(self) -> Facets | None:
        r, s, h = self.radius, self.bore, self.length / 2.0
        return lathe(np.array([[s, -h], [r, -h], [r, h], [s, h]]))

    def on_bar(self, length: float) -> Pose:
        return along_bar(length)
