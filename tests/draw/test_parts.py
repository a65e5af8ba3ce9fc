"""Where a body is at every sample."""

import math

import numpy as np
import pytest

from kempe.draw import PoseSeries

ROUND_OFF = 1e-14  # a few operations on numbers of size 1


def quaternion(axis, angle):
    return np.array([math.cos(angle / 2), *(math.sin(angle / 2) * np.array(axis))])


def test_an_angle_and_its_quaternion_carry_points_alike():
    angles = np.linspace(-3.0, 9.0, 13)
    turns = np.array([quaternion((0, 0, 1), angle) for angle in angles])
    place = np.column_stack([angles, -angles, np.zeros(13)])
    points = np.array([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0]])
    flat = PoseSeries(place[:, :2], angles).carried(points)
    assert np.abs(flat - PoseSeries(place, turns).carried(points)).max() < 10 * ROUND_OFF


def test_a_quarter_turn_about_x_takes_y_to_z():
    motion = PoseSeries([[0.0, 0.0, 1.0]], [quaternion((1, 0, 0), math.pi / 2)])
    carried = motion.carried(np.array([[0.0, 2.0, 0.0]]))
    assert np.abs(carried[0, 0] - [0.0, 0.0, 3.0]).max() < ROUND_OFF


def test_quaternions_that_change_sign_are_put_on_one_side():
    angles = np.linspace(0.0, 4.0 * math.pi, 40)
    turns = np.array([quaternion((0, 1, 0), angle) for angle in angles])
    turns[10:20] *= -1.0
    smooth = PoseSeries(np.zeros((40, 3)), turns).quaternions
    assert (np.sum(smooth[1:] * smooth[:-1], axis=1) > 0.0).all()


def test_angles_of_a_full_turn_are_unwrapped():
    angles = np.linspace(0.0, 2.0 * math.pi, 30)
    wrapped = (angles + math.pi) % (2.0 * math.pi) - math.pi
    assert np.allclose(PoseSeries(np.zeros((30, 2)), wrapped).angles, angles)


def test_the_lean_of_a_tilted_body_is_its_angle():
    motion = PoseSeries(np.zeros((1, 3)), [quaternion((0.6, 0.8, 0.0), 0.3)])
    assert motion.lean == pytest.approx(0.3)
    assert PoseSeries(np.zeros((1, 3)), [0.3]).lean == 0.0


@pytest.mark.parametrize(
    ("position", "rotation", "words"),
    [
        (np.zeros(3), np.zeros(3), r"position must be \(n, 2\) or \(n, 3\)"),
        (np.zeros((3, 4)), np.zeros(3), r"position must be \(n, 2\) or \(n, 3\)"),
        (np.zeros((3, 3)), np.zeros((3, 3)), r"rotation must be \(n,\) angles or \(n, 4\)"),
        (np.zeros((3, 3)), np.zeros(4), "3 positions but 4 rotations"),
        (np.zeros((3, 3)), np.zeros((3, 4)), "quaternion of sample 0 has length 0"),
        (np.zeros((1, 3)), [math.nan], "rotation: 1 of 1 numbers are not finite"),
    ],
)
def test_wrong_shapes_are_refused_in_words(position, rotation, words):
    with pytest.raises(ValueError, match=words):
        PoseSeries(position, rotation)
