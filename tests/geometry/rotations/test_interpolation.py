"""Paths between orientations: ends, rates, ways round, smoothness."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Scipy
from scipy.spatial.transform import Slerp

from kempe.errors import BadNumber
from kempe.geometry.rotations import (
    Quaternion,
    RotationVector,
    cubic,
    distance,
    inverse,
    product,
    slerp,
    squad,
    turn_between,
    turned,
)

pytestmark = pytest.mark.core

ROUNDING = 1e-14
AGREED = 1e-12  # with SciPy
ONE = np.array([1.0, 0.0, 0.0, 0.0])
HALF_STEP = 1e-5  # of central differences of curves with derivatives around one
DIFFERENCE = 1e-8  # what such a difference is off: HALF_STEP^2 and 1e-16 / HALF_STEP


def body_rate(path, t: float) -> np.ndarray:
    """Angular velocity in the body's axes, by a central difference."""
    before, after = path(t - HALF_STEP), path(t + HALF_STEP)
    return RotationVector().of_quaternions(product(inverse(before), after)) / (2 * HALF_STEP)


def test_slerp_is_that_of_scipy(q: np.ndarray) -> None:
    t = np.linspace(0, 1, 11)
    for a, b in zip(q[:50], q[50:100], strict=True):
        ends = Scipy.from_quat(np.stack([a, b]), scalar_first=True)
        theirs = Slerp([0, 1], ends)(t).as_quat(scalar_first=True)
        assert distance(slerp(a, b, t), theirs).max() < AGREED


def test_slerp_turns_at_a_constant_rate_the_shorter_or_the_longer_way(q: np.ndarray) -> None:
    a, b, t = q[:500, None], q[500:, None], np.linspace(0, 1, 5)
    whole = distance(a, b)
    short, long = slerp(a, b, t), slerp(a, b, t, way="longest")
    assert abs(distance(short[:, 1:], short[:, :-1]) - whole / 4).max() < 10 * ROUNDING
    assert abs(distance(long[:, 1:], long[:, :-1]) - (2 * np.pi - whole) / 4).max() < 10 * ROUNDING
    assert distance(long[:, -1], b[:, 0]).max() < ROUNDING


@pytest.mark.parametrize("apart", [0.0, 1e-12, 1e-9, 1e-8, 1e-4])
def test_slerp_of_close_orientations_stays_between_them(apart: float) -> None:
    b = RotationVector().quaternions([0.0, apart, 0.0])
    middle = slerp(ONE, b, 0.25)
    assert abs(RotationVector().of_quaternions(middle) - [0, apart / 4, 0]).max() < 1e-15


def test_a_turn_about_a_given_direction_goes_that_way_round(q: np.ndarray) -> None:
    a, b, up = q[:500], q[500:], np.array([0.0, 0.0, 1.0])
    t = np.linspace(0, 1, 65)
    path = turn_between(a[:, None], b[:, None], t, about=up)
    steps = RotationVector().of_quaternions(product(path[:, 1:], inverse(path[:, :-1])))
    assert (steps @ up > -ROUNDING).all()
    assert distance(path[:, 0], a).max() < ROUNDING
    assert distance(path[:, -1], b).max() < ROUNDING


def test_squad_goes_through_its_knots_with_a_continuous_rate(q: np.ndarray) -> None:
    knots = q[:6].copy()
    knots[::2] *= -1  # the signs of quaternions mean nothing
    assert distance(squad(knots, np.arange(6.0)), knots).max() < ROUNDING
    for k in range(1, 5):
        left = body_rate(lambda u: squad(knots, u), k - 2 * HALF_STEP)
        right = body_rate(lambda u: squad(knots, u), k + 2 * HALF_STEP)
        # Four half steps apart, with angular accelerations of some 10 rad per knot squared.
        assert abs(left - right).max() < 100 * 4 * HALF_STEP


def test_squad_of_a_uniform_turn_is_the_turn() -> None:
    knots = RotationVector().quaternions(np.arange(5.0)[:, None] * [0.3, 0.4, 0.0])
    u = np.linspace(0, 4, 33)
    expected = RotationVector().quaternions(u[:, None] * [0.3, 0.4, 0.0])
    assert distance(squad(knots, u), expected).max() < ROUNDING


def test_the_cubic_has_the_given_orientations_and_angular_velocities_at_its_ends(
    q: np.ndarray, rng: np.random.Generator
) -> None:
    for a, b in zip(q[:20], q[20:40], strict=True):
        w_a, w_b = rng.standard_normal((2, 3))

        def path(t: float, a=a, b=b, w_a=w_a, w_b=w_b) -> np.ndarray:
            return cubic(a, b, w_a, w_b, 2.0, t)

        assert distance(path(0.0), a) < ROUNDING
        assert distance(path(2.0), b) < ROUNDING
        assert abs(body_rate(path, 0.0) - w_a).max() < DIFFERENCE
        assert abs(body_rate(path, 2.0) - w_b).max() < DIFFERENCE


def test_the_cubic_of_a_uniform_turn_is_the_turn() -> None:
    w, t = np.array([0.3, -0.2, 0.6]), np.linspace(0, 2, 9)
    a = Quaternion().quaternions([1.0, 2.0, 3.0, 4.0])
    b = product(a, RotationVector().quaternions(2.0 * w))
    expected = product(a, RotationVector().quaternions(t[:, None] * w))
    assert distance(cubic(a, b, w, w, 2.0, t), expected).max() < ROUNDING


def test_interpolation_does_not_depend_on_the_axes_it_is_seen_from(q: np.ndarray) -> None:
    a, b, c = q[0], q[1], q[2]
    t = np.linspace(0, 1, 7)
    assert (
        distance(product(c, slerp(a, b, t)), slerp(product(c, a), product(c, b), t)).max()
        < ROUNDING
    )
    up = np.array([0.1, 0.7, 0.3])
    seen = turn_between(product(c, a), product(c, b), t, about=turned(c, up))
    assert distance(product(c, turn_between(a, b, t, about=up)), seen).max() < ROUNDING


def test_mistakes_are_refused() -> None:
    with pytest.raises(BadNumber, match="'shortest', 'longest'"):
        slerp(ONE, ONE, 0.5, way="fast")  # type: ignore[arg-type]
    with pytest.raises(BadNumber, match="between 0 and 1"):
        squad([ONE, ONE], 1.5)
    with pytest.raises(BadNumber, match="two quaternions"):
        squad([ONE], 0.0)
    with pytest.raises(BadNumber, match=r"\(..., 4\)"):
        slerp([1.0, 0.0, 0.0], ONE, 0.5)
