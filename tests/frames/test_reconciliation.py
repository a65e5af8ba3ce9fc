"""Loops: how far they are from closing, and the least that closes them."""

import numpy as np
import pytest

from kempe.errors import BadNumber, FrameError
from kempe.frames import FrameGraph, KinematicState, Rigid, Uniform, closure_errors, reconciled
from kempe.geometry.rotations import exp_so3

ROUNDING = 1e-12


@pytest.fixture
def ring(any_state) -> FrameGraph:
    """Four frames in a ring that closes."""
    graph = FrameGraph("a")
    for name, parent in ("ba", "cb", "dc"):
        graph.add(name, parent, any_state(name, parent))
    graph.close("d", "a", graph.state("d", "a"))
    return graph


def test_a_consistent_loop_closes_and_every_path_around_it_agrees(ring, apart) -> None:
    (error,) = closure_errors(ring)
    assert error.frames == ("a", "b", "c", "d")
    assert error.largest < ROUNDING
    assert apart(ring.along(["b", "c", "d"]), ring.along(["b", "a", "d"])) < ROUNDING


def test_what_a_loop_misses_by_is_told_part_by_part() -> None:
    graph = FrameGraph("a")
    graph.add("b", "a", Rigid([1, 0, 0]))
    graph.add("c", "b", Uniform(Rigid([1, 0, 0]), velocity=[0, 2, 0]))
    graph.close(
        "c",
        "a",
        KinematicState(
            "c",
            "a",
            [2, 0, 0.3],
            exp_so3(np.array([0.0, 0.0, 0.1])),
            angular_velocity=[0, 0, 5],
        ),
    )
    (now,) = closure_errors(graph)
    assert float(now.position) == pytest.approx(0.3, abs=ROUNDING)
    assert float(now.angle) == pytest.approx(0.1, abs=ROUNDING)
    assert float(now.velocity) == pytest.approx(2.0, abs=ROUNDING)
    assert float(now.angular_velocity) == pytest.approx(5.0, abs=ROUNDING)
    (later,) = closure_errors(graph, [0.0, 1.0])
    np.testing.assert_allclose(later.position, [0.3, np.hypot(0.3, 2.0)], atol=ROUNDING)
    assert "a - b - c: 2.02 m" in str(later)


def test_reconciling_what_closes_changes_nothing(ring, apart) -> None:
    result = reconciled(ring)
    assert result.converged
    assert max(max(c.distance, c.angle) for c in result.corrections) < ROUNDING
    for name in ring:
        assert apart(result.graph.state(name, "a"), ring.state(name, "a")) < ROUNDING


def test_reconciled_loops_close_in_position_angle_velocity_and_acceleration(ring, apart) -> None:
    s = ring.state("c", "a")
    shifted = KinematicState(
        "c", "a", s.position + 0.1, exp_so3(np.array([0.05, 0.1, 0])) @ s.rotation
    )
    ring.close("c", "a", shifted)
    assert closure_errors(ring)[1].largest > 0.1
    result = reconciled(ring)
    assert result.converged
    assert max(e.largest for e in closure_errors(result.graph)) < ROUNDING
    paths = (["c", "d"], ["c", "b", "a", "d"], ["c", "a", "d"])
    first, *others = (result.graph.along(path) for path in paths[:2])
    assert all(apart(first, other) < ROUNDING * 10 for other in others)


def test_a_gap_is_shared_out_evenly_or_by_weight() -> None:
    def rail() -> FrameGraph:
        graph = FrameGraph("a")
        graph.add("b", "a", Rigid([1, 0, 0]))
        graph.add("c", "b", Rigid([1, 0, 0]))
        graph.close("c", "a", Rigid([2.3, 0, 0]))
        return graph

    even = reconciled(rail())
    assert [c.distance for c in even.corrections] == pytest.approx([0.1] * 3, abs=ROUNDING)
    # Springs in a row: each gives by the inverse of its weight, 1 : 1 : 1/4.
    firm = reconciled(rail(), weights={("c", "a"): 4.0})
    wanted = [0.3 * 4 / 9, 0.3 * 4 / 9, 0.3 / 9]
    assert [c.distance for c in firm.corrections] == pytest.approx(wanted, abs=ROUNDING)


def test_no_nearby_frames_disagree_less(ring, rng) -> None:
    s = ring.state("d", "b")
    ring.close("d", "b", KinematicState("d", "b", s.position + np.array([0.2, 0, 0.1]), s.rotation))

    def squares(graph: FrameGraph) -> float:
        return sum(_gap(graph, ring, f, r) for f, r in ("ba", "cb", "dc")) + sum(
            float(np.sum((graph.state(c.frame, c.reference).position - m[0]) ** 2))
            + float(np.sum(_angle(graph.state(c.frame, c.reference).rotation, m[1]) ** 2))
            for c in ring.closing
            for m in [c.motion.parts(np.array(0.0))]
        )

    best = reconciled(ring, length=1.0).graph
    least = squares(best)
    for _ in range(20):
        nearby = FrameGraph("a")
        for f, r in ("ba", "cb", "dc"):
            x = best.state(f, r)
            turn = exp_so3(rng.normal(size=3) * 1e-3)
            nearby.add(f, r, Rigid(x.position + rng.normal(size=3) * 1e-3, x.rotation @ turn))
        assert squares(nearby) > least


def _angle(R: np.ndarray, S: np.ndarray) -> float:
    return float(np.arccos(np.clip((np.trace(R.T @ S) - 1) / 2, -1, 1)))


def _gap(graph: FrameGraph, measured: FrameGraph, f: str, r: str) -> float:
    a, b = graph.state(f, r), measured.state(f, r)
    return float(np.sum((a.position - b.position) ** 2)) + _angle(a.rotation, b.rotation) ** 2


def test_weights_of_no_edge_or_none_are_refused(ring) -> None:
    with pytest.raises(FrameError, match="no edge from 'b' to 'd'"):
        reconciled(ring, weights={("d", "b"): 1.0})
    with pytest.raises(BadNumber):
        reconciled(ring, weights={("d", "a"): 0.0})
    with pytest.raises(BadNumber):
        reconciled(ring, length=-1.0)
