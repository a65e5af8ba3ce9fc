"""A cone."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import Direction, Domain, Point, across
from kempe.geometry.curves.circle import cosine_sine
from kempe.geometry.number import Floats
from kempe.geometry.surfaces.abstract import Orders
from kempe.geometry.surfaces.nearest import Parameters
from kempe.geometry.surfaces.round import AbstractRoundSurface, between
from kempe.units import Metres, Radians


@final
@dataclass(frozen=True)
class ConeSurface(AbstractRoundSurface):
    """A cone that opens along an axis from its tip, `half_angle` (rad) between axis and flank.

    S(u, v) = tip + v (sin a (cos u x + sin u y) + cos a z),  z along the axis; u in rad, v in m

    v is the distance from the tip, between `limits` of 0 and more, or without an end. At the tip
    all lines of u come together.
    """

    centre: Point  # m, the tip
    half_angle: Radians
    axis: Direction = (0.0, 0.0, 1.0)
    limits: tuple[Metres, Metres] | None = None  # of v, along the flank

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 < self.half_angle < 0.5 * math.pi:
            raise BadNumber(
                f"the half angle of a cone lies between 0 and pi/2: this one is"
                f" {self.half_angle:g} rad. At pi/2 it is a plane, at 0 a line."
            )
        if self.limits is not None and between(self.limits).low < 0.0:
            raise BadNumber(
                f"the flank of a cone is measured from its tip: it cannot start at"
                f" {self.limits[0]:g} m. For the other half turn the axis round."
            )

    @property
    def domains(self) -> Parameters:
        v = between(self.limits) if self.limits is not None else Domain(0.0, math.inf)
        return Parameters(Domain(0.0, math.tau, math.tau), v)

    def derivative(self, u: Scalar, v: Scalar, order: Orders = (0, 0)) -> Vector:
        x, y, z = across(self.axis)
        c, s = cosine_sine(u, order[0])
        wide, high = math.sin(self.half_angle), math.cos(self.half_angle)
        flank: Vector = x * (wide * c) + y * (wide * s)
        if order[0] == 0:
            flank = flank + z * high
        if order[1] == 0:
            arm: Vector = flank * v
            return Vector(*self.centre) + arm if order[0] == 0 else arm
        return flank if order[1] == 1 else Vector(0.0, 0.0, 0.0)

    def signed_distance(self, p: Vector) -> Scalar | None:
        return None

    def window(self, place: Floats) -> Parameters:
        if self.limits is not None:
            return self.domains
        far = float(np.linalg.norm(place - np.array(self.centre)))
        return Parameters(self.domains.u, Domain(0.0, 1.1 * far + 1e-300))
