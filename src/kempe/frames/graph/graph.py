"""The graph of frames: any frame seen from any other, at any time, loops allowed.

Frames hang on parents in trees; the trees answer. Edges beyond the trees close loops, and each loop
tells how well it closes. Edges are fixed poses, states, functions of time or samples.

Source: [Pissanetzky] ch. 2, the coordinate system graph; closure errors and reconciliation: Own.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import final

from numpy.typing import ArrayLike

from kempe.errors import (
    BadNumber,
    CyclicFrames,
    Disconnected,
    DuplicateName,
    FrameError,
    TwoParents,
    UnknownFrame,
    nearest_name,
)
from kempe.frames.graph.frame_trees import (
    ROOT,
    Closing,
    Edge,
    FrameTrees,
    RigidGroups,
    checked_motion,
    fixed_pose,
    motion_parts,
    spread,
    times_of,
)
from kempe.frames.motions.motion import AbstractMotion, Rigid, motion_of
from kempe.frames.networks.network import Network
from kempe.frames.states.arrays import FloatArray, Parts, composed, inverted
from kempe.frames.states.state import KinematicState, made
from kempe.names import refuse_unreadable
from kempe.notebook import table_html

# Answers that are kept; a control loop asks for dozens, and a dictionary of these is a few MB.
ANSWERS_KEPT = 10_000


@final
class FrameGraph:
    """Named frames and the edges between them.

    Examples:
        >>> from kempe.frames import FrameGraph, Rigid
        >>> crane = FrameGraph("ground")
        >>> crane.add("boom", "ground", Rigid([0, 0, 2]))
        >>> crane.add("camera", "boom", Rigid([10, 0, 1]))
        >>> crane.state("camera", seen_from="ground").position.tolist()
        [10.0, 0.0, 3.0]
    """

    def __init__(self, root: str | None = None) -> None:
        self._number: dict[str, int] = {}
        self._name: list[str] = []
        self._motion: list[AbstractMotion | None] = []
        self._groups = RigidGroups()
        self._trees = FrameTrees(self._groups, self._name, self._motion)
        self._closing: list[Closing] = []
        self._answers: dict[tuple[str, str, float], KinematicState] = {}
        self._network: Network | None = None
        if root is not None:
            self.add(root)

    # -- building ----------------------------------------------------------------------------

    def add(self, frame: str, parent: str | None = None, edge: Edge = None) -> None:
        """A new frame, a root or hung on a parent; the edge is its state seen from the parent."""
        refuse_unreadable(frame, "no frame")
        if frame in self._number:
            up = self.parent(frame)
            if parent is not None and up is not None and parent != up:
                raise TwoParents(
                    f"{frame!r} hangs on {up!r} already and cannot hang on {parent!r} too: move it"
                    f" with reparent({frame!r}, {parent!r}, ...), or keep both and let"
                    f" close({frame!r}, {parent!r}, ...) make a loop of them.",
                    frame=frame,
                    parents=(up, parent),
                )
            raise DuplicateName(f"there is a frame {frame!r} already.", name=frame)
        above = ROOT if parent is None else self._known(parent)
        motion = None if parent is None else checked_motion(motion_of(edge), frame, parent, edge)
        number = self._groups.add()
        self._number[frame] = number
        self._name.append(frame)
        self._motion.append(motion)
        if motion is not None:
            self._groups.hang(number, above, fixed_pose(motion))
        self._network = None

    def close(self, frame: str, reference: str, edge: Edge = None) -> None:
        """One more edge between two frames of one tree: a loop, whose closure can be asked for."""
        self.path(frame, reference)
        motion = checked_motion(motion_of(edge), frame, reference, edge)
        self._closing.append(Closing(frame, reference, motion))
        self._network = None

    def change(self, frame: str, edge: Edge) -> None:
        """Another edge between a frame and its parent; everything below moves along."""
        number, parent = self._known(frame), self.parent(frame)
        if parent is None:
            raise FrameError(f"{frame!r} is a root and has no edge to change.", frame=frame)
        motion = checked_motion(motion_of(edge), frame, parent, edge)
        self._motion[number] = motion
        self._groups.hang(number, self._number[parent], fixed_pose(motion))
        self._answers.clear()

    def reparent(
        self, frame: str, parent: str, edge: Edge = None, *, keep_at: float | None = None
    ) -> None:
        """Hang a frame, and all below it, on another parent.

        The edge is its state seen from the new parent; with `keep_at` instead it stays where it is
        at that time, and is rigid from there on.
        """
        number, above = self._known(frame), self._known(parent)
        if above in set(self._groups.below([number])):
            way = self._trees.way_up(above)
            ring = " -> ".join(self._name[k] for k in way[: way.index(number) + 1])
            raise CyclicFrames(
                f"{frame!r} cannot hang on {parent!r}, which hangs below it: {ring}.", frame=frame
            )
        if keep_at is not None:
            here = self.state(frame, parent, keep_at)
            edge = Rigid(here.position, here.rotation)
        motion = checked_motion(motion_of(edge), frame, parent, edge)
        self._motion[number] = motion
        self._groups.hang(number, above, fixed_pose(motion))
        self._answers.clear()
        self._network = None
        self._closing = [c for c in self._closing if self._root(c.frame) == self._root(c.reference)]

    def remove(self, frame: str, *, with_children: bool = False) -> None:
        """Take a frame out, with its edges; what hangs below it must be taken along on purpose."""
        number = self._known(frame)
        below = self._groups.below([number])
        if len(below) > 1 and not with_children:
            child = self._name[next(iter(self._groups.children[number]))]
            raise FrameError(
                f"{child!r}{_others(len(below) - 2)} below {frame!r}: reparent what hangs there, or"
                " remove all of it, with_children=True.",
                frame=frame,
                below=len(below) - 1,
            )
        gone = {self._name[k] for k in below}
        for k in below:
            self._groups.hang(k, ROOT, None)
            self._motion[k] = None
            del self._number[self._name[k]]
        self._closing = [c for c in self._closing if not {c.frame, c.reference} & gone]
        self._answers.clear()
        self._network = None

    # -- asking ------------------------------------------------------------------------------

    def state(
        self,
        frame: str,
        seen_from: str,
        t: float | ArrayLike = 0.0,
        *,
        expressed_in: str | None = None,
    ) -> KinematicState:
        """The state of one frame seen from another, at a time or an array of times (s).

        Components are along the axes of `seen_from`, or of a third frame, `expressed_in`.
        """
        if isinstance(t, (float, int)):
            key = (frame, seen_from, t)
            state = self._answers.get(key)
            if state is None:
                state = self._found(frame, seen_from, times_of(t))
                if len(self._answers) >= ANSWERS_KEPT:
                    self._answers.clear()
                self._answers[key] = state
        else:
            state = self._found(frame, seen_from, times_of(t))
        if expressed_in is None or expressed_in == seen_from:
            return state
        return state.expressed(self.state(expressed_in, seen_from, t))

    def along(self, path: Sequence[str], t: float | ArrayLike = 0.0) -> KinematicState:
        """The state of the last frame of a path seen from the first, by the edges of this path.

        Neighbours must share an edge, of the tree or closing a loop (the first one given).
        """
        times = times_of(t)
        for name in path:
            self._known(name)
        if not path:
            raise BadNumber("a path needs at least one frame.")
        found = Rigid().parts(times)
        for here, there in pairwise(path):
            found = composed(found, self._step(here, there, times))
        return made(path[-1], path[0], spread(found, times))

    def parent(self, frame: str) -> str | None:
        """What a frame hangs on; None for a root."""
        up = self._groups.parent[self._known(frame)]
        return None if up == ROOT else self._name[up]

    @property
    def parents(self) -> dict[str, str | None]:
        """What every frame hangs on; None for a root."""
        return {frame: self.parent(frame) for frame in self}

    def path(self, a: str, b: str) -> list[str]:
        """The tree's path from one frame to another."""
        way = self._trees.path(self._known(a), self._known(b))
        return [self._name[k] for k in way]

    def edge(self, frame: str) -> AbstractMotion | None:
        """The motion of a frame seen from its parent; None for a root."""
        return self._motion[self._known(frame)]

    @property
    def closing(self) -> tuple[Closing, ...]:
        """The edges beyond the tree, one for every loop."""
        return tuple(self._closing)

    @property
    def network(self) -> Network:
        """Frames and edges as a network, for searches, paths and cycles: tree edges come first."""
        if self._network is None:
            hung = [(f, up) for f in self if (up := self.parent(f)) is not None]
            loops = [(c.frame, c.reference) for c in self._closing]
            self._network = Network.of(self, [*hung, *loops])
        return self._network

    def __iter__(self) -> Iterator[str]:
        return iter(self._number)

    def __contains__(self, frame: object) -> bool:
        return frame in self._number

    def __len__(self) -> int:
        return len(self._number)

    def _repr_html_(self) -> str:
        """What a notebook shows: every frame and the one that it hangs on."""
        rows = [[frame, parent or "-"] for frame, parent in self.parents.items()]
        return table_html(["frame", "hangs on"], rows, repr(self))

    def __repr__(self) -> str:
        roots = [f for f in self if self.parent(f) is None]
        loops = len(self._closing)
        return (
            f"FrameGraph of {len(self)} frames from {', '.join(map(repr, roots[:4]))}"
            f"{', ...' if len(roots) > 4 else ''}, {loops} loop{'s' * (loops != 1)}"
        )

    # -- inside ------------------------------------------------------------------------------

    def _known(self, frame: str) -> int:
        number = self._number.get(frame)
        if number is None:
            raise UnknownFrame(
                f"there is no frame {frame!r}.{nearest_name(frame, self._number)}", name=frame
            )
        return number

    def _root(self, frame: str) -> int:
        return self._trees.root(self._number[frame])

    def _found(self, frame: str, seen_from: str, t: FloatArray) -> KinematicState:
        parts = self._trees.parts(self._known(frame), self._known(seen_from), t)
        return made(frame, seen_from, spread(parts, t))

    def _step(self, here: str, there: str, t: FloatArray) -> Parts:
        """`there` seen from `here`, by the edge they share."""
        for frame, reference in ((there, here), (here, there)):
            if self.parent(frame) == reference:
                parts = self._trees.moved(self._number[frame], t)
                return parts if frame == there else inverted(parts)
        for edge in self._closing:
            if (edge.frame, edge.reference) == (there, here):
                return motion_parts(edge.motion, there, here, t)
            if (edge.frame, edge.reference) == (here, there):
                return inverted(motion_parts(edge.motion, here, there, t))
        raise Disconnected(f"no edge joins {here!r} and {there!r}.", first=here, second=there)


def _others(count: int) -> str:
    return f" and {count} other{'s' * (count != 1)} hang" if count else " hangs"


def parents_first(parents: Mapping[str, str | None]) -> list[str]:
    """Parents before children, in the order given; a ring of them is told in full."""
    order: dict[str, None] = {}
    for name in parents:
        way: dict[str, None] = {}
        here: str | None = name
        while here is not None and here not in order:
            if here in way:
                ring = list(way)[list(way).index(here) :]
                first = min(ring, key=list(parents).index)
                turn = ring.index(first)
                around = [first, *reversed(ring[turn + 1 :] + ring[:turn]), first]
                raise CyclicFrames(
                    f"frames hang on each other in a ring: {' -> '.join(around)}. Give one of them"
                    " no parent, and list its edge under `loops`.",
                    cycle=tuple(around),
                )
            way[here] = None
            here = parents[here]
        order.update(dict.fromkeys(reversed(way)))
    return list(order)
