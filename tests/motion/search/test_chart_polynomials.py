"""Bounds of rows along charts: never below what rows are, and sharp where they vanish."""

import numpy as np
import pytest

import kempe
from kempe.algebra import Graph, Part, record_parts
from kempe.algebra.expression import Expression
from kempe.front.requests.motions import Question
from kempe.motion.search.chart_polynomials import along_charts, degree
from kempe.motion.search.search import Effort, search
from kempe.motion.search.sifting import residual

FINE = 1e-3  # half-length of stretches, in unknowns
SHARP = 1e-5  # beside places where the rows that are kept depend on each other
LEBESGUE = 4.0  # what a polynomial of degree 32 may rise between its values, at most 3.3


def tape_of(formula, count):
    graph = Graph()
    x = [Expression(graph, graph.input(f"x{k}")) for k in range(count)]
    rows = formula(*x)
    return record_parts(graph, x, [Part("rows", {"rows": rows})]).tape


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (lambda x, y: [x * y - 1.0], 2.0),
        (lambda x, y: [x * x * y, y], 3.0),
        (lambda x, y: [(x + y) / 3.0], 1.0),
        (lambda x, y: [x / y], np.inf),
        (lambda x, y: [x - x], 0.0),
    ],
)
def test_the_degree_of_rows_is_read_off_their_tape(formula, expected):
    assert degree(tape_of(formula, 2), slice(2)) == expected


@pytest.fixture(scope="module")
def found():
    """Bennett's linkage without some of its rows, as it was searched before sums were."""
    system = Question.of(kempe.gallery.bennett().layout, None, None, None).system(1)
    (block,) = system.blocks
    return block, search(block, Effort())


def test_bounds_agree_with_those_of_short_stretches(found):
    block, answer = found
    for curve in answer.components:
        sharp, rough = along_charts(block, curve.charts), residual(block, curve, FINE)
        assert sharp.somewhere <= rough.most * (1.0 + 1e-9)
        assert rough.somewhere <= sharp.most * (1.0 + 1e-9)
        assert sharp.most <= LEBESGUE * max(rough.most, SHARP)


def test_a_row_that_vanishes_is_bounded_far_better_than_by_stretches(found):
    block, answer = found
    bounds = [
        (along_charts(block, c.charts).most, residual(block, c, FINE).most)
        for c in answer.components
        if residual(block, c, FINE).somewhere == 0.0
    ]
    assert bounds
    for sharp, rough in bounds:
        assert 0.0 < sharp < SHARP
        assert sharp < 0.01 * rough


def test_rows_at_samples_are_within_their_bounds(found):
    block, answer = found
    for curve in answer.components:
        bounds = along_charts(block, curve.charts)
        x = np.asarray(curve.charts["p"])
        values = np.abs(_left_out(block, x)).max()
        assert values <= bounds.most + 1e-6  # middles of charts are near the curve
        assert bounds.somewhere <= bounds.most


def _left_out(block, x):
    from kempe.algebra.native import native_tape

    tape = block.surplus.tape
    count = len(block.surplus.sources)
    return native_tape(tape).evaluate(np.ascontiguousarray(x), tape.outputs[:count])
