"""Shafts, forks, discs and frames that pictures make of bodies in space without a shape."""

import numpy as np
import pytest

import kempe as kp
from kempe.draw import Bar, Polyline, Solid

BEND, FORK = np.radians(30.0), 0.05
EXACT = 1e-9  # of a length of 0.2 m, after a sweep's corrections


def test_the_arms_of_two_forks_make_a_square_cross_at_every_moment():
    turn = kp.gallery.cardan(bend=BEND, fork=FORK).kinematics(until=1.0, steps=24)
    from kempe.pictures.animation import scene_of

    bodies = scene_of(turn).bodies
    arms = []
    for body in bodies:
        (arm,) = [shape for shape in body.shapes if isinstance(shape, Polyline)]
        ends = body.motion.carried(np.array(arm.points))
        arms.append(ends[:, 1] - ends[:, 0])
        assert np.abs(ends.mean(axis=1)).max() < EXACT  # the cross's middle is the origin
        assert np.linalg.norm(arms[-1], axis=1) == pytest.approx(2.0 * FORK)
        prongs = [s.corners for s in body.shapes if isinstance(s, Bar)]
        assert len(prongs) == 4  # shaft, bridge and two prongs
        assert any(
            np.allclose(p[0], body.points["bearing"]) or np.allclose(p[1], body.points["bearing"])
            for p in prongs
        )
    assert np.abs(np.sum(arms[0] * arms[1], axis=1)).max() < EXACT


def test_a_rotor_is_a_disc_in_a_frame_of_bars():
    found = kp.gallery.gyroscope().simulate(until=0.01, steps=2).outlines
    (disc,) = found["rotor"]
    assert isinstance(disc, Solid)
    assert np.hypot(*np.array(disc.points)[:, :2].T).max() == pytest.approx(0.05)
    assert [type(shape) for shape in found["frame"]] == [Bar] * 4


def test_a_leg_on_a_cross_that_does_not_turn_about_itself_stays_a_rod():
    found = kp.gallery.stewart().kinematics(until=0.1, steps=2).outlines
    assert all(
        isinstance(s, Bar) for name, shapes in found.items() if "leg" in name for s in shapes
    )
