"""Six numbers without a jump anywhere: two columns of the matrix."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.algebra.native import core
from kempe.geometry.rotations.abstract import AbstractKernelRepresentation, Kernels


@final
@dataclass(frozen=True, slots=True)
class SixD(AbstractKernelRepresentation):
    """(x, y): the first two axes of B in A. Read, any two vectors that are not parallel.

    Read, they are made orthonormal, x first; written, they are the first two columns of the matrix.

    Source: [Zhou2019] sec. 4: Gram and Schmidt make x unit, y square to it, z = x x y.
    """

    shape: ClassVar = (6,)
    kernels: ClassVar = Kernels(core.quaternions_of_six, core.six_of_quaternions)
    called: ClassVar = "a pair of axes"
    advice: ClassVar = "The two vectors must be finite, not zero and not parallel."
