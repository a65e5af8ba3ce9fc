"""The answer to "does it go together, how freely does it move, what is redundant?"."""

from collections import Counter
from dataclasses import dataclass
from typing import final

from kempe.errors import printable
from kempe.notebook import text_html
from kempe.results.reports.counts import (
    DriveRange,
    IdleDrives,
    JointCount,
    LoopCount,
    Looser,
    NearlyRedundant,
    SingularPart,
    Spinner,
    Straightened,
    idle_spins,
    listed,
)
from kempe.results.reports.free_motion import FreeMotion
from kempe.units import factor

WIDTH = 34  # of the first column of the count
MOST_MOTIONS = 6  # that are told in a sentence each
NOT_DETERMINED = (
    "In this position its drives do not determine the motion: start one of them at another value,"
    " or drive another joint."
)


@final
@dataclass(frozen=True, slots=True)
class Report:
    """What `check` found, as data; printed, it is a few sentences, `text()` says everything."""

    name: str
    plane: bool
    length_unit: str
    bodies: int
    coordinates: int  # velocities' worth: 3 or 6 a body
    joints: tuple[JointCount, ...]
    drives: tuple[str, ...]
    loops: tuple[LoopCount, ...]
    mobility_by_count: int  # Gruebler: coordinates less rows of joints and couplers
    mobility: int  # of finite motion from the start; 0 where it fits in one position only
    mobility_at_start: int  # at first order, by rank, in the assembled position
    is_singular: bool  # whether the assembled position is a special one, of any part
    free: tuple[FreeMotion, ...]  # what is left in the assembled position with the drives on
    redundant_rows: int
    looser: tuple[Looser, ...]  # joints to loosen so that nothing is redundant
    nearly: NearlyRedundant | None
    adrift: tuple[str, ...]  # bodies that nothing connects to the ground
    near_singular: float  # smallest singular value of what is solved; 0 at a singular position
    ranges: tuple[DriveRange, ...] = ()  # of the drives, where they were asked for
    straightened: tuple[Straightened, ...] = ()
    notes: tuple[str, ...] = ()  # bodies that start elsewhere than they were given
    singular: tuple[SingularPart, ...] = ()  # parts that start in a singular position
    is_determined: bool = True  # whether joints and drives determine the motion at the start
    idle_drives: tuple[str, ...] = ()  # drives that hold the same thing, or nothing
    idle_everywhere: bool = False  # whether they do not in other positions either
    # of too many drives, sets that can go so that the others move it; None where it was not tried
    removable_drives: tuple[tuple[str, ...], ...] | None = None
    exchange: str = ""  # which drives to remove and what to drive instead, where that was tried
    surplus_drives: int = 0  # how many of the idle drives could go and nothing would be held less
    passive: tuple[Spinner, ...] = ()  # bodies, and groups, that spin idly about a line
    couplers: tuple[str, ...] = ()  # which of the joints are couplers
    rolling: tuple[JointCount, ...] = ()  # rows of joints that hold velocities, and no place
    ways: int | None = None  # in which it goes together as it is driven, where lengths tell that
    speeds: int = 0  # velocities that joints and couplers leave free, those rows included

    @property
    def freedom(self) -> int:
        """How many drives it takes: freedoms of motion, where some hold velocities alone.

        A body that rolls gets to more places (`mobility`) than it has ways to move at a moment.
        """
        return self.speeds if self.rolling else self.mobility

    @property
    def kinds(self) -> tuple[str, ...]:
        """The classes of its four-bar loops, by Grashof."""
        return tuple(loop.kind for loop in self.loops if loop.kind)

    @property
    def freedom_left(self) -> int:
        """Freedoms less drives; below zero the drives that are too many.

        A drive in `idle_drives` is counted though it may hold nothing: see `undriven`.
        """
        return self.freedom - len(self.drives)

    @property
    def undriven(self) -> int:
        """Freedoms that no drive holds: drives that repeat others, or move nothing, hold none.

        Drives that are idle in this position alone, as at a dead centre, do hold one.
        """
        surplus = self.surplus_drives if self.idle_everywhere else 0
        return max(0, self.freedom_left + surplus)

    @property
    def redundant_joints(self) -> tuple[str, ...]:
        """Joints that have redundant rows."""
        return tuple(j.name for j in self.joints if j.redundant)

    @property
    def is_ready(self) -> bool:
        """Whether there are drives and they determine the motion, so that kinematics can start."""
        if not self.drives or self.adrift or self.rolling:
            return False
        return self.freedom_left == len(self.passive) and self.is_determined

    @property
    def only_fits_here(self) -> bool:
        """Whether it can shake in its position but not leave it, like links pulled straight."""
        return self.is_singular and self.mobility == 0 < self.mobility_at_start

    def count_table(self, *, with_ground: bool = False) -> str:
        """Coordinates and rows, joint by joint, as one counts degrees of freedom by hand.

        `with_ground` counts the ground as a body that is held, as textbooks do.

        Source: [Sung] ch. V.
        """
        each = 3 if self.plane else 6
        bodies = self.bodies + with_ground
        rows = [_line(f"{bodies} bodies x {each}", bodies * each)]
        own = self.coordinates - self.bodies * each
        if own:
            rows.append(_line("places on curves", own))
        rows += [_line("ground held", -each)] * with_ground
        for joint in self.joints:
            note = f"   ({joint.redundant} redundant)" if joint.redundant else ""
            rows.append(_line(f"{joint.kind} {joint.name}", -joint.rows) + note)
        rows.append(_line("degrees of freedom by count", self.mobility_by_count))
        if self.is_singular:
            rows.append(_line("degrees of freedom by rank, here", self.mobility_at_start))
            rows.append(_line("degrees of freedom by moving it", self.mobility))
        else:
            rows.append(_line("degrees of freedom by rank", self.mobility))
        for joint in self.rolling:
            note = f"   ({joint.redundant} redundant)" if joint.redundant else ""
            rows.append(_line(f"{joint.kind} {joint.name}, of velocities", -joint.rows) + note)
        if self.rolling:
            rows.append(_line("degrees of freedom of velocity", self.speeds))
        rows += [_line(f"drive {drive}", -1) for drive in self.drives]
        if self.drives:
            rows.append(_line("degrees of freedom left", self.freedom_left))
        return "\n".join(rows)

    def text(self) -> str:
        """All of it: the verdict, the count, the loops, the drives, what can move, what to do."""
        scale = factor("m", self.length_unit)
        parts = [str(self), f"How the freedoms are counted\n{_indented(self.count_table())}"]
        if self.loops:
            loops = "\n".join(str(loop) for loop in self.loops)
            here = " (their freedoms at first order)" if self.only_fits_here else ""
            parts.append(f"Loops{here}\n{_indented(loops)}")
        if self.ranges:
            words = "\n".join(r.words(scale, self.length_unit) for r in self.ranges)
            parts.append(f"Drives\n{_indented(words)}")
        for k, motion in enumerate(self.free, 1):
            lines = "\n".join(
                f"{m.body!r} {m.words(scale, self.length_unit, plane=self.plane)}"
                for m in motion.motions
            )
            parts.append(f"Free motion {k}\n{_indented(lines)}")
        if self.looser:
            said = "\n".join(map(str, self.looser))
            parts.append(f"To be free of redundant rows\n{_indented(said)}")
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        return f"<Report {self} .text() says everything>"

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it."""
        return text_html(self.text())

    def __str__(self) -> str:
        drives = len(self.drives)
        parts = [f"DOF {self.mobility}"]
        if self.rolling:
            parts[0] += f" of places, {self.speeds} of velocities"
        if drives:
            left = self.undriven or self.freedom_left
            parts[0] += f", with the drive{'s' * (drives > 1)} {left}"
        parts += [
            kind if n == 1 else f"{n} times {kind}" for kind, n in Counter(self.kinds).items()
        ]
        if self.ways is not None:
            parts.append(f"{self.ways} assemblies")
        if not self.only_fits_here:
            parts.append(_redundancy(self))
        said = [*_remarks(self), *(f"Note: {note}." for note in self.notes)]
        return " ".join([f"{printable(self.name)}: {' - '.join(parts)}.", *said])


def _remarks(report: Report) -> list[str]:
    """What else is worth a sentence, with what to do about it."""
    said = []
    if report.straightened:
        said.append(f"Straightened as asked: {'; '.join(map(str, report.straightened))}.")
    if report.adrift:
        said.append(f"Nothing holds {listed(report.adrift)}: join it to the rest.")
    said += [str(part) for part in report.singular]
    for loop in report.loops:
        if len(loop.bodies) == 2 and loop.by_rank == 0:
            a, b = (repr(name) for name in loop.joints)
            bodies = " and ".join(repr(name) for name in loop.bodies)
            said.append(f"{a} and {b} both join {bodies} and hold them together like a weld.")
    if report.nearly is not None:
        said.append(_nearly(report.nearly, report.mobility))
    if report.passive:
        said.append(idle_spins(report.passive, "needs no drive", "need no drive"))
    if report.undriven > len(report.passive):
        said += _still_moving(report)
    # drives that repeat others leave freedoms without one: then there are not too many of them
    spins = len(report.passive)
    is_overdriven = bool(report.drives) and report.freedom_left < spins >= report.undriven
    if is_overdriven and not report.only_fits_here:
        said.append(_too_many(report))
    counted = report.freedom_left == len(report.passive)
    idle = IdleDrives(report.idle_drives, report.idle_everywhere, report.surplus_drives)
    if idle.names and report.exchange:
        said.append(f"{idle.fault} {report.exchange}")
    elif idle.names and report.mobility:
        said.append(idle.remove(report.removable_drives) if is_overdriven else idle.words)
    elif report.drives and counted and not report.is_singular and not report.is_determined:
        said.append(NOT_DETERMINED)
    return said


def _still_moving(report: Report) -> list[str]:
    """The motions that no drive holds, but for those of parts whose rows do not tell."""
    unclear = {body for part in report.singular for body in part.bodies}
    if any(not part.bodies for part in report.singular):
        return []
    motions = [m for m in report.free if not m.is_idle_spin and not unclear.intersection(m.bodies)]
    ways = Counter(frozenset(m.bodies) for m in motions)
    told = list({frozenset(m.bodies): m for m in reversed(motions)}.values())[::-1][:MOST_MOTIONS]
    said = [_moving(motion.bodies, ways[frozenset(motion.bodies)]) for motion in told]
    more = report.undriven - len(report.passive) - sum(ways[frozenset(m.bodies)] for m in told)
    if len(ways) > len(said) or (more > 0 and not unclear):
        said.append(f"So it is with {more} more motion{'s' * (more != 1)}.")
    return said


def _moving(bodies: tuple[str, ...], ways: int) -> str:
    if ways == 1:
        return f"{listed(bodies)} can still move: add a drive or a joint."
    return f"{listed(bodies)} can still move in {ways} ways: add {ways} drives, or joints."


def _too_many(report: Report) -> str:
    n = len(report.passive) - report.freedom_left
    if report.mobility == 0:
        return "It cannot move at all, so nothing can drive it."
    return f"There {'is' if n == 1 else 'are'} {n} drive{'s' * (n > 1)} too many."


def _nearly(nearly: NearlyRedundant, mobility: int) -> str:
    loop = f" in the loop {' - '.join(nearly.loop)}" if nearly.loop else ""
    tilt = f": its axis is {nearly.tilt:.3g} rad off" if nearly.tilt else ""
    rows = f"{nearly.rows} row{'s' * (nearly.rows > 1)}"
    n = mobility + nearly.rows
    mend = f", or let check(align={nearly.align:.0e}) do it" if nearly.align else ""
    return (
        f"{rows} of {nearly.joint!r}{loop} almost repeat others{tilt}. If it was meant to have"
        f" {n} freedom{'s' * (n != 1)}, straighten it{mend}."
    )


def _redundancy(report: Report) -> str:
    if not report.redundant_rows:
        return "nothing redundant"
    names = listed(report.redundant_joints)
    rows = report.redundant_rows
    moves = "it moves all the same" if report.mobility else "it holds all the same"
    return f"{rows} redundant row{'s' * (rows > 1)} in {names}, consistent: {moves}"


def _line(words: str, number: int) -> str:
    return words.ljust(WIDTH) + f"{number:>6}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
