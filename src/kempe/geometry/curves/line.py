"""A straight line."""

import math
from dataclasses import dataclass
from typing import final

from kempe.errors import BadNumber
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import AbstractCurve, Domain, Point, point_of
from kempe.units import Ratio


@final
@dataclass(frozen=True)
class Line(AbstractCurve):
    """The line through a point along a direction; `limits` say from where to where.

    C(t) = through + t direction
    """

    through: Point  # m
    direction: Point  # m for every unit of t
    limits: tuple[Ratio, Ratio] = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        object.__setattr__(self, "through", point_of(self.through, "a point of a line"))
        object.__setattr__(self, "direction", point_of(self.direction, "the direction of a line"))
        if not any(self.direction):
            raise BadNumber("a line along (0, 0, 0) has no direction.")
        Domain(*self.limits)

    @property
    def domain(self) -> Domain:
        return Domain(*self.limits)

    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        d = Vector(*self.direction)
        if order == 0:
            point: Vector = Vector(*self.through) + d * t
            return point
        return d if order == 1 else Vector(0.0, 0.0, 0.0)
