"""Sentences of refusals against the case that brings each about, and what they advise, followed."""

import pytest

import kempe
from kempe.errors import AssemblyError, DriveError
from kempe.kinematics.check.check import loop_mobilities


def hinged_twice(at: float) -> kempe.Mechanism:
    """A plate on two hinges of the ground that are 1 m apart, its own are `at` (m) apart."""
    m = kempe.Builder("plate", plane=True)
    plate = m.body("plate")
    m.revolute(m.ground.at(0, 0), plate.at(0, 0), name="a")
    m.revolute(m.ground.at(1, 0), plate.at(at, 0), name="b")
    return m.build()


def test_joints_of_the_same_two_bodies_that_contradict_each_other_say_by_how_much() -> None:
    with pytest.raises(AssemblyError) as caught:
        hinged_twice(1.2).assemble()
    told = caught.value.message
    assert told.startswith(
        "joints 'a' and 'b' contradict each other: both join 'ground' and 'plate'"
    )
    assert "leaves 'a' open by 0.2 m. Remove 'a', remove 'b', or move the marker of 'a'" in told
    assert "on 'plate' by (0.2, 0) m." in told
    m = kempe.Builder("plate", plane=True)  # as advised
    plate = m.body("plate")
    m.revolute(m.ground.at(0, 0), plate.at(0.2, 0), name="a")
    m.revolute(m.ground.at(1, 0), plate.at(1.2, 0), name="b")
    m.build().assemble()


def arm(*drives: str) -> kempe.Mechanism:
    """Two bars in a row, or one where only that is driven."""
    m = kempe.Builder("arm", plane=True)
    a, b = m.bar("a", 1.0, at=(0, 0), angle=0.3), m.bar("b", 1.0, angle=0.5)
    measures = {"a": a.angle, "b": b.angle}
    measures["A"] = m.revolute(m.ground.at(0, 0), a.start, name="A").angle
    m.revolute(a.end, b.start, name="B")
    for name in drives:
        m.drive(measures[name], start={"b": 0.5}.get(name, 0.3), rpm=10)
    return m.build()


def test_a_hinge_that_is_driven_under_two_names_is_told_what_to_drive_instead() -> None:
    with pytest.raises(DriveError) as caught:
        arm("A", "a").kinematics(until=1.0, steps=4)
    assert caught.value.message == (
        "'arm' cannot be moved by its drives. The drives on 'A.angle' and 'a.angle' depend on each"
        " other. Remove the drive on 'a.angle', and drive 'b.angle' from 0.5 rad."
    )
    assert arm("A", "b").kinematics(until=1.0, steps=4).outcome.is_done


def test_more_drives_than_freedoms_are_told_how_many_to_remove() -> None:
    with pytest.raises(DriveError) as caught:
        arm("A", "a", "b").kinematics(until=1.0, steps=4)
    told = caught.value.message
    assert "has 3 drives ('A.angle', 'a.angle', 'b.angle') but only 2 freedoms to drive" in told
    assert "the drives would fight each other. The drives on 'A.angle' and 'a.angle'" in told


def test_a_way_that_is_not_there_is_told_with_those_that_are() -> None:
    flat = kempe.gallery.four_bar(crank=1.0, coupler=2.0, rocker=1.0, ground=2.0)
    asked = {"until": 1.0, "steps": 36}
    outcome = flat.kinematics(**asked, through="branch 9").outcome
    assert outcome.name == "Bifurcation"
    assert outcome.message.endswith(" There is no continuation 9.")
    for way in ("momentum", "branch 2", "branch 3"):
        assert f'through="{way}"' in outcome.advice
        assert flat.kinematics(**asked, through=way).outcome.is_done


def test_loops_tell_their_mobility_by_count_and_by_rank() -> None:
    told = [str(loop) for loop in loop_mobilities(kempe.gallery.four_bar().layout)]
    assert told == ["ground - crank - coupler - rocker: mobility 1 by count, 1 by rank"]
