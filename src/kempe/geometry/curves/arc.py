"""A part of a circle."""

from dataclasses import dataclass
from typing import final

from kempe.geometry.curves.abstract import AbstractCurve
from kempe.geometry.curves.circle import turned
from kempe.geometry.curves.domain import Domain
from kempe.geometry.curves.places import Direction, Place, across, place
from kempe.geometry.number import positive
from kempe.geometry.vector import Scalar, Vector
from kempe.units import Metres, Radians


@final
@dataclass(frozen=True)
class Arc(AbstractCurve):
    """The part of a circle between two angles; t is the angle.

    C(t) = centre + radius (cos t x + sin t y),  start <= t <= end
    """

    centre: Place  # m
    radius: Metres
    start: Radians
    end: Radians
    normal: Direction = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", place(self.centre, "the centre of an arc"))
        positive(self.radius, "the radius of an arc")
        across(self.normal)
        Domain(self.start, self.end)

    @property
    def domain(self) -> Domain:
        return Domain(self.start, self.end)

    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        return turned(self.centre, self.radius, self.normal, t, order)
