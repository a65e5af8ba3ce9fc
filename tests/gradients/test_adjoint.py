"""The gradient of a path's error from the end of a run to its start is that forward in time."""

import numpy as np
import pytest

import kempe as kp
from kempe.events import Latch, Release, Stop
from kempe.forces import TorsionSpring
from kempe.geometry import Inertia, Y
from tests.gradients.test_contacts import by_complex_step

G = 9.81
SAME = 1e-9  # of the largest: both sum up the same steps
DIGITS = 1e-10  # of the largest, beside a step in the imaginary direction


def thin(mass, length):
    """A thin rod of that mass about its middle."""
    moment = mass * length**2 / 12.0
    return Inertia(mass, (0.5 * length, 0.0, 0.0), np.diag([0.0, moment, moment]))


@kp.parametric
def pendulum(length=1.0, mass=2.0, angle=0.4, stiffness=3.0, out=0.1, x=0.05):
    """A rod on a hinge with a spring; P lies somewhere on it."""
    m = kp.Builder("pendulum", plane=True, gravity=(0, -G))
    rod = m.bar("rod", length, points={"P": (out, 0.2)}, inertia=thin(mass, length), angle=angle)
    hinge = m.revolute(m.ground.at(x, 0), rod.start, name="hinge")
    m.force(TorsionSpring(hinge.angle, stiffness=stiffness))
    return m.build()


def swung(goal, until, length, mass, angle, stiffness, out, x, steps=800):
    """The path error of P by Runge and Kutta's method, for complex numbers."""
    moment = mass * length**2 / 3.0

    def rates(y):
        pull = -stiffness * y[0] - mass * G * 0.5 * length * np.cos(y[0])
        return np.array([y[1], pull / moment])

    y, h, found = np.array([angle, 0.0], dtype=complex), until / steps, []
    for k in range(steps + 1):
        if not k % (steps // (len(goal) - 1)):
            c, s = np.cos(y[0]), np.sin(y[0])
            found.append([x + c * out - s * 0.2, s * out + c * 0.2])
        a = rates(y)
        b = rates(y + h / 2.0 * a)
        d = rates(y + h / 2.0 * b)
        y = y + h / 6.0 * (a + 2.0 * b + 2.0 * d + rates(y + h * d))
    away = np.array(found) - goal
    return (away * away).sum() / len(goal)


def test_a_pendulums_adjoint_is_the_complex_step_through_another_integration():
    home = {"length": 1.0, "mass": 2.0, "angle": 0.4, "stiffness": 3.0, "out": 0.1, "x": 0.05}
    goal = np.column_stack([np.linspace(0.0, 0.2, 9), np.linspace(0.3, 0.1, 9)])
    error = kp.gradients.PathError("rod.P", goal)
    run = pendulum().simulate(until=0.8, steps=8, tolerance=1e-13)
    back = run.gradient(error)
    assert "adjoint" in " ".join(back.notes)
    for name in home:
        true = by_complex_step(lambda **x: swung(goal, 0.8, **x), home, name)
        assert abs(back[name] - true) <= DIGITS * np.abs(back.values).max(), name


@kp.parametric
def bounce(height=1.0, e=0.8, floor=0.0, px=0.1):
    """A ball that bounces on a floor."""
    m = kp.Builder("ball", plane=True, gravity=(-G, 0))
    inertia = Inertia(1.0, (0, 0, 0), np.eye(3))
    body = m.body("ball", points={"P": (px, 0.1)}, at=(height, 0.0), inertia=inertia)
    rail = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="rail")
    m.event(Stop(rail.displacement, low=floor, restitution=e, name="floor"))
    return m.build()


@kp.parametric
def top(mass=1.0, spin=12.0, lift=0.4, px=0.0):
    """A heavy top on a ball joint."""
    m = kp.Builder("top", gravity=(0, 0, -G))
    disc = Inertia(mass, (0, 0, lift), mass * np.diag([0.18, 0.18, 0.03]))
    tilted = kp.Rotation.about((1, 0, 0), 0.4)
    at = {"at": (0, 0, 0), "rotation": tilted, "spin": (0, 0, spin)}
    body = m.body("top", points={"P": (px, 0.1, 0.3)}, inertia=disc, **at)
    m.add(kp.joints.Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "foot")
    return m.build()


@kp.parametric
def damped(height=0.4, damping=12.0, mass=1.0, px=0.0):
    """A disc on a floor that gives way and damps: accelerations jump where it touches."""
    m = kp.Builder("disc", plane=True, gravity=(0, -G))
    inertia = Inertia(mass, (0, 0, 0), np.eye(3))
    body = m.body("disc", points={"P": (px, 0.01)}, at=(0.0, height), inertia=inertia, spin=3.0)
    how = {"normal": Y, "radius": 0.05, "stiffness": 4000.0, "damping": damping}
    m.force(kp.forces.SphereOnPlane(m.ground.at(0, 0), body.at(0, 0), **how))
    return m.build()


@pytest.mark.parametrize(
    ("made", "point", "other"),
    [
        (pendulum, "rod.P", {"length": 1.1}),
        (bounce, "ball.P", {"height": 1.1}),
        (top, "top.P", {"spin": 11.0}),
        (damped, "disc.P", {"height": 0.45}),
    ],
)
def test_the_adjoint_is_the_forward_gradient(made, point, other):
    """Impacts, jumps of accelerations, turns in space: whatever a run passes."""
    how = {"until": 0.7, "steps": 7, "tolerance": 1e-11}
    goal = made(**other).simulate(**how)[point].position
    error = kp.gradients.PathError(point, goal)
    run = made().simulate(**how)
    back, along = run.gradient(error), run.gradient(lambda r: error(r))
    assert "adjoint" in " ".join(back.notes)
    assert "adjoint" not in " ".join(along.notes)
    assert back.value == pytest.approx(float(along.value), rel=1e-12)
    assert np.abs(back.values - along.values).max() <= SAME * np.abs(along.values).max()


def test_an_objective_of_a_simulation_takes_the_adjoint():
    goal = pendulum(length=1.1).simulate(until=0.4, steps=4)["rod.P"].position
    error = kp.gradients.PathError("rod.P", goal)
    how = {"until": 0.4, "steps": 4, "analysis": "simulation"}
    off = pendulum().objective(error, ["length", "mass"], **how)
    value, slopes = off.value_and_gradient([1.05, 2.0])
    _, along = (
        pendulum()
        .objective(lambda r: error(r), ["length", "mass"], **how)
        .value_and_gradient([1.05, 2.0])
    )
    assert value > 0.0
    assert np.abs(slopes - along).max() <= 1e-8 * np.abs(along).max()


def test_where_a_latch_holds_numbers_of_its_own_the_gradient_is_forward():
    @kp.parametric
    def held(angle=0.3):
        m = kp.Builder("held", plane=True, gravity=(0, -G))
        rod = m.bar("rod", 1.0, points={"P": (0.5, 0.0)}, inertia=thin(1.0, 1.0), angle=angle)
        hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
        m.event(Latch("t - 0.3", held=(hinge.angle,), name="held"))
        m.event(Release("t - 0.4", parts=("held",), name="free"))
        return m.build()

    how = {"until": 0.6, "steps": 6, "tolerance": 1e-11}
    error = kp.gradients.PathError("rod.P", held(angle=0.4).simulate(**how)["rod.P"].position)
    slope = held().simulate(**how).gradient(error)
    assert "adjoint" not in " ".join(slope.notes)
    near = [error(held(angle=0.3 + h).simulate(**how)) for h in (1e-4, -1e-4)]
    assert slope["angle"] == pytest.approx((near[0] - near[1]) / 2e-4, rel=1e-5)
