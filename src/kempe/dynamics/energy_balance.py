"""Whether the energies of a run add up, as far as its tolerance lets them."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.outcome import Ending, Outcome

FloatArray = NDArray[np.float64]

# A step errs by the tolerance in speeds beside the largest, and in energies by as much, beside the
# largest, a few times over. Errors of all steps add up at worst; some for a start that is sudden.
# In places it errs by the tolerance beside the length of the machine, under whatever pushes there:
# that counts once, or a stiff stop that is met for a moment would hide the errors of a whole run.
PER_STEP = 10.0
STEPS_AT_LEAST = 10
# Rounding of sums of energies that are measured from far away.
ROUNDING = 1e-11


@final
@dataclass(frozen=True, slots=True)
class Imbalance:
    """The first sample at which energy has come from nowhere or gone nowhere."""

    sample: int
    off: float  # J
    scale: float  # J, the energies that were moved until then


def imbalance(
    energy: FloatArray,
    steps: int,
    tolerance: float,
    largest_kinetic: FloatArray | float = 0.0,
    pushed: FloatArray | float = 0.0,
    held: float = 0.0,
) -> Imbalance | None:
    """Where kinetic + stored + dissipated - driven (n, 4) leaves its first value by too much.

    Too much is more than the tolerance of every step, beside the energies that have been moved:
    those of the samples, and the largest kinetic energy (n,) that steps between them have had; and
    what forces make over the length of the machine, `pushed` (n,), which counts less. Of what loads
    would make there that are `held` and move nothing, only rounding counts.
    """
    kinetic, stored, dissipated, driven = energy.T
    off = np.abs((kinetic + stored + dissipated - driven) - (energy[:1] @ (1, 1, 1, -1)))
    moved = (
        np.maximum(kinetic, largest_kinetic)
        + np.abs(stored - stored[:1])
        + np.abs(dissipated)
        + np.abs(driven)
    )
    scale = np.maximum.accumulate(moved)
    size = np.maximum.accumulate(np.abs(energy).sum(axis=1))
    per_step = PER_STEP * scale + pushed
    allowed = tolerance * (steps + STEPS_AT_LEAST) * per_step + ROUNDING * (size + held)
    wrong = np.flatnonzero(~(off <= allowed))
    if not len(wrong):
        return None
    k = int(wrong[0])
    return Imbalance(k, float(off[k]), float(scale[k]))


def unbalanced(found: Imbalance, t: float, tolerance: float, damped: int) -> Outcome:
    """What is said of a run whose energies do not add up from time t on."""
    advice = (
        "It came too near a singular position to be followed: start it elsewhere, or change a"
        " length a little."
        if damped
        else "Look for a force or a drive that jumps there, or ask for a smaller tolerance."
    )
    return Outcome(
        Ending.DIVERGED,
        f"before t = {t:.9g} s {found.off:.3g} J have come from nowhere, or gone, of"
        f" {found.scale:.3g} J that were moved: more than a tolerance of {tolerance:g} allows.",
        f"{advice} The samples before are kept.",
        {"t": t, "off": found.off, "energy": found.scale, "damped": damped},
    )
