"""Velocity ratios and mechanical advantage against closed forms."""

import math
from dataclasses import replace

import numpy as np
import pytest

import kempe
from kempe.drives import Formula
from kempe.errors import UnknownName

# Ratios of order 1 from samples that are solved to 1e-13.
CLOSE = 1e-11
CRANK, ROD = 0.3, 0.9


@pytest.fixture(scope="module")
def press() -> kempe.Trajectory:
    return kempe.gallery.slider_crank(crank=CRANK, rod=ROD).kinematics(until=1.0, steps=90)


def slope(theta: np.ndarray) -> np.ndarray:
    """dx / d theta of x = r cos theta + sqrt(l^2 - r^2 sin^2 theta)."""
    s, c = np.sin(theta), np.cos(theta)
    return -CRANK * s - CRANK**2 * s * c / np.sqrt(ROD**2 - (CRANK * s) ** 2)


def test_a_slider_follows_its_crank_as_the_closed_form_says(press: kempe.Trajectory) -> None:
    ratio = press.transmission.velocity_ratio("slider.x", "crank.angle")
    np.testing.assert_allclose(ratio.values, slope(press["crank.angle"].values), atol=CLOSE)
    assert ratio.unit == "m/rad"


def test_a_rocker_follows_its_crank_as_their_instant_centre_says() -> None:
    """w_rocker / w_crank = |A C| / |D C|, C the centre of crank against rocker (Freudenstein)."""
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=77)
    ratio = turn.transmission.velocity_ratio("rocker.angle", "crank.angle")
    centre = turn.relative("rocker", "crank").instant_centre.point[:, 0]
    np.testing.assert_allclose(ratio.values, centre / (centre - 4.0), atol=CLOSE)
    assert ratio.unit == ""


def test_the_advantage_of_a_press_is_infinite_in_its_toggle_positions(
    press: kempe.Trajectory,
) -> None:
    advantage = press.transmission.mechanical_advantage("slider.x", "crank.angle")
    assert np.isinf(advantage.values[[0, 45, 90]]).all()
    between = np.r_[1:45, 46:90]
    expected = 1.0 / slope(press["crank.angle"].values[between])
    np.testing.assert_allclose(advantage.values[between], expected, rtol=CLOSE)
    assert advantage.unit == "rad/m"


def test_power_in_is_power_out_with_forces_in_the_ratio_of_the_advantage() -> None:
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=77)
    advantage = turn.transmission.mechanical_advantage("rocker.angle", "crank.angle").values
    torque = 5.0
    taken = turn["crank.angle"].rate * torque
    given = turn["rocker.angle"].rate * torque * advantage
    moving = np.isfinite(given)
    assert moving.sum() > 70
    np.testing.assert_allclose(given[moving], taken[moving], rtol=CLOSE)


def test_a_drive_that_rests_for_an_instant_leaves_the_ratio_as_it_was() -> None:
    model = kempe.gallery.slider_crank(crank=CRANK, rod=ROD).model
    law = Formula(lambda t: 1.0 + (t - 0.5) ** 2)
    model = replace(model, drives=(replace(model.drives[0], law=law),))
    turn = kempe.Mechanism(model).kinematics(until=1.0, steps=10)
    assert turn["crank.angle"].rate[5] == 0.0
    ratio = turn.transmission.velocity_ratio("slider.x", "crank.angle")
    np.testing.assert_allclose(ratio.values, slope(turn["crank.angle"].values), atol=CLOSE)


def test_ratios_are_shown_in_the_units_of_the_mechanism() -> None:
    m = kempe.gallery.slider_crank(crank=30, rod=90, units="mm")
    turn = m.kinematics(until=1.0)
    ratio = turn.transmission.velocity_ratio("slider.x", "crank.angle")
    assert str(ratio.max()) == "31.64 mm/rad"
    assert ratio.max("mm/deg") == pytest.approx(ratio.values.max() * 1000 * math.pi / 180)


def test_a_measure_that_is_not_there_is_refused(press: kempe.Trajectory) -> None:
    with pytest.raises(UnknownName, match=r"Did you mean 'slider\.x'"):
        press.transmission.velocity_ratio("slidr.x", "crank.angle")
