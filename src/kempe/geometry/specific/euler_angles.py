"""Euler and Tait-Bryan angles as coordinates."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.geometry import Rotation, Scalar, Vector
from kempe.geometry.rotations.euler import Euler
from kempe.geometry.specific.abstract import AbstractOrientator


@final
@dataclass(frozen=True, slots=True)
class EulerAngles(AbstractOrientator):
    """Three angles (rad) about the axes of a sequence, such as "ZXZ" (moving) or "zyx" (fixed).

    A = R_i(s_1) R_j(s_2) R_k(s_3), in the reverse order about fixed axes

    Source: [Pissanetzky] sec. 5.1.2 (ZXZ) and 5.1.3 (ZYX).
    """

    sequence: str

    names: ClassVar = ("phi", "theta", "psi")
    period: ClassVar[float | None] = 2.0 * math.pi

    def __post_init__(self) -> None:
        Euler(self.sequence)  # refuses what is no sequence

    def A(self, s: Sequence[Scalar]) -> Rotation:
        """The product of three turns."""
        euler = Euler(self.sequence)
        turns = [_turn(axis, angle) for axis, angle in zip(euler.axes, s, strict=True)]
        first, second, third = reversed(turns) if euler.is_extrinsic else turns
        return first @ second @ third

    @property
    def representation(self) -> Euler:
        """Arrays (..., 3) of angles of this sequence."""
        return Euler(self.sequence)

    @property
    def partner(self) -> "EulerAngles":
        """The sequence that is at its best where this one locks."""
        return EulerAngles(Euler(self.sequence).partner.sequence)


def _turn(axis: int, angle: Scalar) -> Rotation:
    """A turn about x, y or z (0, 1, 2)."""
    c, s = np.cos(angle), np.sin(angle)
    columns = [[0.0, 0.0, 0.0] for _ in range(3)]
    i, j = (axis + 1) % 3, (axis + 2) % 3
    columns[axis][axis] = 1.0
    columns[i][i], columns[i][j] = c, s
    columns[j][i], columns[j][j] = -s, c
    return Rotation(*(Vector(*column) for column in columns))
