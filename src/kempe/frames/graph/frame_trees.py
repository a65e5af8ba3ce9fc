"""Edges between frames, and trees of frames by number: how one is seen from another.

Every frame has an anchor, the highest ancestor that only fixed poses separate it from, and its pose
seen from there. A query inside a group is one product of two poses, however long the way; between
groups one goes up from one frame and down to the other. When a pose changes, only what hangs below
it is worked out again, all frames at once by doubling.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.errors import BadNumber, Disconnected, EdgeFailed, FrameMismatch, KempeError
from kempe.frames.motions.motion import STILL, AbstractMotion, Rigid
from kempe.frames.networks.network import cut_common
from kempe.frames.states.arrays import (
    TOO_FAR,
    FloatArray,
    Parts,
    composed,
    inverted,
    is_in_reach,
    six,
    turned,
)
from kempe.frames.states.state import KinematicState
from kempe.geometry.number import floats

Edge = AbstractMotion | KinematicState | Any  # Any: a Pose or a function of t
IntArray = NDArray[np.intp]
ROOT = -1


@final
@dataclass(frozen=True, slots=True, eq=False)
class Closing:
    """An edge beyond the tree: the state of `frame` seen from `reference`."""

    frame: str
    reference: str
    motion: AbstractMotion


def closing_parts(edge: Closing, t: float | ArrayLike) -> Parts:
    """The parts of a closing edge's state."""
    return motion_parts(edge.motion, edge.frame, edge.reference, times_of(t))


def motion_parts(motion: AbstractMotion, frame: str, reference: str, t: FloatArray) -> Parts:
    """A motion's parts, all in reach; where it fails the mistake says which edge it was."""
    try:
        parts = motion.parts(t)
    except KempeError as mistake:
        said = f"the edge from {reference!r} to {frame!r}: {mistake.message}"
        facts = {**mistake.facts, "frame": frame, "reference": reference}
        raise type(mistake)(said, **facts) from mistake.__cause__
    if not isinstance(motion, Rigid) and not all(map(is_in_reach, parts)):
        when = f"t = {t:g} s" if t.ndim == 0 else f"one of {len(t)} times up to {t.max():g} s"
        raise EdgeFailed(
            f"the edge from {reference!r} to {frame!r} has, at {when}, {TOO_FAR}",
            frame=frame,
            reference=reference,
        )
    return parts


def fixed_pose(motion: AbstractMotion) -> tuple[FloatArray, FloatArray] | None:
    """Position and rotation of a motion that never changes; None of any other."""
    return (motion.position, motion.rotation) if isinstance(motion, Rigid) else None


def checked_motion(motion: AbstractMotion, frame: str, parent: str, edge: Edge) -> AbstractMotion:
    """Refuse a state that is of other frames than the edge, and a pose that is out of reach."""
    if isinstance(edge, KinematicState) and (edge.frame, edge.reference) != (frame, parent):
        raise FrameMismatch(
            f"the edge from {parent!r} to {frame!r} was given the state of {edge.frame!r} seen from"
            f" {edge.reference!r}: give that of {frame!r} seen from {parent!r}.",
            first=frame,
            second=edge.frame,
        )
    if isinstance(motion, Rigid) and not is_in_reach(motion.position):
        raise BadNumber(f"the edge from {parent!r} to {frame!r} has {TOO_FAR}", frame=frame)
    return motion


def times_of(t: float | ArrayLike) -> FloatArray:
    """A time or times as an array, () or (n,), finite."""
    times = floats(t, "times")
    if times.ndim > 1 or not np.isfinite(times).all():
        raise BadNumber(f"a time is one finite number or (n,) of them, not {t!r}.")
    return times


def product(links: list[Parts]) -> Parts:
    """All links one after the other; neighbours are put together pair by pair, many at once."""
    if len(links) > 64 and all(link[1].ndim == 2 for link in links):
        many: Any = tuple(np.stack(part) for part in zip(*links, strict=True))
        while len(many[0]) > 1:
            odd = len(many[0]) % 2
            even: Any = tuple(x[: len(x) - odd : 2] for x in many)
            pairs = composed(even, tuple(x[1::2] for x in many))
            many = tuple(
                np.concatenate([x, y[-1:]]) if odd else x for x, y in zip(pairs, many, strict=True)
            )
        return six(x[0] for x in many)
    product = links[0]
    for link in links[1:]:
        product = composed(product, link)
    return product


def spread(parts: Parts, t: FloatArray) -> Parts:
    """As many instants as times."""
    if t.ndim == 0 or parts[1].ndim == 3:
        return parts
    return six(np.broadcast_to(x, (*t.shape, *x.shape)) for x in parts)


@final
class RigidGroups:
    """Parents, fixed poses and anchors of frames, by number."""

    def __init__(self) -> None:
        self.parent: list[int] = []
        self.children: list[set[int]] = []
        self.is_rigid: list[bool] = []  # whether a fixed pose leads from the parent
        self._edge_p: FloatArray = np.zeros((16, 3))
        self._edge_R: FloatArray = np.zeros((16, 3, 3))
        self._p: FloatArray = np.zeros((16, 3))  # seen from the anchor
        self._R: FloatArray = np.zeros((16, 3, 3))
        self._anchor: IntArray = np.zeros(16, dtype=np.intp)
        self._stale: set[int] = set()

    def add(self) -> int:
        """A new frame without a parent; its number."""
        k = len(self.parent)
        if k == len(self._p):
            self._edge_p, self._edge_R = _doubled(self._edge_p), _doubled(self._edge_R)
            self._p, self._R = _doubled(self._p), _doubled(self._R)
            self._anchor = np.concatenate([self._anchor, self._anchor])
        self.parent.append(ROOT)
        self.children.append(set())
        self.is_rigid.append(False)
        self._stale.add(k)
        return k

    def hang(self, k: int, parent: int, pose: tuple[FloatArray, FloatArray] | None) -> None:
        """Hang a frame on a parent, by a fixed pose, or by a motion (None)."""
        if self.parent[k] != parent:
            if self.parent[k] != ROOT:
                self.children[self.parent[k]].discard(k)
            if parent != ROOT:
                self.children[parent].add(k)
            self.parent[k] = parent
        self.is_rigid[k] = pose is not None
        if pose is not None:
            self._edge_p[k], self._edge_R[k] = pose
        self._stale.add(k)

    def below(self, starts: Iterable[int]) -> list[int]:
        """The frames and everything that hangs on them, parents before children."""
        seen = dict.fromkeys(starts)
        stack = list(seen)
        while stack:
            for child in self.children[stack.pop()]:
                if child not in seen:
                    seen[child] = None
                    stack.append(child)
        return list(seen)

    def anchored(self, k: int) -> tuple[int, FloatArray, FloatArray]:
        """A frame's anchor, and its position and rotation seen from there."""
        if self._stale:
            self._refresh()
        return int(self._anchor[k]), self._p[k], self._R[k]

    def _refresh(self) -> None:
        """Work out anchors and poses below every frame that changed.

        In every round each pose is put behind that of the frame it points to, and then points to
        where that one pointed, so a chain of n takes log2 n rounds.

        Source: [HillisSteele], on pointers instead of an array.
        """
        stale = np.array(self.below(self._stale), dtype=np.intp)
        self._stale.clear()
        place = np.full(len(self.parent), -1, dtype=np.intp)
        place[stale] = np.arange(len(stale))
        parent = np.fromiter((self.parent[k] for k in stale.tolist()), np.intp, len(stale))
        is_rigid = np.fromiter((self.is_rigid[k] for k in stale.tolist()), bool, len(stale))
        p = np.where(is_rigid[:, None], self._edge_p[stale], 0.0)
        R = np.where(is_rigid[:, None, None], self._edge_R[stale], np.eye(3))
        anchor = stale.copy()
        ahead = np.where(is_rigid, place[np.maximum(parent, 0)], -1)  # -1: nothing more to put
        fresh = np.flatnonzero(is_rigid & (ahead < 0))  # their parents have not changed
        if len(fresh):
            up = parent[fresh]
            p[fresh] = self._p[up] + turned(self._R[up], p[fresh])
            R[fresh] = self._R[up] @ R[fresh]
            anchor[fresh] = self._anchor[up]
        while len(left := np.flatnonzero(ahead >= 0)):
            j = ahead[left]
            p[left] = p[j] + turned(R[j], p[left])
            R[left] = R[j] @ R[left]
            anchor[left] = anchor[j]
            ahead[left] = ahead[j]
        self._p[stale], self._R[stale], self._anchor[stale] = p, R, anchor


def _doubled(array: FloatArray) -> FloatArray:
    return np.concatenate([array, np.zeros_like(array)])


@final
@dataclass(frozen=True, slots=True, eq=False)
class FrameTrees:
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
        cut_common(up, down)
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
        cut_common(up, down)
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
