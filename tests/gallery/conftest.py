"""Ruler and compasses for closed forms, and one second of an entry."""

import numpy as np
import pytest

import kempe


def circles(a, b, r, s, side):
    """Where circles about a (radius r) and b (radius s) meet, left (1) or right (-1) of a to b."""
    d = np.abs(b - a)
    x = (r * r - s * s + d * d) / (2.0 * d)
    return a + (b - a) / d * (x + 1j * side * np.sqrt(r * r - x * x))


@pytest.fixture(scope="session")
def meet():
    """The intersection of two circles in complex numbers, over arrays."""
    return circles


@pytest.fixture(scope="session")
def path():
    """A point's path as complex numbers."""

    def read(trajectory, point):
        return trajectory[point].position @ np.array([1.0, 1.0j])

    return read


@pytest.fixture(scope="session")
def run():
    """An entry by name with dimensions, over one second (or `until`)."""

    def second(name, *, until=1.0, steps=360, **dimensions):
        trajectory = kempe.gallery.MECHANISMS[name](**dimensions).kinematics(until, steps)
        assert trajectory.outcome.is_done, trajectory.outcome
        return trajectory

    return second
