"""Derivatives are exact: every operation, and random formulas of them, against 60 digits."""

import math
from dataclasses import dataclass

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kempe.algebra import Expression, Graph, Op, functions, sparse_jacobian, tangent, where
from kempe.algebra.derivative import RULES
from kempe.algebra.operations import PIECEWISE

DIGITS = 60
STEP = mp.mpf(10) ** -15  # error of a central difference: 1e-30 f''' and 1e-45 f
#: A derivative is a handful of operations more than its function: a few dozen roundings.
ONE_OPERATION = 1e-14
#: Roundings of a chain of up to a dozen operations, each with a condition number of up to ten,
#: relative to the largest number on the way.
CHAIN = 1e-11

F, M = functions, mp

#: word -> (operations it makes, traced formula, the same on mpmath's numbers, points)
CASES = {
    "add": ([Op.ADD], lambda x, y: x + y, lambda x, y: x + y, [(0.3, -2.0)]),
    "sub": ([Op.SUB], lambda x, y: x - y, lambda x, y: x - y, [(0.3, -2.0)]),
    "mul": ([Op.MUL], lambda x, y: x * y, lambda x, y: x * y, [(0.3, -2.0)]),
    "div": ([Op.DIV], lambda x, y: x / y, lambda x, y: x / y, [(0.3, -2.0), (5.0, 0.01)]),
    "neg": ([Op.NEG], lambda x, y: -x, lambda x, y: -x, [(0.3, 0.0)]),
    "rec": ([Op.REC], lambda x, y: 1.0 / x, lambda x, y: 1 / x, [(0.3, 0.0), (-7.0, 0.0)]),
    "sqr": ([Op.SQR], lambda x, y: x * x, lambda x, y: x * x, [(0.3, 0.0), (0.0, 0.0)]),
    "sqrt": ([Op.SQRT], lambda x, y: F.sqrt(x), lambda x, y: M.sqrt(x), [(0.3, 0), (1e6, 0)]),
    "sin": ([Op.SIN], lambda x, y: F.sin(x), lambda x, y: M.sin(x), [(0.3, 0), (9.0, 0)]),
    "cos": ([Op.COS], lambda x, y: F.cos(x), lambda x, y: M.cos(x), [(0.3, 0), (9.0, 0)]),
    "tan": ([Op.TAN], lambda x, y: F.tan(x), lambda x, y: M.tan(x), [(0.3, 0), (1.4, 0)]),
    "asin": ([Op.ASIN], lambda x, y: F.asin(x), lambda x, y: M.asin(x), [(0.3, 0), (-0.9, 0)]),
    "acos": ([Op.ACOS], lambda x, y: F.acos(x), lambda x, y: M.acos(x), [(0.3, 0), (-0.9, 0)]),
    "atan2": (
        [Op.ATAN2],
        lambda x, y: F.atan2(x, y),
        lambda x, y: M.atan2(x, y),
        [(0.3, 0.2), (0.3, -0.2), (-0.3, -0.2), (1.0, 0.0), (0.0, 2.0)],
    ),
    "exp": ([Op.EXP], lambda x, y: F.exp(x), lambda x, y: M.exp(x), [(0.3, 0), (-9.0, 0)]),
    "log": ([Op.LOG], lambda x, y: F.log(x), lambda x, y: M.log(x), [(0.3, 0), (50.0, 0)]),
    "tanh": ([Op.TANH], lambda x, y: F.tanh(x), lambda x, y: M.tanh(x), [(0.3, 0), (-2.0, 0)]),
    "abs": ([Op.ABS], lambda x, y: abs(x), lambda x, y: abs(x), [(0.3, 0), (-0.3, 0)]),
    "power": ([Op.POW], lambda x, y: x**2.5, lambda x, y: x ** M.mpf(2.5), [(0.3, 0), (7.0, 0)]),
    "pow": ([Op.POW], lambda x, y: x**y, lambda x, y: x**y, [(0.3, -2.0), (7.0, 0.5)]),
    "copy": ([Op.COPY], lambda x, y: (x * y).renamed(), lambda x, y: x * y, [(0.3, -2.0)]),
    "min": ([Op.MIN], lambda x, y: F.minimum(x, y), min, [(0.3, -2.0), (-2.0, 0.3)]),
    "max": ([Op.MAX], lambda x, y: F.maximum(x, y), max, [(0.3, -2.0), (-2.0, 0.3)]),
    "where >": (
        [Op.WHERE_POSITIVE],
        lambda x, y: where(x > y, x * x, y * x),
        lambda x, y: x * x if x > y else y * x,
        [(0.3, -2.0), (-2.0, 0.3)],
    ),
    "where >=": (
        [Op.WHERE_NOT_NEGATIVE],
        lambda x, y: where(x >= y, x * x, y * x),
        lambda x, y: x * x if x >= y else y * x,
        [(0.3, -2.0), (-2.0, 0.3)],
    ),
    "round": ([Op.ROUND], lambda x, y: x * np.rint(x), lambda x, y: x * M.nint(x), [(2.3, 0)]),
}
FUSED = {Op.MULADD, Op.MULSUB, Op.NMULADD, Op.SINCOS}  # of a tape only, never of a graph


def gradient(function, point):
    """Partial derivatives by central differences with 60 digits."""
    with mp.workdps(DIGITS):
        place = [mp.mpf(c) for c in point]
        result = []
        for k in range(len(place)):
            ahead, behind = list(place), list(place)
            ahead[k] += STEP
            behind[k] -= STEP
            result.append((function(*ahead) - function(*behind)) / (2 * STEP))
        return result


def second(function, point):
    """All second partial derivatives, flattened."""
    size = range(len(point))
    return [
        entry for k in size for entry in gradient(lambda *p, k=k: gradient(function, p)[k], point)
    ]


def unit_seeds(inputs):
    one = inputs[0] * 0 + 1.0
    return {x.node: {k: one} for k, x in enumerate(inputs)}


def directions(inputs):
    one, zero = inputs[0] * 0 + 1.0, inputs[0] * 0
    return [{x.node: one if x is y else zero for x in inputs} for y in inputs]


def test_every_operation_of_a_graph_is_among_the_cases():
    named = {op for ops, *_ in CASES.values() for op in ops}
    assert named == set(Op) - FUSED - PIECEWISE  # test_functions.py, test_spline.py
    assert set(RULES) <= named | PIECEWISE


@pytest.mark.parametrize("word", CASES)
def test_an_operation_s_derivatives_are_right(traced, evaluate, word):
    ops, formula, truth, points = CASES[word]
    x, y = traced("x y")
    f = formula(x, y)
    assert set(ops) <= set(x.graph.ops), "the case does not make the operation it names"
    first = [tangent([f], way)[0] for way in directions([x, y])]
    curved = [tangent([d], way)[0] for d in first for way in directions([x, y])]
    for point in points:
        values = evaluate([x, y], [*first, *curved], point)
        wanted = [float(d) for d in (*gradient(truth, point), *second(truth, point))]
        np.testing.assert_allclose(values, wanted, rtol=ONE_OPERATION, atol=ONE_OPERATION)


# -- the taken branch only -------------------------------------------------------------------

BRANCHES = {
    "where": lambda x: where(x > 0.0, F.sqrt(x), 0.0),
    "where, the other way": lambda x: where(x < 0.0, 0.0, F.sqrt(x)),
    "nested": lambda x: where(x > 0.0, where(x > 0.0, F.log(x), F.sqrt(x)), F.sqrt(-x)),
}


@pytest.mark.parametrize("word", ["where", "where, the other way"])
@pytest.mark.parametrize("point", [-1.0, 0.0])
def test_a_derivative_that_does_not_exist_on_the_other_side_never_enters(
    traced, evaluate, word, point
):
    (x,) = traced("x")
    f = BRANCHES[word](x)
    (df,) = tangent([f], directions([x])[0])
    (ddf,) = tangent([df], directions([x])[0])
    entry = sparse_jacobian([f], unit_seeds([x]))[0][0]
    assert list(evaluate([x], [df, ddf, entry], [point])[:3]) == (
        [0.0, 0.0, 0.0] if word == "where" or point < 0 else [math.inf, -math.inf, math.inf]
    )


def test_of_two_nested_choices_only_the_taken_leaf_is_differentiated(traced, evaluate):
    (x,) = traced("x")
    (df,) = tangent([BRANCHES["nested"](x)], directions([x])[0])
    assert evaluate([x], [df], [4.0])[0] == 0.25
    assert evaluate([x], [df], [-4.0])[0] == pytest.approx(-0.25, rel=ONE_OPERATION)


@pytest.mark.parametrize("extremum", [F.minimum, F.maximum])
def test_an_extremum_takes_the_slope_of_the_operand_it_takes(traced, evaluate, extremum):
    (x,) = traced("x")
    f = extremum(F.sqrt(x), 2.0 * x - 100.0)  # the root has no slope at 0, the line has
    (df,) = tangent([f], directions([x])[0])
    slope = evaluate([x], [df], [0.0])[0]
    assert slope == (2.0 if extremum is F.minimum else math.inf)


def test_a_step_has_no_slope_on_either_side(traced):
    (x,) = traced("x")
    (df,) = tangent([where(x > 0.0, 1.0, 2.0)], directions([x])[0])
    assert df.is_zero


# -- seeds -----------------------------------------------------------------------------------


def test_a_seeded_node_is_not_looked_behind(traced, evaluate):
    x, y = traced("x y")
    middle = F.sin(x).renamed()
    f = middle * middle * y
    (df,) = tangent([f], {middle.node: 0.0 * x + 3.0})
    at = [0.4, 2.0]
    assert evaluate([x, y], [df], at)[0] == pytest.approx(2 * math.sin(0.4) * 2.0 * 3.0, rel=1e-15)


def test_an_output_that_is_itself_seeded_moves_as_seeded(traced):
    x, y = traced("x y")
    assert tangent([x], {x.node: y})[0].node == y.node
    assert sparse_jacobian([x], {x.node: {7: y}})[0][7].node == y.node


def test_columns_without_influence_are_left_out(traced):
    x, y, z = traced("x y z")
    rows = sparse_jacobian([x * y, z - z, 0.0 * x + 5.0], unit_seeds([x, y, z]))
    assert [sorted(row) for row in rows] == [[0, 1], [], []]


def test_no_outputs_have_no_derivatives():
    assert tangent([], {}) == []
    assert sparse_jacobian([], {}) == []


# -- random formulas -------------------------------------------------------------------------


@dataclass(frozen=True)
class Recipe:
    """A formula as steps (word, operand, operand); the last values are its outputs."""

    n_inputs: int
    steps: tuple[tuple[str, int, int], ...]
    n_outputs: int

    def follow(self, inputs, table):
        values = list(inputs)
        for word, a, b in self.steps:
            values.append(table[word](values[a], values[b]))
        return values[-self.n_outputs :]


#: Operations without poles and with values and slopes of moderate size: what is tested is the
#: walk over the graph, not conditioning.
ON_TRACED = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: F.sin(a) * F.cos(b),
    "/": lambda a, b: F.sin(a) / (2.0 + F.cos(b)),
    "neg": lambda a, b: -a,
    "square": lambda a, b: F.sin(a) * F.sin(a),
    "root": lambda a, b: F.sqrt(1.0 + a * a),
    "tan": lambda a, b: F.tan(0.5 * F.sin(a)),
    "asin": lambda a, b: F.asin(0.5 * F.cos(a)),
    "acos": lambda a, b: F.acos(0.5 * F.sin(b)),
    "atan2": lambda a, b: F.atan2(a, 1.0 + b * b),
    "exp": lambda a, b: F.exp(F.sin(a)),
    "log": lambda a, b: F.log(1.0 + b * b),
    "tanh": lambda a, b: F.tanh(a),
    "pow": lambda a, b: (1.0 + a * a) ** F.sin(b),
    "abs": lambda a, b: abs(a),
    "min": lambda a, b: F.minimum(a, b),
    "max": lambda a, b: F.maximum(a, b),
    "where": lambda a, b: where(a > b, F.sin(a), b),
    "rename": lambda a, b: a.renamed(),
}
ON_REALS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: M.sin(a) * M.cos(b),
    "/": lambda a, b: M.sin(a) / (2 + M.cos(b)),
    "neg": lambda a, b: -a,
    "square": lambda a, b: M.sin(a) ** 2,
    "root": lambda a, b: M.sqrt(1 + a * a),
    "tan": lambda a, b: M.tan(M.sin(a) / 2),
    "asin": lambda a, b: M.asin(M.cos(a) / 2),
    "acos": lambda a, b: M.acos(M.sin(b) / 2),
    "atan2": lambda a, b: M.atan2(a, 1 + b * b),
    "exp": lambda a, b: M.exp(M.sin(a)),
    "log": lambda a, b: M.log(1 + b * b),
    "tanh": lambda a, b: M.tanh(a),
    "pow": lambda a, b: (1 + a * a) ** M.sin(b),
    "abs": lambda a, b: abs(a),
    "min": min,
    "max": max,
    "where": lambda a, b: M.sin(a) if a > b else b,
    "rename": lambda a, b: a,
}
ANY_WORD = tuple(sorted(ON_TRACED))
SMOOTH = sorted(ON_TRACED.keys() - {"abs", "min", "max", "where"})


@st.composite
def recipes(draw, words=ANY_WORD, most=12):
    n_inputs = draw(st.integers(1, 3))
    steps = []
    for k in range(draw(st.integers(1, most))):
        operand = st.integers(0, n_inputs + k - 1)
        steps.append((draw(st.sampled_from(words)), draw(operand), draw(operand)))
    return Recipe(n_inputs, tuple(steps), draw(st.integers(1, min(3, len(steps)))))


# Irrational coordinates: two operands of a choice are equal only where they are one formula.
places = st.lists(st.floats(-1.5, 1.5).map(lambda c: c + math.pi * 1e-3), min_size=3, max_size=3)


def traced_inputs(n):
    graph = Graph()
    return [Expression(graph, graph.input(f"x{k}")) for k in range(n)]


def is_at_a_kink(recipe, point):
    """Whether a choice is made between two values that are equal here."""
    with mp.workdps(DIGITS):
        values = [mp.mpf(c) for c in point]
        for word, a, b in recipe.steps:
            difference = values[a] - values[b] if word != "abs" else values[a]
            if word in ("abs", "min", "max", "where") and abs(difference) < mp.mpf("1e-6"):
                return True
            values.append(ON_REALS[word](values[a], values[b]))
    return False


@settings(max_examples=300)
@given(recipe=recipes(), place=places)
def test_tangent_and_jacobian_of_a_random_formula_are_its_derivatives(evaluate, recipe, place):
    point = place[: recipe.n_inputs]
    if is_at_a_kink(recipe, point):
        return
    inputs = traced_inputs(recipe.n_inputs)
    outputs = recipe.follow(inputs, ON_TRACED)
    rows = sparse_jacobian(outputs, unit_seeds(inputs))
    zero = 0.0 * inputs[0]
    matrix = [row.get(k, zero) for row in rows for k in range(len(inputs))]
    ways = [tangent(outputs, way) for way in directions(inputs)]
    tangents = [ways[k][r] for r in range(len(outputs)) for k in range(len(inputs))]
    values = evaluate(inputs, [*matrix, *tangents], point)
    wanted = np.array(
        [
            float(d)
            for r in range(len(outputs))
            for d in gradient(lambda *p, r=r: recipe.follow(p, ON_REALS)[r], point)
        ]
    )
    scale = CHAIN * max(1.0, np.abs(wanted).max())
    np.testing.assert_allclose(values[: len(wanted)], wanted, rtol=0, atol=scale)
    np.testing.assert_allclose(values[len(wanted) :], wanted, rtol=0, atol=scale)


@given(recipe=recipes(tuple(SMOOTH), most=8), place=places)
def test_second_derivatives_of_a_random_formula_are_symmetric(evaluate, recipe, place):
    inputs = traced_inputs(recipe.n_inputs)
    f = recipe.follow(inputs, ON_TRACED)[-1]
    ways = directions(inputs)
    first = [tangent([f], way)[0] for way in ways]
    curved = [tangent([d], way)[0] for d in first for way in ways]
    H = evaluate(inputs, curved, place[: len(inputs)]).reshape(len(inputs), len(inputs))
    np.testing.assert_allclose(H, H.T, rtol=0, atol=CHAIN * max(1.0, np.abs(H).max()))
