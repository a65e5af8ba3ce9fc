"""A circle."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from kempe.geometry.curves.abstract import AbstractCurve
from kempe.geometry.curves.domain import Domain
from kempe.geometry.curves.point_arguments import Direction, Place, across, place
from kempe.geometry.curves.turning import cosine_sine
from kempe.geometry.number import positive
from kempe.geometry.vector import Scalar, Vector
from kempe.units import Metres


@final
@dataclass(frozen=True)
class Circle(AbstractCurve):
    """A circle about a centre, in the plane square to `normal`.

    C(t) = centre + radius (cos t x + sin t y),  x and y square to the normal
    """

    centre: Place  # m
    radius: Metres
    normal: Direction = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", place(self.centre, "the centre of a circle"))
        positive(self.radius, "the radius of a circle")
        across(self.normal)

    @property
    def domain(self) -> Domain:
        return Domain(0.0, math.tau, math.tau)

    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        return turned(self.centre, self.radius, self.normal, t, order)


def turned(
    centre: Sequence[float], radius: float, normal: Sequence[float], t: Scalar, order: int
) -> Vector:
    """The derivative of a turn about a centre."""
    x, y, _ = across(normal)
    c, s = cosine_sine(t, order)
    arm: Vector = x * (radius * c) + y * (radius * s)
    return Vector(*centre) + arm if order == 0 else arm
