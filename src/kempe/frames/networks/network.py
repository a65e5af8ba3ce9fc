"""Networks: names joined by numbered edges, several between two names if need be.

The graph of frames and the graph of bodies are both networks; searches, paths, cycles and widths
are the same for both. Nothing recurses, so chains may be of any length.

Source: [Pissanetzky] ch. 2 for the notions.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, final

from kempe.errors import Disconnected, UnknownName, nearest_name

Step = tuple[str, int]  # the neighbour, and the number of the edge that leads there


@final
@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Vertices and, for each, its steps to neighbours, in the order edges were given."""

    steps: dict[str, list[Step]]
    edges: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, vertices: Iterable[str], edges: Iterable[tuple[str, str]]) -> "Network":
        """The network of these names and these pairs."""
        steps: dict[str, list[Step]] = {name: [] for name in vertices}
        pairs = tuple(edges)
        for number, (a, b) in enumerate(pairs):
            steps[a].append((b, number))
            if a != b:
                steps[b].append((a, number))
        return cls(steps, pairs)

    def __contains__(self, name: object) -> bool:
        return name in self.steps

    def __len__(self) -> int:
        return len(self.steps)

    def known(self, name: str) -> str:
        """The name, where the network has it."""
        if name not in self.steps:
            hint = nearest_name(name, self.steps)
            raise UnknownName(f"there is no {name!r} in the graph.{hint}", name=name)
        return name


@final
@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A spanning forest: for every vertex its parent and the edge to it, None for a root."""

    parent: dict[str, Step | None]  # in the order of discovery: a parent before its children

    @property
    def roots(self) -> tuple[str, ...]:
        """One vertex of every component, where the search began."""
        return tuple(v for v, up in self.parent.items() if up is None)

    def way_up(self, name: str) -> list[str]:
        """The vertex, its parent, and so on to the root."""
        way = [name]
        while (up := self.parent[way[-1]]) is not None:
            way.append(up[0])
        return way

    def path(self, a: str, b: str) -> list[str]:
        """The one path of the tree between two vertices."""
        up, down = self.way_up(a), self.way_up(b)
        if up[-1] != down[-1]:
            raise Disconnected(f"no path leads from {a!r} to {b!r}.", first=a, second=b)
        cut_common(up, down)
        return up + down[-2::-1]


def cut_common(up: list[Any], down: list[Any]) -> None:
    """Shorten two ways up to one root, so that they end in the first vertex that they share."""
    while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
        up.pop()
        down.pop()


def breadth_first(network: Network, root: str) -> Tree:
    """The tree of a breadth-first search: nearest vertices first."""
    return _breadth_first(network, [network.known(root)])


def spanning_forest(network: Network, roots: Iterable[str] = ()) -> Tree:
    """Breadth-first trees of every component, from the given roots first."""
    return _breadth_first(network, [*roots, *network.steps])


def _breadth_first(network: Network, roots: list[str]) -> Tree:
    parent: dict[str, Step | None] = {}
    for root in roots:
        if root in parent:
            continue
        parent[root] = None
        queue = deque([root])
        while queue:
            here = queue.popleft()
            for there, edge in network.steps[here]:
                if there not in parent:
                    parent[there] = (here, edge)
                    queue.append(there)
    return Tree(parent)


def depth_first(network: Network, root: str) -> Tree:
    """The tree of a depth-first search: on and on, then back."""
    parent: dict[str, Step | None] = {network.known(root): None}
    stack = [(root, iter(network.steps[root]))]
    while stack:
        here, steps = stack[-1]
        for there, edge in steps:
            if there not in parent:
                parent[there] = (here, edge)
                stack.append((there, iter(network.steps[there])))
                break
        else:
            stack.pop()
    return Tree(parent)


def levels(network: Network, root: str) -> list[list[str]]:
    """The level structure of a root: it, its neighbours, their other neighbours, and so on."""
    seen, structure = {network.known(root)}, [[root]]
    while True:
        level = []
        for here in structure[-1]:
            for there, _ in network.steps[here]:
                if there not in seen:
                    seen.add(there)
                    level.append(there)
        if not level:
            return structure
        structure.append(level)


def components(network: Network) -> list[list[str]]:
    """Vertices that hang together, component by component."""
    groups: dict[str, list[str]] = {}
    root = ""
    for name, up in spanning_forest(network).parent.items():
        if up is None:
            root = name
        groups.setdefault(root, []).append(name)
    return list(groups.values())


def joined(sets: Iterable[set[Any]]) -> list[list[Any]]:
    """Sets that share members joined into one, each in order, by their first members."""
    found: list[set[Any]] = []
    for one in sets:
        shared = [other for other in found if other & one]
        found = [*(other for other in found if not other & one), one.union(*shared)]
    return sorted(sorted(one) for one in found)


def shortest_path(network: Network, a: str, b: str) -> list[str]:
    """A path of fewest edges."""
    tree = breadth_first(network, network.known(a))
    if network.known(b) not in tree.parent:
        raise Disconnected(f"no path leads from {a!r} to {b!r}.", first=a, second=b)
    return tree.way_up(b)[::-1]


def simple_paths(
    network: Network, a: str, b: str, longest: int | None = None
) -> Iterator[list[str]]:
    """All paths that visit nothing twice, of at most `longest` edges; there may be very many."""
    network.known(b)
    way = {network.known(a): None}
    if a == b:
        yield [a]
        return
    stack = [iter(_neighbours(network, a))]
    while stack:
        there = next(stack[-1], None)
        if there is None:
            stack.pop()
            way.popitem()
        elif there == b:
            if longest is None or len(way) <= longest:
                yield [*way, b]
        elif there not in way and (longest is None or len(way) < longest):
            way[there] = None
            stack.append(iter(_neighbours(network, there)))


def _neighbours(network: Network, name: str) -> list[str]:
    """Each neighbour once, however many edges lead there."""
    return list(dict.fromkeys(there for there, _ in network.steps[name] if there != name))
