"""Sampled motions: exact at samples, smooth between them, strict beyond them."""

import numpy as np
import pytest

from kempe.errors import BadNumber, EdgeFailed, OutsideBuffer
from kempe.frames import ByFormula, FrameGraph, KinematicState, Sampled, record
from kempe.frames.states.state import made
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.rotations import log_so3

STEP = 1e-5
NUMERIC = 1e-5  # central differences of a step of 1e-5: rounding 1e-11, second ones 1e-6


def tumbling(t: object) -> Pose:
    tilt = Rotation.about([1.0, 2.0, 0.5], 0.8)
    turn = Rotation.planar(1.3 * np.sin(t)) @ tilt @ Rotation.planar(0.9 * t)
    return Pose(Vector(np.cos(t), np.sin(2.0 * t), 0.3 * t * t), turn)


def samples(n: int, order: int) -> tuple[ByFormula, Sampled]:
    exact, t = ByFormula(tumbling), np.linspace(0.0, 2.0, n)
    return exact, Sampled(t, made("b", "a", exact.parts(t)), order=order)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_at_a_sample_its_own_numbers_come_back(order) -> None:
    _, motion = samples(9, order)
    known = 2 + 2 * order  # poses, velocities, accelerations
    for mine, given in zip(motion.parts(motion.t)[:known], motion.states.parts, strict=False):
        np.testing.assert_array_equal(mine, given)


@pytest.mark.parametrize(("order", "rate"), [(0, 2), (1, 4), (2, 6)])
def test_the_error_between_samples_falls_as_the_order_says(order, rate) -> None:
    t = np.linspace(0.013, 1.987, 301)
    errors = []
    for n in (21, 41):
        exact, motion = samples(n, order)
        p, R, *_ = motion.parts(t)
        q, S, *_ = exact.parts(t)
        errors.append((np.abs(p - q).max(), np.abs(R - S).max()))
    observed = np.log2(np.array(errors[0]) / np.array(errors[1]))
    assert (observed > rate - 0.4).all(), observed


def hold_to_differences(motion, t) -> None:
    """Velocities and accelerations are central differences of places and of velocities."""
    p, R, v, w, a, alpha = motion.parts(t)
    before, after = motion.parts(t - STEP), motion.parts(t + STEP)
    np.testing.assert_allclose(v, (after[0] - before[0]) / (2 * STEP), atol=NUMERIC)
    np.testing.assert_allclose(a, (after[2] - before[2]) / (2 * STEP), atol=NUMERIC)
    W = (after[1] - before[1]) / (2 * STEP) @ R.swapaxes(-1, -2)
    np.testing.assert_allclose(w, np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], -1), atol=NUMERIC)
    np.testing.assert_allclose(alpha, (after[3] - before[3]) / (2 * STEP), atol=NUMERIC)
    np.testing.assert_allclose(p, motion.parts(t)[0])


@pytest.mark.parametrize("order", [0, 1, 2])
def test_rates_between_samples_are_the_derivatives_of_what_is_drawn(order) -> None:
    _, motion = samples(7, order)
    t = np.array([0.1, 0.77, 1.93])
    hold_to_differences(motion, t)


def test_a_formulas_rates_are_its_derivatives() -> None:
    exact = ByFormula(tumbling)
    t = np.array([-0.4, 0.3])
    hold_to_differences(exact, t)
    assert exact.parts(np.array(0.3))[0].shape == (3,)


def test_beyond_the_end_the_last_velocity_goes_on_as_long_as_allowed() -> None:
    states = KinematicState(
        "b", "a", [[0, 0, 0], [1, 0, 0]], velocity=[1, 0, 0], angular_velocity=[0, 0, 2]
    )
    motion = Sampled([0.0, 1.0], states, order=1, extrapolate=0.5)
    p, R, v, w, a, _ = motion.parts(np.array(1.25))
    np.testing.assert_allclose(p, [1.25, 0, 0], atol=1e-15)
    turned = log_so3(R) - log_so3(motion.parts(np.array(1.0))[1])
    np.testing.assert_allclose(turned, [0, 0, 0.5], atol=1e-12)
    np.testing.assert_allclose([v, w, a], [[1, 0, 0], [0, 0, 2], [0, 0, 0]], atol=1e-15)
    for t in (-0.51, 1.51):
        with pytest.raises(OutsideBuffer) as caught:
            motion.parts(np.array(t))
        assert caught.value.facts["t"] == t


def test_rates_that_were_not_given_are_those_of_the_samples_and_never_zero() -> None:
    """A point that goes round at 2 rad/s on a radius of 1 m, poses alone."""
    t = np.linspace(0.0, 1.0, 1001)
    place = np.stack([np.cos(2 * t), np.sin(2 * t), 0 * t], axis=1)
    turn = np.array([Rotation.planar(2 * x).matrix() for x in t])
    chord = 2 * 2.0 * 0.001  # m/s and rad/s: a chord's direction is off by half a step's turn
    _, _, v, w, _, _ = Sampled(t, KinematicState("b", "a", place, turn)).parts(t)
    np.testing.assert_allclose(v, 2 * np.stack([-place[:, 1], place[:, 0], 0 * t], 1), atol=chord)
    np.testing.assert_allclose(w, np.tile([0.0, 0.0, 2.0], (1001, 1)), atol=chord)


def test_an_order_that_needs_rates_which_were_not_given_is_refused() -> None:
    t, place = [0.0, 1.0], [[0, 0, 0], [1, 0, 0]]
    turn = [Rotation.planar(x).matrix() for x in t]
    poses = KinematicState("b", "a", place)
    for order in (1, 2):
        with pytest.raises(BadNumber, match="without velocities"):
            Sampled(t, poses, order=order)
    moving = KinematicState("b", "a", place, velocity=[1, 0, 0])
    assert Sampled(t, moving).order == 1  # it does not turn, so nothing of its turning is missing
    with pytest.raises(BadNumber, match="without accelerations"):
        Sampled(t, moving, order=2)
    turning = KinematicState("b", "a", place, turn, velocity=[1, 0, 0])
    assert Sampled(t, turning).order == 0  # its angular velocity is missing
    offset = KinematicState("c", "b", [0, 0, 1])
    assert Sampled(t, moving + offset).order == 1  # what is fixed misses nothing
    assert Sampled(t, poses + offset).order == 0
    graph = FrameGraph("a")
    with pytest.raises(BadNumber, match="without velocities"):
        record(graph, 0.0, KinematicState("b", "a", [0, 0, 0]), order=1)


def test_samples_that_make_no_buffer_are_refused() -> None:
    two = KinematicState("b", "a", np.zeros((2, 3)))
    for t, word in (([0.0], "one time each"), ([0.0, 0.0], "increase"), ([1.0, 0.0], "increase")):
        with pytest.raises(BadNumber, match=word):
            Sampled(t, two)
    with pytest.raises(BadNumber, match="order"):
        Sampled([0, 1], two, order=3)
    with pytest.raises(BadNumber, match="extrapolate"):
        Sampled([0, 1], two, extrapolate=-1.0)


def test_a_formula_that_gives_no_pose_or_no_number_is_refused() -> None:
    with pytest.raises(EdgeFailed, match="must give a Pose"):
        ByFormula(lambda t: t)
    with pytest.raises(EdgeFailed, match="KeyError"):
        ByFormula(lambda t: {}["x"])
    root = ByFormula(lambda t: Pose(Vector(np.sqrt(t), 0, 0), Rotation.identity()))
    with pytest.raises(EdgeFailed, match="t = -1 s"):
        root.parts(np.array([1.0, -1.0]))
