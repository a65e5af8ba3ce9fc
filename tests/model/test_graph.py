"""The graph of bodies and constraints, and the mobility of its loops."""

import pytest

import kempe
from kempe.model.graph import bodies_graph


def chain(*joints: str, plane: bool = True) -> kempe.Mechanism:
    """Bars joined end to start by hinges, given as pairs of letters; g is the ground."""
    builder = kempe.Builder("net", plane=plane)
    letters = sorted(set("".join(joints)) - {"g"})
    bars = {letter: builder.bar(letter, 1.0) for letter in letters}
    for k, (a, b) in enumerate(joints):
        first = builder.ground.at(float(k), 0.0) if a == "g" else bars[a].end
        builder.revolute(first, bars[b].start, name=f"J{k}")
    return builder.build()


def test_a_four_bar_is_one_loop_that_moves_in_one_way() -> None:
    (loop,) = kempe.gallery.four_bar().loops()
    assert set(loop.loop.bodies) == {"ground", "crank", "coupler", "rocker"}
    assert (loop.by_count, loop.by_rank, loop.redundant) == (1, 1, 0)


@pytest.mark.row("D5")
def test_a_four_bar_in_space_moves_though_the_count_says_it_is_stiff() -> None:
    (loop,) = kempe.gallery.four_bar(plane=False).loops()
    assert (loop.by_count, loop.by_rank, loop.redundant) == (-2, 1, 3)


def test_the_loops_of_a_chain_of_four_bars_are_its_cells() -> None:
    loops = kempe.gallery.four_bar_chain(loops=5).loops()
    assert len(loops) == 5
    assert all((x.by_count, x.by_rank) >= (1, 1) for x in loops)
    assert all(len(x.loop.joints) == 4 for x in loops)


@pytest.mark.parametrize(
    ("joints", "loops", "components", "articulations"),
    [
        (("ga", "ab", "bc"), 0, 1, ("a", "b")),
        (("ga", "gb", "ab"), 1, 1, ()),
        (("ga", "ab", "cd"), 0, 2, ("a",)),
        (("ga", "gb", "ab", "gc", "gd", "cd"), 2, 1, ("ground",)),
        (("ga", "ga"), 1, 1, ()),
    ],
)
def test_loops_components_and_articulations_follow_from_who_is_joined_to_whom(
    joints, loops, components, articulations
) -> None:
    graph = bodies_graph(chain(*joints).model)
    assert len(graph.loops) == loops
    assert len(graph.components) == components
    assert graph.articulations == articulations
    assert graph.tree.roots[0] == "ground"


def test_loops_are_the_shortest_there_are() -> None:
    # A square with a bar across: two triangles, not a triangle and the square.
    graph = bodies_graph(chain("ga", "ab", "bc", "gc", "gb").model)
    assert [len(loop.joints) for loop in graph.loops] == [3, 3]
    assert "loop: " in str(graph)
