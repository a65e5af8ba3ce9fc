"""Rotation vectors: the axis, as long as the angle."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.algebra.native import core
from kempe.geometry.rotations.abstract import AbstractKernelRepresentation, Kernels


@final
@dataclass(frozen=True, slots=True)
class RotationVector(AbstractKernelRepresentation):
    """v = t a: the unit axis a times the angle t (rad). Written, |v| <= pi; read, any length.

    q = (cos t/2, v sin(t/2) / t), t = |v|;  v = 2 atan2(|u|, w) u / |u|, the shorter way round
    """

    shape: ClassVar = (3,)
    kernels: ClassVar = Kernels(core.quaternions_of_vectors, core.vectors_of_quaternions)
    called: ClassVar = "a rotation vector"
    advice: ClassVar = "Every component must be finite."
