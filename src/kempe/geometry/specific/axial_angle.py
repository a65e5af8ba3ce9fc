"""The angle of an axial rotator as coordinate."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.geometry import Rotation, Scalar, Vector
from kempe.geometry.rotations.axial_rotator import AxialRotator
from kempe.geometry.specific.abstract import AbstractOrientator, rodrigues_rotation


@final
@dataclass(frozen=True, slots=True)
class AxialAngle(AbstractOrientator):
    """One angle (rad) about an axis that stays where it is.

    A = 1 + sin(s) skew(a) + (1 - cos(s)) skew(a)^2

    Source: [Pissanetzky] p. 68 and eq. 1.47.
    """

    axis: tuple[float, float, float]  # any length but zero

    names: ClassVar = ("angle",)
    period: ClassVar[float | None] = 2.0 * math.pi

    def __post_init__(self) -> None:
        AxialRotator(self.axis)  # refuses what is no axis

    def A(self, s: Sequence[Scalar]) -> Rotation:
        """Rodrigues' formula."""
        a = Vector(*(float(c) for c in AxialRotator(self.axis).direction))
        sine, versine = np.sin(s[0]), 1.0 - np.cos(s[0])
        return rodrigues_rotation(a, sine, versine)

    @property
    def representation(self) -> AxialRotator:
        """Arrays (..., 1) of such angles."""
        return AxialRotator(self.axis)
