"""Energies along a simulated motion."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import ModelError
from kempe.results.motion import Motion

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Energy:
    """Where the energy is, in J, (n,) each.

    `potential` is stored in gravity and springs; `dissipated` was taken out by forces since the
    start beyond what they store, `driven` was put in by drives.
    """

    kinetic: FloatArray
    potential: FloatArray
    dissipated: FloatArray
    driven: FloatArray

    @property
    def mechanical(self) -> FloatArray:
        """Kinetic and potential energy together."""
        return self.kinetic + self.potential

    @property
    def total(self) -> FloatArray:
        """The balance: kinetic + potential + dissipated - driven, the same at all times."""
        return self.mechanical + self.dissipated - self.driven


def energy_of(motion: Motion) -> Energy:
    """The energies of a simulated motion; a ModelError where forces did not make it."""
    if not motion.is_simulated:
        raise ModelError(
            "this motion was prescribed by drives, so no energies were computed: use"
            " Mechanism.simulate."
        )
    return Energy(motion.kinetic, motion.potential, motion.dissipated, motion.driven)
