"""Whole turns of what is read off a motion."""

import math

import numpy as np
import pytest

import kempe
from kempe.kinematics.observation import counted_turns

EXACT = 1e-11  # a sample is solved to 1e-13 of the machine's size; a few turns come on top


@pytest.fixture(scope="module")
def spinning():
    """A shaft in space at one turn a second, from 10 rad on."""
    m = kempe.Builder("shaft")
    shaft = m.body("shaft")
    hinge = m.revolute(m.ground.at(0, 0, 0), shaft.at(0, 0, 0), name="bearing")
    m.drive(hinge.angle, start=10.0, rpm=60)
    return m.build()


@pytest.mark.parametrize("steps", [100, 7, 3, 1])
def test_an_angle_in_space_counts_its_turns_however_far_apart_the_samples_are(spinning, steps):
    motion = spinning.kinematics(until=5.0, steps=steps)
    expected = 10.0 + math.tau * motion.t
    np.testing.assert_allclose(motion["bearing.angle"].values, expected, atol=EXACT)


def test_a_rate_that_changes_is_followed_from_sample_to_sample():
    t = np.linspace(0.0, 4.0, 9)
    angle = 3.0 * t * t
    wrapped = (angle + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(counted_turns(t, wrapped, 6.0 * t), angle, atol=1e-12)


def test_a_sample_alone_is_what_it_is():
    one = np.array([1.5])
    np.testing.assert_array_equal(counted_turns(np.zeros(1), one, one), one)


def test_an_angle_without_a_direction_is_told_as_one_that_stands_still():
    """The rotor's x axis is upright at the start: its turn about the vertical has no rate there."""
    motion = kempe.gallery.gyroscope().simulate(until=0.2, steps=10)
    angle = motion["rotor.angle"]
    assert angle.rate[0] == 0.0
    for values in (angle.values, angle.rate, angle.acceleration):
        assert np.isfinite(values).all()
