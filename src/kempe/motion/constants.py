"""Numbers that belong to a system: exact where they are fractions, enclosed where they are not.

Eliminating an unknown divides lengths by lengths, and no double holds the quotient. The quotient
stays a formula of the model's own numbers, which the interval executor encloses; the fraction that
goes along tells an exact zero from a rounding error.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from kempe.algebra import Expression, Graph, Op
from kempe.algebra.operations import CONSTANT

RATIONAL: dict[int, Callable[..., Fraction]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: lambda a, b: a / b,
    Op.NEG: lambda a: -a,
    Op.REC: lambda a: 1 / a,
    Op.SQR: lambda a: a * a,
    Op.COPY: lambda a: a,
}
ROUNDED: dict[int, Callable[..., float]] = {
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


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A number as a formula of the model's numbers, its value, and the fraction where it is one."""

    expression: Expression
    value: float
    fraction: Fraction | None

    @property
    def is_zero(self) -> bool:
        """Whether it is exactly zero."""
        return self.fraction == 0

    def __add__(self, other: "Constant") -> "Constant":
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other: "Constant") -> "Constant":
        if self.expression.node == other.expression.node:  # the same number, whatever it is
            graph = self.expression.graph
            return Constant(Expression(graph, graph.constant(0.0)), 0.0, Fraction(0))
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other: "Constant") -> "Constant":
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other: "Constant") -> "Constant":
        return self._with(other, lambda a, b: a / b)

    def _with(self, other: "Constant", combine: Callable[[Any, Any], Any]) -> "Constant":
        if self.fraction is not None and other.fraction is not None:
            fraction = combine(self.fraction, other.fraction)
            plain = _double(fraction)
            if plain is not None:
                graph = self.expression.graph
                return Constant(Expression(graph, graph.constant(plain)), plain, fraction)
        else:
            fraction = None
        expression = combine(self.expression, other.expression)
        return Constant(expression, combine(self.value, other.value), fraction)


@final
class Constants:
    """Reads formulas without unknowns as numbers."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._known: dict[int, tuple[float, Fraction | None]] = {}

    def __call__(self, expression: Expression) -> Constant:
        """The number that a formula without unknowns stands for."""
        value, fraction = self._read(expression.node)
        plain = None if fraction is None else _double(fraction)
        if plain is not None:
            expression = Expression(self.graph, self.graph.constant(plain))
        return Constant(expression, value, fraction)

    def of(self, value: float) -> Constant:
        """A plain number."""
        return self(Expression(self.graph, self.graph.constant(value)))

    def _read(self, node: int) -> tuple[float, Fraction | None]:
        if node not in self._known:
            self._known[node] = self._evaluated(node)
        return self._known[node]

    def _evaluated(self, node: int) -> tuple[float, Fraction | None]:
        graph, op = self.graph, self.graph.ops[node]
        if op == CONSTANT:
            value = graph.constants[node]
            return value, Fraction(value) if math.isfinite(value) else None
        read = [self._read(a) for a in graph.args[node]]
        fractions = [f for _, f in read if f is not None]
        if op in RATIONAL:
            if len(fractions) == len(read):
                fraction = RATIONAL[op](*fractions)
                return float(fraction), fraction
            return float(RATIONAL[op](*(v for v, _ in read))), None
        return ROUNDED[op](*(v for v, _ in read)), None


def _double(fraction: Fraction) -> float | None:
    """The double that a fraction is, if it is one."""
    try:
        plain = float(fraction)
    except OverflowError:
        return None
    return plain if Fraction(plain) == fraction else None
