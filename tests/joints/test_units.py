"""A joint's, a coupler's and a law's own numbers are SI, or texts with a unit."""

import math
import re

import pytest

from kempe.couplers import Belt, RackAndPinion, ScrewCoupler
from kempe.drives import Cycloidal, Harmonic, Piecewise, Ramp
from kempe.errors import BadNumber, UnitError
from kempe.geometry import Marker
from kempe.joints import (
    Absolute,
    Angle,
    CylSph,
    LineInPlane,
    Planar,
    PointInPlane,
    RevCyl,
    RevRev,
    Rod,
    Screw,
)
from kempe.measures import Displacement, Gauge, Turn

ENDS = Marker("a"), Marker("b")
ANGLE, WAY = Gauge("a.angle", Turn(), *ENDS), Gauge("a.way", Displacement(), *ENDS)

TEXTS = {
    "rod": (lambda x: Rod(*ENDS, length=x).length, "130 mm", 0.13),
    "rev_rev": (lambda x: RevRev(*ENDS, length=x).length, "13 cm", 0.13),
    "rev_cyl": (lambda x: RevCyl(*ENDS, length=x).length, "13 cm", 0.13),
    "cyl_sph": (lambda x: CylSph(*ENDS, length=x).length, "13 cm", 0.13),
    "planar": (lambda x: Planar(*ENDS, offset=x).offset, "1 in", 0.0254),
    "point": (lambda x: PointInPlane(*ENDS, offset=x).offset, "1 in", 0.0254),
    "line": (lambda x: LineInPlane(*ENDS, offset=x).offset, "1 in", 0.0254),
    "screw": (lambda x: Screw(*ENDS, lead=x).lead, "2 mm", 0.002),
    "start": (lambda x: Screw(*ENDS, lead=1.0, start=x).start, "2 mm", 0.002),
    "angle": (lambda x: Angle(*ENDS, angle=x).angle, "30 deg", math.radians(30)),
    "held x": (lambda x: Absolute(*ENDS, x=x).x, "5 mm", 0.005),
    "held angle": (lambda x: Absolute(*ENDS, about_x=x).about_x, "90 deg", math.pi / 2),
    "rack": (lambda x: RackAndPinion((WAY, ANGLE), radius=x).radius, "40 mm", 0.04),
    "nut": (lambda x: ScrewCoupler((WAY, ANGLE), lead=x).lead, "40 mm", 0.04),
    "belt": (lambda x: Belt((ANGLE, ANGLE), radii=(x, 1.0)).radii[0], "40 mm", 0.04),
    "rise": (lambda x: Cycloidal(rise=1.0, duration=x).duration, "20 ms", 0.02),
    "piece": (lambda x: Piecewise(((x, Ramp()),)).pieces[0][0], "0.5 min", 30.0),
    "swing": (lambda x: Harmonic(amplitude=1.0, frequency=x).frequency, "2 Hz", 2.0),
}


@pytest.mark.parametrize("what", TEXTS)
def test_a_text_with_a_unit_is_the_number_in_si(what):
    made, text, number = TEXTS[what]
    assert made(text) == pytest.approx(number, rel=1e-15)
    assert made(number) == number


@pytest.mark.parametrize("what", TEXTS)
def test_a_text_of_another_kind_is_refused(what):
    made, _, _ = TEXTS[what]
    with pytest.raises(UnitError, match="kg"):
        made("3 kg")


def test_the_message_says_which_number_of_which_joint():
    with pytest.raises(UnitError, match=re.escape("the length of rod 'strut': 'deg' is no unit")):
        Rod(*ENDS, "strut", length="3 deg")


def test_a_reading_of_a_law_takes_its_unit_from_the_measure_and_has_none_itself():
    with pytest.raises(BadNumber, match="the amplitude of a harmonic law must be a finite number"):
        Harmonic(amplitude="30 deg", frequency=1.0)
