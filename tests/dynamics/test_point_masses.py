"""Bodies without inertia or without mass move where the rest determines how."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from kempe import Builder, Inertia, gallery
from kempe.errors import BadNumber, MissingPart
from kempe.forces import SpringDamper
from kempe.joints import Rod
from kempe.measures import Distance, Gauge

G = 9.81
POINT = Inertia(1.0, (0, 0, 0), np.zeros((3, 3)))


def reference(t):
    """A point mass on a rod of 1 m, let go from the horizontal."""
    rhs = lambda t, y: [y[1], -G * np.cos(y[0])]  # noqa: E731
    angle = solve_ivp(rhs, (0, t[-1]), [0, 0], "DOP853", t, rtol=1e-12, atol=1e-12).y[0]
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def test_a_point_mass_on_a_massless_arm_swings_as_a_pendulum():
    m = Builder("pendulum", plane=True, gravity=(0, -G))
    bob = m.body("bob", at=(1, 0), angle=0.0, inertia=POINT)
    m.revolute(m.ground.at(0, 0), bob.at(-1, 0), name="hinge")
    motion = m.build().simulate(until=3.0, steps=30)
    assert np.abs(motion["bob"].position - reference(motion.t)).max() < 1e-7
    assert np.ptp(motion.energy.mechanical) < 1e-6


@pytest.mark.parametrize("plane", [True, False])
def test_a_particle_on_a_rod_swings_as_a_pendulum(plane):
    m = Builder("particle", plane=plane, gravity=(0, -G))
    bob = m.body("bob", at=(1, 0), angle=0.0, inertia=POINT)
    m.add(Rod(m.ground.at(0, 0), bob.at(0, 0), length=1.0), "thread")
    motion = m.build().simulate(until=3.0, steps=30)
    assert np.abs(motion["bob"].position[:, :2] - reference(motion.t)).max() < 1e-7


def test_a_free_particle_flies_a_parabola():
    m = Builder("thrown", gravity=(0, 0, -G))
    m.body("stone", at=(0, 0, 0), inertia=POINT, velocity=(3.0, 0.0, 4.0))
    motion = m.build().simulate(until=1.0, steps=4)
    t = motion.t
    expected = np.stack([3 * t, 0 * t, 4 * t - 0.5 * G * t**2], axis=1)
    assert np.abs(motion["stone"].position - expected).max() < 1e-9


def test_a_massless_link_between_masses_only_hands_forces_on():
    """Crank and block with mass, the coupler between them without any."""
    m = Builder("slider-crank", plane=True)
    crank = m.bar("crank", 0.2, at=(0, 0), angle="90 deg", spin=5.0, inertia=_rod())
    coupler = m.bar("coupler", 0.6)
    block = m.body("block", at=(0.55, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start, name="big end")
    m.revolute(coupler.end, block.at(0, 0), name="small end")
    m.prismatic(m.ground.at(0, 0), block.at(0, 0))
    motion = m.build().simulate(until=1.0, steps=20)
    assert motion.outcome.is_done
    assert np.ptp(motion.energy.mechanical) < 1e-6 * motion.energy.kinetic.max()
    pull, push = motion["big end.force"].values, motion["small end.force"].values
    assert np.allclose(pull, push, atol=1e-9)  # the same force at both ends
    along = motion["coupler.end"].position - motion["coupler.start"].position
    across = pull[:, 0] * along[:, 1] - pull[:, 1] * along[:, 0]
    assert np.abs(across).max() < 1e-9  # along the link


def _rod():
    return Inertia(0.5, (0.1, 0, 0), np.diag([1e-4, 1e-3, 1e-3]))


def test_an_elastic_pendulum_swings_along_its_spring():
    """Hung at rest below its pivot, it only bounces: y'' = -k/m (y - y0)."""
    m = Builder("elastic pendulum", plane=True, gravity=(0, -G))
    bob = m.body("bob", at=(0, -1), angle=0.0, inertia=POINT)
    gauge = Gauge("spring.length", Distance(), m.ground.at(0, 0), bob.at(0, 0))
    m.force(SpringDamper(gauge, stiffness=40.0, free=1.0))
    motion = m.build().simulate(until=2.0, steps=20)
    sag = G / 40.0
    expected = -1 - sag + sag * np.cos(math.sqrt(40.0) * motion.t)
    assert np.abs(motion["bob"].position[:, 1] - expected).max() < 1e-7


def test_masses_that_determine_nothing_are_named():
    m = Builder("nothing", plane=True, gravity=(0, -G))
    rod = m.bar("rod", 1.0, angle=0.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    with pytest.raises(BadNumber, match=r"mass matrix is singular.*'rod'"):
        m.build().simulate(until=1.0)


def test_inertia_without_mass_is_refused_by_name():
    m = Builder("massless", plane=True, gravity=(0, -G))
    rod = m.bar("crank", 1.0, inertia=Inertia(0.0, (0.5, 0, 0), np.diag([0.01, 0.08, 0.08])))
    m.revolute(m.ground.at(0, 0), rod.start)
    with pytest.raises(BadNumber, match="'crank' has an inertia tensor but no mass"):
        m.build().simulate(until=1.0)


@pytest.mark.parametrize("plane", [True, False])
def test_what_a_damper_takes_is_counted_without_inertia_about_some_axis_too(plane):
    """A thin rod turns about its own axis with no inertia: the equations are solved as a whole."""
    m = Builder("damped", plane=plane, gravity=(0, -G))
    thin = Inertia(1.0, (0.5, 0, 0), np.diag([0.0, 1 / 12, 1 / 12]))
    rod = m.body("rod", at=(0, 0), angle=0.0, inertia=thin)
    hinge = m.revolute(m.ground.at(0, 0), rod.at(0, 0), name="hinge")
    m.force(SpringDamper(hinge.angle, damping=0.3), "air")
    motion = m.build().simulate(until=1.0, steps=1000)
    assert motion.outcome.is_done
    taken = np.trapezoid(0.3 * motion["hinge.angle"].rate ** 2, motion.t)
    assert motion.energy.dissipated[-1] == pytest.approx(taken, rel=1e-5)
    assert np.ptp(motion.energy.total) < 1e-6 * motion.energy.kinetic.max()


@pytest.mark.parametrize("name", ["car_axis", "bead_on_wire"])
def test_the_large_plan_says_that_it_cannot_move_what_has_no_mass(name):
    with pytest.raises(MissingPart, match="needs both of every body"):
        gallery.MECHANISMS[name]().simulate(until=0.1, steps=2, plan="large")
