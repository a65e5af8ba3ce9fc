"""How far slides can go: a loop with one of them is no longer than its other sides together."""

import math
from collections.abc import Container
from dataclasses import dataclass, field, replace
from typing import final

from kempe.geometry import GROUND
from kempe.motion.equations.rewriting import ROOM
from kempe.motion.equations.spatial_joints import SpatialJoint
from kempe.motion.equations.system import FullSystem

FAR = 100.0  # sizes of a machine, up to which sleeves are followed that nothing else bounds
Way = tuple[float, frozenset[str]]  # at most this long (m), but for these slides
End = tuple[str, float]  # a part, and how far a point of it is from that of its place


@final
@dataclass(slots=True)
class Reach:
    """Ways from the ground to the places of parts, and the loops that they close."""

    equations: FullSystem
    scale: float
    slides: dict[str, int] = field(default_factory=dict)  # numbers of the unknowns, by joint
    ways: dict[str, Way] = field(default_factory=lambda: {GROUND: (0.0, frozenset())})
    loops: list[Way] = field(default_factory=list)

    def carry(self, part: str, before: str, away: float, joint: SpatialJoint) -> None:
        """A part whose place is told by a joint to one before it, `away` (m) from its place."""
        length, slides = self._to((before, away))
        more, own = self._along(joint)
        self.ways[part] = length + more, slides | own

    def close(self, first: End, second: End, joint: SpatialJoint) -> None:
        """Two ways that a joint makes a loop of."""
        (a, some), (b, others) = self._to(first), self._to(second)
        more, own = self._along(joint)
        # a slide that both ways share is the same vector in both, and falls out
        self.loops.append((a + b + more, (some ^ others) | own))

    def bound(self) -> None:
        """Bound every slide that is the only one of a loop."""
        unknowns, is_new = self.equations.unknowns, True
        while is_new:
            is_new = False
            for length, names in self.loops:
                free = [n for n in names if math.isinf(unknowns[self.slides[n]].high)]
                known = [unknowns[self.slides[n]] for n in names if n not in free]
                most = length / self.scale + sum(max(abs(u.low), abs(u.high)) for u in known)
                if len(free) == 1 and 0.0 < most < math.inf:
                    k = self.slides[free[0]]
                    unknowns[k] = replace(unknowns[k], low=-ROOM * most, high=ROOM * most)
                    is_new = True

    def follow(self, sleeves: Container[str]) -> list[str]:
        """Bound the sleeves of loops with several, which their turns tell; the names of those."""
        unknowns, found = self.equations.unknowns, list[str]()
        for _, names in self.loops:
            free = [n for n in sorted(names) if math.isinf(unknowns[self.slides[n]].high)]
            if not all(n in sleeves for n in free):
                continue
            for n in free:
                k = self.slides[n]
                unknowns[k] = replace(unknowns[k], low=-FAR, high=FAR, is_limit=True)
                found.append(n)
        return found

    def _to(self, end: End) -> Way:
        """The way to a point of a part; endless where nothing tells its place."""
        length, slides = self.ways.get(end[0], (math.inf, frozenset()))
        return length + end[1], slides

    def _along(self, joint: SpatialJoint) -> Way:
        """What a joint adds to a way: a slide that is held, or one that is not."""
        if joint.place != "line":
            return 0.0, frozenset()
        if joint.slide is not None:
            return abs(joint.slide), frozenset()
        return 0.0, frozenset({joint.name})
