"""Markers: frames on bodies."""

import math

import numpy as np
import pytest

from kempe.errors import BadNumber
from kempe.geometry import GROUND, Marker, Z


def test_a_marker_sits_where_it_was_put_with_the_body_s_axes():
    marker = Marker("crank", (1.0, 2.0, 3.0))
    assert marker.pose.matrix()[:3, 3].tolist() == [1.0, 2.0, 3.0]
    np.testing.assert_array_equal(marker.rotation.matrix(), np.eye(3))
    assert Marker(GROUND).position == (0.0, 0.0, 0.0)


def test_turning_keeps_the_place_and_the_axis():
    marker = Marker("crank", (1.0, 0.0, 0.0)).facing([0.0, 1.0, 1.0]).turned(0.4)
    assert marker.position == (1.0, 0.0, 0.0)
    np.testing.assert_allclose(
        np.array(marker.pose.axis(Z), dtype=float), np.array([0, 1, 1]) / math.sqrt(2), atol=1e-15
    )


def test_turns_in_the_plane_are_remembered():
    assert Marker("crank").turned(3.0).turned(4.0).rotation.angle == 7.0


@pytest.mark.parametrize("direction", [(3.0, 4.0), (3.0, 4.0, 0.0)])
def test_a_direction_has_two_or_three_numbers(direction):
    z = Marker("rod").facing(direction).rotation.z
    assert tuple(z) == pytest.approx((0.6, 0.8, 0.0))


def test_a_mirrored_marker_faces_the_other_way():
    marker = Marker("rod").facing([1.0, 2.0, 3.0])
    there, back = marker.mirrored(), marker.mirrored().mirrored()
    assert tuple(there.rotation.z) == pytest.approx(tuple(-marker.rotation.z))
    np.testing.assert_allclose(back.rotation.matrix(), marker.rotation.matrix(), atol=1e-16)
    assert np.linalg.det(there.rotation.matrix()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Marker("rod", (1.0, 2.0)), "'rod' needs 3 numbers, it has 2"),
        (lambda: Marker("rod", (1.0, math.nan, 0.0)), "must be finite"),
        (lambda: Marker("rod", (math.inf, 0.0, 0.0)), "must be finite"),
        (lambda: Marker("rod").facing([1.0]), "2 or 3 numbers"),
        (lambda: Marker("rod").facing([0.0, 0.0]), "not all zero"),
        (lambda: Marker("rod").facing([math.nan, 0.0]), "three numbers"),
        (lambda: Marker("rod").turned(math.nan), "angle"),
    ],
)
def test_a_marker_nowhere_is_refused(make, words):
    with pytest.raises(BadNumber, match=words):
        make()


def test_two_markers_are_equal_only_where_their_frames_are():
    place = (1.0, 0.0, 0.0)
    assert Marker("rod", place) == Marker("rod", place)
    assert Marker("rod", place).turned(0.5) == Marker("rod", place).turned(0.5)
    assert Marker("rod", place) != Marker("rod", place).turned(0.5)
    assert len({Marker("rod", place), Marker("rod", place).turned(0.5), Marker("rod", place)}) == 2
