"""Spherical coordinates of a place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.geometry import Scalar, Vector
from kempe.geometry.number import Floats
from kempe.geometry.rotations.group import spherical
from kempe.geometry.specific.abstract import AbstractTranslator


@final
@dataclass(frozen=True, slots=True)
class Spherical(AbstractTranslator):
    """(distance in m, polar angle from z, azimuth from x about z in rad); singular on the z axis.

    r = d (sin p cos a, sin p sin a, cos p)

    Source: [Pissanetzky] p. 28.
    """

    names: ClassVar = ("distance", "polar", "azimuth")

    def position(self, s: Sequence[Scalar]) -> Vector:
        """Distance times direction."""
        d, polar, azimuth = s
        across = d * np.sin(polar)
        return Vector(across * np.cos(azimuth), across * np.sin(azimuth), d * np.cos(polar))

    def coordinates(self, positions: Floats) -> Floats:
        """Polar angle in [0, pi], azimuth in [-pi, pi]."""
        return spherical(positions)
