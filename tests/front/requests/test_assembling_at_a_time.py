"""`assemble(at=...)` is the start of every analysis at that time, whatever its drives can move."""

import numpy as np
import pytest

import kempe
from kempe.drives import Ramp
from kempe.errors import AssemblyError, DriveError

CRANK, COUPLER, ROCKER = 1.0, 2.25, 2.0


def stretched(short: float) -> kempe.Mechanism:
    """A four-bar whose coupler and rocker lie in one line but for this share of their lengths.

    The line is the crank's way. Only the crank has a guess, so both bends are as near.
    """
    m = kempe.Builder("four-bar", plane=True)
    crank = m.bar("crank", CRANK, angle=0.0)
    coupler, rocker = m.bar("coupler", COUPLER), m.bar("rocker", ROCKER)
    reach = (COUPLER + ROCKER) * (1.0 - short)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(CRANK, -reach), rocker.start)
    m.drive(crank.angle, Ramp(0.0, -1.0))
    return m.build()


def dead_slider() -> kempe.Mechanism:
    """A crank and a rod in one line, driven by the slider."""
    m = kempe.Builder("slider-crank", plane=True)
    crank, rod = m.bar("crank", 1.0, angle=0.0), m.bar("rod", 2.0, at=(1, 0), angle=0.0)
    slider = m.body("slider", at=(3, 0), angle=0.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, slider.at(0, 0))
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0), along=(1, 0))
    m.drive(slider.x, Ramp(3.0, -1.0))
    return m.build()


@pytest.mark.parametrize("short", [1e-1, 1e-3, 1e-7, 1e-10])
def test_at_the_start_it_stands_where_every_analysis_starts(short):
    mechanism = stretched(short)
    plain, timed = mechanism.assemble(), mechanism.assemble(at=0.0)
    for body in ("crank", "coupler", "rocker"):
        for word in ("x", "y", "angle"):
            assert timed[f"{body}.{word}"] == plain[f"{body}.{word}"]
    if short > 1e-5:
        turn = mechanism.kinematics(until=1e-3, steps=1)
        assert timed["rocker.angle"] == pytest.approx(turn["rocker.angle"].values[0], abs=1e-9)
        assert timed.rate("rocker.angle") == pytest.approx(turn["rocker.angle"].rate[0], rel=1e-6)


@pytest.mark.parametrize("asked", [{"at": 0.0}, {"rates": {"crank.angle": 1.0}}])
def test_velocities_beside_a_dead_point_come_with_a_note(asked):
    """Stretched to rounding: the rate is had only with velocities that rounding makes."""
    (note,) = stretched(0.0).assemble(**asked).notes
    assert "singular position" in note


def test_a_position_in_which_a_drive_cannot_move_is_given_with_a_note():
    """A slider in its dead centre, to the last bit: nobody asked for the drive's rate."""
    timed = dead_slider().assemble(at=0.0)
    assert timed["slider.x"] == pytest.approx(3.0, abs=1e-12)
    (note,) = timed.notes
    assert "'slider.x' cannot move here as fast" in note
    assert np.isfinite(timed.rate("crank.angle"))


def test_rates_that_are_asked_for_and_cannot_be_had_are_refused():
    with pytest.raises(DriveError, match="cannot be had together"):
        dead_slider().assemble(values={"crank.angle": 0.0}, rates={"slider.x": 1.0})


def test_held_values_that_contradict_each_other_are_what_is_said_to_be_off():
    mechanism = kempe.gallery.four_bar(crank=1, coupler=3, rocker=3, ground=3.5)
    with pytest.raises(AssemblyError) as told:
        mechanism.assemble(values={"crank.angle": 0.3, "A.angle": 0.4})
    assert "'crank.angle' off its value by 0.1 rad" in str(told.value)
    assert "let go" in str(told.value)


def test_where_no_analysis_can_start_a_note_says_so_and_why(hinged_bars):
    """The crank is to start at 2.5 rad, beyond its dead point at 2.3728."""
    m = kempe.Builder("four-bar", plane=True)
    crank, *_ = hinged_bars(m, "abc", (3.0, 3.5, 3.0), 4)
    m.drive(crank.angle, start=2.5, speed=1.0)
    mechanism = m.build()
    (note,) = mechanism.assemble().notes
    assert note.startswith("no analysis can start: ")
    assert "let go" in note
    assert not any("no analysis" in n for n in mechanism.assemble(values={"a.angle": 1.0}).notes)
