"""Mechanisms that several tests of kinematics move."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import kempe
from kempe.couplers import Combination
from kempe.joints import Prismatic, Rod

#: Which bodies every hinge joins; body 1 is driven.
LINKAGES = {
    "four-bar": [("ground", "1"), ("1", "2"), ("2", "3"), ("3", "ground")],
    "Watt": [
        ("ground", "1"),
        ("1", "2"),
        ("2", "3"),
        ("3", "ground"),
        ("3", "4"),
        ("4", "5"),
        ("5", "ground"),
    ],
    "Stephenson": [
        ("ground", "1"),
        ("1", "2"),
        ("2", "3"),
        ("3", "ground"),
        ("2", "4"),
        ("4", "5"),
        ("5", "ground"),
    ],
}


@pytest.fixture(scope="session")
def skew_cranks() -> kempe.Mechanism:
    """Two cranks on skew hinges, joined by a rod: neither turns in the other's plane."""
    m = kempe.Builder("skew")
    a, b = m.body("a"), m.body("b")
    m.revolute(m.ground.at(0, 0, 0), a.at(0, 0), name="A")
    m.revolute(m.ground.at(2, 0, 0.3).facing((0.3, 1.0, 0.2)), b.at(0, 0), name="B")
    m.add(Rod(a.at(0.4, 0), b.at(1.0, 0.2), length=1.9), "rod")
    m.drive(a.angle, rpm=60)
    return m.build()


@pytest.fixture(scope="session")
def coupled_wheels() -> Callable[[int], kempe.Mechanism]:
    """Cranks coupled by rods, all parallel, as many as are asked for."""

    def made(count: int) -> kempe.Mechanism:
        m = kempe.Builder("wheels", plane=True)
        cranks = [m.bar(f"wheel{k}", 0.3, at=(k, 0), angle=1.0) for k in range(count)]
        for k, crank in enumerate(cranks):
            m.revolute(m.ground.at(k, 0), crank.start)
        for k in range(count - 1):
            at = (k + 0.3 * math.cos(1.0), 0.3 * math.sin(1.0))
            rod = m.bar(f"rod{k}", 1.0, at=at, angle=0.0)
            m.revolute(cranks[k].end, rod.start)
            m.revolute(rod.end, cranks[k + 1].end)
        m.drive(cranks[0].angle, start=1.0, rpm=60)
        return m.build()

    return made


@pytest.fixture(scope="session")
def linkages() -> list[str]:
    """The names of the linkages that `random_linkage` makes."""
    return list(LINKAGES)


def linkage(kind: str, rng: np.random.Generator) -> kempe.Mechanism:
    """Hinges at random places of a 2 m square; every body's frame starts as the world's."""
    m = kempe.Builder(kind, plane=True)
    pairs = LINKAGES[kind]
    names = sorted({name for pair in pairs for name in pair} - {"ground"})
    parts = {name: m.body(name, at=(0, 0), angle=0) for name in names}
    parts["ground"] = m.ground
    for k, (a, b) in enumerate(pairs):
        x, y = rng.uniform(-1.0, 1.0, 2)
        m.revolute(parts[a].at(x, y), parts[b].at(x, y), name=f"J{k}")
    m.drive(parts["1"].angle, speed=1.0)
    return m.build()


@pytest.fixture(scope="session")
def random_linkage() -> Callable[[str, np.random.Generator], kempe.Mechanism]:
    """A linkage of a kind, with random lengths, that goes together as it is drawn."""
    return linkage


@pytest.fixture(scope="session")
def trammel() -> Callable[..., kempe.Mechanism]:
    """A bar AB whose ends slide on the y and the x axis; P lies `share` of the way from A to B."""

    def build(
        length: float = 2.0, share: float = 0.3, law: Callable | None = None
    ) -> kempe.Mechanism:
        m = kempe.Builder("trammel", plane=True)
        bar = m.bar(
            "bar",
            length,
            points={"P": (share * length, 0.0), "M": (0.5 * length, 0.0)},
            at=(0.0, 0.5 * length),
            angle=-math.pi / 6,
        )
        up = m.body("up", at=(0.0, 0.5 * length))
        across = m.body("across", at=(length * math.cos(math.pi / 6), 0.0))
        m.revolute(up.at(0, 0), bar.start, name="A")
        m.revolute(across.at(0, 0), bar.end, name="B")
        m.prismatic(m.ground.at(0, 0), up.at(0, 0), along=(0, 1), name="slot up")
        m.prismatic(m.ground.at(0, 0), across.at(0, 0), name="slot across")
        m.drive(bar.angle, law or (lambda t: -math.pi / 6 + 2 * math.pi * t))
        return m.build()

    return build


@pytest.fixture(scope="session")
def rolling_wheel() -> Callable[..., kempe.Mechanism]:
    """A wheel of radius 1 m rolls along the x axis; P is `arm` below its centre at the start.

    P = (phi - arm sin phi, 1 - arm cos phi), phi the turn clockwise.
    """

    def build(arm: float = 1.0, law: Callable | None = None) -> kempe.Mechanism:
        m = kempe.Builder("wheel", plane=True)
        wheel = m.body("wheel", points={"P": (0.0, -arm)}, at=(0, 1), angle=0)
        m.hold(wheel, y=1.0)
        m.couple(Combination((wheel.x, wheel.angle), coefficients=(1.0, 1.0)))
        m.drive(wheel.angle, law or (lambda t: -2 * math.pi * t))
        return m.build()

    return build


@pytest.fixture(scope="session")
def screwing() -> Callable[[float, float], kempe.Mechanism]:
    """A body that turns about a slanted line and slides along it, with given speeds."""

    def build(turning: float, sliding: float) -> kempe.Mechanism:
        m = kempe.Builder("screw")
        carriage = m.body("carriage")
        bolt = m.body("bolt", points={"rim": (0.5, 0.0, 0.0)})
        foot = m.ground.at(0.2, -0.4, 0.7).facing(SLANT)
        guide = m.add(Prismatic(foot, carriage.at(0, 0)), "guide")
        hinge = m.revolute(carriage.at(0, 0), bolt.at(0, 0), name="hinge")
        m.drive(guide.displacement, speed=sliding)
        m.drive(hinge.angle, speed=turning)
        return m.build()

    return build


SLANT = (1.0, 2.0, 2.0)
