"""The graph of frames: queries, loops, changes and mistakes."""

import itertools

import numpy as np
import pytest

from kempe.errors import (
    BadNumber,
    CyclicFrames,
    Disconnected,
    DuplicateName,
    EdgeFailed,
    FrameError,
    FrameMismatch,
    OutsideBuffer,
    TwoParents,
    UnknownFrame,
)
from kempe.frames import (
    ByFormula,
    ByFunction,
    FrameGraph,
    KinematicState,
    Rigid,
    Sampled,
    Uniform,
)
from kempe.geometry import Pose, Rotation, Vector

ROUNDING = 1e-12
MANY = 100_000


def swinging(t: object) -> Pose:
    return Pose(Vector(np.sin(t), 0.2 * t, 1.0), Rotation.planar(np.cos(t)))


@pytest.fixture
def tree(any_state) -> FrameGraph:
    """Eight frames; fixed poses, states, functions and formulas in turn."""
    still = [Rigid(s.position, s.rotation) for s in (any_state("x", "y") for _ in range(4))]
    graph = FrameGraph("a")
    graph.add("b", "a", still[0])
    graph.add("c", "b", ByFormula(swinging))
    graph.add("d", "c", still[1])
    graph.add("e", "d", Uniform(still[2], velocity=[1, 2, 3], angular_velocity=[0.1, 0.2, 0.3]))
    graph.add("f", "b", any_state("f", "b"))
    graph.add("g", "f", still[3])
    graph.add("h", "g", lambda t: KinematicState("h", "g", [t, t * t, 0], velocity=[1, 2 * t, 0]))
    return graph


def test_the_chain_of_four_has_the_states_found_with_fifty_digits(chain, apart) -> None:
    graph = FrameGraph("ground")
    for edge in chain["edges"]:
        graph.add(edge.frame, edge.reference, edge)
    for wanted in chain["from_ground"]:
        assert apart(graph.state(wanted.frame, "ground"), wanted) < ROUNDING
    assert apart(graph.state("ground", "four"), chain["ground_from_last"]) < ROUNDING
    assert apart(graph.state("four", "one"), chain["last_from_first"]) < ROUNDING


def test_the_chain_hung_the_other_way_round_gives_the_same(chain, apart) -> None:
    graph = FrameGraph("four")
    for edge in reversed(chain["edges"]):
        graph.add(edge.reference, edge.frame, edge.inverse())
    for wanted in chain["from_ground"]:
        assert apart(graph.state(wanted.frame, "ground"), wanted) < ROUNDING


@pytest.mark.parametrize("t", [0.0, 0.7, np.linspace(0.0, 2.0, 5)], ids=["zero", "one", "many"])
def test_every_pair_agrees_with_the_sum_along_its_path(t, tree, apart) -> None:
    for a, b in itertools.product(tree, repeat=2):
        found = tree.state(b, seen_from=a, t=t)
        assert found.position.shape == (*np.shape(t), 3)
        assert apart(found, tree.along(tree.path(a, b), t)) < ROUNDING


def test_many_times_are_answered_as_each_of_them_is(tree, apart) -> None:
    times = np.linspace(-1.0, 1.0, 4)
    for a, b in [("a", "e"), ("h", "e"), ("d", "c"), ("g", "f")]:
        whole = tree.state(a, b, times)
        for k, t in enumerate(times):
            assert apart(whole[k], tree.state(a, b, float(t))) < ROUNDING


def test_going_by_way_of_any_third_frame_changes_nothing(tree, apart) -> None:
    for a, b, c in itertools.permutations("acefh", 3):
        by_way = tree.state(b, a, 0.4) + tree.state(c, b, 0.4)
        assert apart(by_way, tree.state(c, a, 0.4)) < ROUNDING * 10


def test_a_state_is_shown_in_the_axes_of_a_third_frame(tree, apart) -> None:
    shown = tree.state("e", "a", 0.3, expressed_in="h")
    turn = tree.state("h", "a", 0.3).rotation
    plain = tree.state("e", "a", 0.3)
    np.testing.assert_allclose(shown.velocity, turn.T @ plain.velocity, atol=ROUNDING)
    assert apart(shown.resolved(), plain) < ROUNDING


def test_a_question_asked_again_is_answered_from_memory(tree) -> None:
    assert tree.state("h", "e", 0.5) is tree.state("h", "e", 0.5)


def test_a_changed_edge_moves_everything_below_and_nothing_else(tree, apart) -> None:
    before = {n: tree.state(n, "a", 0.2) for n in tree}
    inside = tree.state("e", "c", 0.2)
    tree.change("b", Rigid([5, 0, 0]))
    assert apart(tree.state("b", "a", 0.2), KinematicState("b", "a", [5, 0, 0])) == 0.0
    assert apart(tree.state("e", "c", 0.2), inside) < ROUNDING
    assert apart(tree.state("h", "a", 0.2), before["h"]) > 0.1
    assert apart(tree.state("h", "a", 0.2), tree.along(tree.path("a", "h"), 0.2)) < ROUNDING


def test_changes_in_any_order_give_what_a_new_graph_gives(any_state, apart, rng) -> None:
    names = [f"f{k}" for k in range(40)]
    parents = [None, *(f"f{int(rng.integers(0, k))}" for k in range(1, 40))]
    graph = FrameGraph("f0")
    poses = {n: any_state(n, "x") for n in names}
    for n, up in zip(names[1:], parents[1:], strict=True):
        graph.add(n, up, Rigid(poses[n].position, poses[n].rotation))
        if rng.random() < 0.3:
            graph.state(n, "f0")
    for _ in range(30):
        n = names[int(rng.integers(1, 40))]
        poses[n] = any_state(n, "x")
        graph.change(n, Rigid(poses[n].position, poses[n].rotation))
        if rng.random() < 0.3:
            graph.state(n, "f0")
    fresh = FrameGraph("f0")
    for n, up in zip(names[1:], parents[1:], strict=True):
        fresh.add(n, up, Rigid(poses[n].position, poses[n].rotation))
    for n in names:
        assert apart(graph.state(n, "f7"), fresh.state(n, "f7")) < ROUNDING * 10


def test_a_frame_hung_elsewhere_takes_what_is_below_along(tree, apart) -> None:
    inside = tree.state("e", "d", 0.3)
    kept = tree.state("d", "h", 0.3)
    tree.reparent("d", "h", keep_at=0.3)
    assert tree.parent("d") == "h"
    assert apart(tree.state("d", "h", 0.9), kept.assigned("d", "h")) > 0.0  # rigid now: no rates
    np.testing.assert_allclose(tree.state("d", "h", 0.9).position, kept.position, atol=ROUNDING)
    assert apart(tree.state("e", "d", 0.3), inside) < ROUNDING
    assert tree.path("c", "e") == ["c", "b", "f", "g", "h", "d", "e"]


def test_a_frame_cannot_hang_below_itself(tree) -> None:
    with pytest.raises(CyclicFrames, match="e -> d -> c"):
        tree.reparent("c", "e")


def test_a_frame_with_children_is_removed_only_on_purpose(tree) -> None:
    with pytest.raises(FrameError, match="'d' and 1 other hang below 'c'"):
        tree.remove("c")
    tree.remove("c", with_children=True)
    assert list(tree) == ["a", "b", "f", "g", "h"]
    with pytest.raises(UnknownFrame):
        tree.state("d", "a")
    tree.add("c", "h")  # the name is free again
    np.testing.assert_allclose(tree.state("c", "h").position, np.zeros(3), atol=ROUNDING)


def test_an_unknown_frame_is_named_with_the_nearest() -> None:
    graph = FrameGraph("camera")
    with pytest.raises(UnknownFrame, match=r"'camra'.*Did you mean 'camera'"):
        graph.state("camra", "camera")


def test_a_second_parent_is_refused_and_both_are_named(tree) -> None:
    with pytest.raises(TwoParents, match=r"'c' hangs on 'b'.*'h'.*close") as caught:
        tree.add("c", "h")
    assert caught.value.facts["parents"] == ("b", "h")
    with pytest.raises(DuplicateName):
        tree.add("c", "b")


def test_frames_of_two_trees_are_refused_and_both_trees_named(tree) -> None:
    tree.add("island")
    tree.add("lighthouse", "island")
    for ask in (tree.state, tree.path, tree.close):
        with pytest.raises(Disconnected) as caught:
            ask("h", "lighthouse")
        said = str(caught.value)
        assert "tree of 'a' (8 frames: 'a'," in said
        assert "tree of 'island' (2 frames: 'island', 'lighthouse')" in said
        assert set(caught.value.facts["roots"]) == {"a", "island"}


def test_an_edge_whose_function_raises_is_named() -> None:
    def broken(t: float) -> KinematicState:
        raise ZeroDivisionError("no speed")

    graph = FrameGraph("a")
    graph.add("b", "a", broken)
    graph.add("c", "a")
    with pytest.raises(EdgeFailed, match=r"edge from 'a' to 'b'.*ZeroDivisionError.*no speed"):
        graph.state("b", "a", 1.0)
    graph.state("c", "a", 1.0)  # who does not need it is not hurt by it
    graph.change("b", lambda t: 7)
    with pytest.raises(EdgeFailed, match="must give a KinematicState, it gave int"):
        graph.state("b", "a", 1.0)


def test_a_function_of_many_times_is_called_once_where_it_can_be() -> None:
    calls = []

    def turning(t: np.ndarray) -> KinematicState:
        calls.append(t)
        x = np.stack([np.cos(t), np.sin(t), 0 * t], axis=-1)
        return KinematicState("b", "a", x)

    graph = FrameGraph("a")
    graph.add("b", "a", ByFunction(turning, vectorised=True))
    graph.state("b", "a", np.linspace(0, 1, 50))
    assert len(calls) == 1


def test_a_time_outside_the_buffer_is_refused_with_the_edge_and_the_gap() -> None:
    graph = FrameGraph("a")
    states = KinematicState("b", "a", np.zeros((2, 3)))
    graph.add("b", "a", Sampled([0.0, 1.0], states))
    with pytest.raises(OutsideBuffer, match=r"edge from 'a' to 'b': t = 1.5 s is 0.5 s after"):
        graph.state("b", "a", [0.5, 1.5])


def test_a_state_of_other_frames_is_no_edge() -> None:
    graph = FrameGraph("a")
    with pytest.raises(FrameMismatch, match=r"from 'a' to 'b' was given the state of 'x'"):
        graph.add("b", "a", KinematicState("x", "a"))
    assert "b" not in graph
    with pytest.raises(BadNumber, match="not a int"):
        graph.add("b", "a", 3)
    with pytest.raises(BadNumber, match="finite"):
        graph.state("a", "a", float("nan"))


def test_a_hundred_thousand_frames_in_a_chain_need_no_recursion() -> None:
    graph = FrameGraph("f0")
    quarter = Rigid([1.0, 0.0, 0.0], Rotation.planar(0.5 * np.pi))
    for k in range(1, MANY):
        graph.add(f"f{k}", f"f{k - 1}", quarter)
    end = graph.state(f"f{MANY - 1}", "f0")
    # four quarter turns come back; MANY - 1 leaves three: 1 + i - 1 = i, turned by -90 degrees
    np.testing.assert_allclose(end.position, [0.0, 1.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(end.rotation, Rotation.planar(-0.5 * np.pi).matrix(), atol=1e-9)
    graph.change("f50000", Rigid([2.0, 0.0, 0.0], Rotation.planar(0.5 * np.pi)))
    end = graph.state(f"f{MANY - 1}", "f0")
    assert float(np.linalg.norm(end.position - [0.0, 1.0, 0.0])) == pytest.approx(1.0, abs=1e-9)
    assert len(graph.path("f0", f"f{MANY - 1}")) == MANY


def test_a_long_chain_of_moving_frames_agrees_with_the_sum_one_by_one(apart) -> None:
    graph = FrameGraph("f0")
    for k in range(1, 201):
        edge = Uniform(Rigid([0.1, 0, 0]), angular_velocity=[0.01, 0, 0.02 * (k % 3)])
        graph.add(f"f{k}", f"f{k - 1}", edge)
    whole = graph.state("f200", "f0", 1.0)
    assert apart(whole, graph.along([f"f{k}" for k in range(201)], 1.0)) < 1e-10


@pytest.mark.parametrize("far", [1e101, 1e200, 1e308])
def test_places_so_far_away_that_their_sums_overflow_are_refused(far):
    """Three of 1e308 in a row made NaN."""
    graph = FrameGraph("world")
    place = Pose(Vector(far, far, -far), Rotation.planar(0.7))
    with pytest.raises(BadNumber, match="Choose a larger unit"):
        graph.add("a", "world", place)
    graph.add("a", "world", Pose(Vector(1e99, 0.0, 0.0), Rotation.planar(0.7)))
    with pytest.raises(BadNumber, match="Choose a larger unit"):
        graph.change("a", place)
