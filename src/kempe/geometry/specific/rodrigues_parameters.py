"""Modified Rodrigues parameters as coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.geometry import Rotation, Scalar
from kempe.geometry.rotations.modified_rodrigues import ModifiedRodrigues
from kempe.geometry.specific.abstract import AbstractOrientator


@final
@dataclass(frozen=True, slots=True)
class RodriguesParameters(AbstractOrientator):
    """s = a tan(t/4), the modified ones; singular at a full turn, infinitely far away.

    A of the quaternion (1 - s.s, 2 s) / (1 + s.s)

    Source: [Schaub] sec. 3.6; read anew, they are those of the shorter way round (the shadow set).
    """

    names: ClassVar = ("s1", "s2", "s3")
    representation: ClassVar = ModifiedRodrigues()

    def A(self, s: Sequence[Scalar]) -> Rotation:
        """By way of the quaternion."""
        a, b, c = s
        square = a * a + b * b + c * c
        n = 1.0 + square
        return Rotation.from_quaternion(((1.0 - square) / n, 2.0 * a / n, 2.0 * b / n, 2.0 * c / n))
