"""Limits that give way: half a swing of a spring, backlash, and what is refused."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber
from kempe.forces import Bumper
from kempe.geometry import Inertia


def slider(speed: float, at: float = 0.0):
    m = kempe.Builder("slider", plane=True)
    body = m.body(
        "block", at=(at, 0), inertia=Inertia(2.0, (0, 0, 0), np.eye(3)), velocity=(speed, 0)
    )
    return m, m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="guide").displacement


def test_a_block_is_thrown_back_after_half_a_swing():
    m, way = slider(1.0)
    m.force(Bumper(way, high=0.5, stiffness=200.0), "buffer")
    run = m.build().simulate(until=2.0, tolerance=1e-10, events=["guide.displacement - 0.5"])
    touched, left = (event.t for event in run.events)
    assert touched == pytest.approx(0.5, abs=1e-9)
    assert left - touched == pytest.approx(math.pi / 10.0, abs=1e-8)  # pi / sqrt(k / m)
    assert run["guide.displacement.rate"].values[-1] == pytest.approx(-1.0, rel=1e-8)
    assert np.ptp(run.energy.total) < 1e-8


def test_free_play_goes_to_and_fro_with_its_period():
    m, way = slider(1.0, at=0.0)
    m.force(Bumper(way, low=-0.2, high=0.2, stiffness=800.0), "play")
    run = m.build().simulate(until=5.0, events=["guide.displacement"])
    times = np.array([event.t for event in run.events])
    half = 0.4 + math.pi / 20.0  # through the play, and half a swing of sqrt(800 / 2)
    assert np.diff(times) == pytest.approx(half, abs=1e-8)


def test_a_damped_buffer_never_pulls_back():
    m, way = slider(1.0)
    m.force(Bumper(way, high=0.2, stiffness=100.0, damping=60.0), "buffer")
    run = m.build().simulate(until=3.0, steps=300)
    assert run["buffer.effort"].values.max() <= 0.0
    assert np.ptp(run.energy.total) < 1e-7
    assert run["guide.displacement.rate"].values[-1] < 0.0


@pytest.mark.parametrize(
    "given",
    [
        {"stiffness": 1.0},
        {"low": 0.3, "high": 0.2, "stiffness": 1.0},
        {"low": 0.0, "stiffness": 0.0},
        {"low": 0.0, "stiffness": 1.0, "damping": -1.0},
        {"low": float("nan"), "stiffness": 1.0},
    ],
)
def test_a_bumper_refuses_what_is_none(given):
    _, way = slider(1.0)
    with pytest.raises(BadNumber):
        Bumper(way, **given)
