"""Circuits and branches: what can be reached without taking a mechanism apart, and the way there.

A circuit is all positions that a mechanism can come to from one of them; its branches, for one
drive, are the stretches along which that drive leads it: they end in dead points, at limits and
where branches meet.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from kempe.errors import printable
from kempe.notebook import text_html
from kempe.results.maps.certificate import Promise
from kempe.results.maps.motion_map import MotionMap, counted

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory


@final
@dataclass(frozen=True, slots=True)
class Branch:
    """A stretch of a circuit along which `measure` rises or falls all the way.

    It goes from `low` to `high` (rad or m) there. `turns_round`: the stretch is a whole loop, and a
    drive on the measure turns on and on; `high` is then `low` and the turns that the loop takes.
    """

    component: int  # of the motion map, from 0
    measure: str
    low: float
    high: float
    turns_round: bool
    unit: str  # "rad" or "m"

    def __str__(self) -> str:
        if self.turns_round:
            turns = (self.high - self.low) / math.tau
            return "turns all the way round" + (f", {turns:.4g} turns a loop" * (turns > 1.5))
        if self.high == self.low:
            return "stands still"
        if self.unit == "rad":
            return f"{math.degrees(self.low):.6g} to {math.degrees(self.high):.6g} deg"
        return f"{self.low:.6g} to {self.high:.6g} m"


@final
@dataclass(frozen=True, slots=True)
class Circuit:
    """Components of a motion map that hang together, with the branches of each measure asked for.

    `is_closed_off` says that it is proved that no other circuit can be reached from it.
    """

    number: int  # from 0
    components: tuple[int, ...]
    loops: int  # of its components; the others are arcs
    is_closed_off: bool
    branches: tuple[Branch, ...]

    def __str__(self) -> str:
        arcs = len(self.components) - self.loops
        some = ((self.loops, "loop"), (arcs, "arc"))
        kinds = [counted(count, word) for count, word in some if count]
        by_measure: dict[str, list[str]] = {}
        for branch in self.branches:
            by_measure.setdefault(branch.measure, []).append(str(branch))
        told = [f"{measure} {'; '.join(ways)}" for measure, ways in by_measure.items()]
        return f"{self.number + 1}: {', '.join(kinds + told)}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Circuits:
    """Every circuit of a mechanism: one line each in words, all of `motions` sorted."""

    motions: MotionMap
    circuits: tuple[Circuit, ...]
    proved: tuple[str, ...]  # measures whose branches end in certified dead points, all of them
    unproved: tuple[str, ...]  # measures whose branches were told from samples

    def __len__(self) -> int:
        return len(self.circuits)

    def __getitem__(self, number: int) -> Circuit:
        return self.circuits[number]

    def of(self, component: int | None) -> int | None:
        """The number of the circuit with this `component` of the motions; None if in none."""
        found = (c.number for c in self.circuits if component in c.components)
        return next(found, None)

    def __str__(self) -> str:
        how_many = counted(len(self), "circuit") if len(self) else "no circuit"
        head = f"{printable(self.motions.name)}: {how_many} - {self.motions.outcome}."
        lines = [f"{head} {self.motions.message}".rstrip(), *(f"  {c}" for c in self.circuits)]
        if self.unproved:
            lines.append(f"  Ranges of {', '.join(self.unproved)} are told from samples.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Circuits {str(self).splitlines()[0]}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it in words."""
        return text_html(str(self))


@final
@dataclass(frozen=True, slots=True, eq=False)
class MotionPath:
    """Whether a mechanism can go from one position to another as it is, and how.

    `is_possible` is True with the `trajectory` that leads there; False where it is proved that
    nothing does; None where no way is known and that there is none is not proved. The trajectory's
    "time" is the length along the way in the space of unknowns. `through` are singular places of
    `motions` that it passes: that branches meet there is told by numbers, and a drive alone does
    not say which of them is taken.
    """

    motions: MotionMap
    start: int | None  # component, from 0
    goal: int | None
    is_possible: bool | None
    length: float
    through: tuple[int, ...]
    trajectory: "Trajectory | None"
    message: str

    def __str__(self) -> str:
        answer = {True: "yes", False: "no", None: "not known"}[self.is_possible]
        return f"{printable(self.motions.name)}: {answer}. {self.message}"

    def __repr__(self) -> str:
        return f"<MotionPath {self}>"


def message_of(motions: MotionMap, ends: tuple[int, int], *, closed: bool) -> str:
    """Why there is no way between two components."""
    both = f"omponents {ends[0] + 1} and {ends[1] + 1}"
    if closed:
        return f"C{both} meet nowhere: it must be taken apart."
    if motions.outcome is Promise.NUMERICAL:
        return f"No way between c{both} was found by numbers."
    return f"No way between c{both} is listed, but not all is searched: allow more effort."
