"""Functions as data: what a formula computes, without the code that said so."""

import operator
import pickle
from collections.abc import Callable
from typing import Any, final

import numpy as np

from kempe.algebra.derivative import operands, reachable
from kempe.algebra.expression import Expression
from kempe.algebra.functions import Interpolation, spline_value, where
from kempe.algebra.graph import Graph
from kempe.algebra.operations import CONSTANT, INPUT, Op
from kempe.errors import KempeError

Function = Callable[[Any], Any]

# Every operation that a graph is made of, on numbers, arrays and traced values alike.
PLAYED: dict[int, Callable[..., Any]] = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.DIV: operator.truediv,
    Op.NEG: operator.neg,
    Op.REC: lambda x: 1.0 / x,
    Op.SQR: lambda x: x * x,
    Op.SQRT: np.sqrt,
    Op.SIN: np.sin,
    Op.COS: np.cos,
    Op.TAN: np.tan,
    Op.ASIN: np.arcsin,
    Op.ACOS: np.arccos,
    Op.ATAN2: np.arctan2,
    Op.EXP: np.exp,
    Op.LOG: np.log,
    Op.TANH: np.tanh,
    Op.ABS: np.abs,
    Op.MIN: np.minimum,
    Op.MAX: np.maximum,
    Op.POW: operator.pow,
    Op.ROUND: np.round,
    Op.WHERE_POSITIVE: lambda a, yes, no: where(a > 0.0, yes, no),
    Op.WHERE_NOT_NEGATIVE: lambda a, yes, no: where(a >= 0.0, yes, no),
    Op.COPY: lambda x: x,
}


@final
class Recorded:
    """A function of one variable as the operations it is made of; it pickles where code does not.

    Called with a number, an array or a traced value it computes what the function did.

    Examples:
        >>> from kempe.algebra.recorded import Recorded
        >>> Recorded.of(lambda x: 2.0 * x + 1.0)(3.0)
        7.0
    """

    __slots__ = ("_steps",)

    def __init__(self, steps: tuple[tuple[Any, ...], ...]) -> None:
        # (operation, what it takes: a number of a step before, or what it evaluates)
        self._steps = steps

    @classmethod
    def of(cls, function: Function) -> "Recorded":
        """The operations of a function that can be traced; a TracingError where it cannot."""
        graph = Graph()
        x = graph.input("x")
        found = function(Expression(graph, x))
        if not isinstance(found, Expression):  # it does not depend on x
            return cls(((INPUT,), (CONSTANT, float(found))))
        place = {x: 0}
        steps: list[tuple[Any, ...]] = [(INPUT,)]
        for node in [*reachable(graph, [found.node], {}), found.node]:
            if node not in place:
                steps.append(_step(graph, node, place))
                place[node] = len(steps) - 1
        if place[found.node] != len(steps) - 1:
            steps.append((int(Op.COPY), place[found.node]))
        return cls(tuple(steps))

    def __call__(self, x: Any) -> Any:
        values: list[Any] = []
        for op, *args in self._steps:
            if op == INPUT:
                values.append(x)
            elif op == CONSTANT:
                values.append(args[0])
            elif op == Op.TABLE:
                values.append(args[1](values[args[0]]))
            elif op == Op.SPLINE:
                values.append(spline_value(args[1], values[args[0]], args[2]))
            else:
                values.append(PLAYED[op](*(values[k] for k in args)))
        return values[-1]

    def __reduce__(self) -> tuple[object, ...]:
        return Recorded, (self._steps,)


def _step(graph: Graph, node: int, place: dict[int, int]) -> tuple[Any, ...]:
    op, args = graph.ops[node], graph.args[node]
    if op == CONSTANT:
        return CONSTANT, graph.constants[node]
    taken = [place[k] for k in operands(op, args)]
    if op == Op.TABLE:
        return op, *taken, Interpolation(*graph.tables[args[1]])
    if op == Op.SPLINE:
        return op, *taken, graph.splines[args[1]], args[2]
    return op, *taken


def portable(function: Function) -> Function:
    """The function itself where another process can import it, else what it computes."""
    try:
        pickle.dumps(function)
    except Exception:  # whatever a user's function holds on to may refuse in its own way
        try:
            return Recorded.of(function)
        except KempeError:
            return function  # pickle says what is wrong with it
    return function
