"""Points and numbers as they come in, and outlines of bodies."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kempe.draw import Bar, Disc, Polygon, Polyline, link
from kempe.draw.scene.shapes import (
    SIGNIFICANT_DIGITS,
    perpendiculars,
    rounded,
    samples,
    triple,
    triples,
)

HALF_A_DIGIT = 0.5000001 * 10.0 ** (1 - SIGNIFICANT_DIGITS)  # of the first digit, and round-off
ROUND_OFF = 1e-14


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


def test_two_points_make_a_bar():
    assert link([(0, 0), (0.03, 0)]) == (Bar((0, 0), (0.03, 0)),)


def test_three_points_on_a_line_make_one_bar_between_the_ends():
    assert link([(0.5, 0.5), (0, 0), (1, 1)]) in [
        (Bar((0, 0), (1, 1)),),
        (Bar((1, 1), (0, 0)),),
    ]


def test_points_in_a_plane_make_their_convex_plate():
    (plate,) = link([(0, 0), (2, 0), (1, 0.5), (2, 2), (0, 2)])
    assert isinstance(plate, Polygon)
    assert sorted(plate.points) == [(0, 0, 0), (0, 2, 0), (2, 0, 0), (2, 2, 0)]


def test_points_all_over_space_make_a_spider():
    legs = link([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    assert len(legs) == 4
    assert {leg.start for leg in legs} == {(0.25, 0.25, 0.25)}


def test_a_point_given_twice_counts_once():
    assert link([(0, 0), (1, 0), (0, 0)]) == (Bar((0, 0), (1, 0)),)


def test_a_gear_has_its_teeth_between_root_and_tip():
    gear = Disc((0.1, 0.0), radius=0.05, teeth=20)
    outline = gear.outline - np.array([0.1, 0.0, 0.0])
    radii = np.hypot(outline[:, 0], outline[:, 1])
    module = 2 * 0.05 / 20
    assert len(outline) == 80
    assert radii.max() == pytest.approx(0.05 + module)
    assert radii.min() == pytest.approx(0.05 - 1.25 * module)
    assert gear.outer == pytest.approx(radii.max())
    angles = np.arctan2(outline[:, 1], outline[:, 0])
    assert (np.diff(np.unwrap(angles)) > 0.0).all()  # the outline never turns back


def test_half_of_a_gears_pitch_circle_is_tooth():
    outline = Disc((0, 0), radius=1.0, teeth=24).outline[:, :2]
    root, tip = outline[0], outline[1]  # one flank; the tooth is centred on the x axis
    share = (1.0 - np.hypot(*root)) / (np.hypot(*tip) - np.hypot(*root))
    flank = (1 - share) * np.arctan2(*root[::-1]) + share * np.arctan2(*tip[::-1])
    assert flank == pytest.approx(-math.pi / 48)


@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0, -1, 0), (0.6, 0.0, 0.8)])
def test_perpendiculars_complete_a_right_handed_frame(axis):
    z = np.array(axis, dtype=float)
    frame = np.column_stack([*perpendiculars(z), z])
    assert np.abs(frame.T @ frame - np.eye(3)).max() < ROUND_OFF
    assert np.linalg.det(frame) == pytest.approx(1.0)


def test_the_perpendiculars_of_z_are_x_and_y():
    x, y = perpendiculars(np.array([0.0, 0.0, 1.0]))
    assert (x.tolist(), y.tolist()) == ([1, 0, 0], [0, 1, 0])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Polyline([(0, 0)]), "a polyline needs at least 2 points; there are 1"),
        (lambda: Polygon([(0, 0), (1, 0)]), "a polygon needs at least 3 points"),
        (lambda: Disc((0, 0), -1.0), "radius of a disc must be a positive length, not -1"),
        (lambda: Disc((0, 0), 1.0, teeth=3), "no teeth or at least 4, not 3"),
        (lambda: Disc((0, 0), 1.0, axis=(0, 0, 0)), "axis of a disc must have a direction"),
        (lambda: Bar((0, 0), (math.inf, 0)), "the end of a bar is .* must be finite"),
    ],
)
def test_a_shape_that_cannot_be_drawn_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()
