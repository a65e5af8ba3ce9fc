"""Motions that pass through a gimbal lock go on as if nothing were there."""

import numpy as np
import pytest

from kempe.geometry import specific
from kempe.geometry.rotations import (
    SEQUENCES,
    Matrix,
    RotationVector,
    distance,
    log_so3,
    product,
    uniform,
)

# Asked of every motion through a lock.
CONTINUOUS = 1e-9
NAMES = [*SEQUENCES, *(s.lower() for s in SEQUENCES)]
EVERY: list[specific.AbstractOrientator] = [
    *(specific.EulerAngles(s) for s in NAMES),
    specific.EulerParameters(),
    specific.ExponentialCoordinates(),
    specific.RodriguesParameters(),
    specific.AxisAndAngle(),
    specific.TwoAxes(),
    specific.DirectionCosines(),
]


def through_lock(sequence: str, lock: int) -> tuple[np.ndarray, np.ndarray]:
    """A quaternion exactly at the lock, and a body-axes angular velocity that leads through it."""
    proper = sequence[0] == sequence[2]
    second = (0.0, np.pi)[lock] if proper else (-np.pi / 2, np.pi / 2)[lock]
    q = specific.EulerAngles(sequence).representation.quaternions([0.7, second, -0.4])
    return q, np.array([1.0, -0.8, 0.6])


@pytest.mark.parametrize("lock", [0, 1])
@pytest.mark.parametrize("sequence", NAMES)
def test_a_sampled_motion_through_the_lock_stays_continuous(sequence: str, lock: int) -> None:
    at_lock, w = through_lock(sequence, lock)
    t = np.linspace(-1.0, 1.0, 2001)  # sample 1000 is the lock itself
    q = product(at_lock, RotationVector().quaternions(t[:, None] * w))
    passage = specific.followed(specific.EulerAngles(sequence), q, w, np.zeros(3))
    assert set(passage.which) == {0, 1}
    assert passage.which[1000] == 1
    A = passage.orientation()
    assert abs(A - Matrix().of_quaternions(q)).max() < CONTINUOUS * 1e-3
    steps = np.linalg.norm(log_so3(A[:-1].transpose(0, 2, 1) @ A[1:]), axis=1)
    assert abs(steps - np.linalg.norm(w) * 1e-3).max() < CONTINUOUS
    # Within each piece the coordinates move as their rates say.
    for piece in np.split(np.arange(len(t)), passage.switches):
        h = 1e-3
        s, rate, second = passage.s[piece], passage.rate[piece], passage.second[piece]
        predicted = s[:-1] + h * rate[:-1] + h * h / 2 * second[:-1]
        # The third derivative is at most some 100 for distances above 0.3.
        assert abs(s[1:] - predicted).max() < 100 * h**3


@pytest.mark.parametrize("sequence", NAMES)
def test_an_integration_of_the_angles_goes_through_the_lock(sequence: str) -> None:
    at_lock, w = through_lock(sequence, 0)
    chart = specific.WrittenOrientation(
        specific.EulerAngles(sequence),
        specific.EulerAngles(sequence).representation.of_quaternions(
            product(at_lock, RotationVector().quaternions(-0.6 * w))
        ),
    )
    start = specific.OrientationCoordinates(chart.orientator).quaternions(chart.s)
    steps, jump, used = 300, 0.0, set()
    h = 1.2 / steps
    for _ in range(steps):
        before = specific.OrientationCoordinates(chart.orientator).quaternions(chart.s)
        chart = chart.regular()
        coordinates = specific.OrientationCoordinates(chart.orientator)
        jump = max(jump, float(distance(before, coordinates.quaternions(chart.s))))
        used.add(chart.orientator)
        s = chart.s  # one step of the classical Runge-Kutta method
        k1 = coordinates.rates(s, w)
        k2 = coordinates.rates(s + h / 2 * k1, w)
        k3 = coordinates.rates(s + h / 2 * k2, w)
        k4 = coordinates.rates(s + h * k3, w)
        chart = specific.WrittenOrientation(
            chart.orientator, s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        )
    assert len(used) == 2
    assert jump < 1e-14
    end = specific.OrientationCoordinates(chart.orientator).quaternions(chart.s)
    expected = product(start, RotationVector().quaternions(1.2 * w))
    assert distance(end, expected) < CONTINUOUS


@pytest.mark.parametrize("target", EVERY, ids=repr)
@pytest.mark.parametrize(
    "source", [specific.EulerAngles("ZXZ"), specific.EulerParameters()], ids=repr
)
def test_a_motion_carried_over_is_the_same_motion(
    source: specific.AbstractOrientator,
    target: specific.AbstractOrientator,
    rng: np.random.Generator,
) -> None:
    q = uniform(200, rng)
    here, there = specific.OrientationCoordinates(source), specific.OrientationCoordinates(target)
    good = here.singularity(here.coordinates(q)).distance > 0.2
    good &= there.singularity(there.coordinates(q)).distance > 0.2
    q = q[good]
    w, alpha = rng.standard_normal((2, len(q), 3))
    s = here.coordinates(q)
    rate = here.rates(s, w)
    new, new_rate, new_second = specific.carried(
        source, target, s, rate, here.accelerations(s, rate, alpha)
    )
    assert distance(there.quaternions(new), q).max() < 1e-14
    assert abs(there.angular_velocity(new, new_rate) - w).max() < 1e-12
    assert abs(there.angular_acceleration(new, new_rate, new_second) - alpha).max() < 1e-11


@pytest.mark.parametrize(
    "orientator", [specific.ExponentialCoordinates(), specific.RodriguesParameters()], ids=repr
)
def test_a_chart_near_a_full_turn_is_read_anew_the_shorter_way(
    orientator: specific.AbstractOrientator,
) -> None:
    size = 5.9 if isinstance(orientator, specific.ExponentialCoordinates) else np.tan(5.9 / 4)
    chart = specific.WrittenOrientation(orientator, np.array([0.0, 0.6 * size, 0.8 * size]))
    anew = chart.regular()
    assert np.linalg.norm(anew.s) < np.linalg.norm(chart.s)
    coordinates = specific.OrientationCoordinates(orientator)
    assert distance(coordinates.quaternions(anew.s), coordinates.quaternions(chart.s)) < 1e-14
    assert anew.regular() is anew


@pytest.mark.parametrize("orientator", EVERY, ids=repr)
def test_a_motion_far_from_any_lock_stays_in_its_own_coordinates(
    orientator: specific.AbstractOrientator,
) -> None:
    w, t = np.array([0.1, 0.2, -0.1]), np.linspace(0.0, 1.0, 11)
    start = RotationVector().quaternions(np.full(3, np.pi / 3 / np.sqrt(3)))  # |A_ij| <= 2/3
    q = product(start, RotationVector().quaternions(t[:, None] * w))
    passage = specific.followed(orientator, q, w, np.zeros(3))
    assert not len(passage.switches)
    assert abs(passage.orientation() - Matrix().of_quaternions(q)).max() < 1e-14
