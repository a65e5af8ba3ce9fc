"""A straight segment."""

from dataclasses import dataclass
from typing import final

from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import AbstractCurve, Domain, Point, point_of, points_of


@final
@dataclass(frozen=True)
class Segment(AbstractCurve):
    """The straight way from one point to another.

    C(t) = start + t (end - start),  0 <= t <= 1
    """

    start: Point  # m
    end: Point  # m

    def __post_init__(self) -> None:
        points_of((self.start, self.end), 2)
        object.__setattr__(self, "start", point_of(self.start, "the start of a segment"))
        object.__setattr__(self, "end", point_of(self.end, "the end of a segment"))

    @property
    def domain(self) -> Domain:
        return Domain(0.0, 1.0)

    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        a, b = Vector(*self.start), Vector(*self.end)
        if order == 0:
            point: Vector = a + (b - a) * t
            return point
        return b - a if order == 1 else Vector(0.0, 0.0, 0.0)
