"""What a simulation says of its start and its end names what is to blame."""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.errors import AssemblyError
from kempe.joints import SkewBars, Spherical
from kempe.outcome import Ending

INERTIA = Inertia(1.0, (0, 0, 0), 0.1 * np.eye(3))


@pytest.mark.parametrize("lengths", [(1.0, 1.0, 2.0), (1.5, 0.5, 1.0)])
def test_bars_that_just_reach_each_other_are_called_singular(lengths):
    """Stretched or folded, they are straight already."""
    m = Builder("pair", plane=True)
    a, b = m.bar("a", lengths[0], inertia=INERTIA), m.bar("b", lengths[1], inertia=INERTIA)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(m.ground.at(lengths[2], 0), b.start)
    m.revolute(a.end, b.end)
    with pytest.raises(AssemblyError, match="singular position") as told:
        m.build().simulate(until=0.1, steps=1)
    assert "traighten" not in str(told.value)


def test_skew_bars_at_their_greatest_distance_are_called_singular():
    m = Builder("bars")
    body = m.body("body", at=(0, 0, 1.0), inertia=INERTIA)
    ends = m.ground.at(1, 0, 0), body.at(0, 1, 0)
    bars = SkewBars(m.ground.at(-1, 0, 0), body.at(0, 0, 0), K=ends[0], L=ends[1], length=1.0)
    m.add(bars, "bars")
    m.add(Spherical(m.ground.at(0, 0, 1), body.at(0, 0, 0)), "ball")
    with pytest.raises(AssemblyError, match="'bars' is at the limit") as told:
        m.build().simulate(until=0.1, steps=1)
    assert "traighten" not in str(told.value)


def test_a_drive_that_runs_into_its_dead_point_is_told_so():
    """Coupler and rocker in line: cos(angle) = (3^2 + 4^2 - 6.5^2) / (2 3 4)."""
    m = Builder("four-bar", plane=True)
    a, b, c = (m.bar(n, size, inertia=INERTIA) for n, size in zip("abc", (3, 3.5, 3), strict=True))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(4, 0))
    m.drive(a.angle, start=2.0, speed=1.0)
    outcome = m.build().simulate(until=0.5, steps=5).outcome
    dead = math.acos((9 + 16 - 42.25) / 24) - 2.0
    assert outcome.ending is Ending.DEAD_POINT
    assert "a.angle" in outcome.message
    assert "redundant" not in str(outcome)
    assert outcome.facts["t"] == pytest.approx(dead, abs=1e-5)


def hinged():
    m = Builder("bar", plane=True)
    bar = m.bar("bar", 1.0, inertia=INERTIA)
    return m, bar, m.revolute(m.ground.at(0, 0), bar.start, name="hinge")


def notes(m: Builder) -> str:
    return " ".join(m.build().simulate(until=0.1, steps=1).motion.notes)


def test_rates_that_contradict_each_other_are_not_blamed_on_joints():
    m, bar, hinge = hinged()
    m.rate(bar.angle, 1.0)
    m.rate(hinge.angle, 2.0)
    assert "what else was asked for allows nothing nearer" in notes(m)
    assert "joints" not in notes(m)


def test_a_rate_that_a_drive_forbids_is_blamed_on_the_drive():
    m, bar, _ = hinged()
    m.rate(bar.angle, 1.0)
    m.drive(bar.angle, speed=2.0)
    assert "the drives allow nothing nearer" in notes(m)


def test_a_rate_that_a_joint_forbids_is_blamed_on_the_joint():
    m = Builder("bar", plane=True)
    bar = m.bar("bar", 1.0, inertia=INERTIA)
    m.prismatic(m.ground.at(0, 0), bar.start)
    m.rate(bar.angle, 1.0)
    assert "the joints allow nothing nearer" in notes(m)
