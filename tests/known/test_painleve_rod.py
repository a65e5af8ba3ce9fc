"""Painlevé's rod: pushed along a floor at a steep angle friction would drive it into the floor.

Where 1 / m + l cos a (l cos a - mu l sin a) / I < 0 no force of a rigid floor makes it slide on; on
a floor that gives way the force grows by itself until the rod's end sticks and is thrown off.
The oracle are its equations by hand and SciPy's steps.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe
from kempe.forces import CornersOnPlane
from kempe.geometry import Y

L, MASS, TURNING, G = 0.5, 1.0, 1.0 / 12.0, 9.81  # m (half the rod), kg, kg m^2, m/s^2
ANGLE, SPEED = math.radians(60.0), -2.0  # leaning forward, pushed back
TIMED = 1e-8  # s, of the moment at which it is thrown off
STIFF, DAMPER, CREEP = 1e6, 100.0, 1e-2


def place() -> tuple[float, float]:
    """The rod's middle at first (m), its end a micrometre in the floor."""
    return L * math.cos(ANGLE), L * math.sin(ANGLE) - 1e-6


def by_hand(friction: float) -> tuple[float, float]:
    """When its end leaves the floor, and the largest push until then (N)."""

    def push(y):
        tip = y[1] - L * math.sin(y[2])
        d = max(-tip, 0.0)
        arm = (-L * math.cos(y[2]), tip + 0.5 * d - y[1])  # to half way between both
        slip = (y[3] - y[5] * arm[1], y[4] + y[5] * arm[0])
        press = max(0.0, STIFF * d - DAMPER * slip[1]) if d > 0.0 else 0.0
        rubs = -friction * press * slip[0] / math.hypot(slip[0], CREEP)
        return press, rubs, arm

    def rates(t, y):
        press, rubs, arm = push(y)
        torque = arm[0] * press - arm[1] * rubs
        return [*y[3:], rubs / MASS, press / MASS - G, torque / TURNING]

    def leaves(t, y):
        return y[1] - L * math.sin(y[2])

    leaves.terminal, leaves.direction = True, 1.0
    start = [*place(), ANGLE, SPEED, 0.0, 0.0]
    run = solve_ivp(
        rates, (0.0, 0.2), start, "DOP853", events=leaves, rtol=1e-11, atol=1e-14, max_step=1e-4
    )
    return float(run.t[-1]), max(push(y)[0] for y in run.y.T)


def rod(friction: float) -> kempe.Mechanism:
    m = kempe.Builder("rod", plane=True, gravity=(0, -G))
    inertia = kempe.Inertia(MASS, (0, 0, 0), TURNING * np.diag([0.0, 1.0, 1.0]))
    body = m.body("rod", at=place(), angle=ANGLE, inertia=inertia, velocity=(SPEED, 0.0), spin=0.0)
    law = {"stiffness": STIFF, "damping": DAMPER, "friction": friction, "creep": CREEP}
    ends = ((-L, 0.0, 0.0), (L, 0.0, 0.0))
    m.force(CornersOnPlane(m.ground.at(0, 0), body.at(0, 0), Y, ends, **law), "floor")
    return m.build()


def test_where_friction_drives_it_into_the_floor_it_is_thrown_off_as_the_equations_say():
    friction = 2.5
    reach = L * math.cos(ANGLE) - friction * L * math.sin(ANGLE)
    assert 1.0 / MASS + L * math.cos(ANGLE) * reach / TURNING < 0.0  # the paradox
    due, most = by_hand(friction)
    assert most > 20.0 * MASS * G  # in an instant, and no impact came before
    run = rod(friction).simulate(until=1.1 * due, steps=100, tolerance=1e-11)
    assert run.outcome.is_done
    leaves = next(event for event in run.events if event.kind == "lift-off")
    assert leaves.t == pytest.approx(due, abs=TIMED)
