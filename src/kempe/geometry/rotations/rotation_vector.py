"""Rotation vectors: the axis, as long as the angle."""

from dataclasses import dataclass
from typing import ClassVar, final

from numpy.typing import ArrayLike

from kempe.algebra.native import core
from kempe.geometry.rotations.abstract import (
    AbstractRepresentation,
    Floats,
    quaternions_by,
    written_by,
)


@final
@dataclass(frozen=True, slots=True)
class RotationVector(AbstractRepresentation):
    """v = t a: the unit axis a times the angle t (rad). Written, |v| <= pi; read, any length."""

    shape: ClassVar = (3,)

    def quaternions(self, numbers: ArrayLike) -> Floats:
        """q = (cos t/2, v sin(t/2) / t), t = |v|."""
        return quaternions_by(
            core.quaternions_of_vectors,
            numbers,
            (3,),
            "a rotation vector",
            lambda row: "Every component must be finite.",
        )

    def of_quaternions(self, q: Floats) -> Floats:
        """v = 2 atan2(|u|, w) u / |u|, the shorter way round."""
        return written_by(core.vectors_of_quaternions, q, (3,))
