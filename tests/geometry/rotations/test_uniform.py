"""Orientations at random."""

import numpy as np

from kempe.geometry.rotations import AxisAngle, Matrix, uniform

COUNT = 200_000
FIVE_SIGMA = 5.0 / np.sqrt(COUNT)  # chance of a false alarm below 1e-6 for each number


def test_all_rotations_are_equally_likely(rng: np.random.Generator) -> None:
    q = uniform(COUNT, rng)
    R = Matrix().of_quaternions(q)
    assert abs(R.mean(axis=0)).max() < FIVE_SIGMA / np.sqrt(3)
    assert abs((R**2).mean(axis=0) - 1 / 3).max() < FIVE_SIGMA * 0.3  # sigma of x^2 is 0.298
    # The angle has the density (1 - cos t) / pi.
    t = AxisAngle().of_quaternions(q)[:, 3]
    for limit in (0.5, 1.0, 2.0, 3.0):
        assert abs((t < limit).mean() - (limit - np.sin(limit)) / np.pi) < FIVE_SIGMA / 2
