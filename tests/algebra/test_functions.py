"""The functions of a formula: on numbers NumPy's own, on traced values the same numbers."""

import itertools

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PPoly

from kempe.algebra import Interpolation, functions, smooth_step, tangent, where
from kempe.errors import BadNumber, TracingError

#: Two ways to evaluate one polynomial of small degree and size near 1 differ by rounding.
ROUNDING = 1e-13

NUMPY_NAMES = {"asin": "arcsin", "acos": "arccos", "atan2": "arctan2"}
NAMES = [
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan2",
    "exp",
    "log",
    "tanh",
    "minimum",
    "maximum",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_function_is_numpy_s_on_numbers_and_arrays_and_the_same_when_traced(
    traced, evaluate, name
):
    function, numpys = getattr(functions, name), getattr(np, NUMPY_NAMES.get(name, name))
    points = np.array([0.1, 0.5, 0.9])
    arguments = (points, points[::-1])[: numpys.nin]
    np.testing.assert_array_equal(function(*arguments), numpys(*arguments))
    x, y = traced("x y")
    for point in zip(*arguments, strict=True):
        value = evaluate([x, y], [function(*(x, y)[: len(point)])], [*point, 0.0][:2])[0]
        assert value == pytest.approx(numpys(*point), rel=1e-15)


# -- choices ---------------------------------------------------------------------------------

LOGIC = {
    "x and y": lambda a, b: a & b,
    "x or y": lambda a, b: a | b,
    "not x": lambda a, b: ~a,
    "neither": lambda a, b: ~(a | b),
    "either but not both": lambda a, b: (a | b) & ~(a & b),
    "x or not y": lambda a, b: a | ~b,
}


@pytest.mark.parametrize("name", LOGIC)
def test_conditions_combine_as_truth_values_do(traced, evaluate, name):
    x, y = traced("x y")
    chosen = where(LOGIC[name](x > 0.0, y > 0.0), 1.0, 0.0)
    for a, b in itertools.product([False, True], repeat=2):
        point = [1.0 if a else -1.0, 1.0 if b else -1.0]
        truth = LOGIC[name](np.bool_(a), np.bool_(b))
        assert evaluate([x, y], [chosen], point)[0] == float(truth)


def test_where_on_numbers_is_numpy_s():
    np.testing.assert_array_equal(where(np.array([True, False]), 1.0, 2.0), [1.0, 2.0])


def test_where_takes_numbers_and_traced_values_on_either_side(traced, evaluate):
    x, y = traced("x y")
    outputs = [where(x > 0.0, y, 3.0), where(x > 0.0, 3.0, y), where(x > 0.0, 1, 2)]
    assert list(evaluate([x, y], outputs, [1.0, 7.0])) == [7.0, 3.0, 1.0]
    assert list(evaluate([x, y], outputs, [-1.0, 7.0])) == [3.0, 7.0, 2.0]


def test_where_refuses_a_value_that_is_no_number(traced):
    (x,) = traced("x")
    with pytest.raises(TracingError):
        where(x > 0.0, "left", 1.0)


# -- the smooth step -------------------------------------------------------------------------


def test_a_smooth_step_goes_from_zero_to_one_and_stays_there():
    assert [smooth_step(x, 1.0, 3.0) for x in (-5.0, 1.0, 2.0, 3.0, 99.0)] == [0, 0, 0.5, 1, 1]
    inside = np.linspace(1.0, 3.0, 200)
    assert (np.diff(smooth_step(inside, 1.0, 3.0)) > 0).all()


@pytest.mark.parametrize("knot", [1.0, 3.0])
def test_a_smooth_step_is_continuous_up_to_its_curvature(traced, evaluate, knot):
    (x,) = traced("x")
    one = x * 0 + 1.0
    s = smooth_step(x, 1.0, 3.0)
    (s1,) = tangent([s], {x.node: one})
    (s2,) = tangent([s1], {x.node: one})
    (s3,) = tangent([s2], {x.node: one})
    near = 1e-7
    before, after = (evaluate([x], [s, s1, s2, s3], [knot + side * near]) for side in (-1.0, 1.0))
    # s'' changes with s''' = 60/8 per unit: over 2e-7 by 1.5e-6 and no more
    np.testing.assert_allclose(before[:3], after[:3], atol=2e-6)
    assert abs(before[3] - after[3]) == pytest.approx(60.0 / 8.0, rel=1e-4)  # the third one jumps


def test_a_smooth_step_may_fall(traced):
    assert smooth_step(0.0, 1.0, -1.0) == 0.5
    assert smooth_step(2.0, 1.0, -1.0) == 0.0


# -- tables ----------------------------------------------------------------------------------


@pytest.fixture
def points(rng):
    x = np.cumsum(rng.uniform(0.2, 1.0, 9))
    return x, rng.normal(size=9)


def test_a_spline_through_points_is_scipy_s(points, traced, evaluate):
    curve, spline = Interpolation.through(*points), CubicSpline(*points)
    (x,) = traced("x")
    y = curve(x)
    places = np.linspace(points[0][0] - 1.0, points[0][-1] + 1.0, 57)  # also outside
    np.testing.assert_allclose(curve(places), spline(places), rtol=ROUNDING, atol=ROUNDING)
    values = [evaluate([x], [y], [place])[0] for place in places]
    np.testing.assert_allclose(values, spline(places), rtol=ROUNDING, atol=ROUNDING)


def test_a_periodic_spline_closes_smoothly(traced, evaluate):
    angles = np.linspace(0.0, 2.0 * np.pi, 13)
    heights = np.cos(angles)
    heights[-1] = heights[0]
    curve = Interpolation.through(angles, heights, periodic=True)
    spline = CubicSpline(angles, heights, bc_type="periodic")
    between = 0.5 * (angles[1:] + angles[:-1])
    np.testing.assert_allclose(curve(between), spline(between), rtol=ROUNDING)
    (x,) = traced("x")
    (slope,) = tangent([curve(x)], {x.node: x * 0 + 1.0})
    (bend,) = tangent([slope], {x.node: x * 0 + 1.0})
    first, last = (evaluate([x], [slope, bend], [angle]) for angle in (0.0, 2.0 * np.pi))
    np.testing.assert_allclose(first, last, atol=ROUNDING)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_the_derivatives_of_a_table_are_those_of_its_pieces(points, traced, evaluate, order):
    spline = CubicSpline(*points)
    (x,) = traced("x")
    y = Interpolation.through(*points)(x)
    for _ in range(order):
        (y,) = tangent([y], {x.node: x * 0 + 1.0})
    for place in points[0][:-1] + 0.1:
        expected = PPoly(spline.c, spline.x).derivative(order)(place) if order < 4 else 0.0
        assert evaluate([x], [y], [place])[0] == pytest.approx(expected, abs=1e-10)
    assert order < 4 or y.is_zero


def test_a_table_used_twice_is_stored_once_and_two_tables_twice(traced):
    (x,) = traced("x")
    first = Interpolation.through([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 1.0])
    second = Interpolation(first.breaks, first.coefficients + 1.0)
    first(x), first(2.0 * x), second(x)
    assert len(x.graph.tables) == 2


@pytest.mark.parametrize(
    ("breaks", "coefficients", "words"),
    [
        ([0.0, 1.0, 1.0], [[1.0], [2.0]], "must rise: entry 2"),
        ([0.0, 2.0, 1.0], [[1.0], [2.0]], "must rise: entry 2"),
        ([0.0, 1.0], [[1.0], [2.0]], "one more break than pieces"),
        ([0.0, 1.0, 2.0], [1.0, 2.0], "one more break than pieces"),
        ([0.0, 1.0, np.nan], [[1.0], [2.0]], "not finite"),
        ([0.0, 1.0, 2.0], [[1.0], [np.inf]], "not finite"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(breaks, coefficients, words):
    with pytest.raises(BadNumber, match=words):
        Interpolation(breaks, coefficients)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([0.0, 1.0, 1.0, 2.0], [0.0, 1.0, 2.0, 3.0]),
        ([0.0, 2.0, 1.0, 3.0], [0.0, 1.0, 2.0, 3.0]),
        ([0.0, 1.0, np.nan, 3.0], [0.0, 1.0, 2.0, 3.0]),
        ([0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 3.0]),
        ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, np.inf, 3.0]),
        ([0.0], [1.0]),
    ],
)
def test_points_no_curve_goes_through_are_refused(x, y):
    with pytest.raises(BadNumber):
        Interpolation.through(x, y)


def test_a_periodic_curve_must_end_where_it_began():
    with pytest.raises(BadNumber, match="starts at 0 and ends at 3"):
        Interpolation.through([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], periodic=True)


def test_a_table_does_not_change_after_it_was_made():
    breaks = np.array([0.0, 1.0])
    curve = Interpolation(breaks, [[1.0, 0.0]])
    breaks[1] = 5.0
    assert curve.breaks[1] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        curve.breaks[0] = 3.0
