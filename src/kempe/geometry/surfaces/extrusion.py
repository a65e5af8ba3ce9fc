"""A curve drawn along a straight line."""

from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import Domain, Point, point_of
from kempe.geometry.number import Floats
from kempe.geometry.surfaces.abstract import AbstractSurface, Orders
from kempe.geometry.surfaces.nearest import Parameters
from kempe.geometry.surfaces.round import about_foot, foot_on_line


@final
@dataclass(frozen=True)
class ExtrusionSurface(AbstractSurface):
    """What a curve sweeps that is drawn along a line: `along` is the way from its first to last.

    S(u, v) = C(u) + v along,  u the parameter of the curve, 0 <= v <= 1
    """

    curve: AbstractCurve
    along: Point  # m

    def __post_init__(self) -> None:
        object.__setattr__(self, "along", point_of(self.along, "the way of an extrusion"))
        if not any(self.along):
            raise BadNumber("an extrusion of length 0 is a curve: give `along` a length.")

    @property
    def domains(self) -> Parameters:
        return Parameters(self.curve.domain, Domain(0.0, 1.0))

    @property
    def breaks(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return tuple(self.curve.breaks), ()

    def derivative(self, u: Scalar, v: Scalar, order: Orders = (0, 0)) -> Vector:
        way = Vector(*self.along)
        if order[1] == 0:
            here = self.curve.derivative(u, order[0])
            return here + way * v if order[0] == 0 else here
        return way if order == (0, 1) else Vector(0.0, 0.0, 0.0)

    def window(self, place: Floats) -> Parameters:
        if self.curve.domain.is_bounded:
            return self.domains
        # |C(u) - p| <= |S - p| + |along|, and no nearest S is farther than the foot on the line
        foot, _ = foot_on_line(self.curve, place)
        far = np.linalg.norm(self.curve(foot) - place) + np.linalg.norm(self.along)
        return Parameters(about_foot(self.curve, place, float(far)), self.domains.v)
