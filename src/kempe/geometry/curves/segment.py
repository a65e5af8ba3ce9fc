"""A straight segment."""

from dataclasses import dataclass
from typing import final

from kempe.geometry.curves.abstract import AbstractCurve
from kempe.geometry.curves.domain import Domain
from kempe.geometry.curves.point_arguments import Place, place, places
from kempe.geometry.vector import Scalar, Vector


@final
@dataclass(frozen=True)
class Segment(AbstractCurve):
    """The straight way from one point to another.

    C(t) = start + t (end - start),  0 <= t <= 1
    """

    start: Place  # m
    end: Place  # m

    def __post_init__(self) -> None:
        places((self.start, self.end), 2)
        object.__setattr__(self, "start", place(self.start, "the start of a segment"))
        object.__setattr__(self, "end", place(self.end, "the end of a segment"))

    @property
    def domain(self) -> Domain:
        return Domain(0.0, 1.0)

    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        a, b = Vector(*self.start), Vector(*self.end)
        if order == 0:
            point: Vector = a + (b - a) * t
            return point
        return b - a if order == 1 else Vector(0.0, 0.0, 0.0)
