"""Kinematic states are added, subtracted, inverted and re-expressed exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from kempe.errors import BadNumber, FrameMismatch, NotOrthogonal
from kempe.frames import ByFormula, KinematicState
from kempe.frames.states.state import made
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.rotations import exp_so3

ROUNDING = 1e-12  # a dozen products of numbers of size ten
ORTHONORMAL = 1e-14  # what a singular value decomposition leaves
STEP = 1e-4  # of central differences: their error is its square and 1e-16 / its square
NUMERIC = 3e-6


@pytest.mark.row("D3")
def test_a_chain_of_four_moving_frames_has_the_states_found_with_fifty_digits(chain, apart) -> None:
    total = chain["edges"][0]
    assert apart(total, chain["from_ground"][0]) == 0.0
    for edge, wanted in zip(chain["edges"][1:], chain["from_ground"][1:], strict=True):
        total = total + edge
        assert apart(total, wanted) < ROUNDING
    assert apart(total.inverse(), chain["ground_from_last"]) < ROUNDING
    assert apart(total.after(chain["edges"][0]), chain["last_from_first"]) < ROUNDING


@pytest.mark.parametrize("n", [None, 1, 7])
def test_what_was_added_can_be_subtracted_from_either_end(n, any_state, apart) -> None:
    a, b = any_state("B", "A", n), any_state("C", "B", n)
    assert apart((a + b) - b, a) < ROUNDING
    assert apart((a + b).after(a), b) < ROUNDING


@pytest.mark.parametrize("n", [None, 5])
def test_inverting_twice_changes_nothing_and_a_state_plus_its_inverse_is_rest(
    n, any_state, apart
) -> None:
    a = any_state("B", "A", n)
    assert apart(a.inverse().inverse(), a) < ROUNDING
    assert apart(a + a.inverse(), KinematicState("A", "A", np.zeros_like(a.position))) < ROUNDING


def test_addition_is_associative(any_state, apart) -> None:
    a, b, c = any_state("B", "A"), any_state("C", "B"), any_state("D", "C")
    assert apart((a + b) + c, a + (b + c)) < ROUNDING


def test_many_instants_are_added_as_each_of_them_is(any_state, apart) -> None:
    a, b = any_state("B", "A", 6), any_state("C", "B", 6)
    for k in range(6):
        assert apart((a + b)[k], a[k] + b[k]) < ROUNDING
        assert apart(a.inverse()[k], a[k].inverse()) < ROUNDING


def test_a_single_state_is_added_to_every_instant(any_state, apart) -> None:
    a, b = any_state("B", "A", 4), any_state("C", "B")
    assert apart((a + b)[2], a[2] + b) < ROUNDING
    assert apart((b.inverse() + a.inverse())[2], b.inverse() + a[2].inverse()) < ROUNDING


@given(seed=some.integers(0, 2**32 - 1), t=some.floats(-2.0, 2.0))
def test_rates_of_a_sum_and_of_an_inverse_are_the_derivatives_of_their_positions(seed, t) -> None:
    rng = np.random.default_rng(seed)

    def motion(c: np.ndarray) -> ByFormula:
        def pose(t):
            x, y, z = (c[0, k] * np.sin(c[1, k] * t + c[2, k]) for k in range(3))
            turns = Rotation.planar(c[3, 0] * t * t + c[3, 1])
            tilt = Rotation(*(Vector(*row) for row in exp_so3(c[4]).T.tolist()))
            return Pose(Vector(x, y, z), turns @ tilt @ Rotation.planar(c[3, 2] * t))

        return ByFormula(pose)

    first, second = motion(rng.uniform(-1, 1, (5, 3))), motion(rng.uniform(-1, 1, (5, 3)))

    def states(at):
        a = made("B", "A", first.parts(at))
        b = made("C", "B", second.parts(at))
        return a + b, (a + b).inverse()

    times = t + STEP * np.array([-1.0, 0.0, 1.0])
    for s in states(times):
        before, now, after = s[0], s[1], s[2]
        v = (after.position - before.position) / (2 * STEP)
        a = (after.position - 2 * now.position + before.position) / STEP**2
        W = (after.rotation - before.rotation) / (2 * STEP) @ now.rotation.T
        alpha = (after.angular_velocity - before.angular_velocity) / (2 * STEP)
        np.testing.assert_allclose(now.velocity, v, atol=NUMERIC)
        np.testing.assert_allclose(now.acceleration, a, atol=NUMERIC)
        np.testing.assert_allclose(now.angular_velocity, [W[2, 1], W[0, 2], W[1, 0]], atol=NUMERIC)
        np.testing.assert_allclose(now.angular_acceleration, alpha, atol=NUMERIC)


def test_a_state_in_third_axes_is_the_same_state(any_state, apart) -> None:
    s, axes = any_state("B", "A"), any_state("E", "A")
    shown = s.expressed(axes)
    assert (shown.expressed_in, shown.reference) == ("E", "A")
    np.testing.assert_allclose(shown.velocity, axes.rotation.T @ s.velocity, atol=ROUNDING)
    assert apart(shown.resolved(), s) < ROUNDING
    c = any_state("C", "B")
    assert apart(shown + c, s + c) < ROUNDING  # it is resolved before it is added


def test_a_state_assigned_to_other_frames_keeps_its_numbers(any_state) -> None:
    s = any_state("B", "A")
    other = s.assigned("D", "C")
    assert (other.frame, other.reference) == ("D", "C")
    np.testing.assert_array_equal(other.acceleration, s.acceleration)


@pytest.mark.parametrize(
    ("mix", "names"),
    [
        (lambda s: s("B", "A") + s("D", "C"), ("B", "C")),
        (lambda s: s("B", "A") - s("D", "A"), ("B", "D")),
        (lambda s: s("B", "A").after(s("B", "C")), ("A", "C")),
        (lambda s: s("B", "A").expressed(s("E", "C")), ("A", "C")),
    ],
)
def test_frames_that_do_not_match_are_refused_and_both_named(mix, names, any_state) -> None:
    with pytest.raises(FrameMismatch) as caught:
        mix(any_state)
    assert all(repr(name) in str(caught.value) for name in names)
    assert {caught.value.facts["first"], caught.value.facts["second"]} == set(names)


def test_a_worn_matrix_is_put_right_and_the_state_says_so(any_state) -> None:
    R = any_state("B", "A").rotation
    worn = KinematicState("B", "A", rotation=R + 1e-8)
    assert np.abs(worn.rotation.T @ worn.rotation - np.eye(3)).max() < ORTHONORMAL
    assert 1e-9 < worn.drift < 1e-7
    assert "re-orthonormalised" in repr(worn)
    assert KinematicState("B", "A", rotation=R).drift == 0.0


def test_a_state_that_drifted_inside_a_computation_can_be_put_right(any_state) -> None:
    p, R, v, w, a, alpha = any_state("B", "A").parts
    state = made("B", "A", (p, R * (1 + 1e-9), v, w, a, alpha)).orthonormalised()
    assert state.drift == pytest.approx(2e-9, rel=1e-3)
    np.testing.assert_allclose(state.rotation, R, atol=1e-15)


@pytest.mark.parametrize(
    "matrix",
    [np.eye(3) + 0.01, np.diag([1.0, 1.0, -1.0]), np.eye(3) * np.nan, np.eye(4), np.zeros((3, 3))],
)
def test_a_matrix_that_is_no_rotation_is_refused(matrix) -> None:
    with pytest.raises(NotOrthogonal):
        KinematicState("B", "A", rotation=matrix)


@pytest.mark.parametrize(
    "numbers",
    [
        {"position": [1.0, 2.0]},
        {"position": [np.nan, 0.0, 0.0]},
        {"position": np.zeros((4, 3)), "velocity": np.zeros((5, 3))},
    ],
)
def test_numbers_of_the_wrong_shape_or_not_finite_are_refused(numbers) -> None:
    with pytest.raises(BadNumber):
        KinematicState("B", "A", **numbers)


def test_a_state_cannot_be_written_to(any_state) -> None:
    s = any_state("B", "A") + any_state("C", "B")
    with pytest.raises(ValueError, match="read-only"):
        s.position[0] = 1.0


def test_the_pose_of_a_state_is_that_of_geometry(any_state) -> None:
    a, b = any_state("B", "A"), any_state("C", "B")
    both = a.pose @ b.pose
    np.testing.assert_allclose((a + b).pose.matrix(), both.matrix(), atol=ROUNDING)
    with pytest.raises(BadNumber, match="one instant"):
        _ = any_state("B", "A", 3).pose
