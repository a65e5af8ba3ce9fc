"""A buffer that grows as samples arrive."""

import math

import numpy as np
import pytest

from kempe.errors import BadNumber, FrameError, OutsideBuffer, TwoParents
from kempe.frames import FrameGraph, KinematicState, Rigid, common_times, record
from kempe.geometry.rotations import exp_so3


def base(x: float, angle: float = 0.0) -> KinematicState:
    return KinematicState("base", "map", [x, 0, 0], exp_so3([0, 0, angle]))


def test_states_are_interpolated_between_the_samples_that_arrived() -> None:
    graph = FrameGraph("map")
    for t in (0.0, 0.1, 0.2):
        record(graph, t, base(10 * t, t))
    seen = graph.state("base", "map", 0.15)
    np.testing.assert_allclose(seen.position, [1.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(seen.rotation, exp_so3([0, 0, 0.15]), atol=1e-12)
    np.testing.assert_allclose(seen.velocity, [10, 0, 0], atol=1e-12)


def test_an_answer_is_forgotten_when_a_sample_changes_it() -> None:
    graph = FrameGraph("map")
    for t, x in ((0.0, 0.0), (0.2, 2.0)):
        record(graph, t, base(x))
    assert graph.state("base", "map", 0.1).position[0] == pytest.approx(1.0)
    record(graph, 0.1, base(5.0))  # late, but within what is kept
    assert graph.state("base", "map", 0.1).position[0] == 5.0
    record(graph, 0.1, base(6.0))  # the same time again
    assert graph.state("base", "map", 0.1).position[0] == 6.0
    assert len(graph.edge("base").t) == 3


def test_what_is_older_than_kept_is_forgotten_or_refused() -> None:
    graph = FrameGraph("map")
    for k in range(100):
        record(graph, 0.1 * k, base(k), keep=2.0)
    assert len(graph.edge("base").t) == 21
    with pytest.raises(OutsideBuffer, match=r"the buffer holds 7\.9 \.\.\. 9\.9 s"):
        graph.state("base", "map", 5.0)
    with pytest.raises(OutsideBuffer, match="older than the 2 s that are kept"):
        record(graph, 1.0, base(0.0), keep=2.0)


def test_a_buffer_extrapolates_as_far_as_it_may() -> None:
    graph = FrameGraph("map")
    for t in (0.0, 1.0):
        record(graph, t, base(t), extrapolate=0.5)
    assert graph.state("base", "map", 1.5).position[0] == pytest.approx(1.5)
    with pytest.raises(OutsideBuffer, match=r"extrapolates by 0\.5 s"):
        graph.state("base", "map", 1.6)


def test_the_latest_time_that_two_frames_share_can_be_asked_for() -> None:
    graph = FrameGraph("map")
    for t in (0.0, 1.0, 2.0):
        record(graph, t, base(t))
    graph.add("lidar", "base", Rigid([1, 0, 0]))
    for t in (0.5, 1.5):
        record(graph, t, KinematicState("arm", "base", [0, t, 0]))
    assert common_times(graph, "arm", "map") == (0.5, 1.5)
    assert common_times(graph, "lidar", "base") == (-math.inf, math.inf)
    np.testing.assert_allclose(graph.state("arm", "map", 1.5).position, [1.5, 1.5, 0])
    record(graph, 9.0, KinematicState("late", "map"))
    with pytest.raises(OutsideBuffer, match="begins at 9 s, when another has ended at 2 s"):
        common_times(graph, "late", "base")


def test_one_frame_at_two_times_is_seen_by_way_of_a_third() -> None:
    graph = FrameGraph("map")
    for t in (0.0, 1.0):
        record(graph, t, base(4 * t))
    moved = graph.state("base", "map", 1.0).after(graph.state("base", "map", 0.5))
    np.testing.assert_allclose(moved.position, [2, 0, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("t", "state", "kind", "said"),
    [
        (1.0, KinematicState("base", "odom"), TwoParents, "hangs on 'map'"),
        (1.0, KinematicState("fixed", "map"), FrameError, "is Rigid and takes no samples"),
        (math.nan, base(0.0), BadNumber, "finite time"),
        (1.0, KinematicState("base", "map", [[0, 0, 0], [1, 0, 0]]), BadNumber, "this state has 2"),
        (1.0, KinematicState("b", "mapp"), FrameError, "Did you mean 'map'"),
    ],
)
def test_a_sample_that_fits_nowhere_is_refused(t, state, kind, said) -> None:
    graph = FrameGraph("map")
    graph.add("odom", "map")
    graph.add("fixed", "map")
    record(graph, 0.0, base(0.0))
    with pytest.raises(kind, match=said):
        record(graph, t, state)
    assert graph.state("base", "map", 0.0).position[0] == 0.0
