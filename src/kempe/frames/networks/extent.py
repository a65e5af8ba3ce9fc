"""How far and how wide a network is: eccentricity, diameter, ends, separators, width, orders.

Source: [Pissanetzky] for the notions, [GeorgeLiu] for pseudo-peripheral vertices.
"""

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
    """Vertices whose removal parts their component: separators of one.

    A depth-first search numbers the vertices; `low` is the smallest number that a vertex's subtree
    reaches by one edge off the tree. Source: [Tarjan].
    """
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    found: dict[str, None] = {}
    for root in network.steps:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        children_of_root = 0
        stack = [(root, -1, iter(network.steps[root]))]
        while stack:
            here, came_by, steps = stack[-1]
            for there, edge in steps:
                if edge == came_by:
                    continue
                if there in number:
                    low[here] = min(low[here], number[there])
                    continue
                number[there] = low[there] = len(number)
                stack.append((there, edge, iter(network.steps[there])))
                break
            else:
                stack.pop()
                if not stack:
                    continue
                up = stack[-1][0]
                low[up] = min(low[up], low[here])
                if up == root:
                    children_of_root += 1
                elif low[here] >= number[up]:
                    found[up] = None
        if children_of_root > 1:
            found[root] = None
    return [v for v in network.steps if v in found]


def monotone_ordering(tree: Tree) -> list[str]:
    """The vertices of a tree with every child before its parent, the root last."""
    return list(tree.parent)[::-1]
