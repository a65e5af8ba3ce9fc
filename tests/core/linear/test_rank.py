"""Rank, null space and dense solutions, against numpy."""

import numpy as np
import pytest

from kempe import _core

pytestmark = pytest.mark.core

#: Orthogonality and residuals of matrices of order one, a few dozen rows.
ROUNDING = 1e-12


def low_rank(rows, cols, rank, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, cols))


def unit_rows(J):
    return J / np.linalg.norm(J, axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("rows", "cols", "rank"), [(8, 12, 5), (12, 8, 8), (20, 18, 17), (6, 6, 1)]
)
def test_as_many_rows_are_independent_as_the_rank(rows, cols, rank):
    J = low_rank(rows, cols, rank, rows)
    found = _core.rank_revealing_rows(J)
    independent, dependent, rest = found.independent, found.dependent, found.rest
    assert len(independent) == np.linalg.matrix_rank(J[independent]) == rank
    assert sorted([*independent, *dependent]) == list(range(rows))
    assert list(dependent) == sorted(dependent)
    assert np.all(rest < 1e-10)


@pytest.mark.parametrize("angle", [0.3, 1.2, 2.6])
def test_a_loop_of_hinges_has_three_rows_too_many(hinged_parallelogram, angle):
    J = hinged_parallelogram(angle).J
    found = _core.rank_revealing_rows(J)
    independent, dependent, rest = found.independent, found.dependent, found.rest
    largest, smallest = found.largest_singular, found.smallest_singular
    assert J.shape == (20, 18)
    assert (len(independent), len(dependent)) == (17, 3)
    assert np.all(rest < ROUNDING)
    assert largest > smallest > 1e-3


@pytest.mark.parametrize("tilt", [1e-3, 1e-5, 1e-7])
def test_a_tilted_hinge_locks_the_loop_and_its_singular_value_tells(hinged_parallelogram, tilt):
    J = hinged_parallelogram(0.8, tilt).J
    found = _core.rank_revealing_rows(J)
    independent, smallest = found.independent, found.smallest_singular
    assert len(independent) == 18
    assert 0.01 * tilt < smallest < tilt


def test_what_is_left_of_a_dropped_row_is_its_distance_from_the_others():
    rng = np.random.default_rng(2)
    J = rng.normal(size=(5, 9))
    off = rng.normal(size=9)
    J = np.vstack([J, J[0] + 2.0 * J[3] + 1e-7 * off])
    found = _core.rank_revealing_rows(J, 1e-5)
    independent, dependent, rest = found.independent, found.dependent, found.rest
    (dropped,) = dependent
    kept = J[independent].T
    missed = J[dropped] - kept @ np.linalg.lstsq(kept, J[dropped])[0]
    assert rest[0] == pytest.approx(np.linalg.norm(missed) / np.linalg.norm(J[dropped]), rel=1e-5)


def test_of_repeated_rows_the_first_is_kept():
    J = np.random.default_rng(3).normal(size=(4, 10))
    repeated = np.vstack([J, -3.0 * J[2], J[0], J])
    found = _core.rank_revealing_rows(repeated)
    independent, dependent = found.independent, found.dependent
    assert sorted(independent) == [0, 1, 2, 3]
    assert list(dependent) == list(range(4, 10))


def test_the_units_of_the_rows_do_not_matter():
    J = low_rank(10, 12, 7, 5)
    scaled = J * 10.0 ** np.linspace(-9, 9, 10)[:, None]
    one, other = (_core.rank_revealing_rows(A).independent for A in (J, scaled))
    assert np.array_equal(one, other)


def test_a_row_of_zeros_is_dependent_and_nothing_is_left_of_it():
    J = np.vstack([np.zeros(4), np.eye(4)[:2], np.zeros(4)])
    found = _core.rank_revealing_rows(J)
    independent, dependent, rest = found.independent, found.dependent, found.rest
    assert sorted(independent) == [1, 2]
    assert list(dependent) == [0, 3]
    assert list(rest) == [0.0, 0.0]


@pytest.mark.parametrize("seed", range(8))
def test_singular_values_are_estimated_from_the_safe_side(seed):
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(9, 14)) * 10.0 ** rng.uniform(-3, 3, 9)[:, None]
    J[4] = J[3] + 10.0 ** (-seed) * J[4]
    found = _core.rank_revealing_rows(J)
    independent = found.independent
    largest, smallest = found.largest_singular, found.smallest_singular
    true = np.linalg.svd(unit_rows(J)[independent], compute_uv=False)
    assert 0.7 * true[0] < largest < true[0] * (1 + ROUNDING)
    assert true[-1] * (1 - 1e-6) < smallest < 1.5 * true[-1]


def test_no_rows_and_no_columns_have_rank_zero():
    assert len(_core.rank_revealing_rows(np.zeros((0, 5))).independent) == 0
    assert list(_core.rank_revealing_rows(np.zeros((3, 0))).dependent) == [0, 1, 2]
    assert _core.null_space(np.zeros((0, 4))).shape == (4, 4)
    assert _core.null_space(np.zeros((4, 0))).shape == (0, 0)


@pytest.mark.parametrize(("rows", "cols", "rank"), [(5, 9, 5), (9, 5, 3), (20, 20, 17), (3, 3, 3)])
def test_the_null_space_is_orthonormal_and_is_mapped_to_zero(rows, cols, rank):
    A = low_rank(rows, cols, rank, rows + cols)
    basis = _core.null_space(A)
    assert basis.shape == (cols - rank, cols)
    assert np.abs(basis @ basis.T - np.eye(cols - rank)).max(initial=0.0) < ROUNDING
    assert np.abs(A @ basis.T).max(initial=0.0) < ROUNDING * np.linalg.norm(A)


def test_reactions_of_a_loop_of_hinges_are_not_unique_in_the_null_space_of_its_transpose(
    hinged_parallelogram,
):
    J = hinged_parallelogram(0.9).J
    free = _core.null_space(np.ascontiguousarray(J.T))
    assert free.shape == (3, 20)
    in_plane = [5 * hinge + axis for hinge in range(4) for axis in (0, 1)]
    assert np.abs(free[:, in_plane]).max() < ROUNDING
    assert np.abs(free).max() > 0.1
