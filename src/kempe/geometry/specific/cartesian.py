"""Cartesian coordinates of a place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.geometry import Scalar, Vector
from kempe.geometry.number import Floats
from kempe.geometry.specific.abstract import AbstractTranslator


@final
@dataclass(frozen=True, slots=True)
class Cartesian(AbstractTranslator):
    """(x, y, z) in m. Source: [Pissanetzky], XYZ translator."""

    names: ClassVar = ("x", "y", "z")

    def position(self, s: Sequence[Scalar]) -> Vector:
        """The coordinates themselves."""
        return Vector(*s)

    def coordinates(self, positions: Floats) -> Floats:
        """The positions themselves."""
        return positions
