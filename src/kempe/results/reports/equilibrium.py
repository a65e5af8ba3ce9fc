"""Where a mechanism rests: one sample of it, and the verdict on whether it stays there."""

import math
from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from kempe.outcome import Outcome
from kempe.results.motion import Motion
from kempe.results.reports.free_motion import FreeMotion

FloatArray = NDArray[np.float64]
Verdict = Literal["stable", "unstable", "marginal"]

METHOD = "statics"  # of a motion whose samples are at rest


@final
@dataclass(frozen=True, slots=True, eq=False)
class FreeDirection:
    """A direction in which a mechanism at rest can be moved: how stiff it is, and who moves most.

    The stiffness is in J for a displacement of one machine's size or one radian in all; the
    displacement is that of the bodies' origins, in m and rad, along their velocities.
    """

    stiffness: float
    displacement: FloatArray  # (n_v,)
    motion: FreeMotion

    @property
    def bodies(self) -> tuple[str, ...]:
        """The names of the bodies that move, the furthest first."""
        return self.motion.bodies


@final
@dataclass(frozen=True, slots=True)
class Hold:
    """What a friction or a stop exerts at rest along its measure, and the most that it can.

    A stop has no `limit`. `used` is the share of the limit that is needed: friction holds as long
    as it is at most 1, so loads that all grow with one factor may grow by 1 / used.
    """

    name: str
    kind: Literal["friction", "stop"]
    effort: float  # N, or N m
    limit: float | None
    unit: str  # of both

    @property
    def used(self) -> float:
        """|effort| over the limit; 0 of a stop, infinite where nothing can be held."""
        if self.limit is None or not self.effort:
            return 0.0
        return abs(self.effort) / self.limit if self.limit > 0.0 else math.inf

    def __str__(self) -> str:
        most = "" if self.limit is None else f" of at most {self.limit:.6g} ({self.used:.1%})"
        return f"{self.kind} {self.name!r} holds {self.effort:.6g} {self.unit}{most}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rested:
    """How a search for an equilibrium ended: where, whether it stays there, and what it cost.

    Where `outcome` is not done, `motion` is where the search was left, and the verdict is None.
    """

    motion: Motion  # one sample at rest, with the multipliers of all rows
    verdict: Verdict | None
    directions: tuple[FreeDirection, ...]  # the least stiff first
    is_conservative: bool  # to first order: no force follows the motion
    flutters: bool  # forces that follow the motion feed an oscillation
    holds: tuple[Hold, ...] = ()  # frictions and stops that hold something

    @property
    def outcome(self) -> Outcome:
        """How the search ended."""
        return self.motion.outcome
