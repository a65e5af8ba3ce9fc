"""Splines: what they mean, that every executor agrees, and how tight their enclosures are."""

import numpy as np
import pytest

from kempe.algebra import Expression, Graph, Spline, Tape, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.compile.llvm.native_tape import llvm_available
from kempe.errors import BadNumber
from tests.compile.compiled_tape import CompiledTape

#: A few dozen roundings of numbers of size 10 at most.
ROUNDING = 1e-13
#: What hulls of Bernstein coefficients add to the range shrinks with the square of the width.
HULL_GROWTH = 0.3

CUBIC = Spline.of([0.0, 1.0, 3.0], [[0.0, 1.0, 2.0, 1.0], [1.0, -1.0, 0.5, 2.0]])
QUARTER = Spline.of([0.0, 1.0], [[1.0, 1.0, 0.0]], [[1.0, 1.0, 2.0]])  # (1 - s^2) / (1 + s^2)
CLOSED = Spline.of(
    [0.0, 1.0, 2.5],
    [[0.0, 1.0, 2.0], [2.0, 3.5, 0.0]],
    [[1.0, 0.5, 1.0], [1.0, 2.0, 1.0]],
    is_periodic=True,
)
ALL = {"cubic": CUBIC, "rational": QUARTER, "periodic": CLOSED}


def traced(spline, orders=(0, 1, 2, 3)):
    """The tape of a spline and its derivatives, each found by differentiating the last."""
    graph = Graph()
    x = Expression(graph, graph.input("x"))
    one, values = 0.0 * x + 1.0, [spline(x)]
    for _ in orders[1:]:
        values += tangent([values[-1]], {x.node: one})
    return record_formula([x], [0.0 * x + v for v in values])


def ranges(tape, lower, upper):
    box = [np.atleast_1d(b)[:, None].astype(float) for b in (lower, upper)]
    return native_tape(tape).evaluate_intervals(*box, tape.outputs)


def test_a_quarter_circle_is_exact_at_every_parameter():
    s = np.linspace(0.0, 1.0, 101)
    np.testing.assert_allclose(QUARTER(s), (1 - s**2) / (1 + s**2), rtol=0, atol=1e-15)
    np.testing.assert_allclose(QUARTER(s, 1), -4 * s / (1 + s**2) ** 2, rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("name", ALL)
def test_derivatives_are_those_of_the_values(name):
    spline, h = ALL[name], 1e-4
    x = np.array([0.1, 0.4, 0.83, 0.99])
    for order in (0, 1, 2):
        slope = (spline(x + h, order) - spline(x - h, order)) / (2 * h)
        finer = (spline(x + h / 2, order) - spline(x - h / 2, order)) / h
        np.testing.assert_allclose(spline(x, order + 1), (4 * finer - slope) / 3, atol=1e-7)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("lanes", [False, True])
def test_compiled_code_and_the_vm_compute_the_same_bits(name, lanes):
    if not llvm_available():
        pytest.skip("llvmlite does not work here")
    tape = traced(ALL[name])
    x = np.linspace(-4.0, 9.0, 203)[:, None]
    expected = native_tape(tape).evaluate(x, tape.outputs)
    code = CompiledTape(tape)
    found = (code.evaluate_lanes if lanes else code.evaluate)(x, tape.outputs)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(native_tape(tape).evaluate_lanes(x, tape.outputs), expected)


@pytest.mark.parametrize("name", ALL)
def test_the_enclosure_of_a_short_interval_is_as_narrow_as_the_range(name):
    """Value and three derivatives, 200 intervals of width 1e-3 within the pieces."""
    spline, rng = ALL[name], np.random.default_rng(3)
    tape = traced(spline)
    lower = rng.uniform(0.0, float(spline.breaks[-1]) - 1e-3, 200)
    lower = lower[~((lower < 1.0) & (lower > 1.0 - 1e-3))]
    found = ranges(tape, lower, lower + 1e-3)
    inside = lower[:, None] + np.linspace(0.0, 1e-3, 50)
    for order in range(4):
        values = spline(inside, order)
        narrow = np.ptp(values, axis=1)
        width = found[1][:, order] - found[0][:, order]
        assert (found[0][:, order] <= values.min(axis=1)).all()
        assert (values.max(axis=1) <= found[1][:, order]).all()
        assert (width <= (1.0 + HULL_GROWTH) * narrow + 1e-4).all()


def test_beyond_its_ends_a_spline_goes_on_along_its_tangents():
    assert CUBIC(-2.0) == CUBIC(0.0) - 2.0 * CUBIC(0.0, 1)
    assert CUBIC(5.0, 1) == CUBIC(3.0, 1)
    assert CUBIC(5.0, 2) == 0.0
    lower, upper = ranges(traced(CUBIC), -2.0, -1.0)
    assert lower[0, 0] <= CUBIC(-2.0) < CUBIC(-1.0) <= upper[0, 0]
    assert upper[0, 0] - lower[0, 0] == pytest.approx(CUBIC(-1.0) - CUBIC(-2.0), abs=1e-12)


def test_a_periodic_spline_repeats_itself_and_its_seam_is_no_edge():
    x = np.linspace(0.0, 2.5, 50, endpoint=False)
    for turns in (-3, 1, 1000):
        np.testing.assert_allclose(CLOSED(x + 2.5 * turns), CLOSED(x), atol=1e-11)
    lower, upper = ranges(traced(CLOSED), 2.5 * 7 - 0.01, 2.5 * 7 + 0.01)
    assert lower[0, 0] <= 0.0 <= upper[0, 0]
    assert upper[0, 0] - lower[0, 0] < 0.1
    everywhere = ranges(traced(CLOSED), -1e9, 1e9)
    assert everywhere[0][0, 0] <= CLOSED(x).min()
    assert everywhere[1][0, 0] < 10.0


def test_a_spline_on_a_tape_survives_its_bytes():
    for spline in ALL.values():
        tape = traced(spline)
        twin = Tape.from_bytes(tape.to_bytes())
        assert twin.key == tape.key
        x = np.linspace(-1.0, 4.0, 20)[:, None]
        np.testing.assert_array_equal(
            native_tape(twin).evaluate(x, twin.outputs), native_tape(tape).evaluate(x, tape.outputs)
        )


def test_a_spline_used_twice_is_stored_once():
    graph = Graph()
    x = Expression(graph, graph.input("x"))
    assert CUBIC(x).node == CUBIC(x).node
    assert QUARTER(2.0 * x) is not None
    assert len(graph.splines) == 2
    assert CUBIC(x, 4).is_zero
    assert not QUARTER(x, 4).is_zero


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (([0.0], [[1.0]]), "one more break than pieces"),
        (([0.0, 1.0], [[1.0] * 17]), "17 coefficients"),
        (([0.0, np.nan], [[1.0]]), "not finite"),
        (([0.0, 1.0, 1.0], [[1.0], [2.0]]), "entry 2"),
        (([0.0, 1.0], [[1.0]], [[1.0, 2.0]]), "denominators"),
        (([0.0, 1.0], [[1.0]], [[0.0]]), "not positive"),
    ],
)
def test_what_is_no_spline_is_refused(parts, words):
    with pytest.raises(BadNumber, match=words):
        Spline.of(*parts)


def test_a_periodic_spline_that_does_not_start_at_0_is_refused():
    with pytest.raises(BadNumber, match="start at 0"):
        Spline.of([1.0, 2.0], [[1.0]], is_periodic=True)


def test_no_derivative_beyond_the_eighth_is_promised():
    with pytest.raises(BadNumber, match="order 9"):
        QUARTER(0.5, 9)
