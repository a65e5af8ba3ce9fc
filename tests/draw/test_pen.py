"""Path data."""

import re

import numpy as np
import pytest

from kempe.draw.view import pen


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.001, "0"),
        (10.0, "10"),
        (-10.0, "-10"),
        (1.005, "1"),
        (-0.05, "-0.05"),
        (100, "100"),
    ],
)
def test_numbers_are_short(value, text):
    assert pen.number(value) == text


def test_a_drum_along_the_line_of_sight_is_a_circle():
    assert pen.drum(np.array([5.0, 5.0, 0.0]), np.array([0.0, 0.0, 1.0]), 2.0, 9.0) == [
        pen.circle(5.0, 5.0, 2.0)
    ]


def test_a_drum_across_the_line_of_sight_is_a_rectangle():
    silhouette, end = pen.drum(np.zeros(3), np.array([1.0, 0.0, 0.0]), 2.0, 9.0)
    corners = re.findall(r"(-?[\d.]+) (-?[\d.]+)(?=[ALZ])", silhouette)
    assert {(float(x), float(y)) for x, y in corners} == {(-9, 2), (-9, -2), (9, -2), (9, 2)}
    assert "A2 0 " in end  # an ellipse of no width


def test_hatching_stays_on_its_side():
    strokes = pen.hatching(np.zeros(2), np.array([60.0, 0.0]), np.array([0.0, 1.0]), 1.0)
    heights = [float(y) for _, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", strokes)]
    assert strokes.count("M") == 9
    assert min(heights) == 0.0
    assert max(heights) > 0.0


def test_a_line_of_no_length_is_not_hatched():
    assert pen.hatching(np.zeros(2), np.zeros(2), np.array([0.0, 1.0]), 1.0) == ""
