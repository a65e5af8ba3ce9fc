"""What is marked on the time axis of a motion."""

import math

import pytest

import kempe
from kempe.events import Stop
from kempe.pictures.animation import standing

EXACT = 1e-6  # s: a measure is followed on lines between samples


def crank(low: float | None, high: float | None) -> kempe.Mechanism:
    m = kempe.Builder("crank", plane=True)
    arm = m.bar("arm", 1.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.drive(arm.angle, start=-1.0, speed=2.0)
    m.event(Stop(arm.angle, low=low, high=high), "buffer")
    return m.build()


def marked(turn: kempe.Trajectory) -> list[tuple[str, float]]:
    return [(mark.name, mark.time) for mark in standing(turn, []).marks]


def test_a_sweep_marks_where_it_passes_the_limits_of_a_stop() -> None:
    found = marked(crank(-0.5, 1.25).kinematics(until=2.0, steps=333))
    assert [name for name, _ in found] == ["low limit of buffer", "high limit of buffer"]
    assert [t for _, t in found] == pytest.approx([0.25, 1.125], abs=EXACT)


def test_limits_that_are_not_passed_are_not_marked() -> None:
    assert marked(crank(-1.5, 3.5).kinematics(until=2.0, steps=50)) == []


def test_a_sweep_that_ends_at_a_dead_point_marks_it_in_words() -> None:
    m = kempe.Builder("triple rocker", plane=True)
    arm, coupler, rocker = m.bar("arm", 60), m.bar("coupler", 50), m.bar("rocker", 50)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.revolute(arm.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(100, 0), rocker.start)
    m.drive(arm.angle, start="40 deg", speed=1.0)
    steps = 100
    ((name, t),) = marked(m.build().kinematics(until=2.0, steps=steps))
    assert name == "dead point"
    # 60, 100 and 50 + 50 are the sides of a triangle there; the sweep ends at the sample before.
    there = math.acos(0.3) - math.radians(40)
    assert there - 2.0 / steps <= t <= there
