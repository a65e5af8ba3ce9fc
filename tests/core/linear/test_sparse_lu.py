"""The sparse LU: right where its pivots hold, and honest where they do not."""

import numpy as np
import pytest

from kempe import _core

pytestmark = pytest.mark.core

LuOutcome = _core.LuOutcome

#: Backward error: |A x - b| over |A| |x|, a few hundred roundings at most in these sizes.
BACKWARD = 1e-13
#: Pivots allowed to shrink to 1e-3 of their row may lose three digits.
WEAK_BACKWARD = 1e-10


def lu_of(a, values=None):
    return _core.SparseLU(a.size, a.rows, a.cols, a.values if values is None else values)


def backward_error(matrix, x, b):
    size = np.abs(matrix).sum(axis=1).max() * np.abs(x).max()
    return np.abs(matrix @ x - b).max() / size


def rotations(angle, count=3):
    """Turns about one axis after the other, coupled: a frozen cosine vanishes at a right angle."""
    size = 2 * count
    matrix = np.zeros((size, size))
    for k in range(0, size, 2):
        c, s = np.cos(angle), np.sin(angle)
        matrix[k : k + 2, k : k + 2] = [[c, s], [-s, c]]
        matrix[k + 1, (k + 2) % size] += 0.1
    return matrix


@pytest.mark.parametrize("seed", range(20))
def test_it_solves_what_numpy_solves(random_matrix, seed):
    a = random_matrix(3 + 5 * seed, seed)
    lu = lu_of(a)
    assert lu.factor(a.values)
    rng = np.random.default_rng(seed)
    b = rng.normal(size=a.size)
    assert backward_error(a.dense, lu.solve(b), b) < BACKWARD
    assert backward_error(a.dense.T, lu.solve_transposed(b), b) < BACKWARD


@pytest.mark.parametrize("count", [1, 2, 7, 40])
@pytest.mark.parametrize("angle", [0.2, 1.0, 2.8])
def test_it_solves_rows_of_four_bars(four_bars, count, angle):
    a = four_bars(count, angle, wobble=0.05)
    lu = lu_of(a)
    assert lu.factor(a.values)
    b = np.random.default_rng(count).normal(size=a.size)
    assert backward_error(a.dense, lu.solve(b), b) < BACKWARD


def test_a_full_matrix_is_solved_too(sparse_of):
    a = sparse_of(np.random.default_rng(5).normal(size=(60, 60)))
    lu = lu_of(a)
    assert lu.factor(a.values)
    b = np.ones(60)
    assert backward_error(a.dense, lu.solve(b), b) < BACKWARD
    assert lu.multiplications == sum(k * k for k in range(60))


@pytest.mark.parametrize("count", [1, 3, 8, 19])
def test_several_right_hand_sides_are_solved_as_one_by_one(random_matrix, count):
    a = random_matrix(25, 1)
    lu = lu_of(a)
    assert lu.factor(a.values)
    b = np.random.default_rng(count).normal(size=(count, a.size))
    assert np.array_equal(lu.solve(b), [lu.solve(row) for row in b])
    assert np.array_equal(lu.solve_transposed(b), [lu.solve_transposed(row) for row in b])


def test_it_solves_on_through_new_orders(sparse_of):
    pattern = sparse_of(rotations(0.05))
    lu = lu_of(pattern)
    for angle in np.linspace(0.0, 2 * np.pi, 33):  # right angles among them
        matrix = rotations(angle)
        values = matrix[pattern.rows, pattern.cols]
        assert lu.factor(values) or lu.refactor_with_new_order(values)
        b = np.arange(1.0, len(matrix) + 1)
        assert backward_error(matrix, lu.solve(b), b) < WEAK_BACKWARD
    assert lu.reorderings >= 2


@pytest.mark.parametrize("seed", range(5))
def test_four_bars_are_followed_from_an_arbitrary_order(four_bars, seed):
    start = four_bars(3, 0.4)
    rng = np.random.default_rng(seed)
    order = [rng.permutation(start.size).astype(np.int32) for _ in range(2)]
    lu = _core.SparseLU.in_order(start.size, start.rows, start.cols, *order)
    for angle in np.linspace(0.4, 6.0, 30):
        a = four_bars(3, angle)
        assert lu.factor(a.values) or lu.refactor_with_new_order(a.values)
        b = np.ones(a.size)
        assert backward_error(a.dense, lu.solve(b), b) < WEAK_BACKWARD


def test_a_frozen_pivot_that_vanishes_calls_for_a_new_order(sparse_of):
    pattern = sparse_of(rotations(0.05))
    lu = lu_of(pattern)
    right_angle = rotations(np.pi / 2)
    values = right_angle[pattern.rows, pattern.cols]
    assert not lu.factor(values)
    assert lu.outcome in (LuOutcome.weak_pivot, LuOutcome.vanished_pivot)
    assert lu.refactor_with_new_order(values)
    assert (lu.outcome, lu.reorderings) == (LuOutcome.factored, 1)
    b = np.arange(6.0)
    assert backward_error(right_angle, lu.solve(b), b) < BACKWARD


def test_a_frozen_pivot_of_exactly_zero_is_seen():
    rows, cols = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], np.int32)
    lu = _core.SparseLU(2, rows, cols, np.array([1.0, 0.1, 0.1, 1.0]))
    assert not lu.factor(np.array([0.0, 1.0, 1.0, 0.0]))
    assert lu.outcome is LuOutcome.vanished_pivot
    with pytest.raises(ValueError, match="no factors to solve with"):
        lu.solve(np.ones(2))


@pytest.mark.parametrize("small", [1e-2, 1e-4, 1e-6])
def test_the_smallest_ratio_and_its_place_are_told(small):
    rows, cols = np.array([[0, 0, 1, 1, 2], [0, 1, 0, 1, 2]], np.int32)
    lu = _core.SparseLU(3, rows, cols, np.array([1.0, 0.5, 0.5, 2.0, 1.0]))
    first_row = lu.pivot_order.rows[lu.pivot_order.rows != 2][0]
    values = np.array([small, 1.0, 1.0, small, 1.0])
    assert lu.factor(values) == (small >= 1e-3)
    assert lu.outcome is (LuOutcome.factored if small >= 1e-3 else LuOutcome.weak_pivot)
    assert lu.smallest_pivot_ratio == pytest.approx(small)
    weakest = lu.weakest_pivot
    assert (weakest.row, weakest.col) == (first_row, first_row)
    assert weakest.ratio == pytest.approx(small)


def test_a_weak_pivot_still_solves_with_fewer_digits():
    rows, cols = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], np.int32)
    lu = _core.SparseLU(2, rows, cols, np.array([1.0, 0.5, 0.5, 1.0]))
    matrix = np.array([[1e-5, 1.0], [1.0, 1e-5]])
    assert not lu.factor(matrix.ravel())
    b = np.array([1.0, 2.0])
    assert backward_error(matrix, lu.solve(b), b) < WEAK_BACKWARD


@pytest.mark.parametrize("seed", range(6))
def test_an_order_from_several_samples_holds_in_all_of_them(four_bars, seed):
    samples = [four_bars(5, angle, wobble=0.1, seed=seed) for angle in (0.4, 1.2, 2.0, 2.7)]
    a = samples[0]
    lu = lu_of(a, np.array([s.values for s in samples]))
    for s in samples:
        assert lu.factor(s.values)
        b = np.ones(s.size)
        assert backward_error(s.dense, lu.solve(b), b) < BACKWARD


def test_a_singular_matrix_is_named_singular_and_keeps_its_old_order(four_bars):
    sound = four_bars(3, 0.9)
    flat = four_bars(3, 0.0)
    lu = lu_of(sound)
    before = lu.pivot_order
    assert not lu.factor(flat.values)
    assert not lu.refactor_with_new_order(flat.values)
    assert (lu.outcome, lu.reorderings, lu.smallest_pivot_ratio) == (LuOutcome.singular, 0, 0.0)
    row, col = lu.stopped_at.row, lu.stopped_at.col
    assert np.linalg.matrix_rank(np.delete(flat.dense, row, 0)) == np.linalg.matrix_rank(flat.dense)
    assert 0 <= col < sound.size
    assert np.array_equal(lu.pivot_order.rows, before.rows)
    assert lu.factor(sound.values)


def test_it_stops_at_the_row_that_repeats_others(random_matrix, sparse_of):
    full = random_matrix(12, 4).dense
    full[7] = 2.0 * full[3] - full[10]
    a = sparse_of(full)
    lu = lu_of(a)
    assert lu.outcome is LuOutcome.singular
    assert lu.stopped_at.row in (3, 7, 10)


def test_it_stops_at_a_column_without_entries(random_matrix):
    a = random_matrix(9, 2)
    kept = a.cols != 4
    lu = _core.SparseLU(a.size, a.rows[kept], a.cols[kept], a.values[kept])
    assert lu.outcome is LuOutcome.singular
    assert lu.stopped_at.col == 4
    assert not lu.factor(a.values[kept])


def test_a_pattern_analysed_where_it_is_singular_factors_elsewhere(four_bars):
    lu = lu_of(four_bars(2, 0.0))
    assert lu.outcome is LuOutcome.singular
    a = four_bars(2, 1.1)
    assert lu.factor(a.values) or lu.refactor_with_new_order(a.values)


@pytest.mark.parametrize("angle", [1e-2, 1e-4, 1e-6, 1e-8])
def test_near_the_flat_position_the_residual_stays_small(four_bars, angle):
    a = four_bars(5, angle)
    lu = lu_of(a)
    assert lu.factor(a.values)
    b = np.ones(a.size)
    assert backward_error(a.dense, lu.solve(b), b) < BACKWARD
    assert lu.smallest_pivot_ratio < 20 * angle


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_the_unit_of_a_row_does_not_matter(four_bars, scale):
    a = four_bars(3, 0.6)
    factors = np.where(np.arange(a.size) % 3 == 0, scale, 1.0)
    lu, scaled = lu_of(a), lu_of(a, a.values * factors[a.rows])
    assert lu.factor(a.values)
    assert scaled.factor(a.values * factors[a.rows])
    assert scaled.smallest_pivot_ratio == pytest.approx(lu.smallest_pivot_ratio)
    b = np.ones(a.size)
    assert scaled.solve(b * factors) == pytest.approx(lu.solve(b))


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
@pytest.mark.parametrize("entry", range(25))
def test_what_is_not_finite_fails(four_bars, wrong, entry):
    a = four_bars(1, 0.5)
    lu = lu_of(a)
    values = a.values.copy()
    values[entry] = wrong
    assert not lu.factor(values)
    assert not lu.refactor_with_new_order(values)
    assert (lu.outcome, lu.reorderings) == (LuOutcome.singular, 0)
    assert lu.factor(a.values)


def test_entries_at_one_place_are_summed(random_matrix):
    a = random_matrix(10, 8)
    rows, cols = np.concatenate([a.rows, a.rows]), np.concatenate([a.cols, a.cols])
    values = np.concatenate([0.25 * a.values, 0.75 * a.values])
    lu = _core.SparseLU(a.size, rows, cols, values)
    assert lu.factor(values)
    b = np.ones(a.size)
    assert backward_error(a.dense, lu.solve(b), b) < BACKWARD


def test_a_matrix_without_rows_is_solved_by_nothing():
    none = np.zeros(0, np.int32)
    lu = _core.SparseLU(0, none, none, np.zeros(0))
    assert lu.factor(np.zeros(0))
    assert lu.solve(np.zeros(0)).shape == (0,)


def test_wrong_lengths_are_named(random_matrix):
    a = random_matrix(5, 0)
    lu = lu_of(a)
    with pytest.raises(ValueError, match=f"3 numbers for {len(a.values)} entries"):
        lu.factor(np.ones(3))
    with pytest.raises(ValueError, match="no factors"):
        lu.solve(np.ones(5))
    lu.factor(a.values)
    with pytest.raises(ValueError, match="b has length 4, 5 is needed"):
        lu.solve(np.ones(4))
    with pytest.raises(ValueError, match="every row and every column once"):
        _core.SparseLU.in_order(
            5, a.rows, a.cols, np.zeros(5, np.int32), np.arange(5, dtype=np.int32)
        )
