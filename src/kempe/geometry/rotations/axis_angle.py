"""An axis and an angle."""

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
class AxisAngle(AbstractRepresentation):
    """(a_x, a_y, a_z, t): a turn by t (rad) about the axis a, of any length but zero.

    Written, |a| = 1 and 0 <= t <= pi; the axis of no rotation is z.
    """

    shape: ClassVar = (4,)

    def quaternions(self, numbers: ArrayLike) -> Floats:
        """q = (cos t/2, a sin(t/2) / |a|)."""
        return quaternions_by(
            core.quaternions_of_axis_angles,
            numbers,
            (4,),
            "an axis and angle",
            lambda row: "The axis must not be zero, and every number finite.",
        )

    def of_quaternions(self, q: Floats) -> Floats:
        """a = u / |u|, t = 2 atan2(|u|, w)."""
        return written_by(core.axis_angles_of_quaternions, q, (4,))
