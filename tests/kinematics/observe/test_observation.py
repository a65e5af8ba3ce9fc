"""Whole turns of what is read off a motion."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import UnknownName
from kempe.kinematics.observe.turn_counting import counted_turns

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


def test_an_angle_without_a_direction_is_nan_and_says_so():
    """The rotor's x axis is upright at the start: its turn about the vertical is nothing there."""
    motion = kempe.gallery.gyroscope().simulate(until=0.2, steps=10)
    angle = motion["rotor.angle"]
    for values in (angle.values, angle.rate, angle.acceleration):
        assert np.isnan(values[0])
        assert np.isfinite(values[1:]).all()
    assert angle.note == "no direction, so NaN, at 1 of 11 samples"
    assert "1 of 11" in repr(angle)
    assert np.isfinite(angle.max())


def test_an_angle_is_nan_where_rounding_alone_gives_it_a_direction():
    """Of Bricard's links two start with their x axes upright; the rates were 5e15 rad/s there."""
    turn = kempe.gallery.bricard().kinematics(until=1.0, steps=12)
    hinges = [turn[f"hinge{k}.angle"] for k in range(1, 7)]
    fastest = max(float(np.abs(hinge.rate).max()) for hinge in hinges)
    for name in ("link2.angle", "link5.angle"):
        angle = turn[name]
        told = ~np.isnan(angle.values)
        assert told.tolist() == [k % 6 > 0 for k in range(13)]  # upright at every half period
        assert np.abs(angle.rate[told]).max() <= 2.0 * fastest
        assert np.abs(angle.values[told]).max() < 2.0 * np.pi  # no turns were made up on the way


def test_an_angle_without_any_direction_has_no_extremes():
    m = kempe.Builder("spindle")
    upright = kempe.Rotation.about((0, 1, 0), -math.pi / 2)  # its x axis points up
    m.body("shaft", rotation=upright)
    along_x = kempe.Marker("shaft", rotation=upright.inverse())
    hinge = m.revolute(m.ground.at(0, 0, 0), along_x, name="bearing")
    m.drive(hinge.angle, rpm=60)
    turn = m.build().kinematics(until=1.0, steps=8)
    assert np.isnan(turn["shaft.angle"].values).all()
    with pytest.raises(UnknownName, match="no direction anywhere"):
        turn["shaft.angle"].max()
    np.testing.assert_allclose(turn["bearing.angle"].ptp("deg"), 360.0)
