"""A ball."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry import Pose
from kempe.geometry.number import Floats
from kempe.geometry.solids.abstract import AbstractSolid, amid_bar
from kempe.geometry.solids.convex_part import ConvexPart
from kempe.geometry.solids.facets import Facets, ball
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class Sphere(AbstractSolid):
    """A ball about the origin.

    K = 2 r^2 / 5
    """

    radius: Metres  # r

    @property
    def volume(self) -> float:
        return 4.0 * math.pi * self.radius**3 / 3.0

    @property
    def gyration(self) -> Floats:
        return np.eye(3) * (0.4 * self.radius**2)

    @property
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        return (ConvexPart(np.zeros((1, 3)), self.radius),)

    @property
    def facets(self) -> Facets | None:
        return ball(self.radius)

    def on_bar(self, length: float) -> Pose:
        return amid_bar(length)
