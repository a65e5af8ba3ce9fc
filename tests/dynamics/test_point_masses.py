"""Bodies without inertia or without mass move where the rest determines how."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from kempe import Builder, Inertia, gallery
from kempe.dynamics.preparation.callback_numbers import Outside
from kempe.dynamics.preparation.preparation import prepare
from kempe.errors import BadNumber, MissingPart
from kempe.forces import SpringDamper
from kempe.joints import Rod
from kempe.measures import Distance, Gauge

G = 9.81
NO = np.zeros((3, 3))
POINT = Inertia(1.0, (0, 0, 0), NO)


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


def points_in_a_row(count, spring):
    """Point masses, each at the end of a massless arm that turns about the one before."""
    m = Builder("row", plane=True, gravity=(0, -G))
    before = m.ground.at(0, 0)
    for k in range(count):
        bob = m.body(f"bob{k}", at=(k + 1, 0), angle=0.0, inertia=Inertia(k + 1.0, (0, 0, 0), NO))
        hinge = m.revolute(before, bob.at(-1, 0), name=f"hinge{k}")
        if spring:
            m.force(SpringDamper(hinge.angle, stiffness=3.0 + k, damping=0.4), f"spring{k}")
        before = bob.at(0, 0)
    return m.build()


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("spring", [False, True])
def test_point_masses_in_a_row_are_solved_as_the_whole_matrix_says(count, spring, rng):
    """[M J^T; J 0] (a, lam) = (f, gamma) by NumPy, at a place where nothing is level."""
    mechanism = points_in_a_row(count, spring)
    prepared = prepare(mechanism.layout, 0.0)
    shape, start = prepared.equations.program.shape, prepared.start
    assert len(shape.massless) == count
    moved = mechanism.simulate(until=0.4, steps=1, tolerance=1e-10)
    reached = moved.state(len(moved.t) - 1)
    q, v = reached.q, reached.v  # every origin is its centre of mass
    found = prepared.system(Outside(prepared.callbacks)).motion(
        prepared.equations.layout.parameters,
        prepared.equations.layout.mass_blocks.reshape(-1),
        *(q, v, 0.4, start.turns),
    )
    at = prepared.terms(q, v, 0.4)
    J = prepared.equations.program.dense_jacobian(at.entries)
    M = np.diag(np.repeat(np.arange(1.0, count + 1), 3) * np.tile([1, 1, 0], count))
    whole = np.block([[M, J.T], [J, np.zeros((len(J), len(J)))]])
    expected = np.linalg.solve(whole, np.concatenate([at.load, at.gamma]))
    assert np.abs(np.append(found.a, found.lam) - expected).max() < 1e-10 * np.abs(expected).max()


def test_a_double_pendulum_of_points_moves_by_its_two_equations():
    """Two masses of 1 kg and 2 kg on arms of 1 m, angles from the horizontal."""

    def rates(t, y):
        a, b, u, w = y
        c, s = np.cos(a - b), np.sin(a - b)
        M = np.array([[3.0, 2.0 * c], [2.0 * c, 2.0]])
        f = [-2.0 * s * w * w - 3.0 * G * np.cos(a), 2.0 * s * u * u - 2.0 * G * np.cos(b)]
        return [u, w, *np.linalg.solve(M, f)]

    motion = points_in_a_row(2, spring=False).simulate(until=2.0, steps=20, tolerance=1e-10)
    told = solve_ivp(rates, (0, 2), np.zeros(4), "DOP853", motion.t, rtol=1e-12, atol=1e-12).y
    for k in range(2):
        assert np.abs(motion[f"bob{k}.angle"].values - told[k]).max() < 1e-7


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
