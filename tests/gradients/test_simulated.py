"""Slopes of simulations are those of closed forms, and of runs of neighbours."""

import itertools

import numpy as np
import pytest

import kempe as kp
from kempe.errors import GradientError
from kempe.forces import SpringDamper
from kempe.geometry import Inertia

EXACT = {"until": 1.0, "steps": 10, "tolerance": 1e-12}
DIGITS = 1e-8  # of the largest: a run of tolerance 1e-12, integrated twice


def thin(mass, length):
    """A thin rod of that mass about its middle."""
    moment = mass * length**2 / 12.0
    return Inertia(mass, (0.5 * length, 0.0, 0.0), np.diag([0.0, moment, moment]))


@kp.parametric
def cart(mass=2.0, stiffness=50.0, damping=3.0, out=0.2, g=0.0):
    """A mass on a spring with a damper, let go where the spring is stretched by `out`."""
    m = kp.Builder("cart", plane=True, gravity=(g, 0))
    block = m.body("block", at=(1.0 + out, 0.0), inertia=Inertia(mass, (0, 0, 0), np.eye(3)))
    rail = m.prismatic(m.ground.at(0, 0), block.at(0, 0), name="rail")
    m.force(SpringDamper(rail.displacement, stiffness=stiffness, damping=damping, free=1.0))
    return m.build()


def damped(t, mass, stiffness, damping, out, g):
    """Its displacement in closed form, for complex numbers too."""
    rest = mass * g / stiffness
    decay = damping / (2.0 * mass)
    w = np.sqrt(stiffness / mass - decay**2)
    first = out - rest
    return 1.0 + rest + np.exp(-decay * t) * first * (np.cos(w * t) + decay / w * np.sin(w * t))


def test_a_damped_oscillator_has_the_slopes_of_its_closed_form():
    run = cart().simulate(**EXACT)
    slope = run.gradient("rail.displacement")
    home = (2.0, 50.0, 3.0, 0.2, 0.0)
    for k, name in enumerate(slope.by):
        x = [complex(v) for v in home]
        x[k] += 1e-200j
        true = np.imag(damped(run.t, *x)) / 1e-200
        assert np.abs(slope[name] - true).max() <= DIGITS * np.abs(true).max(), name


@kp.parametric
def arms(length=1.0, mass=2.0, angle=0.3, plane=True, spring=4.0):
    """A double pendulum; in space its hinges are square to each other."""
    m = kp.Builder("arms", plane=plane, gravity=(0, -9.81) if plane else (0, -9.81, 0))
    one = m.bar("one", length, inertia=thin(mass, length), angle=angle)
    two = m.bar("two", 0.7 * length, inertia=thin(1.0, 0.7), angle=angle - 0.5)
    m.revolute(m.ground.at(0, 0), one.start, name="hip")
    m.revolute(one.end, two.start, name="knee")
    return m.build()


def by_neighbours(make, x, read, h=2e-3):
    """Richardson's extrapolation of central differences of whole runs."""
    table = [(read(make(x + d)) - read(make(x - d))) / (2.0 * d) for d in (h, h / 2.0, h / 4.0)]
    finer = [(4.0 * b - a) / 3.0 for a, b in itertools.pairwise(table)]
    return (16.0 * finer[1] - finer[0]) / 15.0


@pytest.mark.parametrize("name", ["length", "angle"])
def test_two_arms_that_swing_have_the_slopes_of_their_neighbours(name):
    home = {"length": 1.0, "angle": 0.3}[name]
    run = arms().simulate(**EXACT)
    for reading in ("two.end", "knee.force", "energy.kinetic", "energy.potential"):
        slope = run.gradient(reading, name)

        def read(m, reading=reading):
            found = m.simulate(**EXACT)[reading]
            return found.position if reading == "two.end" else found.values

        true = by_neighbours(lambda x: arms(**{name: x}), home, read)
        assert np.abs(slope[name] - true).max() <= 1e-7 * np.abs(true).max(), reading
        assert "as exact as its run" in slope.notes[0]


@kp.parametric
def top(mass=1.0, spin=12.0, lift=0.4):
    """A heavy top on a ball joint."""
    m = kp.Builder("top", gravity=(0, 0, -9.81))
    disc = Inertia(mass, (0, 0, lift), mass * np.diag([0.18, 0.18, 0.03]))
    tilted = kp.Rotation.about((1, 0, 0), 0.4)
    body = m.body("top", at=(0, 0, 0), rotation=tilted, inertia=disc, spin=(0, 0, spin))
    m.add(kp.joints.Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "foot")
    return m.build()


def test_a_top_in_space_has_the_slopes_of_its_neighbours():
    exact = {"until": 0.5, "steps": 5, "tolerance": 1e-12}
    run = top().simulate(**exact)
    for name, home in (("spin", 12.0), ("lift", 0.4)):
        for reading in ("top.angular_velocity", "foot.force"):
            slope = run.gradient(reading, name)

            def read(m, reading=reading):
                return m.simulate(**exact)[reading].values

            true = by_neighbours(lambda x, name=name: top(**{name: x}), home, read)
            off = np.abs(slope[name] - true).max()
            assert off <= 1e-7 * np.abs(true).max(), (name, reading)


def test_joints_that_rub_are_refused_and_not_differentiated_wrongly():
    @kp.parametric
    def rubbed(mass=1.0):
        m = kp.Builder("rubbed", plane=True, gravity=(0, -9.81))
        arm = m.bar("arm", 1.0, inertia=thin(mass, 1.0))
        hinge = m.revolute(m.ground.at(0, 0), arm.start)
        m.force(kp.forces.JointFriction(hinge.angle, 0.1, radius=0.01))
        return m.build()

    run = rubbed().simulate(until=0.2, steps=4)
    with pytest.raises(GradientError, match="joints rub"):
        run.gradient("arm.angle", "mass")


def test_what_was_lost_as_heat_has_no_slope_and_says_so():
    run = cart().simulate(**EXACT)
    with pytest.raises(GradientError, match="dissipated"):
        run.gradient("energy.dissipated", "mass")
