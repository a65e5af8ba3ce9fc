"""Centrodes: Cardan's circles, rolling without slip, and the gaps at infinity."""

import math

import numpy as np
import pytest

import kempe

# Positions of order 1 m from samples that are solved to 1e-13.
CLOSE = 1e-10
# Chords of the two curves differ by the cube of their length: 1e-5 at 720 samples a turn.
CHORDS = 1e-4
LENGTH = 2.0


def test_the_centrodes_of_a_trammel_are_the_circles_of_cardan(trammel) -> None:
    turn = trammel(LENGTH).kinematics(until=1.0, steps=100)
    rolling = turn.relative("bar").centrodes
    radius = np.linalg.norm(rolling.fixed.points, axis=1)
    np.testing.assert_allclose(radius, LENGTH, atol=CLOSE)
    middle = rolling.moving.points - [0.5 * LENGTH, 0.0]
    np.testing.assert_allclose(np.linalg.norm(middle, axis=1), 0.5 * LENGTH, atol=CLOSE)
    for curve in (rolling.fixed, rolling.moving):
        assert [len(piece) for piece in curve.pieces()] == [len(turn)]


def test_the_ground_rolls_on_the_bar_as_the_bar_on_the_ground(trammel) -> None:
    turn = trammel(LENGTH).kinematics(until=1.0, steps=40)
    there, back = turn.relative("bar").centrodes, turn.relative("ground", "bar").centrodes
    np.testing.assert_allclose(there.fixed.points, back.moving.points, atol=CLOSE)
    np.testing.assert_allclose(there.moving.points, back.fixed.points, atol=CLOSE)


def test_a_wheel_rolls_on_its_line(rolling_wheel) -> None:
    turn = rolling_wheel().kinematics(until=1.0, steps=40)
    rolling = turn.relative("wheel").centrodes
    np.testing.assert_allclose(rolling.fixed.points[:, 1], 0.0, atol=CLOSE)
    np.testing.assert_allclose(rolling.fixed.points[:, 0], turn["wheel.x"].values, atol=CLOSE)
    np.testing.assert_allclose(np.linalg.norm(rolling.moving.points, axis=1), 1.0, atol=CLOSE)


def test_the_moving_centrode_rolls_on_the_fixed_one_without_slip() -> None:
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=720)
    rolling = turn.relative("coupler").centrodes
    pairs = list(zip(rolling.fixed.pieces(8.0), rolling.moving.pieces(8.0), strict=False))
    assert pairs
    passes = rolling.fixed.passes_infinity
    fixed, moving = (
        np.linalg.norm(np.diff(curve.points, axis=0), axis=1)[~passes]
        for curve in (rolling.fixed, rolling.moving)
    )
    near = fixed < 0.1
    assert near.sum() > 300
    np.testing.assert_allclose(moving[near], fixed[near], rtol=CHORDS)


def test_the_curve_has_a_gap_where_crank_and_rocker_are_parallel() -> None:
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=720)
    rolling = turn.relative("coupler").centrodes
    # The centre is at infinity where the coupler does not turn: crank and rocker are parallel.
    turning = turn["coupler.angle"].rate
    changes = np.flatnonzero(turning[:-1] * turning[1:] < 0.0)
    assert len(changes) == 2
    np.testing.assert_array_equal(np.flatnonzero(rolling.fixed.passes_infinity), changes)
    for piece in rolling.fixed.pieces():
        assert np.linalg.norm(piece, axis=1).max() <= 10.0 * turn.layout.size


def test_a_motion_that_turns_back_leaves_no_gap(trammel) -> None:
    swings = trammel(LENGTH, law=lambda t: -0.6 + 0.4 * np.sin(2 * math.pi * t))
    turn = swings.kinematics(until=1.0, steps=50)
    rate = turn["bar.angle"].rate
    assert (rate[:-1] * rate[1:] < 0.0).sum() == 2
    rolling = turn.relative("bar").centrodes
    assert not rolling.fixed.passes_infinity.any()


@pytest.mark.parametrize("within", [3.0, 5.0, 20.0])
def test_pieces_stay_within_sight(within: float) -> None:
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=720)
    curve = turn.relative("coupler").centrodes.fixed
    pieces = curve.pieces(within)
    seen = np.linalg.norm(curve.points, axis=1) <= within
    assert sum(map(len, pieces)) == seen.sum()
    assert all(np.linalg.norm(piece, axis=1).max() <= within for piece in pieces)
