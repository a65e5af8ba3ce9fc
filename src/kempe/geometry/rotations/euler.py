"""Euler and Tait-Bryan angles: all twelve sequences, about moving or fixed axes."""

import warnings
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra.native import core
from kempe.errors import UnknownName, nearest_name
from kempe.geometry.number import Floats
from kempe.geometry.rotations.abstract import (
    AbstractRepresentation,
    quaternions_by,
    rows_of,
)

#: The twelve sequences about moving axes; in lower case the same letters are fixed axes.
SEQUENCES = tuple("".join(s) for s in product("XYZ", repeat=3) if s[0] != s[1] != s[2])


@final
class GimbalLock(UserWarning):
    """Angles were asked of rotations whose first and third angle cannot be told apart."""


@final
@dataclass(frozen=True, slots=True)
class Euler(AbstractRepresentation):
    """Three angles (rad) about named axes, in the order of the name.

    Capitals turn about the moving axes (intrinsic), small letters about the fixed ones (extrinsic):

    "ZXZ":  R = Rz(s_1) Rx(s_2) Rz(s_3)
    "zxz":  R = Rz(s_3) Rx(s_2) Rz(s_1)

    Written, the first and third angle lie in [-pi, pi]; the second in [0, pi] where the first and
    third axis are the same (Euler), in [-pi/2, pi/2] where they differ (Tait-Bryan). At the ends of
    that range, the gimbal lock, the third angle is 0, the rotation is still right, and a
    `GimbalLock` warning tells how many rows were there.

    Source: [Pissanetzky] sec. 5.1.
    """

    sequence: str

    shape: ClassVar = (3,)

    def __post_init__(self) -> None:
        known = [*SEQUENCES, *(s.lower() for s in SEQUENCES)]
        if self.sequence not in known:
            letters = str(self.sequence)
            reason = ""
            if letters.upper() in SEQUENCES:
                reason = " Capitals (moving axes) and small letters (fixed axes) do not mix."
            elif len(letters) == 3 and set(letters.upper()) <= set("XYZ"):
                reason = " Neighbouring axes must differ."
            capital = letters[:1].isupper()
            alike = [s for s in known if s.isupper() == capital]
            guess = nearest_name(letters.upper() if capital else letters.lower(), alike)
            raise UnknownName(
                f"there is no Euler sequence {self.sequence!r}.{reason}{guess}",
                sequence=self.sequence,
            )

    @property
    def axes(self) -> tuple[int, int, int]:
        """The axes as 0, 1, 2, in the order of the name."""
        i, j, k = ("XYZ".index(letter) for letter in self.sequence.upper())
        return i, j, k

    @property
    def is_extrinsic(self) -> bool:
        """Whether the turns are about fixed axes."""
        return self.sequence.islower()

    @property
    def is_proper(self) -> bool:
        """Whether the first and third axis are the same."""
        return self.sequence[0] == self.sequence[2]

    @property
    def partner(self) -> "Euler":
        """A sequence that is at its best where this one locks.

        IJI locks where R_ii = +-1, IJK where R_ik = +-1: one row, so never both.

        Own: from the entries of the matrix.
        """
        first, second = self.sequence[0], self.sequence[1]
        letters = "xyz" if self.is_extrinsic else "XYZ"
        third = next(a for a in letters if a not in (first, second))
        return Euler(first + second + (third if self.is_proper else first))

    def quaternions(self, numbers: ArrayLike) -> Floats:
        """The product of three turns."""

        def kernel(rows: Floats, q: Floats) -> int:
            return core.quaternions_of_euler(list(self.axes), self.is_extrinsic, rows, q)

        return quaternions_by(
            kernel, numbers, (3,), "a set of Euler angles", lambda row: "Angles must be finite."
        )

    def of_quaternions(self, q: Floats) -> Floats:
        """The angles. Source: [Bernardes2022]."""
        rows, lead = rows_of(q, (4,), "a quaternion")
        angles = np.empty((len(rows), 3))
        locked = core.euler_of_quaternions(list(self.axes), self.is_extrinsic, rows, angles)
        if locked:
            warnings.warn(
                f"{locked} of {len(rows)} rotations lie at the gimbal lock of {self.sequence!r}:"
                " the rotation is right, the first and third angle by themselves mean little. Use"
                f" {self.partner.sequence!r} there, or a quaternion.",
                GimbalLock,
                stacklevel=3,
            )
        return angles.reshape(*lead, 3)
