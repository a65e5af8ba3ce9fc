"""Small motions of what has friction and stops: damped by what joints carry, or said."""

import numpy as np
import pytest

import kempe
from kempe import Inertia
from kempe.events import Stop
from kempe.forces import DryFriction, JointFriction

G, MASS, ARM, MOMENT = 9.81, 1.5, 0.5, 0.02
MU, RADIUS, CREEP = 0.2, 0.01, 0.05
ROUGH, SLOW = 0.05, 0.25  # m, rad/s: a thick pin, and slips at which its friction still grows


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


def swinging(angle, rate):
    """The acceleration of a pendulum whose pin rubs by what it carries; may be complex."""
    whole, a = MOMENT + MASS * ARM**2, 0.0
    for _ in range(300):
        x = ARM * (-a * np.sin(angle) - rate**2 * np.cos(angle))
        y = ARM * (a * np.cos(angle) - rate**2 * np.sin(angle)) + G
        rub = MU * MASS * np.sqrt(x * x + y * y) * ROUGH * np.tanh(rate / SLOW)
        a = (-MASS * G * ARM * np.cos(angle) - rub) / whole
    return a


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_a_pendulum_that_swings_is_damped_by_a_load_that_changes_as_it_does(plane):
    """A against a complex step of the closed form, where the load follows angle and rate."""
    angle, rate, h = -0.7, 0.3, 1e-30
    m = kempe.Builder("pendulum", plane=plane, gravity=(0, -G) if plane else (0, -G, 0))
    inertia = Inertia(MASS, (ARM, 0, 0), MOMENT * np.eye(3))
    way = {"angle": angle} if plane else {"rotation": kempe.Rotation.about((0, 0, 1), angle)}
    spin = rate if plane else (0, 0, rate)
    rod = m.body("rod", at=(0, 0) if plane else (0, 0, 0), inertia=inertia, spin=spin, **way)
    hinge = m.revolute(m.ground.at(0, 0), rod.at(0, 0), name="hinge")
    m.force(JointFriction(hinge.angle, MU, radius=ROUGH, creep=SLOW), "rub")
    model = m.build()
    first = model.simulate(until=1e-6, steps=1)
    assert first["hinge.angle"].acceleration[0] == pytest.approx(swinging(angle, rate), rel=1e-10)
    found = model.linearize(first.state(0), coordinates=["hinge.angle"])
    slopes = [swinging(angle + 1j * h, rate).imag / h, swinging(angle, rate + 1j * h).imag / h]
    assert found.A[1] == pytest.approx(slopes, rel=1e-9)
    assert not any("left out" in note for note in found.notes)


def test_friction_that_sticks_is_left_out_and_said():
    found = pendulum(lambda hinge: JointFriction(hinge.angle, MU, radius=RADIUS)).linearize()
    assert np.sort_complex(found.eigenvalues) == pytest.approx(roots(0.0), rel=1e-10)
    assert any("'rub' holds motions that are small enough" in note for note in found.notes)


def test_stops_are_left_out_and_said():
    found = pendulum(stop=True).linearize()
    assert any("'wall'" in note and "stops" in note for note in found.notes)
