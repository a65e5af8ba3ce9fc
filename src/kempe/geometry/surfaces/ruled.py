"""Straight lines between two curves."""

from dataclasses import dataclass
from typing import final

from kempe.errors import BadNumber
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import Domain
from kempe.geometry.surfaces.abstract import AbstractSurface, Orders
from kempe.geometry.surfaces.nearest import Parameters


@final
@dataclass(frozen=True)
class RuledSurface(AbstractSurface):
    """Straight lines from points of one curve to those of another, at equal shares of both.

    S(u, v) = (1 - v) A(a(u)) + v B(b(u)),  0 <= u <= 1, 0 <= v <= 1

    a and b run over the domains of the curves as u goes from 0 to 1.

    Source: [PieglTiller] section 8.4.
    """

    first: AbstractCurve
    second: AbstractCurve

    def __post_init__(self) -> None:
        for which, curve in (("first", self.first), ("second", self.second)):
            if not curve.domain.is_bounded:
                raise BadNumber(
                    f"the {which} curve of a ruled surface has no ends: give it `limits`."
                )

    @property
    def domains(self) -> Parameters:
        both = self.first.is_closed and self.second.is_closed
        return Parameters(Domain(0.0, 1.0, 1.0 if both else 0.0), Domain(0.0, 1.0))

    @property
    def breaks(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        shares = {
            (b - c.domain.low) / c.domain.width for c in (self.first, self.second) for b in c.breaks
        }
        return tuple(sorted(s for s in shares if 0.0 < s < 1.0)), ()

    def derivative(self, u: Scalar, v: Scalar, order: Orders = (0, 0)) -> Vector:
        a, b = (
            c.derivative(u * c.domain.width + c.domain.low, order[0]) * c.domain.width ** order[0]
            for c in (self.first, self.second)
        )
        if order[1] == 0:
            between: Vector = a + (b - a) * v
            return between
        return b - a if order[1] == 1 else Vector(0.0, 0.0, 0.0)
