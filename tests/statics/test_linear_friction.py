"""Small motions of what has friction and stops: damped by what joints carry, or said."""

import numpy as np
import pytest

import kempe
from kempe import Inertia
from kempe.events import Stop
from kempe.forces import DryFriction, JointFriction

G, MASS, ARM, MOMENT = 9.81, 1.5, 0.5, 0.02
MU, RADIUS, CREEP = 0.2, 0.01, 0.05


def pendulum(force=None, stop=False):
    m = kempe.Builder("pendulum", plane=True, gravity=(0, -G))
    inertia = Inertia(MASS, (ARM, 0, 0), MOMENT * np.eye(3))
    rod = m.body("rod", at=(0, 0), angle=-np.pi / 2, inertia=inertia)
    hinge = m.revolute(m.ground.at(0, 0), rod.at(0, 0), name="hinge")
    if force is not None:
        m.force(force(hinge), "rub")
    if stop:
        m.event(Stop(hinge.angle, low=-3.0, high=0.0), "wall")
    return m.build()


def roots(damping):
    whole = MOMENT + MASS * ARM**2
    return np.sort_complex(np.roots([whole, damping, MASS * G * ARM]))


def test_smooth_friction_of_a_joint_damps_by_what_the_joint_carries():
    """c = mu N r / creep, N the weight that hangs on the pin."""
    rub = pendulum(lambda hinge: JointFriction(hinge.angle, MU, radius=RADIUS, creep=CREEP))
    found = rub.linearize()
    assert np.sort_complex(found.eigenvalues) == pytest.approx(
        roots(MU * MASS * G * RADIUS / CREEP), rel=1e-10
    )
    known = pendulum(lambda hinge: DryFriction(hinge.angle, MU * MASS * G * RADIUS, creep=CREEP))
    assert np.sort_complex(found.eigenvalues) == pytest.approx(
        np.sort_complex(known.linearize().eigenvalues), rel=1e-10
    )
    assert found.notes == ()


def test_friction_that_sticks_is_left_out_and_said():
    found = pendulum(lambda hinge: JointFriction(hinge.angle, MU, radius=RADIUS)).linearize()
    assert np.sort_complex(found.eigenvalues) == pytest.approx(roots(0.0), rel=1e-10)
    assert any("'rub' holds motions that are small enough" in note for note in found.notes)


def test_stops_are_left_out_and_said():
    found = pendulum(stop=True).linearize()
    assert any("'wall'" in note and "stops" in note for note in found.notes)
