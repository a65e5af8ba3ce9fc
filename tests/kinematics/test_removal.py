"""What is to be removed is named only where the drives then move the rest."""

import math
import re

import numpy as np
import pytest

import kempe
from kempe.errors import DriveError
from kempe.joints import Rod


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
