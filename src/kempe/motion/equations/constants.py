"""Numbers that belong to a system: exact where that can be told, enclosed always.

Eliminating an unknown divides lengths by lengths, and no double holds the quotient. The quotient
stays a formula of the model's own numbers, which the interval executor encloses. An exact value
goes along where there is one, a fraction or a sum of roots and turns: it tells a zero. Everything
else is told by enclosures: a number is *sure* where its enclosure has no zero in it and it is far
larger than what rounded lengths may make of a zero.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from kempe.algebra import Expression, Graph, Op, record_formula
from kempe.algebra.native import native_tape
from kempe.algebra.operations import CONSTANT
from kempe.motion.equations.exact_numbers import (
    ExactNumber,
    added,
    cosine,
    divided,
    is_manageable,
    multiplied,
    negated,
    rooted,
    sine,
)

Exact = Fraction | ExactNumber | None

# A number below this share of what it is the difference of, or of the machine's size, may be a
# zero that was rounded when the model was written: 0.1 + 0.2 - 0.3.
LEAST = 2.0**-44

EXACT: dict[int, Callable[..., Exact]] = {
    Op.ADD: added,
    Op.SUB: lambda a, b: added(a, negated(b)),
    Op.MUL: multiplied,
    Op.DIV: divided,
    Op.NEG: negated,
    Op.REC: lambda a: divided(Fraction(1), a),
    Op.SQR: lambda a: multiplied(a, a),
    Op.COPY: lambda a: a,
    Op.SQRT: rooted,
    Op.COS: lambda a: cosine(a) if isinstance(a, Fraction) else None,
    Op.SIN: lambda a: sine(a) if isinstance(a, Fraction) else None,
}
ROUNDED: dict[int, Callable[..., float]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: lambda a, b: a / b,
    Op.NEG: lambda a: -a,
    Op.REC: lambda a: 1.0 / a,
    Op.SQR: lambda a: a * a,
    Op.COPY: lambda a: a,
    Op.SQRT: math.sqrt,
    Op.SIN: math.sin,
    Op.COS: math.cos,
    Op.TAN: math.tan,
    Op.ASIN: math.asin,
    Op.ACOS: math.acos,
    Op.ATAN2: math.atan2,
    Op.EXP: math.exp,
    Op.LOG: math.log,
    Op.TANH: math.tanh,
    Op.ABS: abs,
    Op.MIN: min,
    Op.MAX: max,
    Op.POW: math.pow,
}
# How much of the numbers that a result is made of may be left in it as rounding, by operation.
NOISE: dict[int, Callable[..., float]] = {
    Op.ADD: lambda a, b: a.noise + b.noise,
    Op.SUB: lambda a, b: a.noise + b.noise,
    Op.MUL: lambda a, b: a.noise * abs(b.value) + abs(a.value) * b.noise,
    Op.DIV: lambda a, b: (a.noise + abs(a.value / b.value) * b.noise) / abs(b.value),
    Op.NEG: lambda a: a.noise,
    Op.REC: lambda a: a.noise / (a.value * a.value),
    Op.SQR: lambda a: 2.0 * abs(a.value) * a.noise,
    Op.COPY: lambda a: a.noise,
}


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """What a formula without unknowns is worth: in doubles, exactly, and what it is made of."""

    value: float
    exact: Exact
    noise: float  # size of the terms whose sum or difference it is


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A number as a formula of the model's numbers, with what is known of its value."""

    expression: Expression
    value: float
    exact: Exact
    noise: float

    @property
    def fraction(self) -> Fraction | None:
        """The fraction that it is, where it is known to be one."""
        return self.exact if isinstance(self.exact, Fraction) else None

    @property
    def is_zero(self) -> bool:
        """Whether it is exactly zero."""
        return self.exact == 0

    @property
    def may_be_rounding(self) -> bool:
        """Whether it is no larger than what rounded lengths may make of a zero."""
        return not abs(self.value) > LEAST * max(1.0, self.noise)

    def __add__(self, other: "Constant") -> "Constant":
        return self._with(other, Op.ADD)

    def __sub__(self, other: "Constant") -> "Constant":
        if self.expression.node == other.expression.node:  # the same number, whatever it is
            graph = self.expression.graph
            return Constant(Expression(graph, graph.constant(0.0)), 0.0, Fraction(0), self.noise)
        return self._with(other, Op.SUB)

    def __mul__(self, other: "Constant") -> "Constant":
        return self._with(other, Op.MUL)

    def __truediv__(self, other: "Constant") -> "Constant":
        """The quotient by a number that is proved not to be zero."""
        return self._with(other, Op.DIV)

    def _with(self, other: "Constant", op: int) -> "Constant":
        read = _combined(op, [_reading(self), _reading(other)])
        return _constant(read, ROUNDED[op](self.expression, other.expression))


@final
class Constants:
    """Reads formulas without unknowns as numbers."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._known: dict[int, Reading] = {}
        self._bounds: dict[int, tuple[float, float]] = {}

    def __call__(self, expression: Expression) -> Constant:
        """The number that a formula without unknowns stands for."""
        return _constant(self._read(expression.node), expression)

    def of(self, value: float) -> Constant:
        """A plain number."""
        return self(Expression(self.graph, self.graph.constant(value)))

    def bounds(self, expression: Expression) -> tuple[float, float]:
        """An enclosure of a formula without unknowns, by the executor that the search uses."""
        node = expression.node
        if node not in self._bounds:
            tape = record_formula([], [expression])
            nothing = np.zeros((1, tape.n_inputs))
            low, high = native_tape(tape).evaluate_intervals(nothing, nothing, tape.outputs)
            self._bounds[node] = float(low[0, 0]), float(high[0, 0])
        return self._bounds[node]

    def is_sure(self, constant: Constant) -> bool:
        """Whether a number is proved not to be zero, and by more than rounded lengths explain."""
        if constant.is_zero or constant.may_be_rounding or not math.isfinite(constant.value):
            return False
        if constant.fraction is not None:
            return True
        low, high = self.bounds(constant.expression)
        return low > 0.0 or high < 0.0

    def _read(self, node: int) -> Reading:
        if node not in self._known:
            self._known[node] = self._evaluated(node)
        return self._known[node]

    def _evaluated(self, node: int) -> Reading:
        graph, op = self.graph, self.graph.ops[node]
        if op == CONSTANT:
            value = graph.constants[node]
            return Reading(value, Fraction(value) if math.isfinite(value) else None, abs(value))
        return _combined(op, [self._read(a) for a in graph.args[node]])


def _combined(op: int, parts: list[Reading]) -> Reading:
    """What an operation makes of numbers; of what it is not defined for, not a number."""
    exact: Exact = None
    try:
        if op in EXACT and all(p.exact is not None for p in parts):
            exact = EXACT[op](*(p.exact for p in parts))
        exact = exact if exact is not None and is_manageable(exact) else None
        if isinstance(exact, Fraction):
            value = float(exact)
        else:
            value = float(ROUNDED[op](*(p.value for p in parts)))
        noise = NOISE[op](*parts) if op in NOISE else abs(value)
    except (ZeroDivisionError, OverflowError, ValueError):
        return Reading(math.nan, None, math.inf)
    return Reading(value, exact, max(noise, abs(value)))


def _reading(constant: Constant) -> Reading:
    return Reading(constant.value, constant.exact, constant.noise)


def _constant(read: Reading, expression: Any) -> Constant:
    """The constant of a formula; a plain number where it is a double exactly."""
    plain = _double(read.exact) if isinstance(read.exact, Fraction) else None
    if plain is not None:
        expression = Expression(expression.graph, expression.graph.constant(plain))
    return Constant(expression, read.value, read.exact, read.noise)


def _double(fraction: Fraction) -> float | None:
    """The double that a fraction is, if it is one."""
    try:
        plain = float(fraction)
    except OverflowError:
        return None
    return plain if Fraction(plain) == fraction else None
