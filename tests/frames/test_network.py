"""Searches, paths, cycles and extents of networks."""

import itertools

import numpy as np
import pytest

from kempe.errors import Disconnected, UnknownName
from kempe.frames.networks.cycles import closed_paths, cycle_basis, minimal_cycle_basis
from kempe.frames.networks.extent import (
    articulation_vertices,
    diameter,
    eccentricity,
    level_separator,
    level_width,
    monotone_ordering,
    peripheral,
    pseudo_peripheral,
)
from kempe.frames.networks.network import (
    Network,
    breadth_first,
    components,
    depth_first,
    levels,
    shortest_path,
    simple_paths,
    spanning_forest,
)

#   a - b - c - d      e - f      g
#       |   |
#       h - i
NETWORK = Network.of("abcdefghi", ["ab", "bc", "cd", "ef", "bh", "hi", "ic"])
SEEDS = range(12)


def any_network(seed: int) -> Network:
    """Up to eight vertices and eleven edges, some of them double."""
    rng = np.random.default_rng(seed)
    names = "abcdefgh"[: int(rng.integers(3, 9))]
    edges = [rng.choice(list(names), 2, replace=False) for _ in range(int(rng.integers(2, 12)))]
    return Network.of(names, [(str(a), str(b)) for a, b in edges])


def distances(network: Network) -> dict[tuple[str, str], float]:
    """Floyd and Warshall: slow and plain."""
    names = list(network.steps)
    far = {(a, b): 0.0 if a == b else float("inf") for a in names for b in names}
    for a, b in network.edges:
        far[a, b] = far[b, a] = 1.0
    for k, a, b in itertools.product(names, repeat=3):
        far[a, b] = min(far[a, b], far[a, k] + far[k, b])
    return far


def reach(network: Network, name: str) -> float:
    return max(d for (a, _), d in distances(network).items() if a == name and d < float("inf"))


@pytest.mark.row("D4")
def test_a_breadth_first_search_takes_the_nearest_first_and_a_depth_first_one_goes_on() -> None:
    assert list(breadth_first(NETWORK, "a").parent) == list("abchdi")
    assert list(depth_first(NETWORK, "a").parent) == list("abcdih")
    assert depth_first(NETWORK, "a").parent["h"] == ("i", 5)


def test_levels_are_vertices_of_equal_distance() -> None:
    assert levels(NETWORK, "a") == [["a"], ["b"], ["c", "h"], ["d", "i"]]
    assert level_width(NETWORK, "a") == 2
    assert level_separator(NETWORK, "a") == ["b"]
    assert level_separator(NETWORK, "e") == []


def test_components_and_a_forest_span_everything() -> None:
    assert [sorted(c) for c in components(NETWORK)] == [list("abcdhi"), list("ef"), ["g"]]
    forest = spanning_forest(NETWORK, roots=["f"])
    assert forest.roots == ("f", "a", "g")
    assert set(forest.parent) == set(NETWORK.steps)


def test_a_monotone_ordering_has_every_child_before_its_parent() -> None:
    tree = breadth_first(NETWORK, "a")
    place = {v: k for k, v in enumerate(monotone_ordering(tree))}
    assert all(up is None or place[v] < place[up[0]] for v, up in tree.parent.items())
    assert place["a"] == len(place) - 1


@pytest.mark.row("D9")
@pytest.mark.parametrize("seed", SEEDS)
def test_shortest_paths_eccentricities_and_ends_agree_with_all_distances(seed) -> None:
    network = any_network(seed)
    far = distances(network)
    for a, b in itertools.product(network.steps, repeat=2):
        if far[a, b] < float("inf"):
            path = shortest_path(network, a, b)
            assert len(path) - 1 == far[a, b]
            assert all(y in {v for v, _ in network.steps[x]} for x, y in itertools.pairwise(path))
        else:
            with pytest.raises(Disconnected):
                shortest_path(network, a, b)
    ends = {v: reach(network, v) for v in network.steps}
    assert {v: eccentricity(network, v) for v in network.steps} == ends
    assert diameter(network) == max(ends.values())
    assert peripheral(network) == [v for v, e in ends.items() if e == max(ends.values())]
    for v in network.steps:
        assert ends[pseudo_peripheral(network, v)] >= ends[v]


@pytest.mark.parametrize("seed", SEEDS)
def test_simple_paths_are_all_orders_of_vertices_that_edges_join(seed) -> None:
    network = any_network(seed)
    a, b, *others = network.steps
    joined = {frozenset(e) for e in network.edges}
    wanted = {
        (a, *middle, b)
        for n in range(len(others) + 1)
        for middle in itertools.permutations(others, n)
        if all(frozenset(e) in joined for e in itertools.pairwise((a, *middle, b)))
    }
    found = [tuple(path) for path in simple_paths(network, a, b)]
    assert len(found) == len(set(found))
    assert set(found) == wanted
    assert set(map(tuple, simple_paths(network, a, b, longest=2))) == {
        w for w in wanted if len(w) <= 3
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_removing_an_articulation_vertex_and_no_other_parts_its_component(seed) -> None:
    network = any_network(seed)
    wanted = []
    for v in network.steps:
        rest = Network.of(
            [u for u in network.steps if u != v], [e for e in network.edges if v not in e]
        )
        lonely = not network.steps[v]
        if len(components(rest)) > len(components(network)) - lonely:
            wanted.append(v)
    assert articulation_vertices(network) == wanted


def cycles_of(network: Network) -> list[frozenset[int]]:
    """Every simple cycle as a set of edges: those where each vertex met is met twice, connected."""
    found = []
    for n in range(2, len(network.edges) + 1):
        for edges in itertools.combinations(range(len(network.edges)), n):
            ends = [v for k in edges for v in network.edges[k]]
            if all(ends.count(v) == 2 for v in ends):
                part = Network.of(set(ends), [network.edges[k] for k in edges])
                if len(components(part)) == 1:
                    found.append(frozenset(edges))
    return found


def rank(cycles: list[frozenset[int]]) -> int:
    """How many are independent as sets under symmetric difference."""
    rows: list[set[int]] = []
    for cycle in cycles:
        rest = set(cycle)
        for row in rows:
            if max(row) in rest:
                rest ^= row
        if rest:
            rows.append(rest)
            rows.sort(key=max, reverse=True)
    return len(rows)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_minimal_basis_is_independent_complete_and_of_least_length(seed) -> None:
    network = any_network(seed)
    count = len(network.edges) - len(network.steps) + len(components(network))
    assert len(cycle_basis(network)) == count
    basis = minimal_cycle_basis(network)
    every = sorted(cycles_of(network), key=len)
    greedy: list[frozenset[int]] = []  # the greedy choice among all cycles is the least
    for cycle in every:
        if rank([*greedy, cycle]) > len(greedy):
            greedy.append(cycle)
    assert len(basis) == count == rank([frozenset(c.edges) for c in basis])
    assert sum(map(len, basis)) == sum(map(len, greedy))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_cycle_goes_from_vertex_to_vertex_by_its_edges(seed) -> None:
    network = any_network(seed)
    for cycle in [*cycle_basis(network), *minimal_cycle_basis(network)]:
        around = [*cycle.vertices, cycle.vertices[0]]
        for edge, ends in zip(cycle.edges, itertools.pairwise(around), strict=True):
            assert set(network.edges[edge]) == set(ends)


def test_an_unknown_vertex_is_named_with_what_there_is() -> None:
    with pytest.raises(UnknownName, match="'z'"):
        levels(NETWORK, "z")


def test_a_long_chain_is_searched_without_recursion() -> None:
    names = [f"v{k}" for k in range(30_000)]
    chain = Network.of(names, list(itertools.pairwise(names)))
    assert eccentricity(chain, "v0") == 29_999
    assert len(depth_first(chain, "v0").parent) == 30_000
    assert len(articulation_vertices(chain)) == 29_998
    assert pseudo_peripheral(chain, "v15000") in ("v0", "v29999")


@pytest.mark.parametrize("seed", SEEDS)
def test_closed_paths_are_all_sums_of_a_basis_that_are_one_ring(seed) -> None:
    network = any_network(seed)
    basis = cycle_basis(network)
    rings = set()
    for picked in itertools.product([0, 1], repeat=len(basis)):
        edges: set[int] = set()
        for cycle, use in zip(basis, picked, strict=True):
            if use:
                edges ^= set(cycle.edges)
        if edges and is_one_ring(network, edges):
            rings.add(frozenset(edges))
    found = [frozenset(cycle.edges) for cycle in closed_paths(network)]
    assert len(found) == len(set(found))
    assert set(found) == rings
    short = [frozenset(cycle.edges) for cycle in closed_paths(network, longest=3)]
    assert set(short) == {ring for ring in rings if len(ring) <= 3}


def is_one_ring(network: Network, edges: set[int]) -> bool:
    """Whether edges make a connected graph in which every vertex has two of them."""
    ends = [v for k in edges for v in network.edges[k]]
    if any(ends.count(v) != 2 for v in ends):
        return False
    within = Network.of(dict.fromkeys(ends), [network.edges[k] for k in edges])
    return len(components(within)) == 1
