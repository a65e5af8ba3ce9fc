"""Any state or assembly can be the start of any analysis."""

import math

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadNumber, UnknownName

SAME = 1e-9  # rad, m: what closing a loop anew leaves
GOES_ON = 1e-6  # of a simulation with steps of 1e-8 that is cut in two


@pytest.fixture
def four_bar():
    return kp.gallery.four_bar(crank=1, coupler=3, rocker=3, ground=3.5)


@pytest.fixture
def pendulum():
    m = kp.Builder("pendulum", plane=True, gravity=(0, -9.81))
    bob = kp.Inertia(1.0, (0.5, 0, 0), np.diag([0.0, 0.1, 0.1]))
    rod = m.bar("rod", 1.0, angle=0.3, inertia=bob)
    m.revolute(m.ground.at(0, 0), rod.start)
    return m.build()


def test_each_of_all_assemblies_can_be_started_from(four_bar):
    for one in four_bar.assemblies(at=0.0):
        turn = four_bar.kinematics(until=0.1, steps=2, start=one)
        assert math.remainder(turn["rocker.angle"].values[0] - one.q[8], math.tau) == pytest.approx(
            0.0, abs=SAME
        )
        assert turn.notes == ()
        held = four_bar.drag(start=one).poses["rocker"].rotation
        assert math.remainder(held.angle - one.q[8], math.tau) == pytest.approx(0.0, abs=SAME)


def test_an_assembly_of_a_wish_can_be_started_from(four_bar):
    put = four_bar.assemble({"rocker.angle": "-110 deg"}, values={"crank.angle": 0.0})
    for start in (put, put.poses, put.trajectory, put.trajectory.state()):
        turn = four_bar.kinematics(until=0.1, steps=2, start=start)
        assert turn["rocker.angle"].values[0] == pytest.approx(put["rocker.angle"], abs=SAME)
        assert turn.notes == ()


def test_a_start_that_the_drive_forbids_is_left_and_that_is_told(four_bar):
    put = four_bar.assemble({"rocker.angle": "-110 deg"}, values={"crank.angle": "30 deg"})
    turn = four_bar.kinematics(until=0.1, steps=2, start=put)
    assert turn["crank.angle"].values[0] == pytest.approx(0.0, abs=SAME)
    assert turn["rocker.end"].position[0, 1] < 0.0
    (note,) = turn.notes
    assert "'crank' by 30 deg" in note


def test_a_simulation_goes_on_from_a_sample_of_another(pendulum):
    whole = pendulum.simulate(until=2.0, steps=20)
    rest = pendulum.simulate(until=1.0, steps=10, start=whole.state(10))
    assert rest["rod.angle"].values == pytest.approx(whole["rod.angle"].values[10:], abs=GOES_ON)
    assert rest["rod.angle"].rate == pytest.approx(whole["rod.angle"].rate[10:], abs=GOES_ON)
    assert rest.notes == ()


def test_a_simulation_in_space_goes_on_with_the_spin_it_had():
    m = kp.Builder("top")
    mass = kp.Inertia(1.0, (0, 0, 0.1), np.diag([1.0, 2.0, 2.5]))
    top = m.body("top", points={"rim": (1, 0, 0), "tip": (0, 0, 1)}, inertia=mass, spin=(1, 2, 3))
    m.add(kp.joints.Spherical(m.ground.at(0, 0, 0), top.at(0, 0, 0)))
    whole = m.build().simulate(until=2.0, steps=20)
    rest = m.build().simulate(until=1.0, steps=10, start=whole.state(10))
    for point in ("top.rim", "top.tip"):
        apart = rest[point].position - whole[point].position[10:]
        assert np.abs(apart).max() < GOES_ON


def test_a_simulation_on_a_curve_goes_on_from_a_sample_of_another():
    bead = kp.gallery.bead_on_wire()
    whole = bead.simulate(until=0.4, steps=4)
    rest = bead.simulate(until=0.2, steps=2, start=whole.state(2))
    assert np.abs(rest.motion.q - whole.motion.q[2:]).max() < GOES_ON


def test_an_assembly_with_rates_starts_a_simulation_with_them(pendulum):
    put = pendulum.assemble({"rod.angle": 1.0}, rates={"rod.angle": 2.0})
    swing = pendulum.simulate(until=0.1, steps=1, start=put)
    assert swing["rod.angle"].values[0] == pytest.approx(1.0, abs=SAME)
    assert swing["rod.angle"].rate[0] == pytest.approx(2.0, abs=SAME)


def test_starts_that_are_none_are_refused(four_bar, pendulum):
    with pytest.raises(BadNumber, match="another mechanism"):
        pendulum.simulate(until=1.0, start=four_bar.assemble())
    with pytest.raises(BadNumber, match="a start is an assembly"):
        four_bar.kinematics(until=1.0, start=3)
    with pytest.raises(UnknownName, match="no moving body"):
        four_bar.kinematics(until=1.0, start={"wheel": kp.Pose.identity()})
    with pytest.raises(BadNumber, match="there is no sample 7"):
        four_bar.kinematics(until=1.0, steps=2).state(7)
    put = four_bar.assemble()
    with pytest.raises(BadNumber, match="either `poses` or `start`"):
        four_bar.drag(poses=put.poses, start=put)


def test_every_way_to_say_a_start_is_a_wish_of_assemble_too(four_bar):
    for one in four_bar.assemblies(at=0.0):
        put = four_bar.assemble(one)
        turn = four_bar.kinematics(until=0.1, steps=2, start=put)
        for start in (put, put.trajectory.state(), turn.state(0)):
            again = four_bar.assemble(start)
            assert again["rocker.angle"] == pytest.approx(put["rocker.angle"], abs=SAME)
            assert again.notes == ()


def test_measures_that_are_set_by_hand_begin_where_the_mechanism_starts(hinged_bars):
    """They used to begin where their bodies would stand at the origin."""
    m = kp.Builder("four-bar", plane=True)
    crank, *_ = hinged_bars(m, ("crank", "coupler", "rocker"), (1.0, 3.0, 3.0), 3.5)
    m.drive(crank.angle, start=0.9, rpm=6)
    mechanism = m.build()
    solver = mechanism.solver("rocker.angle")
    assert solver.values["rocker.angle"] == pytest.approx(mechanism.assemble()["rocker.angle"])
    assert solver.state["crank.angle"] == pytest.approx(0.9, abs=SAME)


def test_a_start_away_from_a_guess_is_noted_by_check_and_summary_as_well():
    m = kp.Builder("crank", plane=True)
    crank = m.bar("crank", 1.0, at=(0, 0), angle=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.drive(crank.angle, rpm=6)
    mechanism = m.build()
    (note,) = mechanism.kinematics(until=1.0, steps=2).notes
    assert f"Note: {note}." in str(mechanism.check())
    assert f"Note: {note}." in mechanism.kinematics(until=1.0, steps=2).summary()
    assert "'crank' by 28.6 deg" in note
