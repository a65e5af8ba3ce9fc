"""The graph of a mechanism: bodies are its nodes, joints its edges.

A spanning tree from the ground leaves one edge over for every independent loop.

Source: [Pissanetzky] on the graph of bodies and constraints.
"""

from collections import deque
from dataclasses import dataclass
from typing import final

from kempe.geometry import GROUND
from kempe.joints import AbstractJoint, Ways
from kempe.model.model import Model


@final
@dataclass(frozen=True, slots=True)
class Loop:
    """A closed path: body k is joined to body k + 1 by joint k, the last to the first."""

    bodies: tuple[str, ...]
    joints: tuple[AbstractJoint, ...]
    plane: bool  # whether it moves in the plane

    @property
    def ways(self) -> tuple[Ways, ...]:
        """What each of its joints leaves free."""
        return tuple(joint.ways(plane=self.plane) for joint in self.joints)

    def __str__(self) -> str:
        return " - ".join(self.bodies)


@final
@dataclass(frozen=True, slots=True)
class Topology:
    """Components (sets of connected bodies), their tree and their loops."""

    components: tuple[tuple[str, ...], ...]
    parent: dict[str, tuple[str, AbstractJoint] | None]
    loops: tuple[Loop, ...]

    @property
    def adrift(self) -> tuple[str, ...]:
        """Bodies that no path of joints connects to the ground."""
        return tuple(b for c in self.components if GROUND not in c for b in c)


def topology(model: Model) -> Topology:
    """Components, spanning forest and fundamental loops of a model's bodies and joints."""
    names = [GROUND, *(b.name for b in model.moving)]
    edges: dict[str, list[AbstractJoint]] = {name: [] for name in names}
    for joint in model.joints:
        edges[joint.I.body].append(joint)
        edges[joint.J.body].append(joint)
    parent: dict[str, tuple[str, AbstractJoint] | None] = {}
    components, used = [], set()
    for root in names:
        if root in parent:
            continue
        parent[root] = None
        members, queue = [root], deque([root])
        while queue:
            body = queue.popleft()
            for joint in edges[body]:
                other = joint.J.body if joint.I.body == body else joint.I.body
                if other not in parent:
                    parent[other] = (body, joint)
                    used.add(joint.name)
                    members.append(other)
                    queue.append(other)
        components.append(tuple(members))
    loops = tuple(_loop(j, parent, model.plane) for j in model.joints if j.name not in used)
    return Topology(tuple(components), parent, loops)


def _loop(
    joint: AbstractJoint, parent: dict[str, tuple[str, AbstractJoint] | None], plane: bool
) -> Loop:
    """The tree's path between the ends of a joint, closed by the joint."""
    left, right = _way_up(joint.I.body, parent), _way_up(joint.J.body, parent)
    while len(left[0]) > 1 and len(right[0]) > 1 and left[0][-2] == right[0][-2]:
        for bodies, joints in (left, right):
            bodies.pop()
            joints.pop()
    bodies = [*left[0], *reversed(right[0][:-1])]
    joints = [*left[1], *reversed(right[1]), joint]
    return Loop(tuple(bodies), tuple(joints), plane)


def _way_up(
    body: str, parent: dict[str, tuple[str, AbstractJoint] | None]
) -> tuple[list[str], list[AbstractJoint]]:
    bodies, joints = [body], []
    while (step := parent[bodies[-1]]) is not None:
        bodies.append(step[0])
        joints.append(step[1])
    return bodies, joints
