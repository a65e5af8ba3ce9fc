"""Traced values: they compute what numbers compute, and refuse what needs a value now."""

import cmath
import math
import operator

import numpy as np
import pytest

from kempe.algebra import Expression, Graph
from kempe.algebra.expression import UFUNCS
from kempe.algebra.functions import where
from kempe.errors import TracingError

X, Y = 0.3, 1.7  # in the domain of every function

UNARY = {
    "neg": operator.neg,
    "pos": operator.pos,
    "abs": abs,
    "square": lambda x: x**2,
    "cube": lambda x: x**3,
    "inverse cube": lambda x: x**-3,
    "to the zero": lambda x: x**0,
    "root": lambda x: x**0.5,
    "real power": lambda x: x**1.7,
    "two to the x": lambda x: 2.0**x,
    "left number": lambda x: 2 - x,
    "left quotient": lambda x: 3 / x,
}
BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "pow": operator.pow,
}
COMPARISONS = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


@pytest.mark.parametrize("name", UNARY)
def test_an_operator_on_one_value_computes_what_python_computes(traced, evaluate, name):
    (x,) = traced("x")
    result = evaluate([x], [UNARY[name](x)], [X])
    assert result[0] == pytest.approx(UNARY[name](X), rel=1e-15)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("number", [2, 2.5, np.float64(2.5), np.int32(2), np.float32(0.5)])
def test_an_operator_on_two_values_computes_what_python_computes(traced, evaluate, name, number):
    x, y = traced("x y")
    operation = BINARY[name]
    outputs = [operation(x, y), operation(x, number), operation(number, x)]
    expected = [operation(X, Y), operation(X, float(number)), operation(float(number), X)]
    assert evaluate([x, y], outputs, [X, Y]) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", sorted(UFUNCS.keys() - {"greater", "greater_equal"}))
def test_a_numpy_function_computes_on_traced_values_what_it_computes_on_numbers(
    traced, evaluate, name
):
    x, y = traced("x y")
    ufunc = getattr(np, name)
    if name in ("less", "less_equal"):
        result, expected = where(ufunc(x, y), 1.0, 2.0), np.where(ufunc(X, Y), 1.0, 2.0)
    elif ufunc.nin == 1:
        result, expected = ufunc(x), ufunc(X)
    else:
        result, expected = ufunc(x, y), ufunc(X, Y)
    assert evaluate([x, y], [x * 0 + result], [X, Y])[0] == pytest.approx(expected, rel=1e-15)


def test_numpy_works_through_arrays_of_traced_values(traced, evaluate):
    x, y = traced("x y")
    vector = np.array([x, y, 2.0 * x], dtype=object)
    outputs = [*(np.sin(vector) * np.array([1.0, 2.0, 3.0]) + x), vector @ vector, vector.sum()]
    number = np.array([X, Y, 2.0 * X])
    expected = [*(np.sin(number) * np.array([1.0, 2.0, 3.0]) + X), number @ number, number.sum()]
    assert evaluate([x, y], outputs, [X, Y]) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("name", [*BINARY, "pow from the left"])
def test_an_operator_with_an_array_works_entry_by_entry(traced, evaluate, name):
    (x,) = traced("x")
    numbers = np.array([1.0, 2.0, 3.5])
    operation = BINARY.get(name, lambda a, b: b**a)
    results, expected = operation(x, numbers), operation(X, numbers)
    assert isinstance(results, np.ndarray)
    assert evaluate([x], list(results), [X]) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.parametrize("point", [(1.0, 2.0), (2.0, 1.0), (1.5, 1.5)])
def test_a_comparison_chooses_as_python_compares(traced, evaluate, name, point):
    x, y = traced("x y")
    compare = COMPARISONS[name]
    outputs = [
        where(compare(x, y), 10.0, 20.0),
        where(compare(x, 1.5), 10.0, 20.0),
        where(compare(1.5, y), 10.0, 20.0),
    ]
    a, b = point
    truths = [compare(a, b), compare(a, 1.5), compare(1.5, b)]
    assert list(evaluate([x, y], outputs, point)) == [10.0 if true else 20.0 for true in truths]


# -- refusals, with advice -------------------------------------------------------------------


def _if(x):
    return 1.0 if x else 2.0


def _if_compared(x):
    return 1.0 if x > 0.5 else 2.0


NEEDS_A_VALUE = {
    "if": (_if, "kempe.where"),
    "if on a comparison": (_if_compared, "kempe.where"),
    "and": (lambda x: (x > 0) and (x < 1), "&"),
    "not": (lambda x: not x, "kempe.where"),
    "chained comparison": (lambda x: 0 < x < 1, "&"),
    "max": (lambda x: max(x, 1.0), "kempe.where"),
    "==": (lambda x: x == 1.0, "kempe.where"),
    "!=": (lambda x: x != 1.0, "kempe.where"),
    "in": (lambda x: x in [1.0, 2.0], "kempe.where"),
    "float": (float, "np.sin(x)"),
    "int": (int, "np.sin(x)"),
    "complex": (complex, "np.sin(x)"),
    "range": (range, "np.sin(x)"),
    "math.sin": (math.sin, "np.sin(x)"),
    "math.hypot": (lambda x: math.hypot(x, 1.0), "np.sin(x)"),
    "cmath.exp": (cmath.exp, "np.sin(x)"),
    "numpy.array of floats": (lambda x: np.array([x], dtype=float), "np.sin(x)"),
    "numpy.floor": (np.floor, "kempe.algebra.functions"),
    "numpy.arcsinh": (np.arcsinh, "kempe.algebra.functions"),
    "numpy.equal": (lambda x: np.equal(x, 1.0), "kempe.algebra.functions"),
    "numpy.add.reduce": (np.add.reduce, "kempe.algebra.functions"),
    "a word": (lambda x: where(x > "long", 1.0, 2.0), "numbers"),
    "a sum with a word": (lambda x: np.add(x, "long"), "numbers"),
}


@pytest.mark.parametrize("name", NEEDS_A_VALUE)
def test_what_needs_a_value_now_is_refused_with_advice(traced, name):
    (x,) = traced("x")
    formula, advice = NEEDS_A_VALUE[name]
    with pytest.raises(TracingError) as caught:
        formula(x)
    assert advice in str(caught.value)


@pytest.mark.parametrize("name", BINARY)
def test_values_of_two_formulas_do_not_mix(traced, name):
    (x,), (y,) = traced("x"), traced("y")
    with pytest.raises(TracingError, match="two different formulas"):
        BINARY[name](x, y)


@pytest.mark.parametrize("mix", [lambda x, y: x > y, np.minimum, np.arctan2])
def test_values_of_two_formulas_do_not_mix_in_functions_either(traced, mix):
    (x,), (y,) = traced("x"), traced("y")
    with pytest.raises(TracingError, match="two different formulas"):
        mix(x, y)


def test_a_choice_does_not_mix_formulas_either(traced):
    (x,), (y,) = traced("x"), traced("y")
    for choose in (
        lambda: where(x > 0.0, y, 1.0),
        lambda: where((x > 0.0) & (y > 0.0), 2.0, 1.0),
        lambda: where((x > 0.0) | (y > 0.0), 2.0, 1.0),
    ):
        with pytest.raises(TracingError, match="two different formulas"):
            choose()


def test_a_comparison_does_not_combine_with_a_truth_value(traced):
    (x,) = traced("x")
    with pytest.raises(TracingError, match="combined with bool True"):
        (x > 0.0) & True


@pytest.mark.parametrize("operation", BINARY.values(), ids=BINARY)
def test_arithmetic_with_a_word_is_python_s_own_mistake(traced, operation):
    (x,) = traced("x")
    with pytest.raises((TypeError, TracingError)):
        operation(x, "long")


def test_an_endless_exponent_is_refused(traced):
    (x,) = traced("x")
    for exponent in (math.inf, math.nan):
        with pytest.raises(TracingError, match="exponent"):
            x**exponent


# -- facts -----------------------------------------------------------------------------------


def test_a_folded_value_knows_its_constant():
    graph = Graph()
    two = Expression(graph, graph.constant(2.0))
    x = Expression(graph, graph.input("x"))
    assert (two * 3.0).constant == 6.0
    assert (x - x).is_zero
    assert x.constant is None
    assert repr(two) == "Expression(2.0)"


def test_equal_values_hash_alike_and_others_do_not(traced):
    x, y = traced("x y")
    assert hash(x + y) == hash(y + x)
    assert hash(x) != hash(y)


def test_a_renamed_value_is_the_same_number_but_not_looked_behind(traced, evaluate):
    x, y = traced("x y")
    hidden = (x - y).renamed()
    assert (-hidden).node != (y - x).node
    assert evaluate([x, y], [hidden, -hidden], [X, Y]) == pytest.approx([X - Y, Y - X], rel=1e-16)
