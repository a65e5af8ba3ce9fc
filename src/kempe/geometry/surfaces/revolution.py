"""A curve turned about an axis."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry import Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import Direction, Domain, Point
from kempe.geometry.curves.circle import cosine_sine
from kempe.geometry.number import Floats
from kempe.geometry.surfaces.abstract import Orders
from kempe.geometry.surfaces.nearest import Parameters
from kempe.geometry.surfaces.round import AbstractRoundSurface, about_foot, foot_on_line


@final
@dataclass(frozen=True)
class RevolutionSurface(AbstractRoundSurface):
    """What a curve sweeps that turns about an axis through `centre`: vases, bells, lenses.

    S(u, v) = centre + cos u d + sin u z x d + (1 - cos u) (d . z) z,  d = C(v) - centre

    u (rad) turns about the axis z, v is the parameter of the curve.

    Source: [PieglTiller] section 8.5, for curves of any kind.
    """

    curve: AbstractCurve
    centre: Point = (0.0, 0.0, 0.0)  # m
    axis: Direction = (0.0, 0.0, 1.0)

    @property
    def domains(self) -> Parameters:
        return Parameters(Domain(0.0, math.tau, math.tau), self.curve.domain)

    @property
    def breaks(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return (), tuple(self.curve.breaks)

    def derivative(self, u: Scalar, v: Scalar, order: Orders = (0, 0)) -> Vector:
        z = self.seen(Vector(0.0, 0.0, 0.0))[3]
        d = self.curve.derivative(v, order[1])
        d = d - Vector(*self.centre) if order[1] == 0 else d
        c, s = cosine_sine(u, order[0])
        up: Vector = z * (d @ z)
        turned: Vector = (d - up) * c + z.cross(d) * s
        if order[0] == 0:
            turned = turned + up
        return Vector(*self.centre) + turned if order == (0, 0) else turned

    def window(self, place: Floats) -> Parameters:
        if self.curve.domain.is_bounded:
            return self.domains
        # |S - c| = |C(v) - c|, so |C(v) - c| <= |S - p| + |p - c| <= |C(foot) - c| + 2 |p - c|
        c = np.array(self.centre)
        foot, _ = foot_on_line(self.curve, c)
        far = np.linalg.norm(self.curve(foot) - c) + 2.0 * np.linalg.norm(place - c)
        return Parameters(self.domains.u, about_foot(self.curve, c, float(far)))
