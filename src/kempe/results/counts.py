"""What `check` counts: joints, loops, looser joints, reachable ranges, straightened axes."""

import math
from dataclasses import dataclass
from typing import final

# What a looser joint is, in words of the workshop.
WORDS = {
    "Cylindrical": "a hinge that may slide (Cylindrical)",
    "PinInSlot": "a pin in a slot (PinInSlot)",
    "PointOnLine": "a ball in a straight bore (PointOnLine)",
    "Prismatic": "a slider (Prismatic)",
    "Revolute": "a hinge (Revolute)",
    "Spherical": "a ball joint (Spherical)",
    "Universal": "a universal joint (Universal)",
}


@final
@dataclass(frozen=True, slots=True)
class JointCount:
    """How many rows a joint contributes, and how many of them repeat what others say.

    Which rows of a loop are called redundant is a choice; `redundant` are those of one choice, and
    add up over the joints. `spare` rows could be taken from this joint alone, the others kept.
    """

    name: str
    kind: str
    rows: int
    redundant: int
    spare: int = 0


@final
@dataclass(frozen=True, slots=True)
class LoopCount:
    """A loop by itself: its bodies and joints, its freedoms, and its kind if it is a four-bar."""

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    by_count: int
    by_rank: int
    kind: str = ""  # by Grashof

    def __str__(self) -> str:
        kind = f", {self.kind}" if self.kind else ""
        return (
            f"{' - '.join(self.bodies)}: alone it has {_freedoms(self.by_rank)}"
            f" ({self.by_count} by count){kind}"
        )


@final
@dataclass(frozen=True, slots=True)
class Looser:
    """A joint that can be replaced by a looser one without a new freedom of the mechanism."""

    joint: str
    kind: str  # the class it is of
    into: str  # the class it could be of
    rows: int  # redundant rows that go

    def __str__(self) -> str:
        word = WORDS.get(self.into, f"a {self.into}")
        gone = f"{self.rows} redundant row{'s go' if self.rows > 1 else ' goes'}"
        return f"make {self.joint!r} {word}: {gone}"


@final
@dataclass(frozen=True, slots=True)
class DriveRange:
    """How far a driven measure can go on its branch, the other drives held: rad or m."""

    drive: str
    unit: str
    low: float
    high: float
    low_end: str  # the outcome there: "DeadPoint", ...; "Done" where it goes on
    high_end: str

    @property
    def is_full(self) -> bool:
        """Whether it goes round, or as far as anyone asked."""
        return self.low_end == self.high_end == "Done"

    def words(self, scale: float, unit: str) -> str:
        """For reading: angles in degrees, lengths times scale in unit."""
        if self.is_full:
            return f"{self.drive} {'turns fully' if self.unit == 'rad' else 'goes any way'}"
        ends = []
        for value, end in ((self.low, self.low_end), (self.high, self.high_end)):
            shown = f"{math.degrees(value):.6g} deg"
            shown = f"{value * scale:.6g} {unit}" if self.unit == "m" else shown
            ends.append(shown if end == "DeadPoint" else f"{shown} ({end})")
        return f"{self.drive} goes from {ends[0]} to {ends[1]} on this branch"


@final
@dataclass(frozen=True, slots=True)
class NearlyRedundant:
    """Rows that almost repeat others everywhere, and so hold what was meant to move."""

    rows: int
    size: float  # what the others leave of them, over their length
    joint: str  # in which it shows most
    loop: tuple[str, ...]
    tilt: float = 0.0  # rad, where an axis is found to be off parallel or square


@final
@dataclass(frozen=True, slots=True)
class Straightened:
    """An axis that was straightened on request."""

    joint: str
    body: str
    angle: float  # rad

    def __str__(self) -> str:
        return f"{self.joint!r} on {self.body!r} by {self.angle:.3g} rad"


def _freedoms(n: int) -> str:
    return f"{n} freedom{'s' * (n != 1)}" if n else "no freedom"
