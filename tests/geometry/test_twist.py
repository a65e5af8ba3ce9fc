"""Twists: how a frame moves, from anywhere."""

import numpy as np

from kempe.geometry import Pose, Rotation, Twist, Vector
from tests.geometry.group_laws import assert_frames_compose

ROUNDING = 2e-14  # sums of a dozen products of numbers up to 4
STEP = 1e-6  # central difference: error 1e-12 of the third derivative, 1e-10 of rounding
DIFFERENCE = 1e-9


def moved(X_AB, twist, t):
    """X_AB after the time t with this constant twist, given at B's origin in B's axes."""
    w = np.array(twist.w, dtype=float)
    angle = float(np.linalg.norm(w)) * t
    turn = Rotation.about(w, angle)
    # r = integral of R(s) v ds, by the midpoint rule: exact to third order in t
    half = Rotation.about(w, 0.5 * angle)
    return X_AB @ Pose(half.apply(twist.v * t), turn)


def test_the_velocity_of_a_point_is_the_derivative_of_its_path(any_, numbers):
    X_AB, p = any_.pose(), any_.vector()
    twist = Twist(any_.vector(), any_.vector())
    ahead, behind = (moved(X_AB, twist, t).point(p) for t in (STEP, -STEP))
    velocity = numbers(X_AB.rotation.apply(twist.at(p)))
    np.testing.assert_allclose((numbers(ahead) - numbers(behind)) / (2 * STEP), velocity, atol=1e-8)


def test_seen_from_another_frame_it_moves_the_same_points_the_same_way(any_, numbers):
    X_AB, p_B = any_.pose(), any_.vector()
    V_B = Twist(any_.vector(), any_.vector())
    V_A = V_B.seen_from(X_AB)
    np.testing.assert_allclose(
        numbers(V_A.at(X_AB.point(p_B))), numbers(X_AB.rotation.apply(V_B.at(p_B))), atol=ROUNDING
    )


def test_changes_of_frame_compose(any_, numbers):
    V_C = Twist(any_.vector(), any_.vector())
    assert_frames_compose(numbers, any_, V_C, ROUNDING)


def test_the_origin_moves_with_v():
    twist = Twist(Vector(1.0, 2.0, 3.0), Vector(4.0, 5.0, 6.0))
    assert tuple(twist.at(Vector(0.0, 0.0, 0.0))) == (1.0, 2.0, 3.0)
