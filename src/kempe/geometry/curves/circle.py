"""A circle, and what all curves have in common that turn about a centre."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import AbstractCurve, Direction, Domain, Point, across, point_of
from kempe.geometry.number import positive
from kempe.units import Metres


def cosine_sine(t: Scalar, order: int) -> tuple[Scalar, Scalar]:
    """The derivatives of cos t and sin t: a quarter turn for every order."""
    c, s = np.cos(t), np.sin(t)
    return ((c, s), (-s, c), (-c, -s), (s, -c))[order % 4]


class AbstractRound(AbstractCurve):
    """A curve at a distance about a centre, in the plane square to `normal` or along it.

    C(t) = centre + radius (cos t x + sin t y),  x and y square to the normal
    """

    centre: Point
    radius: Metres
    normal: Direction

    def __post_init__(self) -> None:
        word = type(self).__name__.lower()
        kind = f"an {word}" if word[0] in "aeiou" else f"a {word}"
        object.__setattr__(self, "centre", point_of(self.centre, f"the centre of {kind}"))
        positive(self.radius, f"the radius of {kind}")
        across(self.normal)

    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        x, y, _ = across(self.normal)
        c, s = cosine_sine(t, order)
        arm: Vector = x * (self.radius * c) + y * (self.radius * s)
        return Vector(*self.centre) + arm if order == 0 else arm


@final
@dataclass(frozen=True)
class Circle(AbstractRound):
    """A circle about a centre, in the plane square to `normal`.

    C(t) = centre + radius (cos t x + sin t y),  x and y square to the normal
    """

    centre: Point  # m
    radius: Metres
    normal: Direction = (0.0, 0.0, 1.0)

    @property
    def domain(self) -> Domain:
        return Domain(0.0, math.tau, math.tau)
