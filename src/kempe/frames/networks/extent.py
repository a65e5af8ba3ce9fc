"""How far and how wide a network is: eccentricity, diameter, ends, separators, width, orders.

Source: [Pissanetzky] for the notions, [GeorgeLiu] for pseudo-peripheral vertices.
"""

from collections import Counter

from kempe.frames.networks.cycles import blocks
from kempe.frames.networks.network import Network, Tree, levels


def eccentricity(network: Network, name: str) -> int:
    """Edges to the vertex farthest from this one, within its component."""
    return len(levels(network, name)) - 1


def diameter(network: Network) -> int:
    """The largest eccentricity; of a network in pieces, that of its longest piece."""
    return max((eccentricity(network, v) for v in network.steps), default=0)


def peripheral(network: Network) -> list[str]:
    """Vertices whose eccentricity is the diameter. Needs a search from every vertex."""
    reach = {v: eccentricity(network, v) for v in network.steps}
    longest = max(reach.values(), default=0)
    return [v for v, e in reach.items() if e == longest]


def pseudo_peripheral(network: Network, start: str) -> str:
    """A vertex at or near an end, in a few searches.

    From the last level of the structure take the vertex of least degree, as long as that makes the
    structure deeper. Source: [GeorgeLiu].
    """
    here, structure = start, levels(network, start)
    while len(structure) > 1:
        there = min(structure[-1], key=lambda v: len(network.steps[v]))
        deeper = levels(network, there)
        if len(deeper) <= len(structure):
            return there if len(deeper) == len(structure) else here
        here, structure = there, deeper
    return here


def level_width(network: Network, root: str) -> int:
    """The size of the largest level of the root's level structure."""
    return max(len(level) for level in levels(network, root))


def level_separator(network: Network, root: str) -> list[str]:
    """The smallest inner level of the root's structure: without it the component falls apart."""
    inner = levels(network, root)[1:-1]
    return min(inner, key=len) if inner else []


def articulation_vertices(network: Network) -> list[str]:
    """Vertices whose removal parts their component, separators of one: two blocks share them."""
    within = [
        {v for k in block for v in network.edges[k]}
        for block in blocks(network)
        if len(set(network.edges[block[0]])) == 2  # no edge from a vertex to itself
    ]
    shared = Counter(v for vertices in within for v in vertices)
    return [v for v in network.steps if shared[v] > 1]


def monotone_ordering(tree: Tree) -> list[str]:
    """The vertices of a tree with every child before its parent, the root last."""
    return list(tree.parent)[::-1]
