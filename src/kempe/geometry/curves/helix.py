"""A helix."""

import math
from dataclasses import dataclass
from typing import final

from kempe.errors import BadNumber
from kempe.geometry import Scalar, Vector
from kempe.geometry.curves.abstract import Direction, Domain, Point, across
from kempe.geometry.curves.circle import AbstractRound
from kempe.geometry.number import positive
from kempe.units import Metres, Ratio


@final
@dataclass(frozen=True)
class Helix(AbstractRound):
    """A screw line about an axis; it rises by `pitch` a turn, and t is its angle.

    C(t) = centre + radius (cos t x + sin t y) + (pitch / 2 pi) t z,  0 <= t <= 2 pi turns
    """

    centre: Point  # m, where the axis is at t = 0
    radius: Metres
    pitch: Metres
    turns: Ratio
    normal: Direction = (0.0, 0.0, 1.0)  # along the axis

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self.turns, "the number of turns of a helix")
        if not (math.isfinite(self.pitch) and self.pitch != 0.0):
            raise BadNumber(f"a helix of pitch {self.pitch:g} m does not rise: it is a Circle.")

    @property
    def domain(self) -> Domain:
        return Domain(0.0, math.tau * self.turns)

    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        z = across(self.normal)[2] * (self.pitch / math.tau)
        round_ = super().derivative(t, order)
        if order == 0:
            point: Vector = round_ + z * t
            return point
        return round_ + z if order == 1 else round_
