"""Pendula of one mass: round a cone, over a sphere, on a spring; their closed forms and invariants.

Sources: the spherical pendulum is [Whittaker] ch. IV; its turning points are roots of a cubic,
period and apsidal angle integrals between them. The figures at single times are those of two
independent integrations to 1e-12.
"""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from kempe import Builder, Inertia
from kempe.forces import LineSpring
from kempe.joints import Rod

G = 9.81
TIGHT = 1e-12
#: Turning points are roots of cubics through velocities and accelerations 2 ms apart, which miss
#: the motion by some 1e-12.
FINE = 0.002


def point(mass):
    return Inertia(mass, (0, 0, 0), np.zeros((3, 3)))


def threaded(mass, length, place, velocity):
    """A point mass on a thread from the origin."""
    m = Builder("pendulum", gravity=(0, 0, -G))
    bob = m.body("bob", at=place, inertia=point(mass), velocity=velocity)
    m.add(Rod(m.ground.at(0, 0, 0), bob.at(0, 0, 0), length=length), "thread")
    return m.build()


# -- round a cone ---------------------------------------------------------------------------------

CONE = {"length": 1.5, "half_angle": math.radians(40), "mass": 2.0}
OMEGA, PERIOD, TENSION = 2.921876738028677, 2.150393692315271, 25.61209101669931


@pytest.fixture(scope="module")
def cone():
    radius = CONE["length"] * math.sin(CONE["half_angle"])
    height = -CONE["length"] * math.cos(CONE["half_angle"])
    start = (radius, 0.0, height), (0.0, radius * OMEGA, 0.0)
    return threaded(CONE["mass"], CONE["length"], *start)


def test_a_conical_pendulum_returns_after_its_period(cone):
    """omega^2 = g / (l cos a)."""
    motion = cone.simulate(until=PERIOD, steps=8, tolerance=TIGHT)["bob"]
    assert np.abs(motion.position[-1] - motion.position[0]).max() < 1e-9
    turned = np.unwrap(np.arctan2(motion.position[:, 1], motion.position[:, 0]))
    assert np.abs(turned - OMEGA * motion.t).max() < 1e-9


def test_the_thread_of_a_conical_pendulum_pulls_as_its_angle_says(cone):
    """T cos a = m g, toward the pivot."""
    motion = cone.simulate(until=PERIOD, steps=16, tolerance=TIGHT)
    force = motion["thread.force"]
    assert np.abs(force.magnitude.values - TENSION).max() < 1e-9
    assert np.abs(force.values + TENSION * motion["bob"].position / CONE["length"]).max() < 1e-8


def test_a_conical_pendulum_keeps_its_height_for_a_hundred_rounds_at_default_settings(cone):
    motion = cone.simulate(until=100 * PERIOD, steps=400)["bob"]
    assert np.ptp(motion.position[:, 2]) < 1e-6


# -- over a sphere --------------------------------------------------------------------------------

START = (0.8660254037844386, 0.0, -0.5000000000000001), (0.0, 2.598076211353316, 0.0)
OVER_A_SPHERE = {
    1.0: (-0.5916640197927147, -0.6219793069033519, -0.5129087925418634),
    5.0: (0.5307782982356337, 0.4558096242134731, -0.7145012138523328),
    10.0: (0.46245069514121084, 0.6316904237340704, -0.6221788835424114),
}
LOWEST, HIGHEST = -0.7540334661464785, -0.5
HEIGHT_PERIOD, APSIDAL = 1.0811038672202737, 4.196705993600699
ROUND, PER_MASS = 2.25, -1.53  # x vy - y vx and v^2 / 2 + g z


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-6), (TIGHT, 1e-8)])
def test_a_spherical_pendulum_is_where_two_integrations_put_it(tolerance, close):
    motion = threaded(1.0, 1.0, *START).simulate(until=10.0, steps=10, tolerance=tolerance)
    for t, place in OVER_A_SPHERE.items():
        assert np.abs(motion["bob"].position[int(t)] - place).max() < close


@pytest.fixture(scope="module")
def finely():
    pendulum = threaded(1.0, 1.0, *START)
    return pendulum.simulate(until=3.0, steps=round(3.0 / FINE), tolerance=TIGHT)["bob"]


def test_a_spherical_pendulum_turns_back_at_the_roots_of_its_cubic(finely):
    height = CubicHermiteSpline(finely.t, finely.position[:, 2], finely.velocity[:, 2])
    rise = CubicHermiteSpline(finely.t, finely.velocity[:, 2], finely.acceleration[:, 2])
    turns = rise.roots(extrapolate=False)
    turns = turns[turns > FINE]  # it starts at the highest
    assert height(turns[0::2]) == pytest.approx(LOWEST, abs=1e-9)
    assert height(turns[1::2]) == pytest.approx(HIGHEST, abs=1e-9)
    assert turns[2] - turns[0] == pytest.approx(HEIGHT_PERIOD, abs=1e-8)
    x, y = finely.position[:, 0], finely.position[:, 1]
    speed = (x * finely.velocity[:, 1] - y * finely.velocity[:, 0]) / (x * x + y * y)
    azimuth = CubicHermiteSpline(finely.t, np.unwrap(np.arctan2(y, x)), speed)
    assert azimuth(turns[2]) - azimuth(turns[0]) == pytest.approx(APSIDAL, abs=1e-8)


def test_a_spherical_pendulum_keeps_its_energy_and_its_turning_about_the_vertical(finely):
    (x, y, z), (u, v, _) = finely.position.T, finely.velocity.T
    assert np.abs(x * v - y * u - ROUND).max() < 1e-10
    assert np.abs(0.5 * finely.speed.values**2 + G * z - PER_MASS).max() < 1e-10


# -- on a spring ----------------------------------------------------------------------------------

ON_A_SPRING = {
    1.0: (-0.5114545846650885, -1.1180927088267143),
    5.0: (0.5462227400782101, -0.9965659115023485),
    10.0: (0.5027228809052896, -1.0806648253571374),
}
BOUNCE = 0.99345882657961  # 2 pi sqrt(m / k)


def sprung(place):
    m = Builder("elastic pendulum", plane=True, gravity=(0, -G))
    bob = m.body("bob", at=place, angle=0.0, inertia=point(1.0))
    m.force(LineSpring(m.ground.at(0, 0), bob.at(0, 0), stiffness=40.0, free=1.0), "spring")
    return m.build()


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-5), (TIGHT, 1e-7)])
def test_an_elastic_pendulum_is_where_three_integrations_put_it(tolerance, close):
    motion = sprung((0.6, -1.0)).simulate(until=10.0, steps=10, tolerance=tolerance)
    for t, place in ON_A_SPRING.items():
        assert np.abs(motion["bob"].position[int(t)] - place).max() < close


def test_an_elastic_pendulum_keeps_its_energy():
    motion = sprung((0.6, -1.0)).simulate(until=10.0, steps=200, tolerance=TIGHT)
    assert np.ptp(motion.energy.mechanical) < 1e-8


def test_an_elastic_pendulum_let_go_below_its_pivot_bounces_with_the_springs_period():
    motion = sprung((0.0, -1.0)).simulate(until=5 * BOUNCE, steps=50, tolerance=TIGHT)["bob"]
    assert np.abs(motion.position[:, 0]).max() < 1e-12
    assert np.abs(motion.position[::10] - motion.position[0]).max() < 1e-9
    assert pytest.approx(2 * math.pi / math.sqrt(40.0), abs=1e-12) == BOUNCE
