"""Formulas in text: what they mean, what they refuse, and that they cannot do anything else."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kempe.algebra import Expression, Graph, record_formula
from kempe.algebra.native import native_tape
from kempe.algebra.text.grammar import DEEPEST, LONGEST, parse
from kempe.algebra.text.terms import FUNCTIONS
from kempe.errors import ExpressionError, KempeError

#: Sums and products in another order may round differently.
ROUNDING = 1e-12
VALUES = {
    "1 + 2 * 3": 7.0,
    "(1 + 2) * 3": 9.0,
    "2 - 3 - 4": -5.0,
    "24 / 4 / 3": 2.0,
    "-2^2": -4.0,
    "2^-1": 0.5,
    "2^3^2": 512.0,
    "2 ** 3": 8.0,
    "+-+3": -3.0,
    "1e-3": 1e-3,
    ".5 + 5.": 5.5,
    "sin(pi / 6)": math.sin(math.pi / 6),
    "atan2(1, -1)": 0.75 * math.pi,
    "min(3, 1, 2) + max(3, 1, 2)": 4.0,
    "abs(-2) + sqrt(9) + log(exp(1))": 6.0,
    "smooth_step(0.5, 0, 1)": 0.5,
    "if(1 < 2, 3, 4)": 3.0,
    "if(1 >= 2, 3, 4)": 4.0,
    "if(1 == 1, 3, 4)": 3.0,
    "3 if 1 != 1 else 4": 4.0,
    "1 if 2 < 1 else 2 if 2 < 1 else 3": 3.0,
    "if(1 < 2, 1, log(-1))": 1.0,
    "x * y": 6.0,
    "λ_1 + x": 12.0,
}
NAMES = {"x": 2.0, "y": 3.0, "λ_1": 10.0, "t": 0.7}


@pytest.mark.parametrize("text", VALUES)
def test_a_formula_has_its_value(text):
    assert parse(text).value(NAMES) == pytest.approx(VALUES[text], rel=ROUNDING)


TRACED = [
    "x + y * t - 2 / t",
    "x^3 + t^y + 2^t + t^0.5",
    "sin(t) + cos(t) * tan(t) + asin(t) - acos(t)",
    "atan2(t, x) + sqrt(t) + exp(t) * log(t) + tanh(t)",
    "min(t, x, y) + max(t, x) + abs(-t) + smooth_step(t, 0, 1)",
    "if(t < 0.5, t, t^2) + (1 if t > 0.6 else 2)",
    "-(-t) * pi",
]


@pytest.mark.parametrize("text", TRACED)
def test_a_traced_formula_has_the_value_of_the_plain_one(text):
    graph = Graph()
    inputs = {name: Expression(graph, graph.input(name)) for name in ("x", "y", "t")}
    tape = record_formula(list(inputs.values()), [parse(text).value(inputs)])
    points = np.array([[2.0, 3.0, t] for t in (0.1, 0.55, 0.7)])
    found = native_tape(tape).evaluate(points, tape.outputs)[:, 0]
    plain = [parse(text).value({"x": 2.0, "y": 3.0, "t": t}) for t in (0.1, 0.55, 0.7)]
    assert found == pytest.approx(plain, rel=ROUNDING)


@pytest.mark.parametrize("text", TRACED)
def test_a_formula_of_an_array_has_the_values_of_its_entries(text):
    times = np.array([0.1, 0.55, 0.7])
    found = parse(text).value({"x": 2.0, "y": 3.0, "t": times})
    plain = [parse(text).value({"x": 2.0, "y": 3.0, "t": float(t)}) for t in times]
    assert found == pytest.approx(plain, rel=ROUNDING)


def test_every_function_is_tried_traced():
    assert all(f"{name}(" in " ".join(TRACED) for name in FUNCTIONS)


REFUSED = {
    "": 1,
    "1 +": 4,
    "(1": 3,
    "1)": 2,
    "1 2": 3,
    "x y": 3,
    "sin 1": 1,
    "sin()": 5,
    "sin(1, 2)": 1,
    "atan2(1)": 1,
    "sni(1)": 1,
    "1 = 2": 3,
    "1 < 2": 3,
    "if(1, 2, 3)": 5,
    "if(1 < 2, 3)": 12,
    "x.real": 2,
    "x[0]": 2,
    "'a'": 1,
    "lambda": 1,
    "1 // 2": 4,
    "1 % 2": 3,
    "1 & 2": 3,
    "1; 2": 2,
    "x @ y": 3,
    "²": 1,
    "1 if 2": 7,
    "1e999": 1,
    "1/0": 2,
    "x / 0": 3,
    "0/0 * x": 2,
    "log(0)": 1,
    "sqrt(-1)": 1,
    "asin(2)": 1,
    "(-8)^(1/3)": 5,
    "exp(1000)": 1,
    "10^400": 3,
    "9**9**9**9": 5,
    "1e308 * 10 + x": 7,
    "smooth_step(1, 2, 2)": 1,
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_formula_is_refused_at_its_place(text):
    with pytest.raises(ExpressionError) as refusal:
        parse(text).refuse_other_names(frozenset(NAMES))
    assert refusal.value.facts["column"] == REFUSED[text]
    assert f"column {REFUSED[text]} of" in refusal.value.message


def test_a_function_that_nobody_knows_is_answered_with_the_nearest_one():
    with pytest.raises(ExpressionError, match="Did you mean 'sin'"):
        parse("sn(1)")


def test_a_name_that_nobody_knows_is_answered_with_the_nearest_one():
    with pytest.raises(ExpressionError, match="Did you mean 'crank'"):
        parse("2 * crnk").refuse_other_names(frozenset({"crank", "rod"}))


def test_long_and_deep_formulas_are_refused():
    assert parse("+".join(["1"] * 3000)).value({}) == 3000.0
    for text in ("1" + "+1" * LONGEST, "(" * DEEPEST + "1" + ")" * DEEPEST, "-" * 100 + "1"):
        with pytest.raises(ExpressionError):
            parse(text)
    inside = DEEPEST - 1
    assert parse("(" * inside + "1" + ")" * inside).value({}) == 1.0


def test_comparing_traced_values_for_equality_is_refused():
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    with pytest.raises(ExpressionError, match="traced"):
        parse("if(t == 1, 2, 3)").value({"t": t})


def test_a_value_that_fails_says_where():
    formula = parse("1 + log(x - 5)")
    with pytest.raises(ExpressionError, match=r"column 5 .* log\(-3\) has no finite value"):
        formula.value(NAMES)


@settings(max_examples=500)
@given(st.text(alphabet="0123456789.eE+-*/^()<>=!, xytifelsnco_pi'[]\\", max_size=40))
def test_any_text_has_a_value_or_a_typed_error(text):
    try:
        formula = parse(text)
        formula.refuse_other_names(frozenset(NAMES))
        value = formula.value(NAMES)
    except KempeError:
        return
    assert isinstance(value, float)
    assert math.isfinite(value)
