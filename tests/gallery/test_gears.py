"""Trains of gears: Willis' equation and rolling wheels."""

import math

import numpy as np
import pytest

import kempe

#: Speeds of a linear system of angles, solved in one step.
EXACT = 1e-12
TURN = 2 * math.pi


@pytest.mark.parametrize(
    ("held", "sun", "ring", "carrier"),
    [
        ("ring", 1.0, 0.0, 2 / 7),
        ("sun", 0.0, 1.0, 5 / 7),
        ("carrier", 1.0, -0.4, 0.0),
    ],
)
def test_the_train_turns_as_willis_says(run, held, sun, ring, carrier):
    turn = run("planetary_train", held=held)
    for name, speed in (("sun", sun), ("ring", ring), ("carrier", carrier)):
        np.testing.assert_allclose(turn[f"{name}.angle"].rate / TURN, speed, atol=EXACT)


def test_the_planets_turn_backwards_by_two_thirds(run):
    turn = run("planetary_train")
    for k in (1, 2, 3):
        np.testing.assert_allclose(turn[f"planet{k}.angle"].rate / TURN, -2 / 3, atol=EXACT)


@pytest.mark.parametrize("planets", [1, 2, 4])
def test_every_planet_after_the_first_repeats_what_it_says(planets):
    mechanism = kempe.gallery.planetary_train(planets=planets)
    turn = mechanism.kinematics(until=0.1, steps=4)
    assert turn.outcome.is_done
    assert len(turn.redundant) == planets - 1


def test_a_wheel_in_a_ring_of_twice_its_size_moves_its_rim_along_a_diameter(run):
    turn = run("hypocycloid", steps=720)
    x, y = turn["planet.P"].position.T
    assert np.abs(y).max() < EXACT
    np.testing.assert_allclose(x, 0.2 * np.cos(turn["crank.angle"].values), atol=EXACT)


def test_a_ring_of_four_times_the_wheel_gives_the_astroid(run):
    turn = run("hypocycloid", ring=0.4, planet=0.1)
    a = turn["crank.angle"].values
    cubes = 0.4 * np.column_stack([np.cos(a) ** 3, np.sin(a) ** 3])
    np.testing.assert_allclose(turn["planet.P"].position, cubes, atol=EXACT)


def test_any_point_of_the_small_cardan_circle_draws_an_ellipse(run):
    turn = run("hypocycloid", pen=0.04)
    x, y = turn["planet.P"].position.T
    assert np.abs((x / 0.14) ** 2 + (y / 0.06) ** 2 - 1.0).max() < 1e-11


@pytest.mark.parametrize("gain", [0.25, 0.0, -1.0])
def test_what_one_axle_gains_the_other_loses(run, gain):
    turn = run("differential", gain=gain)
    left, right, case = (turn[f"{n}_bearing.angle"].rate for n in ("left", "right", "case"))
    np.testing.assert_allclose(left / TURN, 1.0 + gain, atol=EXACT)
    np.testing.assert_allclose(right / TURN, 1.0 - gain, atol=EXACT)
    np.testing.assert_allclose(0.5 * (left + right), case, atol=10 * EXACT)


def test_the_pinion_turns_by_the_gain_and_the_ratio_of_the_gears(run):
    spin = run("differential", gain=0.25)["pin.angle"].rate / TURN
    np.testing.assert_allclose(np.abs(spin), 0.25 * 0.06 / 0.04, atol=EXACT)
