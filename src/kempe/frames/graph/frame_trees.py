"""How one frame of a tree is seen from another, by number: up from one, down to the other."""

from dataclasses import dataclass
from typing import final

from kempe.errors import Disconnected
from kempe.frames.graph.edge import motion_parts, product
from kempe.frames.graph.rigid_groups import ROOT, RigidGroups
from kempe.frames.motions.motion import STILL, AbstractMotion
from kempe.frames.states.arrays import FloatArray
from kempe.frames.states.composition import Parts, composed, inverted


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The trees of a graph, which keeps them up to date: names and motions by number, and groups.

    Frames that fixed poses hold together are one group with an anchor, so only edges that move are
    gone along one by one.
    """

    groups: RigidGroups
    names: list[str]
    motions: list[AbstractMotion | None]  # of a frame seen from its parent; None for a root

    def parts(self, frame: int, seen_from: int, t: FloatArray) -> Parts:
        """The parts of the state of one frame seen from another."""
        target, p_c, R_c = self.groups.anchored(frame)
        start, p_a, R_a = self.groups.anchored(seen_from)
        if target == start:
            return (p_c - p_a) @ R_a, R_a.T @ R_c, STILL, STILL, STILL, STILL
        up, down = self._anchors(start), self._anchors(target)
        if up[-1] != down[-1]:
            raise self.apart(seen_from, frame)
        while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
            up.pop()
            down.pop()
        # `up` and `down` end in one group; the edge of every anchor but the last is a motion
        first = self._descent(up, (p_a, R_a), t)
        last = self._descent(down, (p_c, R_c), t)
        return composed(inverted(first), last)

    def moved(self, number: int, t: FloatArray) -> Parts:
        """The parts of the state of a frame seen from its parent."""
        motion, up = self.motions[number], self.groups.parent[number]
        assert motion is not None
        return motion_parts(motion, self.names[number], self.names[up], t)

    def way_up(self, number: int) -> list[int]:
        """The frame, its parent, and so on to the root."""
        way = [number]
        while (up := self.groups.parent[way[-1]]) != ROOT:
            way.append(up)
        return way

    def root(self, number: int) -> int:
        """The frame that everything in its tree hangs on."""
        return self.way_up(number)[-1]

    def path(self, a: int, b: int) -> list[int]:
        """The tree's path from one frame to another."""
        up, down = self.way_up(a), self.way_up(b)
        if up[-1] != down[-1]:
            raise self.apart(a, b)
        while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
            up.pop()
            down.pop()
        return up + down[-2::-1]

    def apart(self, a: int, b: int) -> Disconnected:
        """What is wrong with a question between two trees: both are named, and how to join them."""
        pieces = []
        for number in (a, b):
            root = self.root(number)
            members = [self.names[k] for k in self.groups.below([root])]
            shown = ", ".join(repr(m) for m in members[:4]) + ", ..." * (len(members) > 4)
            count = f"{len(members)} frame{'s' * (len(members) != 1)}"
            pieces.append(f"the tree of {self.names[root]!r} ({count}: {shown})")
        first, second = self.names[a], self.names[b]
        roots = self.names[self.root(a)], self.names[self.root(b)]
        return Disconnected(
            f"{second!r} cannot be seen from {first!r}: no edge joins {pieces[0]} and {pieces[1]}."
            f" Hang one on the other, for example with reparent({roots[1]!r}, {first!r}, ...).",
            first=first,
            second=second,
            roots=roots,
        )

    def _anchors(self, anchor: int) -> list[int]:
        way = [anchor]
        while (up := self.groups.parent[way[-1]]) != ROOT:
            way.append(self.groups.anchored(up)[0])
        return way

    def _descent(self, way: list[int], end: tuple[FloatArray, FloatArray], t: FloatArray) -> Parts:
        """A frame seen from the last anchor of its way up."""
        links: list[Parts] = []
        for anchor in way[-2::-1]:
            _, p, R = self.groups.anchored(self.groups.parent[anchor])
            links.append((p, R, STILL, STILL, STILL, STILL))
            links.append(self.moved(anchor, t))
        links.append((*end, STILL, STILL, STILL, STILL))
        return product(links)
