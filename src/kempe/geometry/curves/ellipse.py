"""An ellipse."""

import math
from dataclasses import dataclass
from typing import final

from kempe.errors import BadNumber
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import AbstractCurve, Domain, Point, point_of
from kempe.geometry.curves.circle import cosine_sine


@final
@dataclass(frozen=True)
class Ellipse(AbstractCurve):
    """An ellipse by its centre and two conjugate half axes (usually square to each other).

    C(t) = centre + cos t a + sin t b
    """

    centre: Point  # m
    a: Point  # m, from the centre
    b: Point  # m, from the centre

    def __post_init__(self) -> None:
        for name in ("centre", "a", "b"):
            object.__setattr__(self, name, point_of(getattr(self, name), f"{name} of an ellipse"))
        if not any(Vector(*self.a).cross(Vector(*self.b))):
            raise BadNumber(
                f"the half axes {self.a} and {self.b} of an ellipse lie on one line: it would be a"
                " segment."
            )

    @property
    def domain(self) -> Domain:
        return Domain(0.0, math.tau, math.tau)

    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        c, s = cosine_sine(t, order)
        arm: Vector = Vector(*self.a) * c + Vector(*self.b) * s
        return Vector(*self.centre) + arm if order == 0 else arm
