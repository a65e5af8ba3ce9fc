"""Inertias: Steiner, sums, and bodies that cannot exist."""

import math

import numpy as np
import pytest

from kempe.errors import BadNumber
from kempe.geometry import Inertia, Pose, Rotation, Vector

ROUNDING = 1e-13  # sums of a dozen products of numbers up to 10


def dust(points, masses):
    """The inertia of point masses."""
    mass, centre = masses.sum(), (masses @ points) / masses.sum()
    d = points - centre
    tensor = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, d, strict=True))
    return Inertia(float(mass), centre, tensor)


@pytest.fixture
def cloud(rng):
    return rng.uniform(-1, 1, (7, 3)), rng.uniform(0.5, 2.0, 7)


def test_about_the_origin_it_is_the_sum_over_the_masses(cloud):
    points, masses = cloud
    about = sum(
        m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True)
    )
    np.testing.assert_allclose(dust(points, masses).about_origin(), about, atol=ROUNDING)


def test_steiner_s_term_is_mass_times_distance_squared():
    rod = Inertia(3.0, [0.5, 0.0, 0.0], np.diag([0.0, 0.25, 0.25]))
    np.testing.assert_allclose(rod.about_origin(), np.diag([0.0, 1.0, 1.0]), atol=1e-15)


def test_from_another_frame_it_is_that_of_the_moved_masses(cloud, any_, numbers):
    points, masses = cloud
    X_AB = any_.pose()
    m = numbers(X_AB)
    moved = dust(points @ m[:3, :3].T + m[:3, 3], masses)
    seen = dust(points, masses).seen_from(X_AB)
    np.testing.assert_allclose(seen.centre, moved.centre, atol=ROUNDING)
    np.testing.assert_allclose(seen.tensor, moved.tensor, atol=ROUNDING)
    assert seen.mass == pytest.approx(moved.mass)


def test_two_bodies_as_one_are_their_masses_as_one(cloud):
    points, masses = cloud
    whole, both = dust(points, masses), dust(points[:3], masses[:3]) + dust(points[3:], masses[3:])
    assert both.mass == pytest.approx(whole.mass)
    np.testing.assert_allclose(both.centre, whole.centre, atol=ROUNDING)
    np.testing.assert_allclose(both.tensor, whole.tensor, atol=ROUNDING)


def test_nothing_and_nothing_is_nothing():
    nothing = Inertia(0.0, np.zeros(3), np.zeros((3, 3)))
    assert (nothing + nothing).mass == 0.0


def test_moments_survive_a_turn(cloud):
    body = dust(*cloud)
    turned = body.seen_from(Pose(Vector(0.0, 0.0, 0.0), Rotation.about([1, 2, 3], 0.7)))
    np.testing.assert_allclose(
        np.linalg.eigvalsh(turned.tensor), np.linalg.eigvalsh(body.tensor), atol=ROUNDING
    )


@pytest.mark.parametrize(
    ("mass", "centre", "tensor", "words"),
    [
        (1.0, [0, 0, 0], np.diag([1.0, 1.0, 3.0]), "the two smaller must add up"),
        (1.0, [0, 0, 0], np.diag([-1.0, 1.0, 1.0]), "the two smaller must add up"),
        (1.0, [0, 0, 0], [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]], "symmetric"),
        (1.0, [0, 0, 0], np.eye(2), "3 x 3"),
        (1.0, [0, 0, 0, 0], np.eye(3), "3 numbers"),
        (1.0, [0, 0, math.nan], np.eye(3), "not finite"),
        (1.0, [0, 0, 0], np.diag([1.0, 1.0, math.inf]), "not finite"),
        (-1.0, [0, 0, 0], np.eye(3), "not negative"),
        (math.nan, [0, 0, 0], np.eye(3), "must be a finite number"),
        (math.inf, [0, 0, 0], np.eye(3), "must be a finite number"),
    ],
)
def test_a_body_that_cannot_exist_is_refused(mass, centre, tensor, words):
    with pytest.raises(BadNumber, match=words):
        Inertia(mass, centre, tensor)


def test_a_thin_plate_is_allowed_with_its_rounding():
    a, b = 0.1, 0.2
    Inertia(1.0, [0, 0, 0], np.diag([a, b, (a + b) * (1 + 1e-12)]))
    with pytest.raises(BadNumber) as caught:
        Inertia(1.0, [0, 0, 0], np.diag([a, b, (a + b) * (1 + 1e-6)]))
    assert caught.value.facts["moments"] == pytest.approx((a, b, (a + b) * (1 + 1e-6)))


def test_it_keeps_its_own_numbers():
    centre = np.zeros(3)
    body = Inertia(1.0, centre, np.eye(3))
    centre[0] = 5.0
    assert body.centre[0] == 0.0
