"""Six numbers without a jump anywhere: two columns of the matrix."""

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
class SixD(AbstractRepresentation):
    """(x, y): the first two axes of B in A. Read, any two vectors that are not parallel.

    Source: [Zhou2019] sec. 4: Gram and Schmidt make x unit, y square to it, z = x x y.
    """

    shape: ClassVar = (6,)

    def quaternions(self, numbers: ArrayLike) -> Floats:
        """Of the axes made orthonormal, x first."""
        return quaternions_by(
            core.quaternions_of_six,
            numbers,
            (6,),
            "a pair of axes",
            lambda row: "The two vectors must be finite, not zero and not parallel.",
        )

    def of_quaternions(self, q: Floats) -> Floats:
        """The first two columns of the matrix."""
        return written_by(core.six_of_quaternions, q, (6,))
