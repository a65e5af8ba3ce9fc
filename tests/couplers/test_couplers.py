"""Couplers in small machines: ratios over many turns, phases, and what is refused."""

import math

import numpy as np
import pytest

import kempe
from kempe.couplers import (
    Belt,
    CamLaw,
    Combination,
    Differential,
    GearPair,
    RackAndPinion,
    ScrewCoupler,
)
from kempe.drives import Cycloidal, Harmonic, Piecewise
from kempe.errors import BadConnection, BadNumber, DriveError
from kempe.geometry import Marker, Z
from kempe.measures import Displacement, Gauge, Turn

EXACT = 1e-11  # a sample is solved to 1e-13 of the machine's size; a few turns come on top
TURNS = 3.0
SPACES = pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])


def two_wheels(plane, angles=(0.0, 0.0)):
    m = kempe.Builder("wheels", plane=plane)
    wheels = []
    for name, x, angle in zip(("a", "b"), (0.0, 1.0), angles, strict=True):
        wheel = m.body(name, at=(x, 0), angle=angle)
        m.revolute(m.ground.at(x, 0), wheel.at(0, 0), name=f"pin_{name}")
        wheels.append(wheel)
    return m, *wheels


def turned(m, name, *, until=TURNS):
    motion = m.build().kinematics(until=until, steps=90)
    assert motion.outcome.is_done, motion.outcome
    return motion[name].values


@SPACES
@pytest.mark.parametrize(
    ("couple", "ratio"),
    [
        (lambda a, b: GearPair((a, b), teeth=(20, 30)), -2 / 3),
        (lambda a, b: GearPair((a, b), teeth=(20, 30), internal=True), 2 / 3),
        (lambda a, b: Belt((a, b), radii=(0.1, 0.25)), 0.4),
        (lambda a, b: Belt((a, b), radii=(0.1, 0.25), crossed=True), -0.4),
        (lambda a, b: Combination((a, b), coefficients=(2, -5)), 0.4),
    ],
    ids=["external", "internal", "open belt", "crossed belt", "combination"],
)
def test_two_wheels_turn_in_their_ratio_over_many_turns(plane, couple, ratio):
    m, a, b = two_wheels(plane)
    m.couple(couple(a.angle, b.angle))
    m.drive(a.angle, rpm=60)
    t = np.linspace(0.0, TURNS, 91)
    np.testing.assert_allclose(turned(m, "b.angle"), ratio * math.tau * t, atol=EXACT)


@SPACES
def test_wheels_mesh_as_they_were_placed(plane):
    m, a, b = two_wheels(plane, angles=(0.3, 0.5))
    m.couple(GearPair((a.angle, b.angle), teeth=(20, 30)))
    m.drive(a.angle, start=0.3, rpm=60)
    assert turned(m, "b.angle")[0] == pytest.approx(0.5, abs=EXACT)


@SPACES
def test_a_given_constant_moves_the_wheel_there(plane):
    m, a, b = two_wheels(plane, angles=(0.3, 0.5))
    m.couple(GearPair((a.angle, b.angle), teeth=(20, 30), constant=0.6))
    m.drive(a.angle, start=0.3, rpm=60)
    assert turned(m, "b.angle")[0] == pytest.approx(0.2, abs=EXACT)


def test_a_phase_near_half_a_turn_does_not_slip_by_a_turn():
    """In space the reading of a guess lies in (-pi, pi]; a hair beyond its end is the same pose."""
    m, a, b = two_wheels(plane=False, angles=(math.pi, math.pi))
    m.couple(GearPair((a.angle, b.angle), teeth=(20, 30)))
    m.drive(a.angle, start=math.pi + 1e-6, rpm=60)
    first = turned(m, "b.angle")[0] - math.pi
    assert math.remainder(first, math.tau) == pytest.approx(-2e-6 / 3, abs=EXACT)


@SPACES
def test_wheels_on_an_arm_roll_as_willis_says(plane):
    """(a - c) / (b - c) = -n_b / n_a with the sun a at rest."""
    m = kempe.Builder("planet", plane=plane)
    arm = m.bar("arm", 0.5, at=(0, 0), angle=0)
    wheel = m.body("wheel", at=(0.5, 0), angle=0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.revolute(arm.end, wheel.at(0, 0))
    still = Gauge("sun.angle", Turn(Z), Marker("ground"), Marker("ground", (1.0, 0.0, 0.0)))
    m.couple(GearPair((still, wheel.angle, arm.angle), teeth=(30, 20)))
    m.drive(arm.angle, rpm=60)
    t = np.linspace(0.0, TURNS, 91)
    np.testing.assert_allclose(turned(m, "wheel.angle"), 2.5 * math.tau * t, atol=EXACT)


@SPACES
@pytest.mark.parametrize("internal", [False, True])
def test_wheels_that_mesh_by_their_centres_need_no_carrier(plane, internal):
    """Seen from the line of centres the ratio is the same, on an arm or not."""
    m = kempe.Builder("planet", plane=plane)
    arm = m.bar("arm", 0.5, at=(0, 0), angle=0)
    wheel = m.body("wheel", at=(0.5, 0), angle=0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.revolute(arm.end, wheel.at(0, 0))
    m.couple(GearPair.meshing(m.ground.at(0, 0), wheel.at(0, 0), teeth=(30, 20), internal=internal))
    m.drive(arm.angle, rpm=60)
    t = np.linspace(0.0, TURNS, 91)
    speed = -0.5 if internal else 2.5
    np.testing.assert_allclose(turned(m, "wheel.angle"), speed * math.tau * t, atol=EXACT)


@SPACES
def test_a_rack_moves_by_the_arc_of_its_pinion(plane):
    m = kempe.Builder("rack", plane=plane)
    pinion, rack = m.body("pinion", at=(0, 0)), m.body("rack", at=(0.2, -0.1))
    m.revolute(m.ground.at(0, 0), pinion.at(0, 0))
    m.prismatic(m.ground.at(0, -0.1), rack.at(0, 0))
    m.couple(RackAndPinion((rack.x, pinion.angle), radius=0.1))
    m.drive(pinion.angle, rpm=60)
    t = np.linspace(0.0, TURNS, 91)
    np.testing.assert_allclose(turned(m, "rack.x"), 0.2 + 0.1 * math.tau * t, atol=EXACT)


def test_a_spindle_moves_its_nut_by_the_lead():
    m = kempe.Builder("vice")
    spindle, jaw = m.body("spindle"), m.body("jaw")
    hinge = m.revolute(m.ground.at(0, 0, 0), spindle.at(0, 0, 0), name="bearing")
    m.prismatic(m.ground.at(0, 0, 0), jaw.at(0, 0, 0), along=(0, 0, 1), name="guide")
    m.couple(ScrewCoupler((jaw.z, hinge.angle), lead=0.004))
    m.drive(hinge.angle, rpm=60)
    t = np.linspace(0.0, TURNS, 91)
    np.testing.assert_allclose(turned(m, "jaw.z"), 0.004 * t, atol=EXACT)


@SPACES
def test_a_differential_shares_the_turn_of_its_case(plane):
    m = kempe.Builder("axle", plane=plane)
    parts = [m.body(name, at=(0, 0)) for name in ("left", "right", "case")]
    for part in parts:
        m.revolute(m.ground.at(0, 0), part.at(0, 0))
    left, right, case = (part.angle for part in parts)
    m.couple(Differential((left, right, case)))
    m.drive(case, rpm=60)
    m.drive(left, rpm=45)
    t = np.linspace(0.0, TURNS, 91)
    np.testing.assert_allclose(turned(m, "right.angle"), 1.25 * math.tau * t, atol=EXACT)


# -- cams ------------------------------------------------------------------------------------


def cam(plane, law):
    m = kempe.Builder("cam", plane=plane)
    disc, follower = m.body("disc", at=(0, 0)), m.body("follower", at=(0, 1))
    m.revolute(m.ground.at(0, 0), disc.at(0, 0))
    m.prismatic(m.ground.at(0, 0), follower.at(0, 0), along=(0, 1))
    m.couple(CamLaw((disc.angle, follower.y), law=law))
    m.drive(disc.angle, rpm=60)
    motion = m.build().kinematics(until=TURNS, steps=90)
    assert motion.outcome.is_done, motion.outcome
    return motion["follower.y"]


@SPACES
def test_a_follower_obeys_a_function_and_its_derivatives(plane):
    lift = cam(plane, lambda a: 1.0 + 0.2 * np.cos(2.0 * a))
    a = math.tau * lift.t
    np.testing.assert_allclose(lift.values, 1.0 + 0.2 * np.cos(2 * a), atol=EXACT)
    np.testing.assert_allclose(lift.rate, -0.4 * math.tau * np.sin(2 * a), atol=100 * EXACT)
    np.testing.assert_allclose(
        lift.acceleration, -0.8 * math.tau**2 * np.cos(2 * a), atol=1e4 * EXACT
    )


def test_a_follower_obeys_a_table():
    angles = np.linspace(0.0, TURNS * math.tau, 13)
    table = kempe.Interpolation.through(angles, 1.0 + 0.1 * np.sin(angles / 4.0))
    lift = cam(True, table)
    np.testing.assert_allclose(lift.values, table(math.tau * lift.t), atol=EXACT)


@SPACES
def test_a_follower_obeys_a_law_of_the_drives_turn_after_turn(plane):
    third = math.tau / 3
    up = Cycloidal(rise=0.1, duration=third, start=1.0)
    down = Cycloidal(rise=-0.1, duration=third, start=1.1)
    rest = Harmonic(amplitude=0.0, frequency=1.0, mean=1.0)
    law = Piecewise(((third, up), (third, down), (third, rest)), repeats=True)
    lift = cam(plane, law)
    expected = [float(law.value(a)) for a in math.tau * lift.t]
    np.testing.assert_allclose(lift.values, expected, atol=EXACT)
    # samples 10 apart are third turns: rest, top, rest, rest, ...
    np.testing.assert_allclose(lift.values[:40:10], [1.0, 1.1, 1.0, 1.0], atol=EXACT)


# -- structure -------------------------------------------------------------------------------


def test_machines_that_differ_in_teeth_share_a_program():
    keys = set()
    for teeth in ((20, 30), (20, 37), (25.5, 31)):
        m, a, b = two_wheels(True, angles=(0.1, 0.2))
        m.couple(GearPair((a.angle, b.angle), teeth=teeth))
        m.drive(a.angle, rpm=60)
        keys.add(m.build().layout.key)
    assert len(keys) == 1


def test_machines_with_different_functions_share_none():
    def machine(factor):
        m, a, b = two_wheels(True)
        m.couple(CamLaw((a.angle, b.angle), law=lambda x: factor * x))
        m.drive(a.angle, rpm=60)
        return m.build()

    for factor in (2.0, 3.0):
        motion = machine(factor).kinematics(until=1.0, steps=4)
        np.testing.assert_allclose(motion["b.angle"].rate, factor * math.tau, atol=EXACT)
        assert not machine(factor).layout.is_built_in


# -- refusals --------------------------------------------------------------------------------

ANGLE = Gauge("w.angle", Turn(Z), Marker("ground"), Marker("w"))
SHIFT = Gauge("s.displacement", Displacement(Z), Marker("ground"), Marker("s"))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: GearPair((ANGLE,), teeth=(1, 2)), "has 1 measures, it couples 2 to 3"),
        (lambda: GearPair((ANGLE, SHIFT), teeth=(1, 2)), "needs an angle for second wheel"),
        (lambda: RackAndPinion((ANGLE, ANGLE), radius=1), "needs a length for the rack"),
        (lambda: Differential((ANGLE, ANGLE)), "has 2 measures, it couples 3"),
        (lambda: Belt(("a", "b"), radii=(1, 2)), "couples measures such as wheel.angle"),
    ],
)
def test_a_coupler_refuses_measures_that_are_none_of_its_own(make, says):
    with pytest.raises(BadConnection, match=says):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: GearPair((ANGLE, ANGLE), teeth=(0, 2)),
        lambda: GearPair((ANGLE, ANGLE), teeth=(1, math.nan)),
        lambda: GearPair((ANGLE, ANGLE), teeth=(1, 2), constant=math.inf),
        lambda: Belt((ANGLE, ANGLE), radii=(1, -2)),
        lambda: RackAndPinion((SHIFT, ANGLE), radius=0),
        lambda: ScrewCoupler((SHIFT, ANGLE), lead=0),
        lambda: Differential((ANGLE, ANGLE, ANGLE), ratio=0),
        lambda: Combination((ANGLE, ANGLE), coefficients=(1,)),
        lambda: Combination((ANGLE, ANGLE), coefficients=(1, math.nan)),
        lambda: CamLaw((ANGLE, ANGLE), law=3.0),
    ],
)
def test_a_coupler_refuses_numbers_that_mean_nothing(make):
    with pytest.raises(BadNumber):
        make()


def test_a_second_drive_on_coupled_wheels_is_one_too_many():
    m, a, b = two_wheels(True)
    m.couple(GearPair((a.angle, b.angle), teeth=(1, 2)))
    m.drive(a.angle, rpm=60)
    m.drive(b.angle, rpm=60)
    with pytest.raises(DriveError, match="only 1 freedom"):
        m.build().kinematics(until=1.0)


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize(("plane", "turns"), [(True, 1e6), (False, 1e4)], ids=["plane", "space"])
def test_wheels_turn_a_million_times(plane, turns, plan):
    m, a, b = two_wheels(plane)
    m.couple(GearPair((a.angle, b.angle), teeth=(30, 20)))
    m.drive(a.angle, rpm=60)
    motion = m.build().kinematics(until=turns, steps=7, plan=plan)
    assert motion.outcome.is_done, motion.outcome
    expected = -1.5 * math.tau * motion.t
    rounding = 8 * np.finfo(float).eps * np.abs(expected).max()
    np.testing.assert_allclose(motion["b.angle"].values, expected, rtol=0.0, atol=rounding)
    np.testing.assert_allclose(motion["b.angle"].rate, -1.5 * math.tau, rtol=EXACT)


def test_what_has_turned_back_is_known_as_well_as_before():
    """A thousand turns on and back again: at the end the limits are those of the start."""
    m, a, b = two_wheels(True)
    m.couple(GearPair((a.angle, b.angle), teeth=(30, 20)))
    m.drive(a.angle, Harmonic(amplitude=1000 * math.tau, frequency=0.5))
    motion = m.build().kinematics(until=1.0, steps=100_000)
    assert motion.outcome.is_done, motion.outcome
    gap = np.abs(1.5 * motion["a.angle"].values + motion["b.angle"].values)
    assert gap[:50].max() < EXACT
    assert gap[-50:].max() < EXACT
