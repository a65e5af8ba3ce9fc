"""A sphere."""

import math
from dataclasses import dataclass
from typing import final

from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import Domain, Point, point_of
from kempe.geometry.curves.circle import cosine_sine
from kempe.geometry.number import positive
from kempe.geometry.surfaces.abstract import AbstractSurface, Orders
from kempe.geometry.surfaces.nearest import Parameters
from kempe.units import Metres


@final
@dataclass(frozen=True)
class SphereSurface(AbstractSurface):
    """A sphere about a centre; u (rad) is the longitude, v (rad) the latitude.

    S(u, v) = centre + radius (cos v cos u, cos v sin u, sin v)

    Distances are positive outside. At v = +-pi/2 all lines of u come together in a pole.
    """

    centre: Point  # m
    radius: Metres

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", point_of(self.centre, "the centre of a sphere"))
        positive(self.radius, "the radius of a sphere")

    @property
    def domains(self) -> Parameters:
        return Parameters(Domain(0.0, math.tau, math.tau), Domain(-0.5 * math.pi, 0.5 * math.pi))

    @property
    def ball(self) -> tuple[tuple[float, float, float], float]:
        return point_of(self.centre, "the centre of a sphere"), self.radius

    def derivative(self, u: Scalar, v: Scalar, order: Orders = (0, 0)) -> Vector:
        c, s = cosine_sine(u, order[0])
        flat, high = cosine_sine(v, order[1])
        r = self.radius
        arm = Vector(r * flat * c, r * flat * s, r * high if order[0] == 0 else 0.0)
        return Vector(*self.centre) + arm if order == (0, 0) else arm

    def signed_distance(self, p: Vector) -> Scalar:
        return (p - Vector(*self.centre)).norm - self.radius

    def level(self, p: Vector) -> Scalar:
        """(|d|^2 - r^2) / (2 r), which is smooth in the centre too."""
        r = self.radius
        return ((p - Vector(*self.centre)).square - r * r) / (2.0 * r)
