"""What a map was proved for: the equations as tapes, their unknowns and domains."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Tape

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class CertifiedBlock:
    """F(x) = 0 for x in a box: the tape gives equations, redundant rows and sides, in order.

    An unknown with a period lives on a circle; the bounds of a limited one cut the motion off.
    """

    places: tuple[int, ...]  # of its unknowns among all
    tape: Tape
    n_equations: int
    n_redundant: int
    n_sides: int
    sources: tuple[str, ...]  # of the equations
    low: FloatArray
    high: FloatArray
    period: FloatArray
    limited: FloatArray  # 0 or 1

    @property
    def freedom(self) -> int:
        """How many more unknowns than equations there are."""
        return len(self.places) - self.n_equations
