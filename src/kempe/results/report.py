"""The answer to "does it go together, how freely does it move, what is redundant?"."""

from collections import Counter
from dataclasses import dataclass, field
from typing import final


@final
@dataclass(frozen=True, slots=True)
class JointCount:
    """How many rows a joint contributes, and how many of them repeat what others say."""

    name: str
    kind: str
    rows: int
    redundant: int


@final
@dataclass(frozen=True, slots=True)
class FreeMotion:
    """One way the mechanism can still move: bodies and the size of their motion, largest first."""

    bodies: tuple[str, ...]
    twists: dict[str, tuple[float, ...]] = field(default_factory=dict)  # body -> velocities


@final
@dataclass(frozen=True, slots=True)
class Report:
    """What `check` found, as data; printed, it is a few sentences."""

    name: str
    plane: bool
    bodies: int
    coordinates: int  # velocities' worth: 3 or 6 a body
    joints: tuple[JointCount, ...]
    drives: tuple[str, ...]
    loops: tuple[str, ...]
    mobility_by_count: int  # Gruebler: coordinates less rows of joints and couplers
    mobility: int  # by rank, in the assembled position
    free: tuple[FreeMotion, ...]  # what is left with the drives on
    redundant_rows: int
    kinds: tuple[str, ...]  # of four-bar loops, by Grashof
    adrift: tuple[str, ...]  # bodies that nothing connects to the ground
    near_singular: float  # smallest singular value of what is solved; 0 at a singular position

    @property
    def freedom_left(self) -> int:
        """Freedoms that no drive holds."""
        return self.mobility - len(self.drives)

    @property
    def redundant_joints(self) -> tuple[str, ...]:
        """Joints that have redundant rows."""
        return tuple(j.name for j in self.joints if j.redundant)

    @property
    def is_ready(self) -> bool:
        """Whether the drives determine the motion."""
        return self.freedom_left == 0 and not self.adrift

    def count_table(self) -> str:
        """Coordinates and rows, joint by joint, as one counts degrees of freedom by hand."""
        lines = [
            f"{self.bodies} bodies x {3 if self.plane else 6}".ljust(34) + f"{self.coordinates:>6}"
        ]
        for joint in self.joints:
            label = f"{joint.kind} {joint.name}"
            note = f"   ({joint.redundant} redundant)" if joint.redundant else ""
            lines.append(label.ljust(34) + f"{-joint.rows:>6}{note}")
        lines.append("degrees of freedom by count".ljust(34) + f"{self.mobility_by_count:>6}")
        lines.append("degrees of freedom by rank".ljust(34) + f"{self.mobility:>6}")
        for drive in self.drives:
            lines.append(f"drive {drive}".ljust(34) + f"{-1:>6}")
        if self.drives:
            lines.append("degrees of freedom left".ljust(34) + f"{self.freedom_left:>6}")
        return "\n".join(lines)

    def __str__(self) -> str:
        drives = len(self.drives)
        parts = [f"DOF {self.mobility}"]
        if drives:
            parts[0] += f", with the drive{'s' * (drives > 1)} {self.freedom_left}"
        parts += [
            kind if n == 1 else f"{n} times {kind}" for kind, n in Counter(self.kinds).items()
        ]
        parts.append(_redundancy(self))
        sentences = [f"{self.name}: {' - '.join(parts)}."]
        if self.adrift:
            sentences.append(f"Nothing holds {_listed(self.adrift)}: join it to the rest.")
        for motion in self.free[: max(0, self.freedom_left)]:
            sentences.append(f"{_listed(motion.bodies)} can still move: add a drive or a joint.")
        if self.freedom_left < 0:
            sentences.append(f"There are {-self.freedom_left} drives too many.")
        return " ".join(sentences)


def _redundancy(report: Report) -> str:
    if not report.redundant_rows:
        return "nothing redundant"
    names = _listed(report.redundant_joints)
    rows = report.redundant_rows
    return f"{rows} redundant row{'s' * (rows > 1)} in {names}, consistent: it moves all the same"


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(repr(n) for n in names[:4])
    return f"{shown} and {len(names) - 4} more" if len(names) > 4 else shown
