"""A cylinder."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import Direction, Domain, Point, across
from kempe.geometry.curves.circle import cosine_sine
from kempe.geometry.number import Floats, positive
from kempe.geometry.surfaces.abstract import Orders
from kempe.geometry.surfaces.nearest import Parameters
from kempe.geometry.surfaces.round import AROUND, AbstractRoundSurface, between
from kempe.units import Metres


@final
@dataclass(frozen=True)
class CylinderSurface(AbstractRoundSurface):
    """A circular cylinder about an axis through `centre`, between `limits` or without an end.

    S(u, v) = centre + radius (cos u x + sin u y) + v z,  z along the axis; u in rad, v in m

    Distances are positive outside.
    """

    centre: Point  # m
    radius: Metres
    axis: Direction = (0.0, 0.0, 1.0)
    limits: tuple[Metres, Metres] | None = None  # of v, along the axis

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self.radius, "the radius of a cylinder")
        between(self.limits)

    @property
    def domains(self) -> Parameters:
        return Parameters(Domain(0.0, math.tau, math.tau), between(self.limits))

    def derivative(self, u: Scalar, v: Scalar, order: Orders = (0, 0)) -> Vector:
        x, y, z = across(self.axis)
        if order[1] > 0:
            return z if order == (0, 1) else Vector(0.0, 0.0, 0.0)
        c, s = cosine_sine(u, order[0])
        arm: Vector = x * (self.radius * c) + y * (self.radius * s)
        return Vector(*self.centre) + arm + z * v if order[0] == 0 else arm

    def signed_distance(self, p: Vector) -> Scalar | None:
        if self.limits is not None:
            return None
        d, x, y, _ = self.seen(p)
        return np.sqrt((d @ x) * (d @ x) + (d @ y) * (d @ y)) - self.radius

    def level(self, p: Vector) -> Scalar | None:
        """((d . x)^2 + (d . y)^2 - r^2) / (2 r), which is smooth on the axis too."""
        if self.limits is not None:
            return None
        d, x, y, _ = self.seen(p)
        r = self.radius
        return ((d @ x) * (d @ x) + (d @ y) * (d @ y) - r * r) / (2.0 * r)

    def window(self, place: Floats) -> Parameters:
        if self.limits is not None:
            return self.domains
        z = np.array(across(self.axis)[2], float)
        foot = float((place - np.array(self.centre)) @ z)
        room = AROUND * (1.0 + abs(foot))
        return Parameters(self.domains.u, Domain(foot - room, foot + room))
