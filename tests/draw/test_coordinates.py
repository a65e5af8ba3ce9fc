"""Points and samples as they come in."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kempe.draw.scene.coordinates import SIGNIFICANT_DIGITS, rounded, samples, triple, triples

HALF_A_DIGIT = 0.5000001 * 10.0 ** (1 - SIGNIFICANT_DIGITS)  # of the first digit, and round-off


@given(st.floats(min_value=1e-200, max_value=1e200))
def test_a_rounded_number_keeps_seven_digits(value):
    assert abs(rounded(value) - value) <= HALF_A_DIGIT * 10.0 ** math.floor(math.log10(value))
    assert rounded(-value) == -rounded(value)


def test_whole_numbers_are_spelled_without_a_point():
    assert repr(rounded(30.0)) == "30"
    assert repr(rounded(-0.0)) == "0"
    assert repr(rounded(0.1 + 0.2)) == "0.3"


def test_a_planar_point_lies_at_height_zero():
    assert triple((1, 2), "a point") == (1.0, 2.0, 0.0)
    assert triple(np.array([1.0, 2.0, 3.0]), "a point") == (1.0, 2.0, 3.0)


@pytest.mark.parametrize("point", [(1.0,), (1.0, 2.0, 3.0, 4.0), ((1.0, 2.0),)])
def test_a_point_of_another_shape_is_refused_by_name(point):
    with pytest.raises(ValueError, match=r"the pin must be \(x, y\) or \(x, y, z\)"):
        triple(point, "the pin")


def test_a_point_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match="every coordinate must be finite"):
        triple((0.0, math.nan), "the pin")


def test_too_few_points_are_counted():
    with pytest.raises(ValueError, match="a polygon needs at least 3 points; there are 2"):
        triples([(0, 0), (1, 0)], "a polygon", at_least=3)


def test_the_first_bad_sample_is_named():
    values = np.zeros((5, 3))
    values[2, 1] = math.inf
    values[4, 0] = math.nan
    with pytest.raises(ValueError, match=r"position: 2 of 15 numbers are not finite, .* sample 2"):
        samples(values, "position")


def test_samples_are_a_copy_that_cannot_be_written():
    values = np.zeros(3)
    kept = samples(values, "times")
    values[0] = 1.0
    assert kept[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = 1.0
