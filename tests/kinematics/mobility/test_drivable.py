"""A drive that is proposed moves something: following the advice leaves a freedom less."""

import re

import pytest

import kempe
from kempe.compile.trace.part_names import gauges_by_name
from kempe.errors import AssemblyError, DriveError
from kempe.joints import Cylindrical, Planar, Spherical, Universal

PLANAR = ("slide", "hinge", "loose")
SPATIAL = (Cylindrical, Planar, Spherical, Universal, "slide", "hinge", "tilted")


def alone(kind, *, plane: bool) -> kempe.Builder:
    """A body on one joint, and a bar beside it."""
    m = kempe.Builder("alone", plane=plane)
    place = m.ground.at(0.3, 0.2)
    body = m.body("body")
    if kind == "slide":
        m.prismatic(place, body.at(0, 0), name="j")
    elif kind == "hinge":
        m.revolute(place, body.at(0, 0), name="j")
    elif kind == "tilted":
        m.revolute(place.facing((1, 0, 0)), body.at(0, 0).facing((1, 0, 0)), name="j")
    elif kind != "loose":
        m.add(kind(place, body.at(0, 0)), "j")
    return m


def proposed(message: str) -> str:
    """The name of the measure that a refusal proposes to drive."""
    found = re.search(r"for example (?:builder\.drive\(|on ')([\w.]+)", message)
    assert found is not None, message
    return found.group(1)


CASES = [(k, True) for k in PLANAR] + [(k, False) for k in SPATIAL]


@pytest.mark.parametrize(("kind", "plane"), CASES, ids=str)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside"])
def test_a_drive_that_is_proposed_takes_a_freedom_away(kind, plane, beside):
    """Without any drive, and beside a bar that is driven."""
    m = alone(kind, plane=plane)
    if beside:
        bar = m.bar("bar", 1.0)
        m.drive(m.revolute(m.ground.at(5, 0), bar.start, name="other").angle, rpm=1)
    before = m.build().check()
    with pytest.raises(DriveError) as refused:
        m.build().kinematics(until=1.0)
    gauge = gauges_by_name(m.build().model)[proposed(str(refused.value))]
    m.drive(gauge, speed=0.1)
    after = m.build().check()
    assert len(after.free) == len(before.free) - 1


def test_joints_that_repeat_each_other_are_not_said_to_weld_what_others_lock():
    """A doubled hinge in a triangle of bars: it is the triangle that cannot move."""
    m = kempe.Builder("triangle", plane=True)
    one, two = m.bar("one", 1.0), m.bar("two", 1.0)
    hinge = m.revolute(m.ground.at(0, 0), one.start, name="first")
    m.revolute(m.ground.at(0, 0), one.start, name="again")
    m.revolute(one.end, two.end, name="top")
    m.revolute(m.ground.at(1, 0), two.start, name="right")
    m.drive(hinge.angle, start="60 deg", rpm=1)
    with pytest.raises(DriveError) as refused:
        m.build().kinematics(until=1.0)
    assert "cannot move at all" in str(refused.value)
    assert "hold them together" not in str(refused.value)


def test_values_that_keep_joints_apart_are_named():
    with pytest.raises(AssemblyError, match=r"with 'crank\.angle' and 'rocker\.angle' let go"):
        kempe.gallery.four_bar().assemble(values={"crank.angle": 0.3, "rocker.angle": 0.3})


def test_what_no_lock_prevents_is_proved_with_locks_as_well():
    m = kempe.Builder("too high", plane=True)
    one, two, slider = m.bar("one", 1.0), m.bar("two", 1.0), m.body("slider")
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    m.revolute(two.end, slider.at(0, 0))
    m.prismatic(m.ground.at(0, 4), slider.at(0, 0))
    with pytest.raises(AssemblyError) as refused:
        m.build().assemble(locked=["one"])
    assert refused.value.facts["proved"]
