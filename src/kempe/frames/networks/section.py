"""What lies together in a network: neighbours, sections, cliques, cross-links, filled-in graphs.

Source: [Pissanetzky] section 2.2 for the notions.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from kempe.frames.networks.network import Network, Tree


def degree(network: Network, name: str) -> int:
    """How many edges end in a vertex; one from it to itself ends there twice."""
    known = network.known(name)
    return sum((a == known) + (b == known) for a, b in network.edges)


def neighbours(network: Network, name: str) -> list[str]:
    """The other vertices that an edge joins to this one, each once, in the order of edges."""
    found = dict.fromkeys(there for there, _ in network.steps[network.known(name)])
    return [there for there in found if there != name]


def section_graph(network: Network, names: Iterable[str]) -> Network:
    """The network of these vertices, and of all edges that have both ends among them."""
    kept = dict.fromkeys(network.known(name) for name in names)
    return Network.of(kept, [(a, b) for a, b in network.edges if a in kept and b in kept])


def is_clique(network: Network, names: Iterable[str]) -> bool:
    """Whether an edge joins every two of these vertices."""
    some = list(dict.fromkeys(network.known(name) for name in names))
    joined = {v: set(neighbours(network, v)) for v in some}
    return all(b in joined[a] for a, b in combinations(some, 2))


def cliques(network: Network) -> list[list[str]]:
    """All cliques that no other one contains, each in the order of the network.

    There may be as many as 3^(n/3) of them. Source: [BronKerbosch], with the pivot that has most
    neighbours among the candidates.
    """
    joined = {v: set(neighbours(network, v)) for v in network.steps}
    place = {v: k for k, v in enumerate(network.steps)}
    found: list[list[str]] = []
    waiting: list[tuple[set[str], set[str], set[str]]] = [(set(), set(joined), set())]
    while waiting:
        clique, candidates, done = waiting.pop()
        if not candidates and not done:
            found.append(sorted(clique, key=place.__getitem__))
            continue
        pivot = max(candidates | done, key=lambda v: len(joined[v] & candidates))
        for v in sorted(candidates - joined[pivot], key=place.__getitem__):
            waiting.append((clique | {v}, candidates & joined[v], done & joined[v]))
            candidates = candidates - {v}
            done = done | {v}
    return sorted((c for c in found if c), key=lambda c: [place[v] for v in c])


def cross_links(network: Network, tree: Tree) -> list[tuple[str, str]]:
    """Edges that join no vertex of a spanning tree to one above or below it.

    A depth-first tree has none; a breadth-first one has those within a level and between branches.
    """
    above = {v: set(tree.way_up(v)) for v in tree.parent}
    return [(a, b) for a, b in network.edges if a not in above[b] and b not in above[a]]


def fill_in(network: Network, ordering: Sequence[str]) -> list[tuple[str, str]]:
    """The edges that eliminating vertices in this order adds: with them the graph is triangulated.

    When a vertex is eliminated, its neighbours that are left become a clique. Where none is added,
    the graph was triangulated already, and the ordering is a perfect one.
    """
    for name in ordering:
        network.known(name)
    joined = {v: set(neighbours(network, v)) for v in network.steps}
    place, added = {v: k for k, v in enumerate(ordering)}, []
    for name in ordering:
        later = sorted((v for v in joined[name] if place[v] > place[name]), key=place.__getitem__)
        for a, b in combinations(later, 2):
            if b not in joined[a]:
                joined[a].add(b)
                joined[b].add(a)
                added.append((a, b))
    return added


def is_triangulated(network: Network) -> bool:
    """Whether every ring of more than three edges has a chord.

    Source: [TarjanYannakakis] maximum cardinality search, whose reversed order adds no edge then.
    """
    joined = {v: set(neighbours(network, v)) for v in network.steps}
    visited: dict[str, None] = {}
    while len(visited) < len(joined):
        left = (v for v in joined if v not in visited)
        visited[max(left, key=lambda v: len(joined[v] & visited.keys()))] = None
    return not fill_in(network, list(visited)[::-1])
