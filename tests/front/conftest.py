"""A four-bar that works, to be spoiled in one place at a time, and motions to keep."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import kempe
from kempe.geometry import Inertia


class Bench:
    """A builder and its parts, all of them fit for a turn of the crank."""

    def __init__(self, *, plane: bool = True, units: str = "m", drive: bool = True) -> None:
        self.m = m = kempe.Builder("four-bar", plane=plane, units=units)
        self.crank = m.bar("crank", 1.0, at=(0, 0), angle=0)
        self.coupler = m.bar("coupler", 3.5, points={"P": (1.75, 1.75)}, at=(1, 0), angle=1)
        self.rocker = m.bar("rocker", 3.0, at=(4, 0), angle=2)
        self.A = m.revolute(m.ground.at(0, 0), self.crank.start, name="A")
        self.B = m.revolute(self.crank.end, self.coupler.start, name="B")
        self.C = m.revolute(self.coupler.end, self.rocker.end, name="C")
        self.D = m.revolute(m.ground.at(4, 0), self.rocker.start, name="D")
        if drive:
            m.drive(self.crank.angle, rpm=60)

    def run(self, **options: Any) -> kempe.Trajectory:
        return self.m.build().kinematics(**({"until": 1.0, "steps": 8} | options))


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture(scope="session")
def new_bench() -> Callable[..., Bench]:
    return Bench


def with_masses(mechanism: kempe.Mechanism) -> kempe.Mechanism:
    """Every body 2 kg, in gravity."""
    m = mechanism.edit()
    m.gravity = (0.0, -9.81, 0.0)
    inertia = Inertia(2.0, [0.5, 0.1, 0.0], np.diag([0.1, 0.2, 0.25]))
    for body in mechanism.model.moving:
        m.replace(body.name, replace(body, inertia=inertia))
    return m.build()


@pytest.fixture(scope="session")
def turn() -> kempe.Trajectory:
    """A full turn of a four-bar in mm, with a point P on its coupler."""
    bars = {"crank": 30, "coupler": 90, "rocker": 70, "ground": 100}
    return kempe.gallery.four_bar(**bars, point=(45, 40), units="mm").kinematics(until=1, steps=60)


@pytest.fixture(scope="session")
def stuck() -> kempe.Trajectory:
    """A sweep that meets a dead point."""
    return kempe.gallery.sung_combined().kinematics(until=1.0, steps=400)


@pytest.fixture(scope="session", params=[True, False], ids=["plane", "space"])
def heavy(request: pytest.FixtureRequest) -> kempe.Trajectory:
    """A four-bar with masses, so that joints and drives exert forces."""
    mechanism = with_masses(kempe.gallery.four_bar(plane=request.param))
    return mechanism.kinematics(until=1.0, steps=8)
