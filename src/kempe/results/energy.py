"""Energies along a simulated motion."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import ModelError
from kempe.notebook import table_html
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

    def __repr__(self) -> str:
        words = ("kinetic", "potential", "dissipated", "driven", "total")
        spans = [f"{w} {_span(getattr(self, w))}" for w in words if len(self.kinetic)]
        return f"Energy, {len(self.kinetic)} samples in J: {', '.join(spans)}".rstrip(": ")

    def _repr_html_(self) -> str:
        """What a notebook shows: where the energy is, least and most (J)."""
        words = ("kinetic", "potential", "dissipated", "driven", "total")
        spans = [getattr(self, word) for word in words if len(self.kinetic)]
        ends = [(f"{x.min():.6g} J", f"{x.max():.6g} J") for x in spans]
        rows = [(word, *end) for word, end in zip(words, ends, strict=False)]
        return table_html(["energy", "least", "most"], rows)

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


def _span(values: FloatArray) -> str:
    """The least and the most of values."""
    return f"{values.min():.4g} to {values.max():.4g}"
