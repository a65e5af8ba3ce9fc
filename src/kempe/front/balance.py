"""Counterweights that make a machine run quietly, and how much quieter it runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.notebook import text_html

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Counterweight:
    """A point of `mass` (kg) at `place` (m), (2,) in the plane, else (3,), in the body's frame."""

    mass: float
    place: FloatArray

    def __str__(self) -> str:
        return f"{self.mass:.6g} kg at ({', '.join(f'{x:.6g}' for x in self.place)}) m"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Shaking:
    """What moving bodies do to the frame together, springs and weights left out.

    `force` (n, 2 or 3) in N, `moment` about the ground's origin in N m, (n,) in the plane, else
    (n, 3).
    """

    force: FloatArray
    moment: FloatArray

    @property
    def force_size(self) -> FloatArray:
        """How large the force is, (n,) in N."""
        return np.asarray(np.linalg.norm(self.force, axis=1))

    @property
    def moment_size(self) -> FloatArray:
        """How large the moment is, (n,) in N m."""
        moment = self.moment if self.moment.ndim == 2 else self.moment[:, None]
        return np.asarray(np.linalg.norm(moment, axis=1))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Balance:
    """The balanced `mechanism`, its `counterweights` by body, and how it shakes `before`, `after`.

    `t` are the times (s) of what shakes.
    """

    mechanism: "Mechanism"
    counterweights: Mapping[str, Counterweight]
    t: FloatArray
    before: Shaking
    after: Shaking

    def __str__(self) -> str:
        def told(word: str, a: FloatArray, b: FloatArray, unit: str) -> str:
            rms = [float(np.sqrt((x**2).mean())) for x in (a, b)]
            return (
                f"  shaking {word}: {rms[0]:.4g} {unit} (rms), {a.max():.4g} at most, becomes"
                f" {rms[1]:.4g}, {b.max():.4g} at most"
            )

        weights = [f"  {name}: {weight}" for name, weight in self.counterweights.items()]
        before, after = self.before, self.after
        force = told("force", before.force_size, after.force_size, "N")
        moment = told("moment", before.moment_size, after.moment_size, "N m")
        return "\n".join([f"{self.mechanism.name}, counterweights:", *weights, force, moment])

    def __repr__(self) -> str:
        on = ", ".join(self.counterweights)
        return f"Balance of {self.mechanism.name!r}: counterweights on {on}"

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it in words."""
        return text_html(str(self))
