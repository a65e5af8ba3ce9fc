"""Cliques, sections, cross-links and fill-in of networks, against brute force and definitions."""

import itertools

import numpy as np
import pytest

from kempe.frames.networks.network import Network, breadth_first, depth_first
from kempe.frames.networks.section import (
    cliques,
    cross_links,
    degree,
    fill_in,
    is_clique,
    is_triangulated,
    neighbours,
    section_graph,
)

pytestmark = pytest.mark.row("D11")
SEEDS = range(30)


def any_network(seed: int) -> Network:
    rng = np.random.default_rng(seed)
    names = "abcdefg"[: int(rng.integers(3, 8))]
    edges = [rng.choice(list(names), 2) for _ in range(int(rng.integers(2, 14)))]
    return Network.of(names, [(str(a), str(b)) for a, b in edges])


def sets_of(names):
    return itertools.chain.from_iterable(
        itertools.combinations(names, k) for k in range(1, len(names) + 1)
    )


def has_chordless_ring(network: Network) -> bool:
    """A ring of four or more vertices without a chord is a section whose degrees are all two."""
    for some in sets_of(list(network.steps)):
        inside = {v: set(neighbours(network, v)) & set(some) for v in some}
        if len(some) > 3 and all(len(near) == 2 for near in inside.values()):
            seen, here = set(), some[0]
            while here not in seen:
                seen.add(here)
                here = next((v for v in inside[here] if v not in seen), here)
            if len(seen) == len(some):
                return True
    return False


@pytest.mark.parametrize("seed", SEEDS)
def test_the_largest_cliques_are_those_that_trying_all_sets_finds(seed):
    network = any_network(seed)
    all_of_them = [set(some) for some in sets_of(list(network.steps)) if is_clique(network, some)]
    largest = [c for c in all_of_them if not any(c < other for other in all_of_them)]
    found = [set(c) for c in cliques(network)]
    assert len(found) == len(largest)
    assert all(c in largest for c in found)


@pytest.mark.parametrize("seed", SEEDS)
def test_degrees_add_up_to_twice_the_edges(seed):
    network = any_network(seed)
    assert sum(degree(network, v) for v in network.steps) == 2 * len(network.edges)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_depth_first_tree_has_no_cross_links_and_a_breadth_first_one_none_across_two_levels(seed):
    network = any_network(seed)
    start = next(iter(network.steps))
    deep, wide = depth_first(network, start), breadth_first(network, start)
    inside = section_graph(network, deep.parent)
    assert cross_links(inside, deep) == []
    for a, b in cross_links(inside, wide):
        assert abs(len(wide.way_up(a)) - len(wide.way_up(b))) <= 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_graph_with_its_fill_in_has_no_ring_without_a_chord(seed):
    network = any_network(seed)
    assert is_triangulated(network) is not has_chordless_ring(network)
    added = fill_in(network, list(network.steps))
    filled = Network.of(network.steps, [*network.edges, *added])
    assert is_triangulated(filled)
    assert not has_chordless_ring(filled)


def test_a_section_has_the_edges_between_its_vertices_alone():
    network = Network.of("abcd", ["ab", "bc", "cd", "da", "ab"])
    assert section_graph(network, "abc").edges == (("a", "b"), ("b", "c"), ("a", "b"))
