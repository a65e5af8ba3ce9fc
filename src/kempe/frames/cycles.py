"""Closed paths: one for every edge that a spanning tree leaves out, and the shortest such set."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import final

from kempe.frames.network import Network, Tree, breadth_first, spanning_forest


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
    length; one is kept where its edges, as a vector of zeros and ones, are no sum of kept ones.

    Source: [Horton].
    """
    wanted = len(cycle_basis(network))
    if not wanted:
        return []
    candidates: dict[int, Cycle] = {}
    for root in _on_cycles(network):
        tree = breadth_first(network, root)
        used = {up[1] for up in tree.parent.values() if up is not None}
        for k, (a, _) in enumerate(network.edges):
            if k in used or a not in tree.parent:
                continue
            cycle = closed_by(network, tree, k)
            candidates.setdefault(_bits(cycle), cycle)
    chosen: list[Cycle] = []
    pivots: dict[int, int] = {}  # highest bit -> a reduced vector with it
    for bits, cycle in sorted(candidates.items(), key=lambda item: len(item[1])):
        rest = bits
        while rest and rest.bit_length() in pivots:
            rest ^= pivots[rest.bit_length()]
        if rest:
            pivots[rest.bit_length()] = rest
            chosen.append(cycle)
        if len(chosen) == wanted:
            break
    return chosen


def _on_cycles(network: Network) -> list[str]:
    """Vertices that some fundamental cycle passes; no other can lie on any cycle."""
    return list(dict.fromkeys(v for cycle in cycle_basis(network) for v in cycle.vertices))


def _bits(cycle: Cycle) -> int:
    bits = 0
    for edge in cycle.edges:
        bits |= 1 << edge
    return bits
