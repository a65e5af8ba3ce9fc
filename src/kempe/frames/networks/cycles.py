"""Closed paths: one for every edge that a spanning tree leaves out, and the shortest such set."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import final

from kempe.frames.networks.network import Network, Step, Tree, breadth_first, spanning_forest


@final
@dataclass(frozen=True, slots=True)
class Cycle:
    """A closed path: edge k leads from vertex k to vertex k + 1, the last back to the first."""

    vertices: tuple[str, ...]
    edges: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.edges)

    def __str__(self) -> str:
        return " - ".join(self.vertices)


def cycle_basis(network: Network, tree: Tree | None = None) -> list[Cycle]:
    """The fundamental cycles of a spanning forest, one for every edge it leaves out."""
    tree = tree or spanning_forest(network)
    used = {up[1] for up in tree.parent.values() if up is not None}
    left_out = (k for k in range(len(network.edges)) if k not in used)
    return [closed_by(network, tree, k) for k in left_out]


def closed_by(network: Network, tree: Tree, edge: int) -> Cycle:
    """The tree's path between the ends of an edge, closed by the edge."""
    a, b = network.edges[edge]
    vertices = tree.path(a, b)
    edges = []
    for here, there in pairwise(vertices):
        up, down = tree.parent[here], tree.parent[there]
        if up is not None and up[0] == there:
            edges.append(up[1])
        elif down is not None:
            edges.append(down[1])
    return Cycle(tuple(vertices), (*edges, edge))


def closed_paths(network: Network, longest: int | None = None) -> Iterator[Cycle]:
    """All closed paths that visit nothing twice, of at most `longest` edges; there may be many.

    Each is given once, from its first vertex and along the lower-numbered of its two edges there.
    """
    place = {name: k for k, name in enumerate(network.steps)}
    for start in network.steps:
        way, edges = {start: None}, list[int]()
        stack = [iter(network.steps[start])]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                way.popitem()
                if edges:
                    edges.pop()
                continue
            there, edge = step
            if there == start:
                if not edges or edges[0] < edge:  # one edge: a vertex joined to itself
                    yield Cycle(tuple(way), (*edges, edge))
            elif (
                there not in way
                and place[there] > place[start]
                and (longest is None or len(edges) + 1 < longest)
            ):
                way[there] = None
                edges.append(edge)
                stack.append(iter(network.steps[there]))


def minimal_cycle_basis(network: Network) -> list[Cycle]:
    """Independent cycles with the fewest edges in all, shortest first.

    Every cycle of some minimal basis is a shortest way round an edge (a, b) from a vertex r: two
    branches of r's breadth-first tree and the edge between them. Those candidates are tried by
    length; one is kept where its edges, as a vector of zeros and ones, are no sum of kept ones. No
    cycle passes through more than one block, so blocks are searched one by one.

    Source: [Horton]; blocks: [Tarjan].
    """
    found: list[tuple[int, int, Cycle]] = []
    passed = dict.fromkeys(v for cycle in cycle_basis(network) for v in cycle.vertices)
    order = {name: k for k, name in enumerate(passed)}
    for block in blocks(network):
        if network.edges[block[0]][0] in order and network.edges[block[0]][1] in order:
            found += _basis_of_block(network, block, order)
    return [cycle for _, _, cycle in sorted(found, key=lambda one: (len(one[2]), *one[:2]))]


def _basis_of_block(
    network: Network, block: list[int], order: dict[str, int]
) -> list[tuple[int, int, Cycle]]:
    """A minimal basis of the cycles in a block of edges, each with the root and edge it is of."""
    vertices = sorted({v for k in block for v in network.edges[k]}, key=order.__getitem__)
    steps: dict[str, list[Step]] = {name: [] for name in vertices}
    for k in block:
        a, b = network.edges[k]
        steps[a].append((b, k))
        if a != b:
            steps[b].append((a, k))
    own = Network(steps, network.edges)
    wanted = len(block) - len(vertices) + 1
    if not wanted:
        return []
    candidates: dict[int, tuple[int, int, Cycle]] = {}
    for root in vertices:
        tree = breadth_first(own, root)
        branch = {root: root}  # the child of the root through which a vertex is reached
        for name, up in tree.parent.items():
            if up is not None:
                branch[name] = name if up[0] == root else branch[up[0]]
        used = {up[1] for up in tree.parent.values() if up is not None}
        for k in block:
            a, b = network.edges[k]
            if k not in used and (branch[a] != branch[b] or a == b == root):
                cycle = closed_by(own, tree, k)
                bits = sum(1 << edge for edge in cycle.edges)
                candidates.setdefault(bits, (order[root], k, cycle))
    chosen: list[tuple[int, int, Cycle]] = []
    pivots: dict[int, int] = {}  # highest bit -> a reduced vector with it
    for bits, candidate in sorted(candidates.items(), key=lambda item: len(item[1][2])):
        rest = bits
        while rest and rest.bit_length() in pivots:
            rest ^= pivots[rest.bit_length()]
        if rest:
            pivots[rest.bit_length()] = rest
            chosen.append(candidate)
        if len(chosen) == wanted:
            break
    return chosen


def blocks(network: Network) -> list[list[int]]:
    """Edges in groups such that two edges of one group lie on a closed path; rising numbers.

    A depth-first search keeps a stack of edges, and cuts it where a subtree reaches no higher than
    the vertex it hangs on. Source: [Tarjan].
    """
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    found: list[list[int]] = []
    seen: set[int] = set()
    for root in network.steps:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        edges: list[int] = []
        stack = [(root, -1, 0, iter(network.steps[root]))]
        while stack:
            here, came_by, height, steps = stack[-1]
            for there, edge in steps:
                if edge == came_by or edge in seen:
                    continue
                seen.add(edge)
                if there == here:
                    found.append([edge])
                    continue
                edges.append(edge)
                if there in number:
                    low[here] = min(low[here], number[there])
                    continue
                number[there] = low[there] = len(number)
                stack.append((there, edge, len(edges) - 1, iter(network.steps[there])))
                break
            else:
                stack.pop()
                if not stack:
                    continue
                up = stack[-1][0]
                low[up] = min(low[up], low[here])
                if low[here] >= number[up]:
                    found.append(sorted(edges[height:]))
                    del edges[height:]
    return found
