"""Initial velocities are kept where the joints let them be, and changes are told."""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia, Rotation
from kempe.dynamics.preparation.initial import nested_least_squares
from kempe.errors import BadNumber, SingularCoordinates
from kempe.geometry.specific import (
    Cylindrical,
    EulerAngles,
    EulerParameters,
    OrientationCoordinates,
    RodriguesParameters,
    SpecificRates,
    Spherical,
    TranslationCoordinates,
)
from kempe.joints import Revolute
from kempe.joints import Spherical as Ball


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
    assert not any("spin" in note for note in motion.notes)


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


def free_bar(**start):
    """A bar in space whose centre of mass is off its origin."""
    m = Builder("bar")
    inertia = Inertia(1.0, (0.2, -0.1, 0.3), np.diag([0.3, 0.4, 0.5]))
    m.body("bar", at=(1.0, 2.0, 0.5), inertia=inertia, **start)
    return m.build()


TURNED = Rotation.about((1.0, 2.0, -0.5), 0.8)


@pytest.mark.parametrize(
    "orientator",
    [EulerParameters(), EulerAngles("ZXZ"), EulerAngles("XYZ"), RodriguesParameters()],
    ids=repr,
)
def test_rates_of_specific_coordinates_are_the_spin_they_mean(orientator):
    """w in world axes -> rates by the coordinates' own kinematics -> the same start."""
    w = np.array([0.4, -1.1, 0.7])
    turning = OrientationCoordinates(orientator)
    s = turning.coordinates(TURNED.quaternion())
    rates = SpecificRates(orientator, tuple(turning.rates(s, w, axes="reference")))
    a = free_bar(rotation=TURNED, spin=rates, velocity=(1, 0, 0)).simulate(0.1, steps=2)
    b = free_bar(rotation=TURNED, spin=tuple(w), velocity=(1, 0, 0)).simulate(0.1, steps=2)
    assert np.abs(a.motion.v - b.motion.v).max() < 1e-12
    assert a.notes == b.notes == ()


@pytest.mark.parametrize("translator", [Cylindrical(), Spherical()], ids=repr)
def test_rates_of_a_place_are_the_velocity_they_mean(translator):
    v = np.array([0.3, -0.2, 0.9])
    moving = TranslationCoordinates(translator)
    s = moving.coordinates(np.array([1.0, 2.0, 0.5]))
    rates = SpecificRates(translator, tuple(moving.rates(s, v)))
    motion = free_bar(rotation=TURNED, velocity=rates, spin=(1, 2, 3)).simulate(0.1, steps=2)
    assert motion["bar"].velocity[0] == pytest.approx(v, abs=1e-12)


@pytest.mark.row("C10")
def test_koh_and_parks_bar_starts_with_rates_of_its_euler_parameters():
    """Source: [KohPark] Fig. 10, its e4 first here: 5 per second of e3 are 10 rad/s about z."""
    motion = free_bar(spin=SpecificRates(EulerParameters(), (0, 0, 0, 5))).simulate(0.01, steps=1)
    assert motion.motion.v[0, 3:] == pytest.approx([0, 0, 10], abs=1e-12)


def test_rates_that_leave_the_unit_sphere_are_changed_and_told():
    """e . e' must be zero: the part along e is taken out, and said."""
    motion = free_bar(spin=SpecificRates(EulerParameters(), (1, 0, 0, 5))).simulate(0.01, steps=1)
    assert motion.motion.v[0, 3:] == pytest.approx([0, 0, 10], abs=1e-12)
    assert len(motion.notes) == 1
    assert "the rate of e0 of 'bar'" in motion.notes[0]
    assert "instead of 1 per second" in motion.notes[0]


def test_a_rate_may_be_left_open():
    """A top's spin and precession are given; its nutation is left to the joint and is at rest."""
    m = Builder("top")
    tilt = Rotation.about((1.0, 0.0, 0.0), 0.5)
    inertia = Inertia(1.0, (0, 0, 0.2), np.diag([0.02, 0.02, 0.01]))
    start = SpecificRates(EulerAngles("ZXZ"), (1.5, None, 60.0))
    top = m.body("top", at=(0, 0, 0), rotation=tilt, inertia=inertia, spin=start)
    m.add(Ball(m.ground.at(0, 0, 0), top.at(0, 0, 0)), "tip")
    w = m.build().simulate(0.01, steps=1).motion.v[0, 3:]  # body axes
    assert w == pytest.approx([0.0, 1.5 * math.sin(0.5), 60.0 + 1.5 * math.cos(0.5)], abs=1e-9)


def test_coordinates_that_are_singular_at_the_start_are_refused():
    with pytest.raises(SingularCoordinates, match="ZXZ"):
        free_bar(spin=SpecificRates(EulerAngles("ZXZ"), (1, 0, 2))).simulate(0.1)


WRONG = {
    "too few": lambda: SpecificRates(EulerParameters(), (1.0, 2.0)),
    "not finite": lambda: SpecificRates(EulerAngles("XYZ"), (1.0, math.nan, 0.0)),
    "a spin of a place": lambda: free_bar(spin=SpecificRates(Cylindrical(), (1, 0, 0))),
    "a velocity of an orientation": lambda: free_bar(
        velocity=SpecificRates(EulerAngles("XYZ"), (1, 0, 0))
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_rates_that_cannot_be_are_refused(wrong):
    with pytest.raises(BadNumber):
        WRONG[wrong]()


def test_places_that_the_joints_forbid_are_changed_and_told(rod):
    m = Builder("pendulum", plane=True)
    bar = m.bar("rod", 1.0, at=(0.02, 0.01), angle=0.3, inertia=rod())
    m.revolute(m.ground.at(0, 0), bar.start)
    motion = m.build().simulate(until=0.01, steps=1)
    assert motion["rod.start"].position[0] == pytest.approx([0, 0], abs=1e-12)
    (note,) = motion.notes
    assert "'rod' by 0.0224 m" in note


def test_places_that_fit_are_kept_to_the_last_digits(rod):
    m = Builder("pendulum", plane=True)
    bar = m.bar("rod", 1.0, at=(0, 0), angle=0.3, inertia=rod())
    m.revolute(m.ground.at(0, 0), bar.start)
    motion = m.build().simulate(until=0.01, steps=1)
    assert motion["rod.angle"].values[0] == pytest.approx(0.3, abs=1e-14)
    assert motion.notes == ()


def test_accelerations_fit_from_the_first_sample(rod):
    """Points that a hinge holds together have one acceleration, at t = 0 as later."""
    motion = four_bar(rod, spin=2.0).build().simulate(until=0.2, steps=4)
    for a, b in (("crank.end", "coupler.start"), ("coupler.end", "rocker.end")):
        apart = motion[a].acceleration - motion[b].acceleration
        assert np.abs(apart).max() < 1e-9 * np.abs(motion[a].acceleration).max()


def test_what_cannot_move_is_locked_and_keeps_its_start(rod):
    m = Builder("truss", plane=True, gravity=(0, -9.81))
    a = m.bar("a", 1.0, at=(0, 0), angle="60 deg", inertia=rod())
    b = m.bar("b", 1.0, at=(1, 0), angle="120 deg", inertia=rod(), spin=1.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(m.ground.at(1, 0), b.start, name="foot")
    m.revolute(a.end, b.end)
    motion = m.build().simulate(until=1.0)
    assert motion.outcome.name == "Locked"
    assert len(motion) == 1
    assert np.isfinite(motion["foot.force"].values).all()
    assert "'b' about z" in motion.notes[0]
