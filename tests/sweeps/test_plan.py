"""Which variants a sweep asks: grids, cubes, distributions; the same however they are cut."""

import itertools

import numpy as np
import pytest
from scipy import stats

from kempe.errors import BadNumber
from kempe.sweeps.plan import SAMPLINGS, Plan

CUBES = [sampling for sampling in SAMPLINGS if sampling not in ("grid", "list")]


class Drawn:
    """A distribution that can only be drawn."""

    def rvs(self, size, random_state):
        return random_state.uniform(3.0, 4.0, size)


def columns(plan: Plan) -> np.ndarray:
    return np.column_stack(list(plan.columns(0, plan.size).values()))


def test_numbers_may_begin_with_their_points():
    plan = Plan.of({"a": ".1...3 in 3", "b": ".5, -.5"}, "auto", None, 0)
    assert columns(plan)[:, 0] == pytest.approx([0.1, 0.1, 0.2, 0.2, 0.3, 0.3])
    assert columns(plan)[:2, 1].tolist() == [0.5, -0.5]


def test_a_grid_is_every_combination_of_levels():
    plan = Plan.of({"a": "1, 2", "b": "0..1 in 3", "c": [7.0]}, "auto", None, 0)
    expected = list(itertools.product([1.0, 2.0], [0.0, 0.5, 1.0], [7.0]))
    assert columns(plan).tolist() == [list(row) for row in expected]
    assert (plan.shape, plan.sampling) == ((2, 3, 1), "grid")


def test_a_list_is_columns_side_by_side():
    plan = Plan.of({"a": [1.0, 2.0, 3.0], "b": 5.0}, "list", None, 0)
    assert columns(plan).tolist() == [[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]]


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_variants_do_not_depend_on_how_they_are_cut(sampling, rng):
    over = {"a": "1..2 in 4", "b": "3, 4, 5, 9", "c": "0..1 in 4"}
    plan = Plan.of(over, sampling, None if sampling in ("grid", "list") else 64, 5)
    cuts = [0, *sorted(rng.choice(np.arange(1, plan.size), min(9, plan.size - 1), replace=False))]
    parts = [plan.columns(a, b) for a, b in itertools.pairwise([*map(int, cuts), plan.size])]
    for name, whole in plan.columns(0, plan.size).items():
        assert np.array_equal(np.concatenate([part[name] for part in parts]), whole)


@pytest.mark.parametrize("sampling", CUBES)
def test_samples_follow_their_distributions(sampling):
    over = {"n": stats.norm(30.0, 2.0), "t": "triangular(0, 1, 4)", "u": "2..3"}
    plan = Plan.of(over, sampling, 1024, 3)
    found = columns(plan)
    known = (stats.norm(30.0, 2.0), stats.triang(0.25, 0.0, 4.0), stats.uniform(2.0, 1.0))
    for k, distribution in enumerate(known):
        assert stats.kstest(found[:, k], distribution.cdf).pvalue > 1e-4
    if sampling != "saltelli":
        assert np.abs(np.corrcoef(found.T) - np.eye(3)).max() < 0.15


def test_a_latin_hypercube_has_one_value_in_every_row_and_column():
    found = columns(Plan.of({"a": "0..1", "b": "0..1"}, "latin", 50, 1))
    for column in found.T:
        assert sorted(np.floor(50 * column)) == list(range(50))


def test_a_sobol_sequence_is_balanced_in_every_dyadic_box():
    found = columns(Plan.of({"a": "0..1", "b": "0..1"}, "sobol", 256, 1))
    for splits in range(9):
        boxes = np.floor(found * (2.0**splits, 2.0 ** (8 - splits)))
        assert len(np.unique(boxes, axis=0)) == 256


def test_seeds_differ_and_the_same_seed_is_the_same():
    def of(seed):
        return columns(Plan.of({"a": "0..1", "b": Drawn()}, "random", 20, seed))

    assert np.array_equal(of(4), of(4))
    assert not (of(4) == of(5)).any()
    assert ((of(4)[:, 1] >= 3.0) & (of(4)[:, 1] <= 4.0)).all()


@pytest.mark.parametrize(
    ("over", "sampling", "count", "words"),
    [
        ({}, "auto", None, "needs parameters to go over"),
        ({"a": []}, "auto", None, "takes no values: the sweep is empty"),
        ({"a": [1.0, np.nan]}, "auto", None, "is not finite: nan is number 1 of 2"),
        ({"a": "1..nan"}, "auto", 5, "is not finite"),
        ({"a": "3..2"}, "auto", 5, "from 3 to 2: that is empty"),
        ({"a": "1..2 in 1"}, "auto", None, "needs 2 levels or more"),
        ({"a": "thirty"}, "auto", None, "'thirty' is no number; write '20, 25, 30'"),
        ({"a": "normal(1)"}, "auto", 5, "normal(mean, deviation)"),
        ({"a": "normal(1, -1)"}, "auto", 5, "a deviation must be above 0"),
        ({"a": "triangular(1, 5, 2)"}, "auto", 5, "not low, mode, high"),
        ({"a": stats.norm(np.nan, 1.0)}, "auto", 5, "gives nan for variant 0"),
        ({"a": stats.norm(0.0, -1.0)}, "sobol", 4, "gives nan for variant 0"),
        ({"a": "1..2"}, "auto", None, "how many variants?"),
        ({"a": "1..2"}, "grid", None, "has no levels for a grid"),
        ({"a": "1..2"}, "sobol", 0, "1 variant or more, not 0"),
        ({"a": "1..2"}, "sobel", 4, "Did you mean 'sobol'"),
        ({"a": "1..2"}, "saltelli", 100, "a power of 2, not 100: take 128"),
        ({"a": Drawn()}, "latin", 10, "can only be drawn at random"),
        ({"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]}, "list", None, "a: 2, b: 3"),
        ({"a": "1, 2"}, "grid", 5, "`count` is 5, but the grid has 2"),
        ({"a": np.ones((2, 2))}, "auto", None, "an array of 2 x 2"),
        ({"a": object()}, "auto", None, "neither numbers, nor a distribution"),
        ({name: "0..1 in 10000" for name in "abcd"}, "grid", None, "take fewer levels"),
    ],
)
def test_what_means_nothing_is_refused_in_words(over, sampling, count, words):
    with pytest.raises(BadNumber) as mistake:
        Plan.of(over, sampling, count, 0)
    assert words in str(mistake.value)


def test_a_seed_is_a_whole_number():
    with pytest.raises(BadNumber, match="`seed`"):
        Plan.of({"a": "0..1"}, "random", 5, -1)
