"""A circle, and the turn about a centre that all round curves share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry.curves.abstract import AbstractCurve, Direction, Domain, Point, across, point_of
from kempe.geometry.number import positive
from kempe.geometry.vector import Scalar, Vector
from kempe.units import Metres


def cosine_sine(t: Scalar, order: int) -> tuple[Scalar, Scalar]:
    """The derivatives of cos t and sin t: a quarter turn for every order."""
    c, s = np.cos(t), np.sin(t)
    return ((c, s), (-s, c), (-c, -s), (s, -c))[order % 4]


@final
@dataclass(frozen=True)
class Circle(AbstractCurve):
    """A circle about a centre, in the plane square to `normal`.

    C(t) = centre + radius (cos t x + sin t y),  x and y square to the normal
    """

    centre: Point  # m
    radius: Metres
    normal: Direction = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", point_of(self.centre, "the centre of a circle"))
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
