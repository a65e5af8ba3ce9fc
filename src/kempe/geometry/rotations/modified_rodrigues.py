"""Modified Rodrigues parameters."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.algebra.native import core
from kempe.geometry.rotations.abstract import AbstractKernelRepresentation, Kernels


@final
@dataclass(frozen=True, slots=True)
class ModifiedRodrigues(AbstractKernelRepresentation):
    """s = a tan(t/4) for a turn by t about the unit axis a. Written, |s| <= 1; read, any length.

    q = (1 - s.s, 2 s) / (1 + s.s);  s = u / (1 + w), of q or -q, whichever has w >= 0

    Source: [Schaub] sec. 3.6.
    """

    shape: ClassVar = (3,)
    kernels: ClassVar = Kernels(core.quaternions_of_rodrigues, core.rodrigues_of_quaternions)
    called: ClassVar = "a set of modified Rodrigues parameters"
    advice: ClassVar = "Every component must be finite, and |s| below 1e150."
