"""The bodies-and-constraints graph: bodies are its vertices, joints its edges.

Its loops are chosen with the fewest joints, as an engineer would draw them.

Source: [Pissanetzky] on the graph of bodies and constraints.
"""

from dataclasses import dataclass
from typing import final

from kempe.frames.networks.cycles import minimal_cycle_basis
from kempe.frames.networks.extent import articulation_vertices
from kempe.frames.networks.network import Network, Tree, components, spanning_forest
from kempe.geometry import GROUND
from kempe.joints import AbstractJoint, Ways
from kempe.model.model import Model

MOST_NAMED = 16  # bodies of a loop that are told one by one; `Loop.bodies` has all of them


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
        names = list(self.bodies)
        if len(names) > MOST_NAMED:
            names[MOST_NAMED // 2 : 1 - MOST_NAMED // 2] = [f"({len(names) - MOST_NAMED + 1} more)"]
        return " - ".join(names)


@final
@dataclass(frozen=True, slots=True, eq=False)
class BodiesGraph:
    """Bodies, the joints between them, and what follows from who is joined to whom."""

    network: Network  # edge k is joint k
    tree: Tree  # from the ground first
    components: tuple[tuple[str, ...], ...]  # that of the ground first
    loops: tuple[Loop, ...]  # a minimal basis, shortest first
    articulations: tuple[str, ...]  # bodies that alone hold parts of the mechanism together

    def __str__(self) -> str:
        lines = [f"{len(self.network)} bodies, {len(self.network.edges)} joints"]
        lines += [f"loop: {loop}" for loop in self.loops]
        lines += [f"apart from the ground: {', '.join(c)}" for c in self.components[1:]]
        if self.articulations:
            lines.append(f"articulation bodies: {', '.join(self.articulations)}")
        return "\n".join(lines)


def bodies_graph(model: Model) -> BodiesGraph:
    """The graph of a model's bodies and joints.

    Examples:
        >>> import kempe
        >>> from kempe.model.graph import bodies_graph
        >>> print(bodies_graph(kempe.gallery.four_bar().model))
        4 bodies, 4 joints
        loop: ground - crank - coupler - rocker
    """
    names = [GROUND, *(b.name for b in model.moving)]
    network = Network.of(names, [(j.I.body, j.J.body) for j in model.joints])
    loops = tuple(
        Loop(cycle.vertices, tuple(model.joints[k] for k in cycle.edges), model.plane)
        for cycle in minimal_cycle_basis(network)
    )
    return BodiesGraph(
        network,
        spanning_forest(network),
        tuple(tuple(c) for c in components(network)),
        loops,
        tuple(articulation_vertices(network)),
    )
