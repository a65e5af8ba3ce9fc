"""The rotation vector's components as coordinates."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.algebra.functions import where
from kempe.geometry import Rotation, Scalar, Vector
from kempe.geometry.rotations.rotation_vector import RotationVector
from kempe.geometry.specific.abstract import AbstractOrientator, rodrigues_rotation

# Terms of the series: the last is below 1e-20 of the first where the angle is below one.
TERMS = 11


@final
@dataclass(frozen=True, slots=True)
class ExponentialCoordinates(AbstractOrientator):
    """Axis times angle (rad); singular at full turns, regular at none.

    A = 1 + sin(t)/t skew(s) + (1 - cos(t))/t^2 skew(s)^2,  t = |s|

    Below one radian the two factors are series in t^2, so that every derivative at rest is exact.

    Source: [LynchPark] sec. 3.2.3.
    """

    names: ClassVar = ("x", "y", "z")
    representation: ClassVar = RotationVector()

    def A(self, s: Sequence[Scalar]) -> Rotation:
        """The exponential of skew(s)."""
        v = Vector(*s)
        square = v.square
        t = np.sqrt(square)
        first = where(square < 1.0, _series(square, 1), np.sin(t) / t)
        second = where(square < 1.0, _series(square, 2), (1.0 - np.cos(t)) / square)
        return rodrigues_rotation(v, first, second)


def _series(x: Scalar, start: int) -> Scalar:
    """1/n! - x/(n + 2)! + x^2/(n + 4)! - ..., n = start."""
    total: Scalar = 0.0
    for k in reversed(range(TERMS)):
        total = (-1) ** k / math.factorial(start + 2 * k) + total * x
    return total
