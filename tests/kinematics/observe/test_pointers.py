"""Pointers that pass close by their axis are followed to the right side of it."""

import math

import numpy as np
import pytest

import kempe
from kempe.joints import Revolute
from kempe.kinematics.observe.pointers import Pointer

#: The angle at a sample, near an axis that is passed at 1e-7: rounding over that.
EXACT = 1e-7


def tumbling(lean: float) -> kempe.Mechanism:
    """A body that turns once a second about y, leaning by `lean` (rad) towards z."""
    m = kempe.Builder("tumbling")
    body = m.body("b", at=(0, 0, 0))
    axis = (0.0, math.cos(lean), math.sin(lean))
    m.add(Revolute(m.ground.at(0, 0, 0).facing(axis), body.at(0, 0, 0).facing(axis)), "hinge")
    m.drive(m.part("hinge").angle, rpm=60)
    return m.build()


@pytest.mark.parametrize("steps", [3, 7, 40, 400])
@pytest.mark.parametrize("lean", [1e-2, -1e-2, 1e-4, -1e-4, 1e-7, -1e-7])
def test_what_turns_about_an_axis_that_leans_a_little_goes_round_to_that_side(lean, steps):
    """x of the body is (cos a, sin(lean) sin a, ...): once round its ellipse with every turn."""
    run = tumbling(lean).kinematics(until=3.3, steps=steps)
    a = 2.0 * math.pi * run.t
    near = np.arctan2(math.sin(lean) * np.sin(a), np.cos(a))
    due = near + 2.0 * math.pi * np.rint((math.copysign(1.0, lean) * a - near) / (2.0 * math.pi))
    np.testing.assert_allclose(run["b.angle"].values, due, atol=EXACT)


def test_a_gyroscope_turns_as_often_however_many_samples_are_asked_for():
    """By brute force: the pointer at 20000 samples, unwrapped."""
    gyroscope = kempe.gallery.gyroscope()
    fine = gyroscope.simulate(until=0.1, steps=20_000)
    x = fine["rotor.r1"].position - fine["rotor.r7"].position
    true = np.unwrap(np.arctan2(x[:, 1], x[:, 0])[1:])
    for steps in (10, 40, 400):
        angle = gyroscope.simulate(until=0.1, steps=steps)["rotor.angle"].values[1:]
        due = true[20_000 // steps - 1 :: 20_000 // steps]
        np.testing.assert_allclose(np.diff(angle), np.diff(due), atol=1e-4)


def test_a_pointer_that_may_have_passed_on_either_side_is_in_doubt_until_samples_are_closer():
    """p = (cos a, d sin a) at a = -0.5 and 0.5 past a quarter turn, and nearer to it."""

    def passing(half, d):
        a = math.pi / 2 + np.array([-half, half])
        p = np.column_stack([np.cos(a), d * np.sin(a)])
        v = np.column_stack([-np.sin(a), d * np.cos(a)])
        return Pointer(p, v, -p).swept(a)

    swept, in_doubt = passing(0.5, 1e-6)
    assert np.isnan(swept[0])
    assert in_doubt[0]
    for d in (1e-6, -1e-6):
        swept, in_doubt = passing(0.02, d)
        assert swept[0] == pytest.approx(math.copysign(math.pi, d), abs=1e-3)
        assert not in_doubt[0]
    swept, in_doubt = passing(0.5, 0.0)  # straight through: no samples would tell
    assert np.isnan(swept[0])
