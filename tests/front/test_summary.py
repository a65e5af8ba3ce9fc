"""A motion in words says what a student would look for, and says it truly."""

import numpy as np
import pytest

import kempe
from kempe.geometry import Inertia


@pytest.fixture(scope="module")
def turn() -> kempe.Trajectory:
    lengths = {"crank": 30, "coupler": 90, "rocker": 70, "ground": 100}
    return kempe.gallery.four_bar(**lengths, point=(45, 40), units="mm").kinematics(until=1.0)


def line(text: str, start: str) -> str:
    return next(x.strip() for x in text.splitlines() if x.strip().startswith(start))


def test_it_says_what_goes_round_and_what_swings(turn: kempe.Trajectory) -> None:
    said = turn.summary()
    assert line(said, "crank.angle") == "crank.angle goes round once, forwards"
    low, high = (turn["rocker.angle"].min("deg"), turn["rocker.angle"].max("deg"))
    expected = f"rocker.angle swings between {float(low):.4g} and {float(high):.4g} deg"
    assert line(said, "rocker.angle") == expected
    assert said.splitlines()[-1] == "It went all the way."


def test_points_nothing_holds_have_their_path_and_speed(turn: kempe.Trajectory) -> None:
    P = line(turn.summary(), "coupler.P")
    assert f"runs along {float(turn['coupler.P'].path_length):.4g} mm" in P
    assert f"{float(turn['coupler.P'].speed.max()):.4g} mm/s" in P
    assert "crank.end" not in turn.summary()


def test_units_can_be_chosen(turn: kempe.Trajectory) -> None:
    said = turn.summary(units=("cm", "rad"))
    assert " cm, at most" in line(said, "coupler.P")
    assert line(said, "rocker.angle").endswith(" rad")


def test_a_transmission_angle_is_judged(turn: kempe.Trajectory) -> None:
    assert line(turn.summary(), "transmission angle").endswith("deg (good)")
    rough = kempe.gallery.jansen().kinematics(until=1.0, steps=60).summary()
    assert "rough: 40 to 140 is wanted" in line(rough, "transmission angle")


@pytest.mark.parametrize(
    ("law", "said"),
    [
        (lambda t: 0.5 + 0.0 * t, "stands still at 28.65 deg"),
        (lambda t: -0.5 * t, "turns from 0 to -28.65 deg"),
        (lambda t: -6.0 * np.pi * t, "goes round 3 times, backwards"),
        (lambda t: 2.0 * t * (1.0 - t), "swings between 0 and 28.65 deg"),
    ],
)
def test_a_measure_is_described_by_its_course(law, said: str) -> None:
    m = kempe.Builder("wheel", plane=True)
    wheel = m.body("wheel")
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    m.drive(wheel.angle, law)
    text = m.build().kinematics(until=1.0, steps=100).summary()
    assert line(text, "wheel.angle") == f"wheel.angle {said}"


def test_forces_are_those_that_are_determined() -> None:
    m = kempe.Builder("arm", plane=True, gravity=(0, -9.81))
    arm = m.bar("arm", 1.0, inertia=Inertia(2.0, [0.5, 0, 0], np.eye(3)))
    m.revolute(m.ground.at(0, 0), arm.start, name="pivot")
    m.drive(arm.angle, rpm=60)
    said = m.build().kinematics(until=1.0, steps=100).summary()
    largest = 2.0 * (9.81 + 0.5 * (2 * np.pi) ** 2)
    assert f"the largest in a joint is {largest:.4g} N, in pivot at t = 0.75 s" in said
    assert f"arm.angle needs at most 9.81 N m and {9.81 * 2 * np.pi:.4g} W" in said


def test_a_simulation_tells_its_forces_apart_from_joints_and_where_its_energy_is() -> None:
    swing = kempe.gallery.elastic_pendulum().simulate(until=2.0, steps=100)
    said = swing.summary()
    assert "in a joint" not in said  # it has none
    largest = swing["spring.force"].magnitude.values.max()
    assert f"spring exerts at most {largest:.4g} N" in said
    kinetic = swing.energy.kinetic
    assert f"kinetic: {kinetic.min():.4g} to {kinetic.max():.4g} J" in said
    assert "taken by forces" not in said
    assert "put in by drives" not in said
    lines = [x.strip() for x in said.splitlines()]
    assert sum(x.startswith("bob.") and "runs along" in x for x in lines) == 1


def test_a_simulation_tells_what_brakes_take_and_drives_put_in() -> None:
    ride = kempe.gallery.car_axis().simulate(until=1.0, steps=50)
    assert f"put in by drives: {ride.energy.driven[-1]:.4g} J" in ride.summary()
    spin = kempe.gallery.flyball_governor().simulate(until=1.0, steps=50)
    assert f"taken by forces: {spin.energy.dissipated[-1]:.4g} J" in spin.summary()


def test_forces_that_are_not_determined_are_not_told() -> None:
    fall = kempe.gallery.falling_bricard().simulate(until=0.5, steps=5)
    assert "in a joint" not in fall.summary()


def test_an_early_end_is_said_with_its_advice() -> None:
    stuck = kempe.gallery.four_bar(crank=3, coupler=3.5, rocker=3, ground=4, start=0.5)
    said = stuck.kinematics(until=1.0).summary()
    assert "It ended early. DeadPoint: crank.angle cannot go beyond" in said


def test_a_motion_that_was_saved_tells_the_same_but_for_what_needs_the_mechanism(
    turn: kempe.Trajectory, tmp_path
) -> None:
    again = kempe.Trajectory.load(turn.save(tmp_path / "turn.npz")).summary().splitlines()
    told = turn.summary().splitlines()
    assert [x for x in told if x not in again] == [
        "How well it transmits",
        next(x for x in told if x.startswith("  transmission angle")),
    ]


def test_redundant_joints_are_named() -> None:
    said = kempe.gallery.four_bar(plane=False).kinematics(until=1.0, steps=8).summary()
    assert "Redundant: B repeats what others say; it moves all the same." in said


def test_a_long_list_is_cut_and_says_so() -> None:
    said = kempe.gallery.four_bar_chain(loops=6).kinematics(until=1.0, steps=8).summary()
    assert any(x.strip().startswith("... and ") for x in said.splitlines())
