"""A four-bar that works, to be spoiled in one place at a time."""

from collections.abc import Callable
from typing import Any

import pytest

import kempe


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
