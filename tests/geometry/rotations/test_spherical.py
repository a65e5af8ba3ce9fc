"""Spherical coordinates."""

import numpy as np

from kempe.geometry.rotations import direction, spherical

ROUNDING = 1e-15 * 8


def test_spherical_coordinates_give_the_vector_back(rng: np.random.Generator) -> None:
    v = rng.standard_normal((100, 3))
    r, polar, azimuth = spherical(v).T
    assert abs(r[:, None] * direction(polar, azimuth) - v).max() < ROUNDING
    assert ((polar >= 0) & (polar <= np.pi)).all()


def test_the_axes_have_the_angles_of_the_convention() -> None:
    assert (
        abs(spherical(np.eye(3)) - [[1, np.pi / 2, 0], [1, np.pi / 2, np.pi / 2], [1, 0, 0]]).max()
        == 0
    )
    assert (spherical([-0.0, -0.0, -2.0]) == [2.0, np.pi, 0.0]).all()
