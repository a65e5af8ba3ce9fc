"""Cylindrical coordinates of a place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.geometry import Scalar, Vector
from kempe.geometry.number import Floats
from kempe.geometry.specific.abstract import AbstractTranslator


@final
@dataclass(frozen=True, slots=True)
class Cylindrical(AbstractTranslator):
    """(radius in m, azimuth from x about z in rad, height in m); singular on the axis.

    r = (rho cos a, rho sin a, z)
    """

    names: ClassVar = ("radius", "azimuth", "height")

    def position(self, s: Sequence[Scalar]) -> Vector:
        """Radius and azimuth in the plane, height above it."""
        radius, azimuth, height = s
        return Vector(radius * np.cos(azimuth), radius * np.sin(azimuth), height)

    def coordinates(self, positions: Floats) -> Floats:
        """Azimuth in [-pi, pi]."""
        x, y, z = np.moveaxis(positions, -1, 0)
        return np.stack([np.hypot(x, y), np.arctan2(y, x), z], axis=-1)
