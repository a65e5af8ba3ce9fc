"""Advice names what is in the model, and followed to the letter it helps."""

import ast
import re

import pytest

import kempe
from kempe.errors import DriveError, KempeError, Unbounded, UnsolvableKind
from kempe.joints import Spherical


def two_bars():
    m = kempe.Builder("two", plane=True)
    a, b = m.bar("a", 1.0), m.bar("b", 0.7)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    return m.build()


def slider():
    m = kempe.Builder("slide", plane=True)
    s = m.body("s", at=(0, 0), angle=0)
    m.prismatic(m.ground.at(0, 0), s.at(0, 0))
    return m


def advised(mistake, word):
    """The mapping after `word=` in a message, as Python."""
    return ast.literal_eval(re.search(rf"{word}=(\{{.*?\}})\.", str(mistake))[1])


def test_what_to_hold_is_a_measure_of_the_model():
    with pytest.raises(UnsolvableKind, match=r"2 independent ways \(near 'a', 'b'\)") as caught:
        two_bars().assemblies()
    found = two_bars().motions(held=advised(caught.value, "held"))
    assert found.outcome == "complete"


def test_what_to_limit_is_a_measure_of_the_model():
    with pytest.raises(Unbounded) as caught:
        slider().build().motions()
    found = slider().build().motions(limits=advised(caught.value, "limits"))
    assert found.outcome == "complete"


def test_a_measure_that_never_turns_back_is_told_so():
    bar = kempe.gallery.four_bar(crank=1, coupler=3, rocker=3, ground=3.5)
    said = str(bar.turning_points("crank.angle"))
    assert "no turning point of 'crank.angle' - complete" in said
    assert "put together" not in said
    assert "go together" not in said
    assert "4 turning points of 'rocker.angle'" in str(bar.turning_points("rocker.angle"))


def test_a_drive_that_moves_nothing_is_named_where_drives_are_missing():
    m = kempe.Builder("ball")
    a = m.bar("a", 1.0)
    m.add(Spherical(m.ground.at(0, 0, 0), a.start), "ball")
    m.drive(a.x, speed=1.0)
    with pytest.raises(DriveError, match=r"Add 3 drives.*'a\.x' moves nothing: remove it"):
        m.build().kinematics(until=1.0)


def test_a_drive_that_moves_nothing_is_named_where_there_are_too_many():
    m = slider()
    m.drive(m.part("s").angle, speed=0.0)
    m.drive(m.part("s").x, speed=1.0)
    with pytest.raises(DriveError, match=r"'s\.angle' moves nothing: remove it"):
        m.build().kinematics(until=1.0)
    m.remove("s.angle")
    assert m.build().kinematics(until=1.0).outcome.is_done


def test_one_freedom_is_one():
    m = kempe.Builder("straight", plane=True)
    a, b = m.bar("a", 1.0, at=(0, 0), angle=0.0), m.bar("b", 1.0, at=(1, 0), angle=0.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, m.ground.at(2, 0))
    m.drive(a.angle, speed=1.0)
    try:
        said = str(m.build().kinematics(until=1.0).outcome)
    except KempeError as mistake:
        said = str(mistake)
    assert "1 freedoms" not in said
