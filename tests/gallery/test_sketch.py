"""Ruler and compasses of the gallery."""

import math

import pytest

import kempe
from kempe.errors import BadNumber
from kempe.gallery.sketch import count, dyad, four_bar_loop, opposite, polar, swing

EXACT = 1e-12


@pytest.mark.parametrize("turn", [0.0, 1.0, 2.5, -2.0])
def test_a_dyad_lies_left_at_both_distances(turn):
    a, b = polar(0.3, turn), polar(0.3, turn) + polar(2.0, turn + 0.4)
    c = dyad(a, b, 1.5, 1.2)
    assert abs(c - a) == pytest.approx(1.5, abs=EXACT)
    assert abs(c - b) == pytest.approx(1.2, abs=EXACT)
    assert ((b - a).conjugate() * (c - a)).imag > 0


def test_a_dyad_that_cannot_reach_lies_on_the_line_between():
    c = dyad(0, 5, 1, 1)
    assert c.imag == 0.0
    assert 0.0 < c.real < 5.0


def test_the_angle_opposite_the_hypotenuse_is_right():
    assert opposite(3.0, 4.0, 5.0) == pytest.approx(math.pi / 2, abs=EXACT)


def test_a_loop_can_close_on_either_side():
    heights = []
    for left in (True, False):
        m = kempe.Builder("loop", plane=True)
        loop = four_bar_loop(m, 0, 4, (1.0, 3.5, 3.0), 0.5, left=left)
        m.drive(loop.crank.angle, start=0.5, rpm=60)
        m.build().kinematics(until=0.1, steps=2)
        heights.append(loop.C.imag)
    assert heights[0] > 0 > heights[1]


@pytest.mark.parametrize("phase", [0.0, 1.0, 3.0])
def test_a_swing_starts_where_the_measure_stands(phase):
    m = kempe.Builder("swing", plane=True)
    bar = m.bar("bar", 1.0, at=(0, 0), angle=0.7)
    m.revolute(m.ground.at(0, 0), bar.start)
    swing(m, bar.angle, 0.7, 0.2, phase)
    angle = m.build().kinematics(until=1.0)["bar.angle"]
    assert angle.values[0] == pytest.approx(0.7, abs=EXACT)
    assert angle.ptp() == pytest.approx(0.4, rel=1e-4)


@pytest.mark.parametrize("value", [0, 51, 2.0, True, "3", None])
def test_a_count_is_a_whole_number_in_its_range(value):
    with pytest.raises(BadNumber, match="stages"):
        count(value, "lift: stages", 1, 50)


@pytest.mark.parametrize("value", ["30 mm", None, True, 1e10])
def test_a_dimension_must_be_a_number_of_a_machine(value):
    with pytest.raises(BadNumber, match="hart: short"):
        kempe.gallery.hart(short=value)
