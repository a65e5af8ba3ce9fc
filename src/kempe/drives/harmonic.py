"""A swing to and fro."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.drives.law import AbstractLaw
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.units import Hertz, Radians, Reading


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Harmonic(AbstractLaw):
    """A sine about a mean.

    f = mean + amplitude sin(2 pi frequency t + phase)
    """

    amplitude: Reading
    frequency: Hertz
    phase: Radians = 0.0
    mean: Reading = 0.0

    def __post_init__(self) -> None:
        units = {"amplitude": "", "frequency": "1/s", "phase": "rad", "mean": ""}
        for name, unit in units.items():
            value = finite(getattr(self, name), f"the {name} of a harmonic law", unit)
            object.__setattr__(self, name, value)

    def value(self, t: Scalar) -> Scalar:
        return self.mean + self.amplitude * np.sin((math.tau * self.frequency) * t + self.phase)
