"""A swing to and fro."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.drives.law import AbstractLaw
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Harmonic(AbstractLaw):
    """A sine about a mean.

    f = mean + amplitude sin(2 pi frequency t + phase)
    """

    amplitude: float  # m or rad
    frequency: float  # Hz
    phase: float = 0.0  # rad
    mean: float = 0.0  # m or rad

    def __post_init__(self) -> None:
        for name in ("amplitude", "frequency", "phase", "mean"):
            value = finite(getattr(self, name), f"the {name} of a harmonic law")
            object.__setattr__(self, name, value)

    def value(self, t: Scalar) -> Scalar:
        return self.mean + self.amplitude * np.sin((math.tau * self.frequency) * t + self.phase)
