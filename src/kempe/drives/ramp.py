"""Constant speed or constant acceleration."""

from dataclasses import dataclass
from typing import final

from kempe.drives.law import AbstractLaw
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar


@final
@dataclass(frozen=True, slots=True)
class Ramp(AbstractLaw):
    """A start value, a speed and a constant acceleration.

    f = start + speed t + acceleration t^2 / 2

    Source: [Sung] driving links.
    """

    start: float = 0.0  # m or rad
    speed: float = 0.0  # per second
    acceleration: float = 0.0  # per second squared

    def __post_init__(self) -> None:
        for name in ("start", "speed", "acceleration"):
            object.__setattr__(self, name, finite(getattr(self, name), f"a drive's {name}"))

    def value(self, t: Scalar) -> Scalar:
        return self.start + t * (self.speed + t * (0.5 * self.acceleration))
