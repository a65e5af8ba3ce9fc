"""Timelines: every position while the drives follow their laws, with births and deaths of branches.

With time as an unknown t, positions are curves over t. Where t turns back along a curve two ways to
put the mechanism together become one: forward in time they are born there, or die.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber, printable
from kempe.notebook import text_html
from kempe.results.maps.assemblies import CertifiedState
from kempe.results.maps.certificate import Promise
from kempe.results.maps.motion_map import MotionMap

FloatArray = NDArray[np.float64]
LATE = 1e4  # s


def _told(t: float) -> str:
    """A time (s) with six digits, late ones with nine."""
    return f"{t:.6g}" if abs(t) < LATE else f"{t:.9g}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class TimeBranch:
    """A way to be put together, followed over time as long as it lasts.

    `begins` is "start" (of the span that was asked for), "birth", "singular", a limit such as
    "guide.x at least", or "corner": of a law, with nothing there that it goes on from. `ends` is
    "stop", "death" or one of the others. `t` (s) and `q` are samples in the order of time.
    """

    number: int  # from 0
    places: tuple[tuple[int, int], ...]  # map and component that its parts lie on, from 0
    begins: str
    ends: str
    t: FloatArray  # (k,)
    q: FloatArray  # (k, 3 per body), in space (k, 7 per body)

    @property
    def start(self) -> float:
        """When it begins, s."""
        return float(self.t[0])

    @property
    def stop(self) -> float:
        """When it ends, s."""
        return float(self.t[-1])

    def lives(self, t: float) -> bool:
        """Whether it is there at time `t` (s)."""
        return self.start <= t <= self.stop

    def __str__(self) -> str:
        return (
            f"{self.number + 1}: {_told(self.start)} s ({self.begins}) to {_told(self.stop)} s"
            f" ({self.ends})"
        )


@final
@dataclass(frozen=True, slots=True, eq=False)
class TimeEvent:
    """A moment at which two branches are born, or die, together: a certified position.

    Where events are told from samples, `position` is None and `radius` infinite.
    """

    t: float  # s
    radius: float  # how far t and the readings are from true ones at most
    is_birth: bool
    branches: tuple[int, int]  # from 0
    position: CertifiedState | None

    def __str__(self) -> str:
        word = "birth" if self.is_birth else "death"
        one, other = (b + 1 for b in self.branches)
        return f"{word} of {one} and {other} at {self.t:.9g} s"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """Every way a mechanism can be put together while time goes on, and where ways begin and end.

    `maps` are certified maps with time as an unknown, one for every span in which the laws of all
    drives have no corner; `outcome` says how sure it is that no branch is missing. `is_proved`:
    `events` are all births and deaths, proved to be all in the same sense; else they are told from
    samples, and `message` says why. That branches go on over corners is told from positions, which
    are the same there to some 1e-6.
    """

    name: str
    maps: tuple[MotionMap, ...]
    during: tuple[float, float]  # s
    branches: tuple[TimeBranch, ...]
    events: tuple[TimeEvent, ...]
    is_proved: bool
    message: str = ""

    @property
    def outcome(self) -> Promise:
        """The weakest of the maps' outcomes."""
        return max((m.outcome for m in self.maps), key=list(Promise).index)

    def __len__(self) -> int:
        return len(self.branches)

    def __getitem__(self, number: int) -> TimeBranch:
        return self.branches[number]

    def count(self, t: float) -> int:
        """How many ways there are at time `t` (s), away from births and deaths."""
        first, last = self.during
        if not first <= t <= last:
            raise BadNumber(
                f"{t:.9g} s is not in the span that was asked for, {first:.9g}..{last:.9g} s."
            )
        return sum(branch.lives(t) for branch in self.branches)

    def __str__(self) -> str:
        births = sum(event.is_birth for event in self.events)
        some = (
            (len(self), "branch", "branches"),
            (births, "birth", "births"),
            (len(self.events) - births, "death", "deaths"),
        )
        counts = ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in some)
        first, last = self.during
        head = f"{printable(self.name)}, {first:.9g} to {last:.9g} s: {counts}"
        told = [m for m in self.maps if m.message and (len(m) or not len(self))]
        said = " ".join(dict.fromkeys(m.message for m in told))
        lines = [f"{head} - {self.outcome}. {said}".rstrip()]
        lines += [f"  {branch}" for branch in self.branches]
        lines += [f"  {event}" for event in self.events]
        return "\n".join(lines + [f"  {self.message}"] * bool(self.message))

    def __repr__(self) -> str:
        return f"<Timeline {str(self).splitlines()[0]}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it in words."""
        return text_html(str(self))
