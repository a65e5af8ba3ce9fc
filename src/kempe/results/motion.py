"""What a sweep leaves behind: samples of coordinates, velocities and accelerations."""

from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.outcome import Outcome

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Recipe:
    """How a motion was computed: what ran the program, in which plan, to which tolerances."""

    executor: str = ""  # "vm" or "llvm"; empty where nothing was solved
    plan: str = ""  # "small" or "large"
    tolerances: dict[str, float] = field(default_factory=dict)
    method: str = ""  # of a simulation: what integrated it


@final
@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Samples of one motion, row by row; `counts` says what they cost.

    Coordinates of a planar body are x, y, angle; of a spatial one r and a unit quaternion (scalar
    first). Velocities are those of the body's origin in world axes, angular ones in body axes.
    """

    t: FloatArray  # (n,) s
    q: FloatArray  # (n, n_q)
    v: FloatArray  # (n, n_v)
    a: FloatArray  # (n, n_v)
    outcome: Outcome
    counts: dict[str, int] = field(default_factory=dict)
    redundant: tuple[str, ...] = ()  # joints whose rows repeat what others say
    recipe: Recipe = field(default_factory=Recipe)
    # Of a simulation, else empty: multipliers of all rows, and energies in J.
    multipliers: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))  # (n, rows)
    kinetic: FloatArray = field(default_factory=lambda: np.zeros(0))  # (n,)
    potential: FloatArray = field(default_factory=lambda: np.zeros(0))
    dissipated: FloatArray = field(default_factory=lambda: np.zeros(0))
    driven: FloatArray = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        energies = (self.kinetic, self.potential, self.dissipated, self.driven)
        for array in (self.t, self.q, self.v, self.a, self.multipliers, *energies):
            array.setflags(write=False)

    @property
    def is_simulated(self) -> bool:
        """Whether forces made the motion, and their reactions are known."""
        return len(self.kinetic) > 0

    def __len__(self) -> int:
        return len(self.t)
