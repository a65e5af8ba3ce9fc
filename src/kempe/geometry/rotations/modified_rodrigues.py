"""Modified Rodrigues parameters."""

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
class ModifiedRodrigues(AbstractRepresentation):
    """s = a tan(t/4) for a turn by t about the unit axis a. Written, |s| <= 1; read, any length.

    Source: [Schaub] sec. 3.6.
    """

    shape: ClassVar = (3,)

    def quaternions(self, numbers: ArrayLike) -> Floats:
        """q = (1 - s.s, 2 s) / (1 + s.s)."""
        return quaternions_by(
            core.quaternions_of_rodrigues,
            numbers,
            (3,),
            "a set of modified Rodrigues parameters",
            lambda row: "Every component must be finite, and |s| below 1e150.",
        )

    def of_quaternions(self, q: Floats) -> Floats:
        """s = u / (1 + w), of q or -q, whichever has w >= 0."""
        return written_by(core.rodrigues_of_quaternions, q, (3,))
