"""Unit quaternions, also called Euler parameters, with the scalar first or last."""

from dataclasses import dataclass
from typing import ClassVar, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra.native import core
from kempe.errors import BadNumber
from kempe.geometry.number import Floats, floats
from kempe.geometry.rotations.abstract import AbstractRepresentation, quaternions_by


@final
@dataclass(frozen=True, slots=True)
class Quaternion(AbstractRepresentation):
    """q = (cos t/2, a sin t/2) for a turn by t about the unit axis a; any length but zero is taken.

    `scalar` says where the scalar part stands: "first" (kempe, Eigen's constructor, MuJoCo) or
    "last" (SciPy, ROS, Eigen's memory). q and -q are the same rotation; the sign is kept.
    """

    scalar: Literal["first", "last"] = "first"

    shape: ClassVar = (4,)

    def __post_init__(self) -> None:
        if self.scalar not in ("first", "last"):
            raise BadNumber(
                f"the scalar of a quaternion stands first or last, not {self.scalar!r}."
            )

    def quaternions(self, numbers: ArrayLike) -> Floats:
        """Divided by their lengths, scalar first."""
        given = floats(numbers)
        if self.scalar == "last" and given.shape[-1:] == (4,):
            given = given[..., (3, 0, 1, 2)]
        return quaternions_by(core.unit_quaternions, given, (4,), "a quaternion", _advice)

    def of_quaternions(self, q: Floats) -> Floats:
        """Quaternions (..., 4), with the scalar where `scalar` says."""
        return q if self.scalar == "first" else q[..., (1, 2, 3, 0)]


def _advice(row: Floats) -> str:
    if np.isfinite(row).all():
        return "Its length is zero: no rotation (1, 0, 0, 0) has length one."
    return "Every component must be finite."
