"""The same poses as pytransform3d's transform manager, on random trees."""

import numpy as np
import pytest

from kempe.frames import FrameGraph, KinematicState
from kempe.geometry.rotations import Matrix, uniform

AGREED = 1e-12
managers = pytest.importorskip("pytransform3d.transform_manager")


def pose_matrix(state: KinematicState) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = state.rotation, state.position
    return X


@pytest.mark.parametrize("seed", range(5))
def test_any_frame_is_seen_from_any_other_as_pytransform3d_sees_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph, manager = FrameGraph("f0"), managers.TransformManager()
    R, p = Matrix().of_quaternions(uniform(30, rng)), rng.normal(size=(30, 3))
    for k in range(1, 30):
        parent = f"f{rng.integers(k)}"
        state = KinematicState(f"f{k}", parent, p[k], R[k])
        graph.add(f"f{k}", parent, state)
        manager.add_transform(f"f{k}", parent, pose_matrix(state))
    for _ in range(100):
        a, b = (f"f{k}" for k in rng.integers(30, size=2))
        expected = manager.get_transform(a, b)
        assert abs(pose_matrix(graph.state(a, b)) - expected).max() < AGREED
