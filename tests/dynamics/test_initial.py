"""Initial velocities are kept where the joints let them be, and changes are told."""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.dynamics.initial import nested_least_squares
from kempe.joints import Revolute


def four_bar(rod, **crank):
    m = Builder("four-bar", plane=True)
    a = m.bar("crank", 1.0, at=(0, 0), angle="60 deg", inertia=rod(), **crank)
    b = m.bar("coupler", 3.0, inertia=rod(1.0, 3.0))
    c = m.bar("rocker", 2.5, at=(3, 0), angle="100 deg", inertia=rod(1.0, 2.5))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(3, 0))
    return m


def test_one_spin_moves_the_whole_loop(rod):
    motion = four_bar(rod, spin=2.0).build().simulate(until=0.01, steps=1)
    assert motion["crank.angle"].rate[0] == pytest.approx(2.0, abs=1e-12)
    assert abs(motion["rocker.angle"].rate[0]) > 0.1
    assert motion.notes == ()


def test_a_rate_of_any_measure_starts_the_motion(rod):
    m = four_bar(rod)
    rocker = next(g for g in (m.known_body("rocker"),) if g)
    from kempe.front.parts import BodyPart

    m.rate(BodyPart(m, rocker.name).angle, "30 deg/s")
    motion = m.build().simulate(until=0.01, steps=1)
    assert motion["rocker.angle"].rate[0] == pytest.approx(math.radians(30), abs=1e-12)


def test_a_velocity_that_the_joints_forbid_is_changed_and_told(planar_pendulum, rod):
    m = Builder("pendulum", plane=True)
    bar = m.bar("rod", 1.0, angle=0.0, inertia=rod(), velocity=(0.5, 0.0), spin=3.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    motion = m.build().simulate(until=0.01, steps=1)
    assert motion["rod.angle"].rate[0] == pytest.approx(3.0, abs=1e-12)
    assert len(motion.notes) == 1
    assert "'rod' along x" in motion.notes[0]
    assert "instead of 0.5 m/s" in motion.notes[0]


def test_what_the_joints_forbid_changes_with_the_least_kinetic_energy():
    """A cube on a hinge thrown askew: every other motion that the hinge allows is further away."""
    m = Builder("cube", gravity=(0, 0, 0))
    inertia = Inertia(2.0, (0.4, 0.1, 0.0), np.diag([0.3, 0.4, 0.5]))
    thrown = {"velocity": (1.0, 2.0, 3.0), "spin": (0.5, -1.0, 2.0)}
    cube = m.body("cube", at=(0, 0, 0), inertia=inertia, **thrown)
    m.add(Revolute(m.ground.at(0, 0, 0), cube.at(0, 0, 0)), "hinge")
    motion = m.build().simulate(until=0.01, steps=1)

    def missed(w):
        """Twice the kinetic energy of the difference, turning with w about the hinge."""
        spin = np.array([0.0, 0.0, w]) - (0.5, -1.0, 2.0)
        centre = np.cross(spin, inertia.centre) - (1.0, 2.0, 3.0)
        return 2.0 * centre @ centre + spin @ inertia.tensor @ spin

    w = motion.motion.v[0, 5]
    assert missed(w) < min(missed(w - 1e-3), missed(w + 1e-3))
    assert len(motion.notes) == 6


def test_later_wishes_give_way_to_earlier_ones():
    A, B = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 2.0]])
    x = nested_least_squares([(A, np.array([1.0])), (B, np.array([5.0, 6.0]))], 2)
    assert x == pytest.approx([1.0, 3.0])


def test_without_wishes_everything_starts_at_rest(hinged_chain):
    motion = hinged_chain(2).simulate(until=0.01, steps=1).motion
    assert np.abs(motion.v[0]).max() == 0.0
