"""Constant speed or constant acceleration."""

from dataclasses import dataclass
from typing import final

from kempe.drives.law import AbstractLaw
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.units import Reading, ReadingAcceleration, ReadingRate


@final
@dataclass(frozen=True, slots=True)
class Ramp(AbstractLaw):
    """A start value, a speed and a constant acceleration.

    f = start + speed t + acceleration t^2 / 2

    Source: [Sung] driving links.
    """

    start: Reading = 0.0
    speed: ReadingRate = 0.0
    acceleration: ReadingAcceleration = 0.0

    def __post_init__(self) -> None:
        for name in ("start", "speed", "acceleration"):
            object.__setattr__(self, name, finite(getattr(self, name), f"a drive's {name}"))

    def value(self, t: Scalar) -> Scalar:
        return self.start + t * (self.speed + t * (0.5 * self.acceleration))
