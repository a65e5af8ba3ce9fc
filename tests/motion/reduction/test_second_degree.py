"""Rows of second degree are searched by their own shape: no root may be lost by it."""

import numpy as np
import pytest

from kempe.motion.equations.system import FullSystem
from kempe.motion.reduction.reduction import reduced
from kempe.motion.search.search import Effort
from kempe.motion.search.solution import assemblies
from kempe.results.maps.certificate import Promise

SEEDS = range(24)
NEAR = 1e-9  # of a root that was put there in doubles, whose true one is as far as they round


def rows_through_a_root(seed, disguise=None):
    """Squares and products of linear forms of n unknowns that vanish in a known place.

    `disguise` is put on every row and must not change where it vanishes.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 5))
    root = rng.uniform(-0.8, 0.8, n)
    found = FullSystem()
    x = [found.unknown(f"x{j}", -1.0, 1.0, is_limit=True) for j in range(n)]
    for i in range(n):
        row, value = found.number(0.0), 0.0
        for is_square in (True, rng.random() < 0.5):
            a, b = rng.normal(size=(2, n + 1)) * (rng.random((2, n + 1)) < 0.7)
            scale = rng.normal()
            forms = [sum((c * u for c, u in zip(f[1:], x, strict=True)), f[0]) for f in (a, b)]
            at = [f[0] + f[1:] @ root for f in (a, b)]
            row = row + scale * (forms[0] * forms[0] if is_square else forms[0] * forms[1])
            value += scale * (at[0] * at[0] if is_square else at[0] * at[1])
        steady = rng.normal(size=n)
        row = row + sum((c * u for c, u in zip(steady, x, strict=True)), 0.0)
        row = row - float(value + steady @ root)
        found.equate(disguise(row, x) if disguise else row, f"row {i}")
    return reduced(found), root


def roots(system):
    found = assemblies(system, "rows", (), Effort())
    assert found.outcome is Promise.COMPLETE
    return np.array([state.x for state in found])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_root_that_was_put_into_squares_and_products_is_found(seed):
    system, root = rows_through_a_root(seed)
    assert np.abs(roots(system) - root).max(axis=1).min() < NEAR


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_rows_in_disguise_have_the_same_roots(seed):
    plain, _ = rows_through_a_root(seed)
    hidden, _ = rows_through_a_root(seed, lambda row, x: row * np.exp(x[0]))
    np.testing.assert_allclose(roots(plain), roots(hidden), atol=NEAR)


def test_numbers_that_cancel_but_for_roundings_hide_no_root():
    found = FullSystem()
    x, y = (found.unknown(name, -2.0, 2.0, is_limit=True) for name in "xy")
    third = found.number(1.0) / found.number(3.0)
    zero = third + third + third - 1.0  # encloses 0, and is not exactly 0
    found.equate((x + zero * y) * (x + zero * y) + zero * x * y - 1.0, "x is 1 or -1")
    found.equate((y - x) * (y - x) - 0.25, "y is half a unit from x")
    at = roots(reduced(found))
    expected = [[-1.0, -1.5], [-1.0, -0.5], [1.0, 0.5], [1.0, 1.5]]
    np.testing.assert_allclose(at, expected, atol=NEAR)
