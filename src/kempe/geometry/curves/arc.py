"""A part of a circle."""

import math
from dataclasses import dataclass
from typing import final

from kempe.errors import BadNumber
from kempe.geometry.curves.abstract import Direction, Domain, Point
from kempe.geometry.curves.circle import AbstractRound
from kempe.units import Metres, Radians

# A turn, less what makes its ends two places: of a whole one the ends coincide.
LONGEST_ARC = math.tau * (1.0 - 1e-12)


@final
@dataclass(frozen=True)
class Arc(AbstractRound):
    """The part of a circle between two angles; t is the angle.

    C(t) = centre + radius (cos t x + sin t y),  start <= t <= end
    """

    centre: Point  # m
    radius: Metres
    start: Radians
    end: Radians
    normal: Direction = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        Domain(self.start, self.end)
        if self.end - self.start > LONGEST_ARC:
            raise BadNumber(
                f"an arc from {self.start:g} to {self.end:g} rad runs over itself: it may be no"
                " longer than its circle. A whole one is a Circle.",
                start=self.start,
                end=self.end,
            )

    @property
    def domain(self) -> Domain:
        return Domain(self.start, self.end)
