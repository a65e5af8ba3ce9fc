"""Joints that friction holds with all it has: loads that grow from there, and loads without end."""

import numpy as np
import pytest

import kempe
from kempe.drives import TextFormula
from kempe.forces import AppliedLoad, JointFriction
from kempe.geometry import Inertia
from kempe.joints import Planar, Prismatic

G, MU, MASS = 10.0, 0.5, 2.0
LIMIT = MU * MASS * G  # N, exact in doubles
GROWTH = 2.0  # N/s
NEAR = 1e-6  # m


def pushed(force, surface=None):
    """A block at rest on a level plane or rail along x, pushed along it by a formula of t."""
    m = kempe.Builder("block", gravity=(0.0, 0.0, -G))
    inertia = Inertia(MASS, (0, 0, 0), 0.02 * np.eye(3))
    block = m.body("block", at=(0, 0, 0), inertia=inertia)
    if surface is None:
        along = kempe.Rotation.about((0, 1, 0), np.pi / 2)
        way = m.add(
            Prismatic(*(kempe.Marker(b, rotation=along) for b in ("ground", "block"))), "way"
        )
        m.force(JointFriction(way.displacement, MU), "rub")
    else:
        way = m.add(Planar(m.ground.at(0, 0, 0), block.at(0, 0, 0)), "way")
        m.force(JointFriction(way.x, MU, surface="plane"), "rub")
    push = tuple(TextFormula(text) for text in (force, "0", "0"))
    m.force(AppliedLoad(block.at(0, 0, 0), push), "push")
    return m.build()


@pytest.mark.parametrize("surface", [None, "plane"])
@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("method", ["dop853", "rodas5p", "gear"])
def test_what_begins_at_its_limit_slides_as_soon_as_the_load_grows(surface, sense, method):
    """m x'' = GROWTH t from t = 0 on, so x = GROWTH t^3 / 6 m."""
    force = f"{sense} * ({LIMIT} + {GROWTH} * t)"
    run = pushed(force, surface).simulate(until=2.0, steps=20, method=method)
    assert [event.kind for event in run.events] == ["slip"]
    due = sense * GROWTH * run.t**3 / (6.0 * MASS)
    near = 1e-4 if method == "gear" else NEAR
    assert run["block.x"].values == pytest.approx(due, abs=near)


@pytest.mark.parametrize("surface", [None, "plane"])
@pytest.mark.parametrize("force", [f"{LIMIT}", f"{LIMIT} - 3 * t * (4 - t)"])
def test_what_is_never_asked_for_more_than_its_limit_stays(surface, force):
    run = pushed(force, surface).simulate(until=2.0, steps=20)
    assert run.events == ()
    assert np.abs(run["block.x"].values).max() < NEAR


@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_a_drawer_that_jams_where_it_begins_says_so(speed):
    """Slowed by f, a mass at a distance c turns it by f c: N = 2 f c / L, f = mu N has no end."""
    m = kempe.Builder("drawer", plane=True, gravity=(0, -G))
    block = m.body("b", at=(0, 0), angle=0, inertia=Inertia(1.0, (0, 1.0, 0), np.eye(3)))
    way = m.prismatic(m.ground.at(0, 0), block.at(0, 0), along=(1, 0), name="way")
    m.rate(way.displacement, speed)
    m.force(JointFriction(way.displacement, MU, length=0.1), "rub")
    run = m.build().simulate(until=1.0, steps=5)
    assert run.outcome.name == "Locked"
    assert "'rub' jams" in str(run.outcome)
    assert len(run) == 1
