"""Poses: neighbouring letters cancel."""

import numpy as np
import pytest

from kempe.geometry import Pose, Rotation, Vector, X, Y, Z
from tests.geometry.group_laws import assert_a_group

ROUNDING = 4e-15  # sums of a few products of numbers up to 2


def test_it_is_a_group(any_, numbers):
    a, b, c, one = any_.pose(), any_.pose(), any_.pose(), Pose.identity()
    assert_a_group(numbers, a, b, c, one, ROUNDING)
    np.testing.assert_array_equal(numbers(one), np.eye(4))


def test_it_composes_as_homogeneous_matrices_do(any_, numbers):
    X_AB, X_BC, p_C = any_.pose(), any_.pose(), any_.vector()
    np.testing.assert_allclose(numbers(X_AB @ X_BC), numbers(X_AB) @ numbers(X_BC), atol=ROUNDING)
    homogeneous = numbers(X_AB @ X_BC) @ [*p_C, 1.0]
    np.testing.assert_allclose(numbers(X_AB.point(X_BC.point(p_C))), homogeneous[:3], atol=ROUNDING)


def test_an_axis_is_a_column_and_ignores_the_position(any_, numbers):
    X_AB = any_.pose()
    for k, axis in enumerate((X, Y, Z)):
        np.testing.assert_array_equal(numbers(X_AB.axis(axis)), numbers(X_AB)[:3, k])


def test_turns_in_the_plane_add_up_through_poses():
    a = Pose(Vector(1.0, 0.0, 0.0), Rotation.planar(3.0))
    b = Pose(Vector(0.0, 2.0, 0.0), Rotation.planar(4.0))
    assert (a @ b).rotation.angle == 7.0
    assert (a.inverse()).rotation.angle == pytest.approx(-3.0)
