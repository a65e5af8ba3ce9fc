"""Units: text with a unit becomes the right SI number, and nothing else does."""

import math

import pint
import pytest

from kempe.errors import BadNumber, UnitError
from kempe.units import _COMMON, Dimension, converted, factor, in_base_units, in_si, quantity

#: The registry multiplies its way to SI; a last digit may differ from ours.
LAST_DIGIT = 4e-16
OURS_ALONE = {"rev", "1"}  # words that the registry does not know


@pytest.mark.parametrize("word", sorted(set(_COMMON) - OURS_ALONE))
def test_a_common_word_means_what_the_registry_of_units_says(word):
    found = pint.UnitRegistry().Quantity(1.0, word).to_base_units()
    value, dimension = in_base_units(word)
    assert value == pytest.approx(found.magnitude, rel=LAST_DIGIT)
    names = dict(zip(("meter", "kilogram", "second", "radian"), dimension, strict=True))
    assert {k: v for k, v in names.items() if v} == {k: v for k, v in found.units._units.items()}


@pytest.mark.parametrize(
    ("text", "into", "value"),
    [
        ("30 mm", "m", 0.03),
        ("70mm", "m", 0.07),
        ("60 rpm", "rad/s", math.tau),
        ("45 deg", "rad", math.pi / 4),
        ("90°", "rad", math.pi / 2),
        ("1.5e2 ms", "s", 0.15),
        ("-2 in", "m", -0.0508),
        ("2 kN", "N", 2000.0),
        ("3 kg mm^2", "kg*m**2", 3e-6),
        ("1 turn/s", "rad/s", math.tau),
        ("2 N*m", "N*m/rad", 2.0),
        ("5", "m", 5.0),
    ],
)
def test_text_with_a_unit_is_read(text, into, value):
    assert in_si(text, into) == pytest.approx(value, rel=LAST_DIGIT)


def test_millimetres_are_exact():
    for n in range(1, 2000):
        assert converted(n, "mm", "m") == n / 1000


def test_quarter_turns_in_degrees_are_exact():
    for k in range(-8, 9):
        assert in_si(f"{90 * k} deg", "rad") == k * math.pi / 2


@pytest.mark.parametrize(
    ("text", "into"),
    [
        ("30 mm", "rad"),
        ("2 Hz", "rad/s"),
        ("1 kg", "m"),
        ("30 furlogs", "m"),
        ("9**9**9 m", "m"),
        ("1 m**9**9", "m"),
        ("mm", "m"),
        ("", "m"),
        ("1 m/", "m"),
        ("1 degC", "m"),
        ("1 m" + "*m" * 100, "m"),
    ],
)
def test_what_is_no_such_unit_is_refused(text, into):
    with pytest.raises(UnitError):
        in_si(text, into)


@pytest.mark.parametrize("number", [math.inf, math.nan, "1e999 mm"])
def test_what_is_not_finite_is_refused(number):
    with pytest.raises(BadNumber):
        in_si(number, "m")


def test_a_bare_number_is_in_the_plain_unit():
    assert in_si(30, "m", "mm") == 0.03
    assert in_si("30", "m", "mm") == 0.03


def test_a_quantity_is_a_number_and_a_unit():
    assert quantity(" 1e3 mm ") == (1000.0, "mm")
    assert quantity("crank") is None


def test_a_dimension_says_what_it_is():
    assert Dimension(length=1).words == "a length"
    assert Dimension(length=3, time=-1).words == "something in m^3 s^-1"
    assert factor("km", "m") == 1000.0
