"""Orders of elimination: sound in every sample, cheap, and the same every time."""

from itertools import pairwise

import numpy as np
import pytest

from kempe import _core

pytestmark = pytest.mark.core

THRESHOLD = 0.1
#: The dense elimination below rounds in another order than the core does.
ROUNDING = 1e-9


def pivot_ratios(matrix, rows, cols):
    """|pivot| over the largest entry left in its row and its diagonal block, pivot after pivot."""
    filled = [x.astype(np.int32) for x in np.nonzero(matrix)]
    blocks = _core.diagonal_blocks(len(matrix), *filled)
    left = np.where(blocks.of_row[:, None] == blocks.of_column[None, :], matrix, 0.0)
    open_cols = np.ones(len(matrix), bool)
    ratios = []
    for k, (row, col) in enumerate(zip(rows, cols, strict=True)):
        ratios.append(abs(left[row, col]) / np.abs(left[row, open_cols]).max())
        for other in rows[k + 1 :]:
            left[other] -= left[other, col] / left[row, col] * left[row]
        open_cols[col] = False
    return np.array(ratios)


def fill(size, edges, order):
    """Edges that elimination in this order adds to an undirected graph."""
    near = [set() for _ in range(size)]
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    added = 0
    for node in order:
        for a in near[node]:
            fresh = near[node] - near[a] - {a}
            added += len(fresh)
            near[a] |= fresh
            near[a].discard(node)
    return added // 2


def minimum_degree(size, edges, weights=None):
    ends = np.array(edges, np.int32).reshape(-1, 2)
    return _core.minimum_degree_order(size, ends[:, 0], ends[:, 1], weights)


def grid(side):
    node = np.arange(side * side).reshape(side, side)
    across = list(zip(node[:, :-1].ravel(), node[:, 1:].ravel(), strict=True))
    down = list(zip(node[:-1].ravel(), node[1:].ravel(), strict=True))
    return across + down


@pytest.mark.parametrize("seed", range(12))
def test_every_pivot_is_large_in_its_row(random_matrix, seed):
    a = random_matrix(5 + 4 * seed, seed)
    order = _core.markowitz_order(a.size, a.rows, a.cols, a.values)
    rows, cols, weakest = order.rows, order.cols, order.weakest_ratio
    ratios = pivot_ratios(a.dense, rows, cols)
    assert sorted(rows) == sorted(cols) == list(range(a.size))
    assert ratios.min() >= THRESHOLD * (1 - ROUNDING)
    assert weakest == pytest.approx(ratios.min(), rel=1e-6)


def test_every_pivot_is_large_in_its_row_in_every_sample(four_bars):
    samples = [four_bars(6, angle, wobble=0.1, seed=k) for k, angle in enumerate((0.4, 1.3, 2.5))]
    a = samples[0]
    values = np.array([s.values for s in samples])
    order = _core.markowitz_order(a.size, a.rows, a.cols, values)
    rows, cols, weakest = order.rows, order.cols, order.weakest_ratio
    worst = min(pivot_ratios(s.dense, rows, cols).min() for s in samples)
    assert worst >= THRESHOLD * (1 - ROUNDING)
    assert weakest == pytest.approx(worst, rel=1e-6)


def test_a_pivot_that_is_zero_in_one_sample_is_avoided():
    rows, cols = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], np.int32)
    turned = np.array([[0.6, 0.8, -0.8, 0.6], [0.0, 1.0, -1.0, 0.0]])
    taken = _core.markowitz_order(2, rows, cols, turned)
    assert {(int(r), int(c)) for r, c in zip(taken.rows, taken.cols, strict=True)} == {
        (0, 1),
        (1, 0),
    }


def test_rows_that_agree_in_no_sample_still_give_a_complete_order():
    rows, cols = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], np.int32)
    opposed = np.array([[1.0, 1e-3, -1e-3, 1.0], [1e-3, 1.0, -1.0, 1e-3]])
    taken = _core.markowitz_order(2, rows, cols, opposed)
    assert len(taken.rows) == 2
    assert len(taken.left_rows) == 0
    assert 0.0 < taken.weakest_ratio < THRESHOLD


def test_the_same_matrix_has_the_same_order(four_bars):
    a = four_bars(20, 0.7, wobble=0.2)
    first, second = (
        _core.markowitz_order(a.size, a.rows, a.cols, a.values, a.unit) for _ in range(2)
    )
    assert np.array_equal(first.rows, second.rows)
    assert np.array_equal(first.cols, second.cols)


@pytest.mark.parametrize("marked", range(4))
def test_of_equal_pivots_one_marked_as_unit_is_taken(marked):
    rows, cols = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], np.int32)
    unit = np.zeros(4, np.uint8)
    unit[marked] = 1
    taken = _core.markowitz_order(2, rows, cols, np.array([1.0, 1.0, 1.0, -1.0]), unit)
    assert (taken.rows[0], taken.cols[0]) == (rows[marked], cols[marked])


def test_unit_pivots_are_more_when_they_are_marked(four_bars):
    a = four_bars(10, 0.9, wobble=0.3)
    is_unit = {(r, c) for r, c, u in zip(a.rows, a.cols, a.unit, strict=True) if u}

    def units(order):
        return sum((r, c) in is_unit for r, c in zip(order.rows, order.cols, strict=True))

    marked = _core.markowitz_order(a.size, a.rows, a.cols, a.values, a.unit)
    plain = _core.markowitz_order(a.size, a.rows, a.cols, a.values)
    assert units(marked) >= units(plain)
    assert units(marked) >= a.size // 2


def test_entries_at_one_place_are_summed():
    rows, cols = np.array([[0, 0, 1, 1], [0, 0, 1, 0]], np.int32)
    order = _core.markowitz_order(2, rows, cols, np.array([1.0, -1.0, 1.0, 1.0]))
    left, left_cols = order.left_rows, order.left_cols
    assert len(order.rows) == 1
    assert (left, left_cols) == ([0], [0]) or (left, left_cols) == ([0], [1])


def test_a_column_without_entries_is_left_over(random_matrix):
    a = random_matrix(12, 3)
    kept = a.cols != 5
    order = _core.markowitz_order(a.size, a.rows[kept], a.cols[kept], a.values[kept])
    left_rows, left_cols = order.left_rows, order.left_cols
    assert len(order.rows) == len(order.cols) == a.size - 1
    assert list(left_cols) == [5]
    assert len(left_rows) == 1


@pytest.mark.parametrize("seed", range(8))
def test_as_many_rows_are_left_over_as_the_rank_is_short(random_matrix, sparse_of, seed):
    rng = np.random.default_rng(seed)
    full = random_matrix(15, seed).dense
    full[[3, 8]] = rng.normal(size=(2, 2)) @ full[[1, 2]]
    a = sparse_of(full)
    order = _core.markowitz_order(a.size, a.rows, a.cols, a.values)
    assert len(order.left_rows) == len(order.left_cols) == a.size - np.linalg.matrix_rank(full) == 2


def test_a_matrix_that_is_not_a_number_ends_with_rows_left_over():
    rows, cols = np.array([[0, 1], [0, 1]], np.int32)
    order = _core.markowitz_order(2, rows, cols, np.array([np.nan, 1.0]))
    assert list(order.left_rows) == [0]


def test_work_on_a_row_of_four_bars_grows_with_its_length(four_bars):
    work = []
    for count in (100, 200, 400):
        a = four_bars(count, 0.8, wobble=0.1)
        work.append(_core.SparseLU(a.size, a.rows, a.cols, a.values).multiplications)
    assert all(long < 2.2 * short for short, long in pairwise(work))
    assert work[-1] < 4 * 3 * (2 * 400 + 1)  # a few multiplications per unknown


@pytest.mark.parametrize(
    ("size", "edges"),
    [
        (30, [(k, k + 1) for k in range(29)]),
        (31, [(k, (k - 1) // 2) for k in range(1, 31)]),
        (40, [(0, k) for k in range(1, 40)]),
        (5, []),
    ],
    ids=["chain", "tree", "star", "no edges"],
)
def test_a_forest_is_ordered_without_fill(size, edges):
    order = minimum_degree(size, edges)
    assert sorted(order) == list(range(size))
    assert fill(size, edges, order) == 0


def test_a_grid_fills_in_less_than_in_its_natural_order():
    edges = grid(14)
    order = minimum_degree(196, edges)
    assert sorted(order) == list(range(196))
    assert fill(196, edges, order) < 0.6 * fill(196, edges, range(196))


def test_a_heavy_node_waits():
    ring = [(k, (k + 1) % 6) for k in range(6)]
    weights = np.array([1, 1, 1, 50, 1, 1], np.int32)
    order = list(minimum_degree(6, ring, weights))
    assert set(order[:2]).isdisjoint({2, 3, 4})


def test_repeated_edges_and_loops_change_nothing():
    edges = grid(5)
    doubled = edges + [(b, a) for a, b in edges] + [(k, k) for k in range(25)]
    assert np.array_equal(minimum_degree(25, edges), minimum_degree(25, doubled))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((2, [0, 2], [0, 1], [1.0, 1.0]), "rows has the index 2"),
        ((2, [0, 1], [0, -1], [1.0, 1.0]), "cols has the index -1"),
        ((2, [0, 1], [0], [1.0, 1.0]), "rows has 2 indices, cols has 1"),
        ((2, [0, 1], [0, 1], [1.0]), "1 numbers per sample for 2 entries"),
        ((2, [0, 1], [0, 1], [1.0, 1.0], [1]), "one flag per entry"),
    ],
)
def test_a_wrong_shape_is_named(arguments, complaint):
    size, rows, cols, values, *unit = arguments
    flags = [np.array(u, np.uint8) for u in unit]
    with pytest.raises(ValueError, match=complaint):
        _core.markowitz_order(
            size, np.array(rows, np.int32), np.array(cols, np.int32), np.array(values), *flags
        )
