"""A cone, whole or cut off."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry.number import Floats, finite
from kempe.geometry.pose import Pose
from kempe.geometry.solids.abstract import AbstractSolid, along_bar
from kempe.geometry.solids.convex_part import ConvexPart
from kempe.geometry.solids.facets import Facets, lathe
from kempe.geometry.solids.moments import turned_moments
from kempe.units import Metres

CORNERS = 72  # of a rim, where distances are measured: they lie within 0.1 % of it


@final
@dataclass(frozen=True, slots=True)
class Cone(AbstractSolid):
    """A cone about z, the middle of its height at the origin; with a `top` it is cut off there.

    V = pi l (r^2 + r s + s^2) / 3,  z_c = l (3 s^2 + 2 r s + r^2) / (4 (r^2 + r s + s^2)) - l / 2
    """

    radius: Metres  # r, at z = -l / 2
    length: Metres  # l
    top: Metres = 0.0  # s, the radius at z = l / 2

    def __post_init__(self) -> None:
        top = finite(self.top, "the top of a cone", "m")
        if top < 0.0:
            raise BadNumber(f"the top of a cone has a radius of 0 or more, not {top:g} m.")
        object.__setattr__(self, "top", 1.0)  # the others are positive, the top may be a point
        AbstractSolid.__post_init__(self)
        object.__setattr__(self, "top", top)

    @property
    def outline(self) -> Floats:
        """The outline (4, 2) of the half that is turned about z: radius and height (m)."""
        h = self.length / 2.0
        return np.array([[0.0, -h], [self.radius, -h], [self.top, h], [0.0, h]])

    @property
    def volume(self) -> float:
        r, s = self.radius, self.top
        return math.pi * self.length * (r * r + r * s + s * s) / 3.0

    @property
    def centroid(self) -> Floats:
        r, s, l = self.radius, self.top, self.length
        up = l * (3.0 * s * s + 2.0 * r * s + r * r) / (4.0 * (r * r + r * s + s * s))
        return np.array([0.0, 0.0, up - l / 2.0])

    @property
    def gyration(self) -> Floats:
        return turned_moments(self.outline).gyration

    @property
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        angles = math.tau * np.arange(CORNERS) / CORNERS
        rim = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(CORNERS)])
        h = np.array([0.0, 0.0, self.length / 2.0])
        return (ConvexPart(np.vstack([self.radius * rim - h, self.top * rim + h])),)

    @property
    def facets(self) -> Facets | None:
        return lathe(self.outline if self.top else self.outline[:3] * 1.0)

    def on_bar(self, length: float) -> Pose:
        return along_bar(length)
