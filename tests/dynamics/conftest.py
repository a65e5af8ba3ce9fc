"""Mechanisms that the tests of dynamics move."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from kempe import Builder, Inertia, Marker, Mechanism, Rotation, gallery
from kempe.joints import Revolute, Spherical

G = 9.81


def rod(mass: float = 1.0, length: float = 1.0) -> Inertia:
    """A rod along x whose origin is at its end."""
    moment = mass * length**2 / 12.0
    return Inertia(mass, (length / 2, 0.0, 0.0), np.diag([1e-3 * moment, moment, moment]))


def planar_pendulum(angle: float = 0.0, spin: float | None = None) -> Mechanism:
    """A rod that hangs by a hinge in the plane."""
    m = Builder("pendulum", plane=True, gravity=(0, -G))
    bar = m.bar("rod", 1.0, angle=angle, inertia=rod(), spin=spin)
    m.revolute(m.ground.at(0, 0), bar.start, name="hinge")
    return m.build()


def spherical_pendulum() -> Mechanism:
    """A body of three different moments that hangs by a ball."""
    m = Builder("spherical pendulum", gravity=(0, 0, -G))
    body = m.body(
        "bob",
        points={"end": (0, 0, -1)},
        at=(0, 0, 0),
        rotation=Rotation.with_z((0, -1, 1)),
        inertia=Inertia(1.0, (0, 0, -0.6), np.diag([0.1, 0.12, 0.05])),
        spin=(0.0, 0.0, 2.0),
    )
    m.add(Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "ball")
    return m.build()


def hinged_chain(links: int, plane: bool = False) -> Mechanism:
    """Links in a row, hinged about y and z in turn, falling from the horizontal."""
    m = Builder(f"chain of {links}", gravity=(0, -G / math.sqrt(2), -G / math.sqrt(2)))
    last: Marker = m.ground.at(0, 0, 0)
    for k in range(links):
        inertia = Inertia(1.0, (0.5, 0, 0), np.diag([0.00125, 1 / 12, 1 / 12]))
        link = m.body(f"link{k}", points={"tip": (1, 0, 0)}, at=(k, 0, 0), inertia=inertia)
        axis = (0, 1, 0) if k % 2 == 0 else (0, 0, 1)
        m.add(Revolute(last.facing(axis), link.at(0, 0, 0).facing(axis)), f"hinge{k}")
        last = link.tip
    return m.build()


def n_four_bar(n: int) -> Mechanism:
    """n parallelograms in a row, upright, pushed to the right: every one passes flat positions."""
    return gallery.n_four_bar(loops=n)


MECHANISMS: dict[str, Callable[[], Mechanism]] = {
    "planar pendulum": planar_pendulum,
    "spherical pendulum": spherical_pendulum,
    "chain": lambda: hinged_chain(3),
    "parallelogram": lambda: n_four_bar(1),
}


@pytest.fixture(params=MECHANISMS, ids=lambda name: name.replace(" ", "_"))
def mechanism(request: pytest.FixtureRequest) -> Mechanism:
    return MECHANISMS[request.param]()


@pytest.fixture(name="planar_pendulum")
def _planar_pendulum() -> Callable[..., Mechanism]:
    return planar_pendulum


@pytest.fixture(name="spherical_pendulum")
def _spherical_pendulum() -> Callable[..., Mechanism]:
    return spherical_pendulum


@pytest.fixture(name="hinged_chain")
def _hinged_chain() -> Callable[..., Mechanism]:
    return hinged_chain


@pytest.fixture(name="n_four_bar")
def _n_four_bar() -> Callable[..., Mechanism]:
    return n_four_bar


@pytest.fixture(name="rod")
def _rod() -> Callable[..., Inertia]:
    return rod
