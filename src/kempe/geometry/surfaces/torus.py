"""A torus."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import Direction, Domain, Point, across
from kempe.geometry.curves.circle import cosine_sine
from kempe.geometry.number import positive
from kempe.geometry.surfaces.abstract import Orders
from kempe.geometry.surfaces.nearest import Parameters
from kempe.geometry.surfaces.round import AbstractRoundSurface
from kempe.units import Metres


@final
@dataclass(frozen=True)
class TorusSurface(AbstractRoundSurface):
    """A ring: a tube about a circle of `radius`, square to `axis`.

    S(u, v) = centre + (radius + tube cos v) (cos u x + sin u y) + tube sin v z

    u (rad) goes round the axis, v (rad) round the tube. Distances are positive outside the tube.
    """

    centre: Point  # m
    radius: Metres
    tube: Metres  # its radius
    axis: Direction = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self.radius, "the radius of a torus")
        positive(self.tube, "the radius of the tube of a torus")
        if not self.tube < self.radius:
            raise BadNumber(
                f"the tube of a torus is thinner than its ring: a tube of {self.tube:g} m about a"
                f" circle of {self.radius:g} m would run through itself."
            )

    @property
    def domains(self) -> Parameters:
        turn = Domain(0.0, math.tau, math.tau)
        return Parameters(turn, turn)

    def derivative(self, u: Scalar, v: Scalar, order: Orders = (0, 0)) -> Vector:
        x, y, z = across(self.axis)
        c, s = cosine_sine(u, order[0])
        flat, high = cosine_sine(v, order[1])
        reach = self.tube * flat if order[1] else self.radius + self.tube * flat
        arm: Vector = x * (reach * c) + y * (reach * s)
        if order[0] == 0:
            arm = arm + z * (self.tube * high)
        return Vector(*self.centre) + arm if order == (0, 0) else arm

    def signed_distance(self, p: Vector) -> Scalar:
        d, x, y, z = self.seen(p)
        out = np.sqrt((d @ x) * (d @ x) + (d @ y) * (d @ y)) - self.radius
        return np.sqrt(out * out + (d @ z) * (d @ z)) - self.tube

    def level(self, p: Vector) -> Scalar:
        """((|d_xy| - radius)^2 + d_z^2 - tube^2) / (2 tube)."""
        d, x, y, z = self.seen(p)
        out = np.sqrt((d @ x) * (d @ x) + (d @ y) * (d @ y)) - self.radius
        return (out * out + (d @ z) * (d @ z) - self.tube * self.tube) / (2.0 * self.tube)
