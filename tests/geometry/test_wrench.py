"""Wrenches: power does not depend on who looks."""

import pytest

from kempe.geometry import Twist, Vector, Wrench
from tests.geometry.group_laws import assert_frames_compose

ROUNDING = 1e-13  # sums of three dozen products of numbers up to 8


def test_power_is_the_same_in_every_frame(any_):
    for _ in range(50):
        X_AB = any_.pose()
        V_B, W_B = Twist(any_.vector(), any_.vector()), Wrench(any_.vector(), any_.vector())
        V_A, W_A = V_B.seen_from(X_AB), W_B.seen_from(X_AB)
        power = V_B.power(W_B.force, W_B.torque)
        assert V_A.power(W_A.force, W_A.torque) == pytest.approx(power, abs=ROUNDING)


def test_power_is_the_same_about_every_point(any_):
    p = any_.vector()
    V, W = Twist(any_.vector(), any_.vector()), Wrench(any_.vector(), any_.vector())
    moved = W.at(p)
    elsewhere = Twist(V.at(p), V.w).power(moved.force, moved.torque)
    assert elsewhere == pytest.approx(V.power(W.force, W.torque), abs=ROUNDING)


def test_a_force_makes_a_torque_about_another_point():
    force = Wrench(Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 0.0))
    assert tuple(force.at(Vector(2.0, 0.0, 0.0)).torque) == (0.0, 0.0, -2.0)


def test_changes_of_frame_compose(any_, numbers):
    W_C = Wrench(any_.vector(), any_.vector())
    assert_frames_compose(numbers, any_, W_C, ROUNDING)
