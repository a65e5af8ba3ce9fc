"""A curve drawn along a straight line."""

from dataclasses import dataclass
from typing import final

from kempe.errors import BadNumber
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import Domain, Point, point_of
from kempe.geometry.surfaces.abstract import AbstractSurface, Orders
from kempe.geometry.surfaces.nearest import Parameters


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
