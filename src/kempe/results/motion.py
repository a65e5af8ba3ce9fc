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

    def __post_init__(self) -> None:
        for array in (self.t, self.q, self.v, self.a):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.t)
