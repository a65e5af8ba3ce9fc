"""Products, means, random rotations, spherical coordinates."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation as Scipy

from kempe.errors import BadNumber
from kempe.geometry.rotations import (
    AxisAngle,
    Matrix,
    Quaternion,
    RotationVector,
    direction,
    distance,
    inverse,
    least_turn,
    mean,
    product,
    slerp,
    spherical,
    turned,
    uniform,
)

pytestmark = pytest.mark.core
# A few products of numbers around one.
ROUNDING = 1e-14
# Asked of the comparison with SciPy.
AGREED = 1e-12
ONE = np.array([1.0, 0.0, 0.0, 0.0])
number = st.floats(-1, 1)
COUNT = 200_000
FIVE_SIGMA = 5.0 / np.sqrt(COUNT)  # chance of a false alarm below 1e-6 for each number
EXACT = 1e-15 * 8


@st.composite
def rotations(draw: st.DrawFn) -> np.ndarray:
    numbers = np.array([draw(number) for _ in range(4)])
    assume(np.linalg.norm(numbers) > 1e-3)
    return Quaternion().quaternions(numbers)


@given(rotations(), rotations(), rotations())
def test_the_product_is_associative(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    left, right = product(product(a, b), c), product(a, product(b, c))
    assert abs(left - right).max() < ROUNDING


@given(rotations())
def test_the_identity_and_the_inverse_do_what_they_say(a: np.ndarray) -> None:
    assert (product(a, ONE) == a).all()
    assert (product(ONE, a) == a).all()
    assert distance(product(a, inverse(a)), ONE) < ROUNDING
    assert (inverse(inverse(a)) == a).all()


@given(rotations(), rotations())
def test_the_product_turns_by_the_second_and_then_by_the_first(
    a: np.ndarray, b: np.ndarray
) -> None:
    v = np.array([[0.3, -1.0, 2.0], [1.0, 0.0, 0.0]])
    assert abs(turned(product(a, b), v) - turned(a, turned(b, v))).max() < 10 * ROUNDING
    R = Matrix().of_quaternions(a) @ Matrix().of_quaternions(b)
    assert abs(Matrix().of_quaternions(product(a, b)) - R).max() < ROUNDING


@given(rotations(), rotations(), rotations())
def test_distance_is_a_metric_that_no_common_turn_changes(
    a: np.ndarray, b: np.ndarray, c: np.ndarray
) -> None:
    assert distance(a, -a) == 0.0
    assert distance(a, b) == distance(b, a)
    assert distance(a, b) <= distance(a, c) + distance(c, b) + ROUNDING
    # Near half a turn the shorter and the longer way are told apart by rounding: 1e-16 of angle.
    assert abs(distance(product(c, a), product(c, b)) - distance(a, b)) < ROUNDING
    assert abs(distance(product(a, c), product(b, c)) - distance(a, b)) < ROUNDING


def test_products_and_turned_vectors_are_those_of_scipy(
    q: np.ndarray, rng: np.random.Generator
) -> None:
    p, v = q[::-1].copy(), rng.standard_normal((1000, 3))
    ours, theirs = product(q, p), Scipy.from_quat(q, scalar_first=True)
    both = theirs * Scipy.from_quat(p, scalar_first=True)
    assert distance(ours, both.as_quat(scalar_first=True)).max() < AGREED
    assert abs(turned(q, v) - theirs.apply(v)).max() < AGREED
    assert abs(distance(q, ONE) - theirs.magnitude()).max() < AGREED


def test_one_rotation_turns_many_vectors_and_many_turn_one(q: np.ndarray) -> None:
    v = np.array([0.1, 0.2, 0.3])
    many = turned(q.reshape(10, 100, 4), v)
    assert many.shape == (10, 100, 3)
    assert abs(many[3, 7] - turned(q[307], v)).max() < ROUNDING


@pytest.mark.parametrize("b", [[0, 0, 2], [0, 0, -1], [1e-9, 0, -1], [3, 4, 5], [1, 0, 1e-8]])
def test_the_least_turn_carries_one_direction_onto_the_other(b: list[float]) -> None:
    for a in ([0.0, 0.0, 1.0], [1.0, -2.0, 0.5]):
        unit_a, unit_b = np.array(a) / np.linalg.norm(a), np.array(b) / np.linalg.norm(b)
        q = least_turn(a, b)
        assert abs(turned(q, unit_a) - unit_b).max() < 1e-7 * (unit_a @ unit_b < -0.99) + ROUNDING
        between = 2 * np.arctan2(np.linalg.norm(unit_a - unit_b), np.linalg.norm(unit_a + unit_b))
        assert distance(q, ONE) == pytest.approx(between, abs=1e-7)


def test_arrays_that_do_not_pair_up_are_refused() -> None:
    with pytest.raises(BadNumber, match="do not pair up"):
        product(np.tile(ONE, (2, 1)), np.tile(ONE, (3, 1)))
    with pytest.raises(BadNumber, match=r"\(..., 4\)"):
        product([1.0, 0.0], ONE)
    with pytest.raises(BadNumber, match="not all zero"):
        least_turn([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])


def test_the_mean_is_that_of_scipy_with_and_without_weights(
    q: np.ndarray, rng: np.random.Generator
) -> None:
    near = product(q[0], RotationVector().quaternions(0.5 * rng.standard_normal((100, 3))))
    weights = rng.uniform(0, 1, 100)
    theirs = Scipy.from_quat(near, scalar_first=True)
    assert distance(mean(near), theirs.mean().as_quat(scalar_first=True)) < AGREED
    expected = theirs.mean(weights).as_quat(scalar_first=True)
    assert distance(mean(near, weights), expected) < AGREED


def test_the_mean_of_two_lies_half_way_whatever_their_signs(q: np.ndarray) -> None:
    assert distance(mean([q[0], -q[1]]), slerp(q[0], q[1], 0.5)) < AGREED


def test_what_has_no_mean_is_refused() -> None:
    with pytest.raises(BadNumber, match="none is nearest"):
        mean(np.eye(4))
    with pytest.raises(BadNumber, match="no rotations"):
        mean(np.empty((0, 4)))
    with pytest.raises(BadNumber, match="as many weights"):
        mean(np.eye(4), [1.0, 2.0])


def test_all_rotations_are_equally_likely(rng: np.random.Generator) -> None:
    q = uniform(COUNT, rng)
    R = Matrix().of_quaternions(q)
    assert abs(R.mean(axis=0)).max() < FIVE_SIGMA / np.sqrt(3)
    assert abs((R**2).mean(axis=0) - 1 / 3).max() < FIVE_SIGMA * 0.3  # sigma of x^2 is 0.298
    # The angle has the density (1 - cos t) / pi.
    t = AxisAngle().of_quaternions(q)[:, 3]
    for limit in (0.5, 1.0, 2.0, 3.0):
        assert abs((t < limit).mean() - (limit - np.sin(limit)) / np.pi) < FIVE_SIGMA / 2


@pytest.mark.row("D1")
def test_spherical_coordinates_give_the_vector_back(rng: np.random.Generator) -> None:
    v = rng.standard_normal((100, 3))
    r, polar, azimuth = spherical(v).T
    assert abs(r[:, None] * direction(polar, azimuth) - v).max() < EXACT
    assert ((polar >= 0) & (polar <= np.pi)).all()


def test_the_axes_have_the_angles_of_the_convention() -> None:
    assert (
        abs(spherical(np.eye(3)) - [[1, np.pi / 2, 0], [1, np.pi / 2, np.pi / 2], [1, 0, 0]]).max()
        == 0
    )
    assert (spherical([-0.0, -0.0, -2.0]) == [2.0, np.pi, 0.0]).all()
