"""Rows that almost repeat others by chance, where links are straight, and everywhere."""

import math

import pytest

import kempe as kp
from kempe.errors import DriveError


def pair_of_bars(m, first, second, apart, guess=None, at=0.0):
    a, b = m.bar("a", first, angle=guess), m.bar("b", second)
    m.revolute(m.ground.at(at, 0), a.start)
    m.revolute(m.ground.at(at + apart, 0), b.start)
    m.revolute(a.end, b.end)


@pytest.mark.parametrize("guess", [None, 0.0, 0.3, -0.01])
@pytest.mark.parametrize("lengths", [(1.0, 1.0, 2.0), (1.5, 0.5, 1.0), (0.3, 0.7, 1.0)])
def test_bars_that_just_reach_each_other_are_told_alike_whatever_the_guess(lengths, guess):
    """Stretched or folded, one velocity square to the line is left at first order, no motion."""
    m = kp.Builder("pair", plane=True)
    pair_of_bars(m, *lengths, guess)
    report = m.build().check()
    assert report.only_fits_here
    assert (report.mobility, report.mobility_at_start, report.redundant_rows) == (0, 1, 0)
    assert report.nearly is None
    assert "in this one position only" in str(report)
    assert "drive" not in str(report)


@pytest.mark.parametrize("slack", [1e-5, 1e-7, 1e-9, 1e-11])
def test_a_flat_triangle_of_bars_is_a_rigid_frame_without_redundant_rows(slack):
    """Its height is sqrt(2 slack), down to some millionths: no row repeats others elsewhere."""
    m = kp.Builder("flat", plane=True)
    pair_of_bars(m, 1.0, 1.0, 2.0 * (1.0 - slack))
    built = m.build()
    assert abs(built.assemble()["a.end"][1]) == pytest.approx(math.sqrt(2 * slack), rel=1e-2)
    report = built.check()
    assert report.mobility == 0
    assert report.nearly is None
    assert "almost repeat" not in str(report)
    assert "drive" not in str(report)


def test_a_straight_pair_beside_a_four_bar_is_what_keeps_it_from_being_swept(hinged_bars):
    m = kp.Builder("both", plane=True)
    pair_of_bars(m, 1.0, 1.0, 2.0, at=10.0)
    crank, *_ = hinged_bars(m, "cde", (1.0, 3.0, 3.0), 3.5)
    m.drive(crank.angle, start=1.0, speed=1.0)
    report = m.build().check()
    assert report.mobility == 1
    assert [part.bodies for part in report.singular] == [("a", "b")]
    assert report.nearly is None
    assert not report.is_ready
    with pytest.raises(DriveError, match="in this one position only") as caught:
        m.build().kinematics(until=1.0)
    assert "another value" not in caught.value.message  # no value of this drive moves the pair
