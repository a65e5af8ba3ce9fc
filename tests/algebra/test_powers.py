"""Polynomials as values: what a formula is, found by running it."""

import math

import numpy as np
import pytest

from kempe.algebra.powers import polynomial_of
from kempe.drives import TextFormula

FORMULAS = {
    "a constant": (lambda x: 3.0, (3.0,)),
    "sums from both sides": (lambda x: 1.0 - x + 2.0 + x * 3.0, (3.0, 2.0)),
    "a square of a sum": (lambda x: (x - 1.0) ** 2, (1.0, -2.0, 1.0)),
    "a quotient by a number": (lambda x: (4.0 * x + 2.0) / 2.0, (1.0, 2.0)),
    "numbers of NumPy": (lambda x: np.float64(2.0) * x - np.float64(1.0), (-1.0, 2.0)),
    "Horner's rule": (lambda x: -(x * (2.0 + x * x) - 1.0), (1.0, -2.0, 0.0, -1.0)),
    "a formula in text": (TextFormula("2 * (t + 1)^2 - t / 4").value, (2.0, 3.75, 2.0)),
}


@pytest.mark.parametrize("case", FORMULAS)
def test_a_polynomial_is_found_by_running_its_formula(case):
    formula, known = FORMULAS[case]
    found = polynomial_of(formula)
    assert found.coefficients == pytest.approx(known)
    x = 1.3
    expected = sum(c * x ** (k + 1) / (k + 1) for k, c in enumerate(known))
    assert found.integral(x) == pytest.approx(expected)


OTHERS = {
    "a sine": np.sin,
    "a sine of mathematics": math.sin,
    "a quotient": lambda x: 1.0 / (1.0 + x),
    "a quotient of two": lambda x: x / (1.0 + x),
    "a root": lambda x: x**0.5,
    "a power of itself": lambda x: x**x,
    "a size": abs,
    "a choice": lambda x: x if x > 0.0 else -x,
    "too long": lambda x: x**17,
    "a formula in text": TextFormula("if(t > 0, t, 0)").value,
    "a minimum in text": TextFormula("min(t, 1)").value,
    "no number": lambda x: "much",
}


@pytest.mark.parametrize("case", OTHERS)
def test_whatever_else_a_formula_does_is_no_polynomial(case):
    assert polynomial_of(OTHERS[case]) is None
