"""The mean of orientations."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Scipy

from kempe.errors import BadNumber
from kempe.geometry.rotations import RotationVector, distance, mean, product, slerp

AGREED = 1e-12  # with SciPy


def test_the_mean_is_that_of_scipy_with_and_without_weights(
    q: np.ndarray, rng: np.random.Generator
) -> None:
    near = product(q[0], RotationVector().quaternions(0.5 * rng.standard_normal((100, 3))))
    weights = rng.uniform(0, 1, 100)
    theirs = Scipy.from_quat(near, scalar_first=True)
    assert distance(mean(near), theirs.mean().as_quat(scalar_first=True)) < AGREED
    expected = theirs.mean(weights).as_quat(scalar_first=True)
    assert distance(mean(near, weights), expected) < AGREED


def test_the_mean_of_two_lies_half_way_whatever_their_signs(q: np.ndarray) -> None:
    assert distance(mean([q[0], -q[1]]), slerp(q[0], q[1], 0.5)) < AGREED


def test_what_has_no_mean_is_refused() -> None:
    with pytest.raises(BadNumber, match="none is nearest"):
        mean(np.eye(4))
    with pytest.raises(BadNumber, match="no rotations"):
        mean(np.empty((0, 4)))
    with pytest.raises(BadNumber, match="as many weights"):
        mean(np.eye(4), [1.0, 2.0])
