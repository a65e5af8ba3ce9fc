"""Turns are those that were made, however few samples are asked for."""

import math

import numpy as np
import pytest

import kempe
from kempe.couplers import GearPair
from kempe.kinematics.observe import turn_counting
from kempe.kinematics.observe.turn_counting import finer_times
from kempe.measures import Bearing

EXACT = 1e-9
TURN = 2.0 * math.pi


def crank_rocker(speed: float | None, *, plane: bool, masses: bool = False) -> kempe.Builder:
    """The rocker swings within 1.74 ... 2.38 rad however often the crank goes round."""

    def inertia(length: float, mass: float) -> kempe.Inertia | None:
        tensor = mass * length**2 * np.diag([0.01, 1.0 / 12.0, 1.0 / 12.0])
        return kempe.Inertia(mass, (length / 2, 0, 0), tensor) if masses else None

    m = kempe.Builder("crank and rocker", plane=plane)
    crank = m.bar("crank", 0.3, angle=0.0, inertia=inertia(0.3, 50.0))
    coupler = m.bar("coupler", 1.2, inertia=inertia(1.2, 0.1))
    rocker = m.bar("rocker", 1.0, inertia=inertia(1.0, 0.1))
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(1.3, 0), rocker.start, name="D")
    m.gauge("rocks", Bearing(), m.ground.at(1.3, 0), rocker.end)
    m.gauge("goes round", Bearing(), m.ground.at(0.1, 0.1), crank.end)  # inside its circle
    if speed is not None:
        m.drive(crank.angle, speed=speed)
    return m


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize(("turns", "steps"), [(40, 10), (23, 9), (3, 40)])
def test_what_rocks_makes_no_turns_and_what_goes_round_all(turns, steps, plane):
    made = crank_rocker(TURN * turns, plane=plane).build().kinematics(until=1.0, steps=steps)
    place = made["rocker.end"].position - np.array([1.3, 0.0, 0.0])[: 2 if plane else 3]
    direction = np.arctan2(place[:, 1], place[:, 0])  # it never points left
    for name in ("D.angle", "rocker.angle", "rocks"):
        np.testing.assert_allclose(made[name].values, direction, atol=EXACT)
    seen = made["crank.end"].position - np.array([0.1, 0.1, 0.0])[: 2 if plane else 3]
    around = made["goes round"].values
    np.testing.assert_allclose(np.cos(around), seen[:, 0] / np.hypot(*seen[:, :2].T), atol=EXACT)
    np.testing.assert_allclose(
        np.abs(around - made["crank.angle"].values - around[0]) / TURN, 0, atol=0.3
    )
    assert around[-1] - around[0] == pytest.approx(TURN * turns, abs=EXACT)
    assert made.state().angles["D.angle"] == pytest.approx(direction[-1], abs=EXACT)


def test_a_gear_agrees_with_its_own_wheels():
    m = crank_rocker(TURN * 40, plane=False)
    wheel = m.bar("wheel", 0.2, at=(3, 0, 0), angle=0.0)
    m.revolute(m.ground.at(3, 0, 0), wheel.start, name="W")
    m.couple(GearPair((m.part("D").angle, m.part("W").angle), teeth=(20, 31)))
    turn = m.build().kinematics(until=1.0, steps=10)
    row = 20 * turn["D.angle"].values + 31 * turn["W.angle"].values
    np.testing.assert_allclose(row, row[0], atol=1e-8)


@pytest.mark.parametrize("steps", [2, 10])
def test_a_simulation_counts_as_one_with_many_samples(steps):
    m = crank_rocker(None, plane=False, masses=True)
    m.rate(m.part("crank").angle, TURN * 10)
    mechanism = m.build()
    few, many = (mechanism.simulate(until=0.5, steps=n) for n in (steps, 200))
    for name in ("crank.angle", "D.angle", "rocks", "goes round"):
        assert few[name].values[-1] == pytest.approx(many[name].values[-1], abs=1e-6)


def test_even_turns_are_counted_without_another_run():
    """Gears turn evenly: a million turns in four steps cost four steps."""
    m = kempe.Builder("gears")
    one, two = m.bar("one", 1.0, at=(0, 0, 0)), m.bar("two", 1.0, at=(3, 0, 0))
    first = m.revolute(m.ground.at(0, 0, 0), one.start, name="first")
    second = m.revolute(m.ground.at(3, 0, 0), two.start, name="second")
    m.couple(GearPair((first.angle, second.angle), teeth=(20, 31)))
    m.drive(first.angle, speed=TURN * 1e6)
    turn = m.build().kinematics(until=1.0, steps=4)
    assert turn["first.angle"].values[-1] == pytest.approx(TURN * 1e6, rel=1e-12)
    assert turn["second.angle"].values[-1] == pytest.approx(-TURN * 1e6 * 20 / 31, rel=1e-9)


def test_what_cannot_be_counted_is_not_told(monkeypatch):
    """As if 100 uneven turns from one sample to the next were more than fits."""
    monkeypatch.setattr(turn_counting, "MOST_NUMBERS", 1000)
    turn = crank_rocker(TURN * 100, plane=False).build().kinematics(until=1.0, steps=2)
    angle = turn["D.angle"]
    assert np.isnan(angle.values).tolist() == [False, True, True]
    assert "turns that were not counted" in angle.note
    assert "more steps" in angle.note


def test_finer_times_keep_those_given():
    times = np.array([0.1, 0.2, 0.7, 0.9])
    assert set(times) <= set(finer_times(times, 7))
    assert len(finer_times(times, 7)) == 3 * 7 + 1
