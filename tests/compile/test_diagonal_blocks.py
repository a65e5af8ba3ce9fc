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
    n = len(pattern)
    found = _core.diagonal_blocks(
        n, rows, cols, np.arange(n, dtype=np.int32), matched.astype(np.int32)
    )
    first = dict.fromkeys(truth.tolist())
    number = {block: k for k, block in enumerate(first)}
    assert found.tolist() == [number[block] for block in truth.tolist()]


def test_blocks_do_not_depend_on_the_matching():
    rng = np.random.default_rng(3)
    n = 6
    rows, cols = (x.astype(np.int32) for x in np.nonzero(np.ones((n, n))))
    for _ in range(5):
        match = [rng.permutation(n).astype(np.int32) for _ in range(2)]
        assert not _core.diagonal_blocks(n, rows, cols, *match).any()


def test_a_matching_that_repeats_a_row_is_refused():
    two = np.array([0, 1], dtype=np.int32)
    with pytest.raises(ValueError, match="every row and every column once"):
        _core.diagonal_blocks(2, two, two, np.zeros(2, dtype=np.int32), two)
