"""A force that has no value at the start is named, with the measure that has no rate there."""

import numpy as np
import pytest

from kempe import Builder, Inertia, Marker
from kempe.forces import Bumper, DryFriction, LineSpring, SpringDamper
from kempe.measures import Distance, Gauge

FORCES = {
    "bumper": lambda g: Bumper(g, high=0.5, stiffness=1e3),
    "spring": lambda g: SpringDamper(g, stiffness=10.0, free=0.2),
    "friction": lambda g: DryFriction(g, 1.0, 0.1),
}


def bead(x: float) -> Builder:
    m = Builder("bead", plane=True)
    inertia = Inertia(1.0, (0, 0, 0), np.eye(3))
    m.body("bead", at=(x, 0), angle=0.0, inertia=inertia, velocity=(1, 0))
    return m


@pytest.mark.parametrize("force", FORCES)
def test_a_force_along_a_distance_of_zero_is_named_with_its_measure(force):
    m = bead(0.0)
    m.force(FORCES[force](Gauge("way", Distance(), Marker("ground"), Marker("bead"))), force)
    outcome = m.build().simulate(until=1.0, steps=4).outcome
    assert outcome.name == "Diverged"
    assert f"{force!r} has no value: its measure 'way' reads 0 m" in outcome.message
    assert "coincide" in outcome.advice


def test_a_spring_between_points_that_coincide_is_named():
    m = bead(0.0)
    m.force(LineSpring(m.ground.at(0, 0), Marker("bead"), 10.0, free=1.0), "coil")
    outcome = m.build().simulate(until=1.0, steps=4).outcome
    assert outcome.name == "Diverged"
    assert "force 'coil' has no finite value" in outcome.message


def test_a_distance_that_is_hardly_more_than_zero_has_a_rate():
    """Free until 0.5 m, at 1 m/s: nothing acts before."""
    m = bead(1e-9)
    m.force(FORCES["bumper"](Gauge("way", Distance(), Marker("ground"), Marker("bead"))), "bumper")
    run = m.build().simulate(until=0.4, steps=1)
    assert run.outcome.is_done
    assert run["bead.x"].values[-1] == pytest.approx(0.4, rel=1e-8)
