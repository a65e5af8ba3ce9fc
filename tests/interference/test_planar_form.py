"""Distances and depths of convex polygons: against brute force and linear programs."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from kempe.geometry.solids import ConvexPart
from kempe.geometry.solids.polygons import convex_pieces, hull
from kempe.interference.planar_form import PlanarForm

#: SLSQP ends there
CLOSE = 1e-6
EXACT = 1e-12
STILL = np.zeros((1, 3)), np.eye(3).reshape(1, 3, 3)


def polygon(rng, count, centre=(0.0, 0.0), size=1.0):
    return hull(rng.normal(size=(count, 2)) * size + centre)


def form(corners, radius=0.0):
    points = np.column_stack([corners, np.zeros(len(corners))])
    return PlanarForm("b", "b.s", [ConvexPart(points, radius)], is_flat=True)


def measured(a, b, radii=(0.0, 0.0)):
    gaps = form(a, radii[0]).gaps(form(b, radii[1]), *STILL)
    return gaps.distance[0], gaps.first[0, :2], gaps.second[0, :2]


def is_overlapping(a, b):
    """Whether convex weights make one point of both."""
    n, m = len(a), len(b)
    A = np.zeros((4, n + m))
    A[:2, :n], A[:2, n:] = a.T, -b.T
    A[2, :n], A[3, n:] = 1.0, 1.0
    return linprog(np.zeros(n + m), A_eq=A, b_eq=[0, 0, 1, 1]).status == 0


def least_distance(a, b):
    """The quadratic program over convex weights."""
    n, m = len(a), len(b)

    def square(w):
        d = w[:n] @ a - w[n:] @ b
        return d @ d

    sums = [
        {"type": "eq", "fun": lambda w: w[:n].sum() - 1},
        {"type": "eq", "fun": lambda w: w[n:].sum() - 1},
    ]
    w = np.concatenate([np.full(n, 1 / n), np.full(m, 1 / m)])
    found = minimize(square, w, bounds=[(0, 1)] * (n + m), constraints=sums, tol=1e-14)
    return np.sqrt(found.fun)


def least_translation(a, b):
    """In any of 3600 directions: how far b must go until its support is beyond a's."""
    angles = np.linspace(0, 2 * np.pi, 3600, endpoint=False)
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    return ((ways @ a.T).max(axis=1) - (ways @ b.T).min(axis=1)).min()


@pytest.mark.parametrize("seed", range(12))
def test_random_convex_polygons_are_as_far_apart_or_as_deep_as_brute_force_says(seed):
    rng = np.random.default_rng(seed)
    for _ in range(6):
        a = polygon(rng, int(rng.integers(3, 9)))
        b = polygon(rng, int(rng.integers(3, 9)), rng.normal(size=2) * 3.0)
        gap, one, other = measured(a, b)
        if is_overlapping(a, b):
            assert gap <= EXACT
            # the best of 3600 directions is off by less than their spacing times the extent
            assert least_translation(a, b) == pytest.approx(-gap, abs=0.01)
            assert -gap <= least_translation(a, b) + EXACT
        else:
            assert gap == pytest.approx(least_distance(a, b), abs=CLOSE)
            assert np.linalg.norm(one - other) == pytest.approx(gap, abs=EXACT)


@pytest.mark.parametrize("seed", range(4))
def test_moving_one_by_the_depth_along_the_way_it_names_just_parts_them(seed):
    rng = np.random.default_rng(seed)
    a, b = polygon(rng, 7), polygon(rng, 6, (0.5, 0.2))
    gap, one, other = measured(a, b)
    assert gap < 0.0
    assert measured(a, b + (one - other))[0] == pytest.approx(0.0, abs=1e-12)


def test_radii_are_taken_off_both():
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    gap, one, other = measured(square, np.array([[3.0, 0.5]]), (0.25, 0.5))
    assert gap == pytest.approx(2.0 - 0.75, abs=EXACT)
    np.testing.assert_allclose([one, other], [[1.25, 0.5], [2.5, 0.5]], atol=EXACT)
    inside = measured(square, np.array([[0.8, 0.5]]), (0.25, 0.5))[0]
    assert inside == pytest.approx(-0.2 - 0.75, abs=EXACT)


def test_lines_in_one_line_are_apart_by_what_lies_between():
    one, other = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[1.5, 0.0], [2.0, 0.0]])
    assert measured(one, other)[0] == pytest.approx(0.5, abs=EXACT)
    assert measured(one, np.array([[0.3, 0.0]]))[0] == pytest.approx(0.0, abs=EXACT)
    assert measured(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]))[0] == pytest.approx(5.0)


def test_many_places_at_once_are_those_one_by_one():
    rng = np.random.default_rng(3)
    a, b = form(polygon(rng, 6)), form(polygon(rng, 5))
    angles, p = rng.uniform(0, 6, 20), np.column_stack([rng.normal(size=(20, 2)) * 2, np.zeros(20)])
    R = np.array(
        [[[np.cos(x), -np.sin(x), 0], [np.sin(x), np.cos(x), 0], [0, 0, 1]] for x in angles]
    )
    together = a.gaps(b, p, R)
    for k in range(20):
        alone = a.gaps(b, p[k : k + 1], R[k : k + 1])
        assert alone.distance[0] == pytest.approx(together.distance[k], abs=EXACT)


@pytest.mark.parametrize("seed", range(6))
def test_pieces_of_a_star_have_its_area_and_are_convex(seed):
    rng = np.random.default_rng(seed)
    angles = np.sort(rng.uniform(0, 2 * np.pi, 11))
    r = rng.uniform(0.3, 1.0, 11)
    star = np.column_stack([r * np.cos(angles), r * np.sin(angles)])

    def area(c):
        x, y = c.T
        return abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2

    for corners in (star, star[::-1]):
        pieces = convex_pieces(corners)
        assert sum(area(piece) for piece in pieces) == pytest.approx(area(star), rel=1e-9)
        assert all(len(hull(piece)) == len(piece) for piece in pieces)
