"""The screw of a displacement."""

import numpy as np

from kempe.geometry.rotations import exp_se3
from kempe.geometry.screw import Screw

# The axis of a turn by t is known to 1e-16 / t; turns here are above 0.01.
TOLERANCE = 1e-12


def test_a_displacement_is_its_screw(rng: np.random.Generator) -> None:
    X = exp_se3(rng.standard_normal((10, 20, 6)))
    screw = Screw.of(X)
    assert screw.direction.shape == (10, 20, 3)
    assert abs(screw.displacement() - X).max() < TOLERANCE


def test_points_of_the_axis_slide_along_it_and_nothing_else(rng: np.random.Generator) -> None:
    X = exp_se3(rng.standard_normal((50, 6)))
    screw = Screw.of(X)
    moved = np.einsum("kij,kj->ki", X[:, :3, :3], screw.point) + X[:, :3, 3]
    assert abs(moved - screw.point - screw.slide[:, None] * screw.direction).max() < TOLERANCE
    assert abs(np.einsum("ki,ki->k", screw.point, screw.direction)).max() < TOLERANCE


def test_a_quarter_turn_about_an_axis_beside_the_origin_with_a_slide() -> None:
    X = np.array([[0.0, -1, 0, 1], [1, 0, 0, -1], [0, 0, 1, 3], [0, 0, 0, 1]])
    screw = Screw.of(X)
    assert abs(screw.direction - [0, 0, 1]).max() < TOLERANCE
    assert abs(screw.point - [1, 0, 0]).max() < TOLERANCE
    assert abs(screw.angle - np.pi / 2) < TOLERANCE
    assert abs(screw.slide - 3) < TOLERANCE
    assert abs(screw.pitch - 6 / np.pi) < TOLERANCE


def test_a_pure_slide_and_no_displacement_have_an_axis_too() -> None:
    X = np.stack([np.eye(4), np.eye(4)])
    X[0, :3, 3] = [0.0, -3.0, 4.0]
    screw = Screw.of(X)
    assert abs(screw.direction - [[0, -0.6, 0.8], [0, 0, 1]]).max() < TOLERANCE
    assert (screw.angle == 0).all()
    assert abs(screw.slide - [5, 0]).max() < TOLERANCE
    assert np.isinf(screw.pitch).all()
    assert abs(screw.displacement() - X).max() < TOLERANCE
