"""A point keeps its distance from a surface."""

from dataclasses import dataclass
from typing import final

from kempe.constraints.of_surface import AbstractPointAndSurface
from kempe.geometry import Scalar, Vector
from kempe.geometry.number import finite
from kempe.geometry.surfaces import AbstractSurface
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class DistanceFromSurface(AbstractPointAndSurface):
    """The origin of J stays `length` from a surface in the frame of I, along a normal of it.

    phi = distance(p_IJ) - length,  or  p_WJ - (p_WI + R_WI (S + length n)) with unknowns u, v

    n is the unit normal along S_u x S_v; a negative `length` is one on its other side.

    Source: [Barton] eq. 2.3, for a surface; here with the side.
    """

    surface: AbstractSurface
    length: Metres

    def __post_init__(self) -> None:
        finite(self.length, "a distance from a surface")

    def equation(self, p: Vector) -> Scalar | None:
        distance = self.surface.signed_distance(p)
        return None if distance is None else distance - self.length

    def place(self, u: Scalar, v: Scalar) -> Vector:
        return self.surface.offset(u, v, self.length)
