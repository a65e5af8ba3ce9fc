"""Traced values: what a formula sees instead of numbers.

An `Expression` behaves like a number in arithmetic, in NumPy's functions and in
`kempe.algebra.functions`. It refuses, with advice, whatever would need its value now: a Python
`if`, `float(x)`, `math.sin(x)`.
"""

import math
from collections.abc import Callable
from typing import Any, NoReturn, Union, final

import numpy as np

from kempe.algebra.graph import Graph
from kempe.algebra.operations import Op
from kempe.errors import TracingError

Number = Union["Expression", float, int]

MIXED = (
    "values traced for two different formulas were mixed: a formula may only use its arguments, its"
    " own fields and plain numbers."
)


@final
class Adjustable(float):
    """A number that changes while a program runs: it stays an input, also where it is 0.

    Any other number of a model folds into its formulas where it is 0, and a program made for that
    serves no other value.
    """

    __slots__ = ()


@final
class Condition:
    """A traced comparison; use it in `where`. `&`, `|` and `~` combine conditions."""

    __slots__ = ("choose", "graph")

    def __init__(
        self, graph: Graph, choose: "Callable[[Expression, Expression], Expression]"
    ) -> None:
        self.graph = graph
        self.choose = choose  # (value if true, value if false) -> value

    def __and__(self, other: "Condition") -> "Condition":
        self._refuse_strangers(other)
        return Condition(self.graph, lambda yes, no: self.choose(other.choose(yes, no), no))

    def __or__(self, other: "Condition") -> "Condition":
        self._refuse_strangers(other)
        return Condition(self.graph, lambda yes, no: self.choose(yes, other.choose(yes, no)))

    def __invert__(self) -> "Condition":
        return Condition(self.graph, lambda yes, no: self.choose(no, yes))

    def _refuse_strangers(self, other: object) -> None:
        if not isinstance(other, Condition):
            raise TracingError(
                f"a traced comparison was combined with {type(other).__name__} {other!r}: combine"
                " comparisons of traced values, as in (x > 0) & (x < 1)."
            )
        if other.graph is not self.graph:
            raise TracingError(MIXED)

    def __bool__(self) -> NoReturn:
        raise TracingError(
            "a Python `if`, `and`, `or` or `not` needs the value of a traced comparison, which has"
            " none yet: write kempe.where(condition, value_if_true, value_if_false), and combine"
            " conditions with &, | and ~."
        )


def _binary(
    fold: Callable[[Graph, int, int], int], *, swap: bool = False
) -> "Callable[[Expression, Number], Expression]":
    """An operator of a traced value and another, or of another and a traced value."""

    def operate(self: "Expression", other: Any) -> Any:
        if not isinstance(other, SCALARS):
            return NotImplemented
        a, b = self.node, self._lift(other)
        return Expression(self.graph, fold(self.graph, b, a) if swap else fold(self.graph, a, b))

    return operate


def _unary(op: Op, words: str) -> "Callable[[Expression], Expression]":
    """A function of a traced value, described by these words."""

    def value(self: "Expression") -> "Expression":
        return Expression(self.graph, self.graph.function(op, self.node))

    value.__doc__ = words
    return value


@final
class Expression:
    """A value in a formula that is being traced: a node of an expression graph."""

    __slots__ = ("graph", "node")
    __array_priority__ = 1000

    def __init__(self, graph: Graph, node: int) -> None:
        self.graph = graph
        self.node = node

    # -- facts -------------------------------------------------------------------------------

    @property
    def constant(self) -> float | None:
        """The value, where the expression folded to a constant; None otherwise."""
        return self.graph.constants.get(self.node)

    @property
    def is_zero(self) -> bool:
        """Whether the expression folded to zero."""
        return self.graph.constants.get(self.node) == 0.0

    def __repr__(self) -> str:
        constant = self.constant
        return f"Expression({constant if constant is not None else f'%{self.node}'})"

    # -- arithmetic --------------------------------------------------------------------------

    def _lift(self, value: Any) -> int:
        return lifted(self.graph, value).node

    __add__ = _binary(Graph.add)
    __radd__ = _binary(Graph.add, swap=True)
    __sub__ = _binary(Graph.sub)
    __rsub__ = _binary(Graph.sub, swap=True)
    __mul__ = _binary(Graph.mul)
    __rmul__ = _binary(Graph.mul, swap=True)
    __truediv__ = _binary(Graph.div)
    __rtruediv__ = _binary(Graph.div, swap=True)

    def __neg__(self) -> "Expression":
        return Expression(self.graph, self.graph.neg(self.node))

    def __pos__(self) -> "Expression":
        return self

    def __abs__(self) -> "Expression":
        return self.unary(Op.ABS)

    def __pow__(self, exponent: Number) -> "Expression":
        if not isinstance(exponent, SCALARS):
            return NotImplemented
        if isinstance(exponent, Expression):
            return Expression(self.graph, self.graph.node(Op.POW, self.node, self._lift(exponent)))
        if not math.isfinite(exponent):
            raise TracingError(f"a traced value was raised to the exponent {exponent}.")
        if float(exponent) == int(exponent) and abs(exponent) <= 1024:
            return self._integer_power(int(exponent))
        if exponent == 0.5:
            return self.sqrt()
        power = self.graph.constant(float(exponent))
        return Expression(self.graph, self.graph.node(Op.POW, self.node, power))

    def __rpow__(self, base: Number) -> "Expression":
        if not isinstance(base, SCALARS):
            return NotImplemented
        return Expression(self.graph, self.graph.node(Op.POW, self._lift(base), self.node))

    def _integer_power(self, n: int) -> "Expression":
        if n < 0:
            return 1.0 / self._integer_power(-n)
        result, square = Expression(self.graph, self.graph.constant(1.0)), self
        while n:
            if n & 1:
                result = result * square
            n >>= 1
            if n:
                square = square * square
        return result

    # -- functions: also what NumPy calls on object arrays -----------------------------------

    def unary(self, op: Op) -> "Expression":
        """op(self), folded where exact."""
        return Expression(self.graph, self.graph.function(op, self.node))

    def renamed(self) -> "Expression":
        """The value as a node of its own that folding does not look behind.

        What is seeded in a derivative must be renamed first: -(a - b) folds to b - a, and would
        no longer be known as the seeded node. Renaming costs nothing on the tape.
        """
        return Expression(self.graph, self.graph.node(Op.COPY, self.node))

    def sqrt(self) -> "Expression":
        """Square root."""
        return Expression(self.graph, self.graph.sqrt(self.node))

    sin = _unary(Op.SIN, "Sine.")
    cos = _unary(Op.COS, "Cosine.")
    tan = _unary(Op.TAN, "Tangent.")
    arcsin = _unary(Op.ASIN, "Arc sine.")
    arccos = _unary(Op.ACOS, "Arc cosine.")
    exp = _unary(Op.EXP, "Exponential.")
    log = _unary(Op.LOG, "Natural logarithm.")
    tanh = _unary(Op.TANH, "Hyperbolic tangent.")
    rint = _unary(Op.ROUND, "The nearest integer, halves to even.")

    def arctan(self) -> "Expression":
        """Arc tangent."""
        return self.arctan2(1.0)

    def arctan2(self, other: Number) -> "Expression":
        """atan2(self, other)."""
        return Expression(self.graph, self.graph.node(Op.ATAN2, self.node, self._lift(other)))

    def minimum(self, other: Number) -> "Expression":
        """The smaller of two."""
        return Expression(self.graph, self.graph.extremum(Op.MIN, self.node, self._lift(other)))

    def maximum(self, other: Number) -> "Expression":
        """The larger of two."""
        return Expression(self.graph, self.graph.extremum(Op.MAX, self.node, self._lift(other)))

    # -- comparisons -------------------------------------------------------------------------

    def _condition(self, op: Op, difference: int) -> Condition:
        graph = self.graph

        def choose(yes: Expression, no: Expression) -> Expression:
            return Expression(graph, graph.where(op, difference, yes.node, no.node))

        return Condition(graph, choose)

    def __gt__(self, other: Number) -> Condition:
        return self._condition(Op.WHERE_POSITIVE, self.graph.sub(self.node, self._lift(other)))

    def __ge__(self, other: Number) -> Condition:
        return self._condition(Op.WHERE_NOT_NEGATIVE, self.graph.sub(self.node, self._lift(other)))

    def __lt__(self, other: Number) -> Condition:
        return self._condition(Op.WHERE_POSITIVE, self.graph.sub(self._lift(other), self.node))

    def __le__(self, other: Number) -> Condition:
        return self._condition(Op.WHERE_NOT_NEGATIVE, self.graph.sub(self._lift(other), self.node))

    def __eq__(self, other: object) -> NoReturn:
        raise TracingError(
            "`==` and `!=` need the value of a traced expression, which has none yet: a formula is"
            " traced once for all values. Compare with <, <=, >, >= inside kempe.where(...)."
        )

    __ne__ = __eq__

    def __hash__(self) -> int:
        return hash((id(self.graph), self.node))

    def __bool__(self) -> NoReturn:
        raise TracingError(
            "a Python `if` (or `and`, `or`, `not`, `while`) needs the value of a traced expression,"
            " which has none yet: write kempe.where(condition, value_if_true, value_if_false)."
        )

    def __float__(self) -> NoReturn:
        raise TracingError(
            "float(...) or a function of the `math` module needs the value of a traced expression,"
            " which has none yet: use NumPy's or kempe's functions (np.sin(x), kempe.sin(x))."
        )

    __int__ = __float__
    __index__ = __float__
    __complex__ = __float__

    # -- NumPy -------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        operation = UFUNCS.get(ufunc.__name__)
        if operation is None or method != "__call__" or options:
            raise TracingError(
                f"numpy.{ufunc.__name__} is not available on traced values. There are:"
                f" {', '.join(sorted(UFUNCS))}; see kempe.algebra.functions."
            )
        if not any(isinstance(x, np.ndarray) for x in inputs):
            return operation(*(self._as_expression(x) for x in inputs))
        whole = np.frompyfunc(
            lambda *xs: operation(*(self._as_expression(x) for x in xs)), len(inputs), 1
        )
        arrays = [x if isinstance(x, np.ndarray) else _boxed(x) for x in inputs]
        return whole(*arrays)

    def _as_expression(self, value: Any) -> "Expression":
        return value if isinstance(value, Expression) else lifted(self.graph, value)


def lifted(graph: Graph, value: Any) -> Expression:
    """A number or a traced value as a value of that graph."""
    if isinstance(value, Expression):
        if value.graph is not graph:
            raise TracingError(MIXED)
        return value
    if isinstance(value, SCALARS):
        return Expression(graph, graph.constant(float(value)))
    raise TracingError(
        f"a traced value was combined with {type(value).__name__} {value!r}: a formula can use"
        " numbers, traced values and vectors of them."
    )


SCALARS = (Expression, float, int, np.floating, np.integer)


def _boxed(value: object) -> np.ndarray[tuple[()], np.dtype[np.object_]]:
    box = np.empty((), dtype=object)
    box[()] = value
    return box


UFUNCS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "negative": lambda a: -a,
    "positive": lambda a: a,
    "power": lambda a, b: a ** (b if b.constant is None else b.constant),
    "float_power": lambda a, b: a ** (b if b.constant is None else b.constant),
    "square": lambda a: a * a,
    "reciprocal": lambda a: 1.0 / a,
    "sqrt": Expression.sqrt,
    "sin": Expression.sin,
    "cos": Expression.cos,
    "tan": Expression.tan,
    "arcsin": Expression.arcsin,
    "arccos": Expression.arccos,
    "arctan": Expression.arctan,
    "arctan2": Expression.arctan2,
    "exp": Expression.exp,
    "log": Expression.log,
    "tanh": Expression.tanh,
    "absolute": abs,
    "fabs": abs,
    "rint": Expression.rint,
    "minimum": Expression.minimum,
    "maximum": Expression.maximum,
    "greater": lambda a, b: a > b,
    "greater_equal": lambda a, b: a >= b,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
}
