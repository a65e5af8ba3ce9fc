"""Where the law of a drive changes over: its value, its rate or its acceleration jumps.

No finite force could follow a value or a rate that jumps: it ends a run. On an acceleration that
jumps a step has to end.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.drives import Drive
from kempe.kinematics.laws.drive_laws import jump_words, law_jumps
from kempe.outcome import Ending, Outcome

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Corner:
    """The last time before a drive's value or rate jumps, and the values on both sides."""

    drive: Drive
    t: float
    before: float
    after: float
    is_rate: bool

    @property
    def outcome(self) -> Outcome:
        """The ending of a simulation that has come there."""
        name, unit = self.drive.gauge.name, f"{self.drive.gauge.unit}{'/s' * self.is_rate}"
        return Outcome(
            Ending.LIMIT_REACHED,
            f"at t = {self.t:.9g} s the drive on {name!r} jumps"
            f" {jump_words(self.before, self.after, unit)}: no finite force could follow it.",
            f"End the run there, or give the drive a law without {_kind(is_rate=self.is_rate)}: one"
            " that comes to rest, or a rise such as Cycloidal.",
            {"t": self.t, "drive": name, "before": self.before, "after": self.after},
        )


def _kind(*, is_rate: bool) -> str:
    return "corners" if is_rate else "jumps"


@final
@dataclass(frozen=True, slots=True)
class Interruptions:
    """Where laws of drives change over: neighbouring times, and the first corner of any.

    `stops` (2 k,) are the last time before each jump of an acceleration and the first one after it;
    those after the corner are left out.
    """

    stops: FloatArray
    corner: Corner | None


def interruptions(drives: tuple[Drive, ...], start: float, stop: float) -> Interruptions:
    """What happens to the laws after `start` and before `stop`."""
    stops: list[tuple[float, float]] = []
    corner = None
    for drive in drives:
        for jump in law_jumps(drive.law, start, stop if corner is None else corner.t):
            if jump.is_corner:
                corner = Corner(drive, jump.before, *jump.sides, jump.is_rate)
                break
            stops.append((jump.before, jump.after))
    kept: list[float] = []
    for before, after in sorted(set(stops)):
        if (corner is None or after < corner.t) and (not kept or before > kept[-1]):
            kept += [before, after]
    return Interruptions(np.array(kept), corner)
