"""What is to be removed is named only where the drives then move the rest."""

import math
import re

import numpy as np
import pytest

import kempe
from kempe.errors import AssemblyError, DriveError
from kempe.joints import Rod
from kempe.kinematics.check import removal


def refusal(mechanism):
    with pytest.raises(DriveError) as caught:
        mechanism.kinematics(until=0.01, steps=1)
    return caught.value.message


def without(mechanism, name):
    builder = mechanism.edit()
    builder.remove(name)
    return builder.build()


@pytest.mark.parametrize("start", [0.0, 0.3])
def test_a_drive_that_moves_nothing_is_the_one_to_remove_whatever_it_asks_for(start):
    """The end of a crank that is hinged stays where it is: y = 0 holds nothing, y = 0.3 less."""
    m = kempe.Builder("crank", plane=True)
    crank = m.bar("crank", 1.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.drive(crank.angle, speed=1)
    m.drive(crank.y, start=start)
    assert "'crank.y' moves nothing: remove it." in refusal(m.build())
    assert without(m.build(), "crank.y").kinematics(until=1.0, steps=4).outcome.is_done


@pytest.mark.parametrize("rocker", [0.5, 2.2])
def test_of_two_drives_only_one_whose_fellow_can_start_is_to_be_removed(rocker):
    """The rocker's pin is to be within coupler +- crank of the crank's bearing, or it is out."""
    crank, coupler, arm, ground = 1.0, 3.0, 3.0, 3.5
    m = kempe.Builder("four-bar", plane=True)
    a, b, c = m.bar("a", crank), m.bar("b", coupler), m.bar("c", arm)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(ground, 0))
    m.drive(a.angle, start=1.0, speed=1)
    m.drive(c.angle, start=rocker, speed=1)
    reach = math.dist((0, 0), (ground + arm * np.cos(rocker), arm * np.sin(rocker)))
    can_start = coupler - crank < reach < coupler + crank
    advised = {"Remove 1 of them."} if can_start else {"Remove the drive on 'c.angle'."}
    assert {re.search(r"Remove .*\.$", refusal(m.build()))[0]} == advised
    assert without(m.build(), "c.angle").check().is_ready


def test_of_two_joints_that_weld_only_one_that_frees_the_drive_is_to_be_removed():
    """A rod from the end of a crank to the ground: without the hinge two freedoms are left."""
    m = kempe.Builder("one arm", plane=True)
    crank = m.bar("crank", 0.75)
    m.revolute(m.ground.at(0, 0), crank.start, name="hinge")
    m.add(Rod(crank.end, m.ground.at(-1.941, 0.649), length=1.77), "rod")
    m.drive(crank.angle, start=0.922, rpm=-30)
    assert "hold them together: remove 'rod'." in refusal(m.build())
    assert without(m.build(), "rod").check().is_ready
    assert without(m.build(), "hinge").check().undriven == 1


def test_where_no_joint_alone_frees_the_drive_none_is_named():
    """Three rods beside the hinge: without any one of the four the crank still stands."""
    m = kempe.Builder("three rods", plane=True)
    crank = m.bar("crank", 1.0)
    m.revolute(m.ground.at(0, 0), crank.start, name="hinge")
    m.add(Rod(crank.end, m.ground.at(2, 1), length=math.sqrt(2)), "first")
    m.add(Rod(crank.end, m.ground.at(1, 1.5), length=1.5), "second")
    m.add(Rod(crank.at(0.5, 0), m.ground.at(0.5, -1), length=1.0), "third")
    m.drive(crank.angle, rpm=30)
    said = refusal(m.build())
    assert "it cannot move at all" in said
    assert "emove" not in said


def high_four_bar(**drive):
    """Bars of 0.5, 0.6 and 0.7 m between bearings that are 1.6 m apart, one above the other."""
    m = kempe.Builder("four-bar", plane=True)
    a, b, c = m.bar("a", 0.5), m.bar("b", 0.6), m.bar("c", 0.7)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(m.ground.at(0, 1.6), c.start)
    if drive:
        m.drive(a.angle, rpm=60, **drive)
    return m.build()


def test_an_example_of_a_drive_starts_where_it_can():
    """The pin of a bar that lies flat is 1.676 m from the other bearing; two bars reach 1.3 m."""
    told = re.search(r'builder.drive\(a.angle, start="(.*)", rpm=60\)', refusal(high_four_bar()))
    with pytest.raises(AssemblyError):
        high_four_bar(start=0.0).check()
    assert high_four_bar(start=told[1]).check().is_ready


def test_check_names_the_drive_without_which_the_others_start():
    """The bearing of the crank is at x = 0, whatever it does."""
    m = kempe.Builder("six bars", plane=True)
    a, b, s = m.bar("crank", 0.95, angle=0.658), m.bar("rod", 1.69), m.body("slider")
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, s.at(0, 0))
    m.prismatic(m.ground.at(0.4, 0.94), s.at(0, 0))
    e, g = m.bar("e", 0.35), m.bar("g", 1.13)
    m.revolute(s.at(0, 0), e.start)
    m.revolute(e.end, g.end)
    m.revolute(m.ground.at(-0.979, 0.36), g.start)
    m.drive(a.angle, start=-0.354, rpm=60)
    m.drive(a.x, start=-0.24, speed=0.1)
    report = m.build().check()
    assert report.removable_drives == (("crank.x",),)
    assert "emove one of them" not in str(report)
    assert "Remove that on 'crank.x'." in str(report)
    assert "DOF 1, with the drives -1 " in str(report)
    assert "There is 1 drive too many." in str(report)
    assert without(m.build(), "crank.x").check().is_ready


def test_drives_that_say_the_same_are_exchanged_for_what_nothing_drives():
    """Both places of the second bar's end follow the first bar, and its own end does not move."""
    m = kempe.Builder("chain", plane=True)
    a, b = m.bar("a", 1.0, angle=0.4), m.bar("b", 1.0, angle=0.9)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    start = m.build().assemble()
    for gauge in (b.x, b.y, a.x):
        m.drive(gauge, start=float(start[gauge.name]), speed=0.1)
    advice = "Remove the drives on 'b.y' and 'a.x', and drive 'b.angle' from 0.9 rad."
    assert advice in str(m.build().check())
    with pytest.raises(DriveError) as refused:
        m.build().kinematics(until=0.1)
    assert advice in str(refused.value)
    m.remove("b.y")
    m.remove("a.x")
    m.drive(b.angle, start=0.9, speed=0.1)
    assert m.build().kinematics(until=0.1).outcome.is_done


def test_no_move_is_advised_of_a_marker_that_no_place_closes(monkeypatch):
    """Where the least displacement is no number, the other marker's is still told."""
    m = kempe.Builder("bars", plane=True)
    one, two = m.bar("one", 1.0), m.bar("two", 1.0)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    m.revolute(two.end, m.ground.at(3, 0), name="last")
    layout, q, true = m.build().layout, np.array([0.0, 0, 0, 1, 0, 0]), removal.gap_at
    advice = ["move the marker of 'last' on 'ground' by (-1, 0) m"]
    assert removal.moves_that_close(layout, q, 0.0, "last") == advice

    def without_place(*args, side=None):
        return np.full(2, np.nan) if side == "J" else true(*args, side=side or "J")

    monkeypatch.setattr(removal, "gap_at", without_place)
    other = ["move the marker of 'last' on 'two' by (1, 0) m"]
    assert removal.moves_that_close(layout, q, 0.0, "last") == other
