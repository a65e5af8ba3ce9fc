"""Trees of frames as URDF, and back."""

import numpy as np
import pytest

from kempe.errors import FrameError
from kempe.frames import (
    FrameGraph,
    Rigid,
    Sampled,
    Uniform,
    read_frames,
    read_urdf,
    resampled,
    write_frames,
    write_urdf,
)
from kempe.geometry import Rotation

ROUNDING = 1e-14


@pytest.fixture
def tree() -> FrameGraph:
    graph = FrameGraph("base")
    graph.add("arm", "base", Rigid([0.1, -0.2, 0.3], Rotation.about([1, 2, -1], 2.2)))
    graph.add("tool", "arm", Rigid([0, 0, 1], Rotation.about([0, 1, 0], np.pi / 2)))  # the lock
    graph.add("eye", "arm")
    return graph


def test_fixed_poses_come_back_through_urdf(tree, tmp_path) -> None:
    again = read_urdf(write_frames(tree, tmp_path / "arm.urdf"))
    assert list(again) == ["base", "arm", "tool", "eye"]
    for name in tree:
        one, other = (g.state(name, "base") for g in (tree, again))
        np.testing.assert_allclose(one.position, other.position, atol=ROUNDING)
        np.testing.assert_allclose(one.rotation, other.rotation, atol=ROUNDING)


def test_a_moving_edge_is_refused_unless_it_is_held(tree, tmp_path) -> None:
    tree.change("arm", Uniform(Rigid(), velocity=[1, 0, 0]))
    path = tmp_path / "arm.urdf"
    with pytest.raises(FrameError, match="from 'base' to 'arm' moves"):
        write_urdf(tree, path)
    assert not path.exists()
    again = read_urdf(write_urdf(tree, path, t=0.5))
    assert again.state("arm", "base").position.tolist() == [0.5, 0, 0]


def test_what_urdf_cannot_hold_is_refused_by_name(tree, tmp_path) -> None:
    tree.close("tool", "base")
    with pytest.raises(FrameError, match="no loops, and 'tool' is seen from 'base'"):
        write_urdf(tree, tmp_path / "a.urdf")
    tree.add("other")
    with pytest.raises(FrameError, match="one root, and there are 2: 'base', 'other'"):
        write_urdf(tree, tmp_path / "a.urdf")
    with pytest.raises(FrameError, match=r"written to \.yaml.* not to '\.txt'"):
        write_frames(tree, tmp_path / "a.txt")


def test_a_log_alone_holds_every_edge_once_it_is_sampled(tree, tmp_path) -> None:
    tree.change("arm", Uniform(Rigid([0, 0, 1]), angular_velocity=[0, 0, 2]))
    tree.close("tool", "base", Rigid([1, 0, 0]))
    path = tmp_path / "arm.csv"
    with pytest.raises(FrameError, match=r"Uniform: write \.yaml, or sample it first"):
        write_frames(tree, path)
    times = np.linspace(0.0, 1.0, 11)
    again = read_frames(write_frames(resampled(tree, times, fixed_too=True), path))
    one, other = (g.state("tool", "base", 0.3) for g in (tree, again))
    for a, b in zip(one.parts, other.parts, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)
    assert len(again.closing) == 1
    kept = resampled(tree, times)
    assert isinstance(kept.edge("arm"), Sampled)
    assert isinstance(kept.edge("tool"), Rigid)
    assert read_frames(write_frames(kept, tmp_path / "arm.yaml")).state(
        "tool", "base", 0.3
    ).velocity == pytest.approx(one.velocity, abs=1e-12)
