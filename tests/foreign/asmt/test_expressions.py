"""Expressions of ASMT files against Python's own arithmetic."""

import math

import pytest

from kempe.algebra.text.grammar import parse
from kempe.errors import ExpressionError
from kempe.foreign.asmt.expressions import formula_of

T = 0.7
CASES = {
    "2.0d*pi*time": 2 * math.pi * T,
    "2*-time": -2 * T,
    ".5*time": 0.5 * T,
    "2.0d-3.0d": -1.0,
    "1e-3d + 0": 1e-3,
    '"leading" 2.0d*time "trailing"': 2 * T,
    '(1 + "inside" 2)*time': 3 * T,
    "1<n>+<n>time": 1 + T,
    "-time^2": -(T**2),
    "sin(time)^2 + cos(time)^2": 1.0,
    "arctan(time*(2 + 1))": math.atan(3 * T),
    "atan(1/(1 + time))": math.atan(1 / (1 + T)),
    "arcsin(time) - asin(time)": 0.0,
    "abs(-time)": T,
    "(45.0d + 45.0d*sin((360.0d*time - 90.0d)*pi/180.0d))*pi/180.0d": math.pi
    / 4
    * (1 + math.sin(math.tau * T - math.pi / 2)),
    "": 0.0,
    "  ": 0.0,
}


@pytest.mark.parametrize("text", CASES)
def test_an_expression_has_the_value_that_python_gives_it(text):
    assert parse(formula_of(text)).value({"t": T}) == pytest.approx(CASES[text], abs=1e-15)


def test_the_clock_of_the_file_may_start_later_than_ours():
    assert parse(formula_of("time^2", start=2.0)).value({"t": T}) == pytest.approx((T + 2) ** 2)


def test_a_force_reads_distance_and_rate_and_a_motion_does_not():
    text = "(1.0d + 10.0d*(rIJ(self) + (-0.5d)) + 2.0d*vrIJ( self ))"
    found = parse(formula_of(text, reads=True)).value({"t": 0.0, "x": 0.75, "x_rate": 3.0})
    assert found == pytest.approx(1.0 + 10.0 * 0.25 + 2.0 * 3.0)
    with pytest.raises(ExpressionError, match="rIJ"):
        formula_of(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2 3", "does not belong"),
        ("sin(", "missing"),
        ("Time", "Did you mean 'time'"),
        ("cosine(time)", "or 'cos'"),
        ("rampstep(time, 1, 2)", "does not read the function 'rampstep'"),
        ('2*time "open', "comment that does not end"),
        ("1/0", "divides by zero"),
        ("2..3", "means nothing"),
        ("2.0x", "means nothing"),
        ("__import__(1)", "no function"),
        ("(" * 200 + ")" * 200, "deep"),
        ("1" * 20_000, "at most"),
    ],
)
def test_what_is_no_expression_is_refused_with_its_column(text, said):
    with pytest.raises(ExpressionError, match=said):
        formula_of(text)
