"""Numbers of a model that fold into its formulas."""

import math

import numpy as np
import pytest

import kempe
from kempe.compile.layout.numbers import in_plane, marker_numbers, pattern
from kempe.geometry import Marker, Rotation
from kempe.joints import Prismatic


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0])
def test_a_slider_that_lies_in_the_plane_but_for_rounding_slides(angle):
    tilted = Rotation.planar(angle) @ Rotation.about((0, 1, 0), math.pi / 2)
    m = kempe.Builder("slider", plane=True)
    m.body("block", at=(0, 0), angle=0)
    slide = m.add(
        Prismatic(Marker("ground", (0, 0, 0), tilted), Marker("block", (0, 0, 0), tilted))
    )
    assert m.build().check().mobility == 1
    m.drive(slide.displacement, speed=1.0)
    turn = m.build().kinematics(until=1.0, steps=4)
    assert turn.outcome.is_done
    way = np.array([turn["block.x"].values[-1], turn["block.y"].values[-1]])
    np.testing.assert_allclose(way, [math.cos(angle), math.sin(angle)], atol=1e-12)


def test_what_is_left_of_an_axis_is_a_whole_one():
    quarter = Rotation.about((0, 1, 0), math.pi / 2)
    assert 0.0 < abs(quarter.z.z) < 1e-15
    assert pattern(marker_numbers(in_plane(Marker("b", (0, 0, 0), quarter))))[3:] == "00-0+0+00"


def test_a_small_tilt_that_somebody_gave_stays():
    tilted = Marker("b", (0, 0, 0), Rotation.about((0, 1, 0), 1e-9))
    assert in_plane(tilted) is tilted
