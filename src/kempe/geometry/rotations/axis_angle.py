"""An axis and an angle."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.algebra.native import core
from kempe.geometry.rotations.abstract import AbstractKernelRepresentation, Kernels


@final
@dataclass(frozen=True, slots=True)
class AxisAngle(AbstractKernelRepresentation):
    """(a_x, a_y, a_z, t): a turn by t (rad) about the axis a, of any length but zero.

    Written, |a| = 1 and 0 <= t <= pi; the axis of no rotation is z.

    q = (cos t/2, a sin(t/2) / |a|);  a = u / |u|, t = 2 atan2(|u|, w) for q = (w, u)
    """

    shape: ClassVar = (4,)
    kernels: ClassVar = Kernels(core.quaternions_of_axis_angles, core.axis_angles_of_quaternions)
    called: ClassVar = "an axis and angle"
    advice: ClassVar = "The axis must not be zero, and every number finite."
