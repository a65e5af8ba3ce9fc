"""What is known exactly of frames in space, and what of a list is doubted where it is not."""

import math
from fractions import Fraction

import numpy as np
import pytest

import kempe
from kempe.geometry import GROUND, Marker, Rotation
from kempe.motion.equations.exactness import ExactFrame, ExactPlace, given, places
from tests.motion import _loops_in_space as loops

TILTS = [Rotation.about((1.0, 2.0, 3.0), k / 7.0).matrix() for k in range(1, 12)]


def test_a_quarter_turn_is_known_and_other_turns_only_about_their_axis():
    quarter = ExactFrame.about_z(math.pi / 2)
    assert quarter.turned(given((1.0, 0.0, 0.0))) == (0, 1, 0)
    other = ExactFrame.about_z(1.0)
    assert other.turned(given((0.3, 0.0, 0.5))) == (None, None, Fraction(0.5))
    assert other.point(places((0.0, 0.0, 0.25))) == (0, 0, Fraction(0.25))
    assert (quarter @ quarter.inverse()).is_known
    assert not (other @ other.inverse()).is_known


def test_offsets_that_cancel_only_when_they_are_rounded_do_not_vanish():
    place = ExactPlace({}).moved("a", places((0.0, 0.0, 0.1))).moved("b", places((0.0, 0.0, 0.2)))
    up = {name: given((0.0, 0.0, 1.0)) for name in "abc"}
    assert not place.moved("c", places((0.0, 0.0, 0.3)), -1).vanishes_along(up)
    dyadic = ExactPlace({}).moved("a", places((9.0, 0.0, 0.5)))
    assert dyadic.moved("b", places((0.0, 0.0, 0.5)), -1).vanishes_along(up)


@pytest.mark.parametrize("tilt", TILTS, ids=range(len(TILTS)))
def test_a_four_bar_in_a_tilted_plane_is_never_called_complete(tilt):
    # in some of these the offset out of the plane is 0.0 in doubles, and not zero
    found = loops.four_bar(1.0, 2.5, 3.0, 2.8, tilt).motions()
    assert (str(found.outcome), len(found)) == ("numerical", 2)
    assert "exactly is not proved" in found.message


def test_held_at_any_angle_an_upright_four_bar_stays_complete():
    mechanism = loops.four_bar(1.0, 2.5, 3.0, 2.8, np.eye(3))
    found = mechanism.assemblies({"first.angle": 0.7})
    assert (str(found.outcome), len(found)) == ("complete", 2)


def _parallel_hinges(tilt):
    """A four-bar in the plane of x and y whose last hinge is tilted by so little about x."""
    m = kempe.Builder("four-bar")
    crank = m.body("crank", points={"start": (0, 0, 0), "end": (1.0, 0, 0)})
    coupler = m.body("coupler", points={"start": (0, 0, 0), "end": (3.0, 0, 0)})
    rocker = m.body("rocker", points={"start": (0, 0, 0), "end": (2.5, 0, 0)})
    m.revolute(Marker(GROUND), crank.start, name="first")
    m.revolute(crank.end, coupler.start, name="second")
    m.revolute(rocker.end, coupler.end, name="third")
    R = np.eye(3)
    R[1, 2], R[2, 1] = -tilt, tilt
    m.revolute(Marker(GROUND, (2.75, 0, 0), Rotation.from_matrix(R)), rocker.start, name="fourth")
    return m.build()


def test_axes_that_miss_each_other_by_less_than_can_be_told_are_doubted():
    exact = _parallel_hinges(0.0).motions()
    assert str(exact.outcome) == "complete"
    for tilt in (2e-14, 1e-13):
        found = _parallel_hinges(tilt).motions()
        assert (str(found.outcome), len(found)) == ("numerical", 2)
        assert "fourth" in found.message
