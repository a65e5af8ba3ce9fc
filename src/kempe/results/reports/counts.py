"""What `check` counts: joints, loops, looser joints, ranges, axes, idle drives and spins."""

import math
from collections.abc import Sequence
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
    # Of a universal joint the axis of marker J about which it turns too, of a slot in place of a
    # hinge the one that it runs along.
    cross: str = ""

    def __str__(self) -> str:
        word = WORDS.get(self.into, f"a {self.into}")
        if self.cross and self.into == "PinInSlot":
            word += f" along {self.cross} of its second marker"
        elif self.cross:
            word += f" that turns about {self.cross} of its second marker too"
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
    align: float = 0.0  # rad, with which straightening was tried and helps; 0 if it does not


@final
@dataclass(frozen=True, slots=True)
class SingularPart:
    """Bodies that start in a singular position: more moves at first order than really does."""

    bodies: tuple[str, ...]  # none where it is the whole mechanism
    at_first_order: int  # velocities that the joints allow there
    branches: tuple[int, ...]  # freedoms of the branches of motion that meet there, most first
    is_shaky: bool  # whether that is so all along the motion
    change: str = ""  # of a length, that was tried and helps
    drives: tuple[str, ...] = ()  # that have another value where it has left the position

    @property
    def is_stuck(self) -> bool:
        """Whether it can shake but not move."""
        return self.branches == (0,)

    def __str__(self) -> str:
        who = listed(self.bodies) if self.bodies else "It"
        one = len(self.bodies) <= 1
        advice = f" To be rid of that, {self.change}." if self.change else ""
        if self.is_stuck:
            fits = f"{who} {'goes' if one else 'go'} together in this one position only"
            return (
                f"{fits}, a singular one: {'it' if one else 'they'} can shake there"
                f" but not move (by 2e-5 rad, or of its size).{advice}"
            )
        ways = " or ".join(str(n) for n in self.branches)
        spare = self.at_first_order - self.branches[0]
        if self.is_shaky:
            return (
                f"{who} can shake: at first order {_freedoms(self.at_first_order)}"
                f" {'is' if self.at_first_order == 1 else 'are'} left wherever"
                f" {'it goes' if one else 'they go'}, {spare} of which"
                f" {'is' if spare == 1 else 'are'} no motion, and no drive can hold"
                f" {'it' if spare == 1 else 'them'}.{advice}"
            )
        by_branch = ", by the branch of motion" if len(self.branches) > 1 else ""
        return (
            f"{who} {'starts' if one else 'start'} in a singular position: there"
            f" {'it has' if one else 'they have'} {_freedoms(self.at_first_order)} at first order,"
            f" elsewhere {ways}{by_branch}, and branches of motion may cross. {self._elsewhere}"
        )

    @property
    def _elsewhere(self) -> str:
        if not self.drives:
            return "Put its bodies elsewhere to start with."
        shown = " or ".join(repr(name) for name in self.drives)
        return f"Start {shown} at another value."


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


def listed(names: Sequence[str]) -> str:
    """Up to four names between quotes, and how many more there are."""
    shown = ", ".join(repr(n) for n in names[:4])
    return f"{shown} and {len(names) - 4} more" if len(names) > 4 else shown


@final
@dataclass(frozen=True, slots=True)
class IdleDrives:
    """Names of drives that together hold less than their number, here or everywhere."""

    names: tuple[str, ...] = ()
    is_general: bool = False  # also a short way off
    surplus: int = 0  # how many of them could go without anything being held less

    @property
    def too_many(self) -> str:
        """What is wrong with them where there are more drives than freedoms."""
        which = "it" if len(self.names) == 1 else "one of them"
        return f"{self.fault[:-1]}: remove {which}."

    def remove(self, sets: tuple[tuple[str, ...], ...] | None) -> str:
        """What is wrong with them, and which of `sets` can go; None where that was not tried."""
        if sets is None or (sets and {(name,) for name in self.names} == set(sets)):
            return self.too_many
        if not sets:
            return self.fault
        shown = [" and ".join(repr(name) for name in names) for names in sets]
        word = "that" if len(sets[0]) == 1 else "those"
        return f"{self.fault} Remove {' or '.join(f'{word} on {names}' for names in shown)}."

    @property
    def fault(self) -> str:
        """What is wrong with them, without what to do."""
        shown = " and ".join(repr(name) for name in self.names)
        if len(self.names) == 1:
            return f"The drive on {shown} moves nothing."
        return f"The drives on {shown} depend on each other."

    @property
    def words(self) -> str:
        """What is wrong with them, and what to do."""
        shown = " and ".join(repr(name) for name in self.names)
        if len(self.names) == 1 and self.is_general:
            return f"The drive on {shown} moves nothing: drive another measure."
        if self.is_general:
            which = "one" if self.surplus <= 1 else str(self.surplus)
            return (
                f"The drives on {shown} depend on each other, whatever the position: remove {which}"
                " of them and drive another measure."
            )
        one = len(self.names) == 1
        return (
            f"In this position the drive{'' if one else 's'} on {shown} cannot set it in motion, as"
            f" at a dead centre: start {'it' if one else 'one of them'} at another value, or drive"
            " another joint."
        )


MOST_NAMES = 3

Spinner = str | tuple[str, ...]  # a body that spins idly, or several that do so as one


def spinning(passive: Sequence[Spinner]) -> tuple[str, ...]:
    """All bodies that spin idly, alone or in groups.

    Examples:
        >>> spinning(["rod", ("tube", "piston")])
        ('rod', 'tube', 'piston')
    """
    return tuple(body for one in passive for body in ((one,) if isinstance(one, str) else one))


def idle_spins(passive: Sequence[Spinner], one: str, several: str) -> str:
    """What is said of the spins of bodies about the lines of their ends, of one or of several.

    Examples:
        >>> idle_spins(["rod"], "needs no drive", "need no drive")
        "The spin of 'rod' about the line of its ends needs no drive."
        >>> idle_spins([("tube", "piston")], "needs no drive", "need no drive")
        "The spin of 'tube' with 'piston' about the line of their ends needs no drive."
    """
    shown = [_shown(spinner) for spinner in passive[:MOST_NAMES]]
    if len(passive) == 1:
        whose = "its" if isinstance(passive[0], str) else "their"
        return f"The spin of {shown[0]} about the line of {whose} ends {one}."
    if len(passive) > MOST_NAMES:
        names = f"{', '.join(shown)} and {len(passive) - MOST_NAMES} more"
    else:
        names = f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"The spins of {names} about the lines of their ends {several}."


def _shown(spinner: Spinner) -> str:
    if isinstance(spinner, str):
        return repr(spinner)
    first, second, *others = spinner
    more = f" and {len(others)} more" if others else ""
    return f"{first!r} with {second!r}{more}"
