"""Screw axes: a helical motion, sliding, and the plane as a special case."""

import math

import numpy as np
import pytest

import kempe

# Positions of order 1 m from samples that are solved to 1e-13.
CLOSE = 1e-10
FOOT = np.array([0.2, -0.4, 0.7])
SLANT = np.array([1.0, 2.0, 2.0]) / 3.0


def test_a_body_on_a_slanted_screw_turns_about_its_line(screwing) -> None:
    turn = screwing(3.0, 0.6).kinematics(until=1.0, steps=20)
    axis = turn.relative("bolt").screw_axis
    np.testing.assert_allclose(axis.direction, [SLANT] * 21, atol=CLOSE)
    np.testing.assert_allclose(axis.pitch, 0.2, atol=CLOSE)
    off = np.cross(axis.point - FOOT, SLANT)
    np.testing.assert_allclose(off, 0.0, atol=CLOSE)


@pytest.mark.parametrize(("turning", "sliding"), [(3.0, -0.6), (-3.0, 0.6)])
def test_a_left_handed_screw_has_a_negative_pitch(screwing, turning, sliding) -> None:
    axis = screwing(turning, sliding).kinematics(until=1.0, steps=5).relative("bolt").screw_axis
    np.testing.assert_allclose(axis.pitch, -0.2, atol=CLOSE)


def test_what_only_slides_has_an_infinite_pitch_along_its_way(screwing) -> None:
    turn = screwing(3.0, 0.6).kinematics(until=1.0, steps=20)
    axis = turn.relative("carriage").screw_axis
    assert np.isposinf(axis.pitch).all()
    np.testing.assert_allclose(axis.direction, [SLANT] * 21, atol=CLOSE)
    np.testing.assert_allclose(axis.point, turn["carriage"].position, atol=CLOSE)


def test_what_only_turns_has_no_pitch(screwing) -> None:
    turn = screwing(3.0, 0.6).kinematics(until=1.0, steps=20)
    axis = turn.relative("bolt", "carriage").screw_axis
    np.testing.assert_allclose(axis.pitch, 0.0, atol=CLOSE)


def test_planar_hinges_in_space_turn_about_the_instant_centre() -> None:
    flat = kempe.gallery.four_bar().kinematics(until=1.0, steps=30).relative("coupler")
    space = kempe.gallery.four_bar(plane=False).kinematics(until=1.0, steps=30).relative("coupler")
    axis, centre = space.screw_axis, flat.instant_centre
    size = np.maximum(1.0, np.linalg.norm(centre.point, axis=1))[:, None]
    np.testing.assert_allclose(axis.point[:, :2] / size, centre.point / size, atol=CLOSE)
    np.testing.assert_allclose(np.abs(axis.direction[:, 2]), 1.0, atol=CLOSE)
    np.testing.assert_allclose(axis.pitch, 0.0, atol=CLOSE)


def test_two_skew_cranks_move_on_one_line_whoever_looks(skew_cranks: kempe.Mechanism) -> None:
    turn = skew_cranks.kinematics(until=1.0, steps=30)
    there, back = (turn.relative(*pair).screw_axis for pair in (("a", "b"), ("b", "a")))
    np.testing.assert_allclose(there.pitch, back.pitch, atol=CLOSE)
    assert np.ptp(there.pitch) > 0.1
    np.testing.assert_allclose(there.direction, -back.direction, atol=CLOSE)
    off = np.cross(there.point - back.point, there.direction)
    np.testing.assert_allclose(off, 0.0, atol=CLOSE)


def test_the_axes_of_three_bodies_have_a_common_perpendicular(skew_cranks: kempe.Mechanism) -> None:
    """Aronhold and Kennedy in space: the screws of three relative motions share a line."""
    turn = skew_cranks.kinematics(until=1.0, steps=30)
    axes = [turn.relative(*pair).screw_axis for pair in (("a",), ("b",), ("b", "a"))]
    d = [axis.direction for axis in axes]
    normal = np.cross(d[0], d[1])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    # The feet of the common perpendicular on the first two axes.
    gap = axes[1].point - axes[0].point
    s = np.einsum("ni,ni->n", np.cross(gap, d[1]), np.cross(d[0], d[1]))
    s /= np.einsum("ni,ni->n", np.cross(d[0], d[1]), np.cross(d[0], d[1]))
    foot = axes[0].point + s[:, None] * d[0]
    square = np.einsum("ni,ni->n", normal, d[2])
    meets = np.einsum("ni,ni->n", axes[2].point - foot, np.cross(normal, d[2]))
    np.testing.assert_allclose(square, 0.0, atol=CLOSE)
    np.testing.assert_allclose(meets, 0.0, atol=CLOSE)


def test_a_screw_that_starts_from_rest_has_its_axis_at_once() -> None:
    m = kempe.Builder("from rest")
    bolt = m.body("bolt")
    hinge = m.revolute(m.ground.at(1, 0, 0), bolt.at(0, 0))
    m.drive(hinge.angle, acceleration=math.pi)
    axis = m.build().kinematics(until=1.0, steps=4).relative("bolt").screw_axis
    np.testing.assert_allclose(axis.direction, [[0.0, 0.0, 1.0]] * 5, atol=CLOSE)
    np.testing.assert_allclose(axis.point, [[1.0, 0.0, 0.0]] * 5, atol=CLOSE)
