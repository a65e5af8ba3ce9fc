"""Shafts that meet at an angle: Cardan's joint, two of them, and a joint of constant velocity.

Source of the figures: tan(output) = cos(bend) tan(input), recomputed from the cross itself.
"""

import math

import numpy as np
import pytest

import kempe

EXACT = 1e-12
#: Velocities are solved from positions that are exact to 1e-13.
RATES = 1e-11

# (input, output) in degrees and rad, and the ratio of speeds, at a bend of 10 degrees
PUBLISHED = [
    (5, 0.08594725812377346, 0.9850333760398292),
    (10, 0.171933713098966, 0.9857039994421429),
]


def ratio(turn):
    return turn["output_bearing.angle"].rate / turn["input_bearing.angle"].rate


def test_the_output_turns_as_published():
    mechanism = kempe.gallery.cardan(bend=math.radians(10.0))
    turn = mechanism.kinematics(until=10 / 360, steps=2)
    for k, (degrees, output, speeds) in enumerate(PUBLISHED, start=1):
        assert turn["input_bearing.angle"].to("deg")[k] == pytest.approx(degrees, abs=1e-9)
        assert turn["output_bearing.angle"].values[k] == pytest.approx(output, abs=EXACT)
        assert ratio(turn)[k] == pytest.approx(speeds, abs=RATES)


@pytest.mark.parametrize("degrees", [0.0, 10.0, 30.0, 60.0])
def test_the_speeds_are_as_the_closed_form_says(run, degrees):
    b = math.radians(degrees)
    turn = run("cardan", bend=b)
    a = turn["input_bearing.angle"].values
    np.testing.assert_allclose(
        ratio(turn), math.cos(b) / (1 - (math.sin(b) * np.sin(a)) ** 2), atol=RATES
    )


def test_at_thirty_degrees_the_ratio_lies_between_the_cosine_and_the_secant(run):
    turn = run("cardan")
    assert ratio(turn).max() == pytest.approx(1.1547005383792515, abs=RATES)
    assert ratio(turn).min() == pytest.approx(0.8660254037844387, abs=RATES)


def test_what_the_crossing_of_the_shafts_makes_redundant_is_named(run):
    assert run("cardan").redundant == ("cross",)


@pytest.mark.parametrize("degrees", [10.0, 30.0, 45.0])
def test_two_joints_in_phase_undo_each_other(run, degrees):
    turn = run("double_cardan", bend=math.radians(degrees))
    first, last = turn["input.angle"], turn["output.angle"]
    np.testing.assert_allclose(last.values, first.values, atol=EXACT)
    np.testing.assert_allclose(last.rate, first.rate, atol=1e-10)
    assert turn.redundant == ()


@pytest.mark.parametrize("degrees", [0.0, 30.0, 60.0])
def test_a_constant_velocity_joint_keeps_both_spins_equal(run, degrees):
    turn = run("constant_velocity", bend=math.radians(degrees))
    np.testing.assert_allclose(ratio(turn), 1.0, atol=RATES)
    angles = (turn[f"{n}_bearing.angle"].values for n in ("input", "output"))
    np.testing.assert_allclose(*angles, atol=EXACT)
