"""Diagonal blocks: what a pattern can be solved part by part into."""

import numpy as np
import pytest

from kempe import _core

pytestmark = pytest.mark.core


def hidden_blocks(sizes, rng):
    """A block triangular pattern with rows and columns shuffled: entries, matching, the truth."""
    n = sum(sizes)
    block = np.repeat(np.arange(len(sizes)), sizes)
    full = np.zeros((n, n), dtype=bool)
    for b in range(len(sizes)):
        mine = np.flatnonzero(block == b)
        full[mine, mine] = True
        full[mine, np.roll(mine, 1)] = True  # a ring: every row needs every other in the end
    full |= (rng.random((n, n)) < 0.2) & (block[:, None] > block[None, :])
    rows, cols = rng.permutation(n), rng.permutation(n)
    shuffled = full[np.ix_(rows, cols)]
    matched = np.argsort(cols)[rows]  # row k holds the diagonal entry of its old row
    return shuffled, matched, block[rows]


@pytest.mark.parametrize("seed", range(20))
def test_shuffled_blocks_are_found_and_numbered_by_their_first_rows(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 6, size=rng.integers(1, 8))
    pattern, matched, truth = hidden_blocks(sizes, rng)
    rows, cols = (x.astype(np.int32) for x in np.nonzero(pattern))
    blocks = _core.diagonal_blocks(len(pattern), rows, cols)
    of_row, of_column = blocks.of_row, blocks.of_column
    first = dict.fromkeys(truth.tolist())
    number = {block: k for k, block in enumerate(first)}
    assert of_row.tolist() == [number[block] for block in truth.tolist()]
    assert (of_column[matched] == of_row).all()


@pytest.mark.parametrize("seed", range(20))
def test_pivots_stay_in_their_blocks_and_multiply_to_their_determinants(seed):
    rng = np.random.default_rng(100 + seed)
    pattern, _, _ = hidden_blocks(rng.integers(1, 6, size=rng.integers(2, 8)), rng)
    rows, cols = (x.astype(np.int32) for x in np.nonzero(pattern))
    values = rng.standard_normal(len(rows))
    blocks = _core.diagonal_blocks(len(pattern), rows, cols)
    of_row, of_column = blocks.of_row, blocks.of_column
    order = _core.markowitz_order(len(pattern), rows, cols, values)
    pivot_rows, pivot_cols, left = order.rows, order.cols, order.left_rows
    assert len(left) == 0
    assert (of_row[pivot_rows] == of_column[pivot_cols]).all()
    A = np.zeros(pattern.shape)
    A[rows, cols] = values
    for block in range(of_row.max() + 1):
        mine = of_row == block
        found = eliminated(A, pivot_rows, pivot_cols)[mine[pivot_rows]].prod()
        assert abs(found) == pytest.approx(abs(np.linalg.det(A[np.ix_(mine, of_column == block)])))


def eliminated(A, pivot_rows, pivot_cols):
    """Pivots of the whole matrix in their order."""
    A, pivots = A.copy(), []
    left = np.ones(len(A), dtype=bool)
    for r, c in zip(pivot_rows, pivot_cols, strict=True):
        pivots.append(A[r, c])
        left[r] = False
        A[left] -= np.outer(A[left, c] / A[r, c], A[r])
    return np.array(pivots)


def test_blocks_that_others_need_are_eliminated_before_them():
    """Upper triangular: solved from its last row on, and every pivot stands on the diagonal."""
    n = 7
    rows, cols = (x.astype(np.int32) for x in np.nonzero(np.triu(np.ones((n, n)))))
    values = np.where(rows == cols, 1e-3, 1.0)
    order = _core.markowitz_order(n, rows, cols, values)
    pivot_rows, pivot_cols = order.rows, order.cols
    assert pivot_rows.tolist() == pivot_cols.tolist() == list(range(n))[::-1]


def test_a_pattern_that_cannot_be_paired_is_one_block():
    rows, cols = np.array([0, 1, 2, 2], dtype=np.int32), np.array([0, 0, 1, 2], dtype=np.int32)
    blocks = _core.diagonal_blocks(3, rows, cols)
    of_row, of_column = blocks.of_row, blocks.of_column
    assert not of_row.any()
    assert not of_column.any()
