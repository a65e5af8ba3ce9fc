"""A plane."""

from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import Direction, Domain, Point, across, point_of
from kempe.geometry.number import Floats
from kempe.geometry.surfaces.abstract import AbstractSurface, Orders
from kempe.geometry.surfaces.nearest import Parameters
from kempe.geometry.surfaces.round import AROUND, ENDLESS


@final
@dataclass(frozen=True)
class PlaneSurface(AbstractSurface):
    """The plane through a point, square to `normal`, without an edge.

    S(u, v) = centre + u x + v y,  x and y square to the normal (m)

    Above it, where the normal points, distances are positive.
    """

    centre: Point = (0.0, 0.0, 0.0)  # m
    normal: Direction = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", point_of(self.centre, "a point of a plane"))
        across(self.normal)

    @property
    def domains(self) -> Parameters:
        return Parameters(ENDLESS, ENDLESS)

    def derivative(self, u: Scalar, v: Scalar, order: Orders = (0, 0)) -> Vector:
        x, y, _ = across(self.normal)
        if order == (0, 0):
            place: Vector = Vector(*self.centre) + x * u + y * v
            return place
        if order in ((1, 0), (0, 1)):
            return x if order == (1, 0) else y
        return Vector(0.0, 0.0, 0.0)

    def signed_distance(self, p: Vector) -> Scalar:
        return (p - Vector(*self.centre)) @ across(self.normal)[2]

    def window(self, place: Floats) -> Parameters:
        arm = place - np.array(self.centre)
        x, y, _ = (np.array(e, float) for e in across(self.normal))
        feet = (float(arm @ x), float(arm @ y))
        a, b = (Domain(f - AROUND * (1.0 + abs(f)), f + AROUND * (1.0 + abs(f))) for f in feet)
        return Parameters(a, b)
