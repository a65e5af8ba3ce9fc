"""Units at the doors: text carries its own, bare numbers are the builder's."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, UnitError
from kempe.units import factor, in_si


@pytest.mark.parametrize(
    ("value", "into", "plain", "expected"),
    [
        ("30 mm", "m", None, 0.03),
        ("30mm", "m", None, 0.03),
        ("1.5 inch", "m", None, 0.0381),
        ("2 m", "m", "mm", 2.0),
        (30, "m", "mm", 0.03),
        ("30", "m", "mm", 0.03),
        (30, "m", None, 30.0),
        ("360 deg", "rad", None, 2.0 * math.pi),
        ("0.5 turn", "rad", None, math.pi),
        ("500 ms", "s", None, 0.5),
        ("2 min", "s", None, 120.0),
        ("60 rpm", "rad/s", None, 2.0 * math.pi),
        ("90 deg/s", "rad/s", None, math.pi / 2.0),
        ("1e-3", "m", None, 1e-3),
        ("-5 mm", "m", None, -0.005),
        ("+.5e1 mm", "m", None, 0.005),
        ("30°", "rad", None, math.pi / 6.0),
        ("9.81 m/s^2", "m/s**2", None, 9.81),
        ("2 N m", "joule", None, 2.0),
    ],
)
def test_text_and_numbers_become_si(value, into, plain, expected):
    assert in_si(value, into, plain) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("value", "into", "words"),
    [
        ("30 parsnips", "m", "no unit 'parsnips'"),
        ("30 deg", "m", "no unit of length"),
        ("30 mm", "rad", "no unit of angle"),
        ("1 m", "s", "no unit of time"),
        ("3 mm mm", "m", "no unit of length"),
        ("3 mm + 2 mm", "m", "not a number with a unit"),
        ("long", "m", "not a number with a unit"),
        ("", "m", "not a number with a unit"),
        ("mm", "m", "not a number with a unit"),
        ("__import__('os')", "m", "not a number with a unit"),
        ("9**9**9**9", "m", "not a number with a unit"),
        ("1 m**9**9**9", "m", "not a number with a unit"),
    ],
)
def test_what_is_no_such_quantity_is_refused(value, into, words):
    with pytest.raises(UnitError, match=words):
        in_si(value, into)


@pytest.mark.parametrize("value", [math.nan, math.inf, "nan mm", "inf", "1e400 mm"])
def test_a_number_that_is_not_finite_is_refused(value):
    with pytest.raises((BadNumber, UnitError)):
        in_si(value, "m")


@pytest.mark.parametrize("value", [None, [1.0], {}, object(), 1j, True])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(BadNumber, match="is not a number"):
        in_si(value, "m")


def test_a_factor_converts_there_and_back():
    assert factor("mm", "m") * factor("m", "mm") == pytest.approx(1.0)
    assert factor("m", "m") == 1.0
    with pytest.raises(UnitError, match="no unit of length"):
        factor("deg", "m")
    with pytest.raises(UnitError, match="no unit 'parsnip'"):
        factor("parsnip", "m")


@pytest.mark.parametrize("units", ["deg", "parsnip", "", "s", "3 mm"])
def test_a_builder_needs_a_unit_of_length(units):
    with pytest.raises(UnitError):
        kempe.Builder("m", units=units)


@pytest.mark.parametrize("units", ["m", "mm", "inch"])
def test_a_mechanism_is_the_same_in_every_unit(new_bench, units):
    """Lengths of 1, 3.5, 3 and 4 units: the angles do not know which."""
    turn, metres = new_bench(units=units).run(), new_bench().run()
    assert turn["rocker.angle"].values == pytest.approx(metres["rocker.angle"].values, abs=1e-12)
    assert turn["coupler.P"].to(units) == pytest.approx(metres["coupler.P"].position, rel=1e-11)
    assert turn["coupler.P"].speed.max().unit == f"{units}/s"


def test_lengths_may_be_text_and_numbers_mixed():
    m = kempe.Builder("crank", plane=True, units="mm")
    crank = m.bar("crank", "3 cm", points={"P": ("0.01 m", 5)}, at=("1 cm", 20), angle="90 deg")
    m.revolute(m.ground.at("1 cm", 20), crank.start)
    m.drive(crank.angle, start="90 deg", speed="0.5 turn/s")
    turn = m.build().kinematics(until="500 ms", steps=2)
    path = np.array([[10, 50], [10 - 450**0.5, 20 + 450**0.5], [-20, 20]])
    np.testing.assert_allclose(turn["crank.end"].to("mm"), path, rtol=1e-12)
    assert turn["crank.P"].to("mm")[0] == pytest.approx([5, 30])
    assert turn["crank.angle"].rate == pytest.approx([math.pi] * 3)


@pytest.mark.parametrize("ends", [(350, 250), ("350", "250"), ("350 mm", "0.25 m")])
def test_a_sweep_s_ends_are_in_the_builder_s_units(ends):
    """Bare numbers mean the same at every door of one mechanism."""
    mechanism = kempe.gallery.slider_crank(crank=100, rod=300, units="mm", start=1.0)
    turn = mechanism.kinematics(over=("slider.x", *ends), steps=10)
    assert turn.outcome.is_done
    assert turn["slider.x"].to("mm")[[0, -1]] == pytest.approx([350, 250])


def test_a_speed_of_a_length_is_in_the_builder_s_units():
    m = kempe.Builder("slide", plane=True, units="mm")
    slider = m.body("slider", at=(0, 0))
    guide = m.prismatic(m.ground.at(0, 0), slider.at(0, 0))
    m.drive(guide.displacement, start=10, speed=20, acceleration="1 cm/s**2")
    turn = m.build().kinematics(until=1.0, steps=2)
    assert turn["slider.x"].to("mm") == pytest.approx([10, 21.25, 35])
