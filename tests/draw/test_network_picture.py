"""Layouts of networks: children beside parents, neighbours near, strangers apart."""

import numpy as np
import pytest

from kempe.draw.networks.network_picture import curved, middle_of, spring_layout, tree_layout
from kempe.frames.networks.network import Network, breadth_first, levels, spanning_forest


def network(*edges: str) -> Network:
    return Network.of(sorted(set("".join(edges))), [(e[0], e[1]) for e in edges])


def test_a_tree_has_depth_for_columns_and_no_two_leaves_in_a_row() -> None:
    tree = breadth_first(network("ab", "ac", "bd", "be", "ef"), "a")
    places = tree_layout(tree)
    assert {name: column for name, (column, _) in places.items()} == {
        "a": 0,
        "b": 1,
        "c": 1,
        "d": 2,
        "e": 2,
        "f": 3,
    }
    rows = [places[leaf][1] for leaf in "dfc"]
    assert rows == [0.0, 1.0, 2.0]
    assert places["b"][1] == 0.5 * (places["d"][1] + places["e"][1])


def test_a_forest_and_a_long_chain_are_laid_out_without_recursion() -> None:
    names = [f"f{k}" for k in range(20_000)]
    chain = Network.of(names, list(zip(names[1:], names[:-1], strict=True)))
    places = tree_layout(breadth_first(chain, "f0"))
    assert places["f19999"] == (19_999, 0.0)
    two = tree_layout(spanning_forest(network("ab", "cd")))
    assert two["b"][1] != two["d"][1]


def test_a_ring_is_drawn_as_a_regular_polygon() -> None:
    places = np.array(list(spring_layout(network("ab", "bc", "cd", "de", "ef", "fa")).values()))
    radii = np.linalg.norm(places - places.mean(axis=0), axis=1)
    assert np.ptp(radii) < 1e-3 * radii.mean()


@pytest.mark.parametrize(
    "edges", [("ab", "bc", "cd", "de"), ("ab", "bc", "ca", "cd", "de", "ec"), ("ab", "cd")]
)
def test_neighbours_are_nearer_than_strangers(edges: tuple[str, ...]) -> None:
    net = network(*edges)
    places = {k: np.array(v) for k, v in spring_layout(net).items()}
    near = [np.linalg.norm(places[a] - places[b]) for a, b in net.edges]
    assert 0.6 < min(near) <= max(near) < 1.4
    for a in net.steps:
        reached = {v for level in levels(net, a)[:2] for v in level}
        for b in net.steps:
            if b not in reached:
                assert np.linalg.norm(places[a] - places[b]) > max(near) * 1.05


def test_the_layout_is_the_same_every_time_with_the_first_vertex_lower_left() -> None:
    net = network("ab", "bc", "cd", "da", "ac", "de")
    assert spring_layout(net) == spring_layout(net)
    x, y = spring_layout(net)["a"]
    assert x <= 1e-9
    assert y <= 1e-9
    assert spring_layout(Network.of(["alone"], [])) == {"alone": (0.0, 0.0)}


def test_an_arc_starts_and_ends_where_it_should_and_bulges_by_its_bend() -> None:
    arc = curved(np.array([0.0, 0.0]), np.array([4.0, 0.0]), 1.0)
    assert arc[0].tolist() == [0.0, 0.0]
    assert arc[-1].tolist() == [4.0, 0.0]
    assert abs(arc[:, 1]).max() == 1.0
    assert middle_of(arc)[0] == pytest.approx(2.0)
