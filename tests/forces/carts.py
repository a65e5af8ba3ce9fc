"""A cart on a rail, pushed by forces that are made of its displacement."""

from collections.abc import Callable

import numpy as np

from kempe import Builder, Inertia
from kempe.forces import AbstractForce
from kempe.measures import Gauge

MASS = 2.0  # kg


def cart(*made: Callable[[Gauge], AbstractForce], at: float = 1.0) -> Builder:
    """A cart of `MASS` on a rail, `at` (m) from its origin, with "force0", "force1", ... on it."""
    m = Builder("cart", plane=True)
    body = m.body("cart", at=(at, 0.0), inertia=Inertia(MASS, (0, 0, 0), np.eye(3)))
    rail = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="rail")
    for k, make in enumerate(made):
        m.force(make(rail.displacement), f"force{k}")
    return m
