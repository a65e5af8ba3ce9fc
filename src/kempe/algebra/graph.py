"""The expression graph: every formula once, folded where folding is exact.

Nodes are numbered in the order they are made, so a node's operands always have smaller numbers:
the numbering is a topological order. Equal nodes are one node (hash-consing). Constants fold only
where the folded value is exactly the real one, so the interval executor encloses what the formula
says and not what double precision made of it.
"""

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.operations import CONSTANT, INPUT, Op
from kempe.algebra.spline import Spline

COMMUTATIVE = frozenset({Op.ADD, Op.MUL, Op.MIN, Op.MAX})
# The same for doubles and for fractions, which tell whether the double is exact.
ARITHMETIC: dict[Op, Callable[[Any, Any], Any]] = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.DIV: operator.truediv,
}
# f(x) = y where both are exact: all that may fold of a transcendental function.
EXACT_VALUES: dict[Op, dict[float, float]] = {
    Op.SIN: {0.0: 0.0},
    Op.COS: {0.0: 1.0},
    Op.TAN: {0.0: 0.0},
    Op.ASIN: {0.0: 0.0},
    Op.ACOS: {1.0: 0.0},
    Op.EXP: {0.0: 1.0},
    Op.LOG: {1.0: 0.0},
    Op.TANH: {0.0: 0.0},
}


@final
class Graph:
    """An append-only expression graph; nodes are plain integers."""

    __slots__ = (
        "_memo", "args", "constants", "inputs", "ops", "splines", "still", "tables", "untold",
    )  # fmt: skip

    def __init__(self) -> None:
        self.ops: list[int] = []
        self.args: list[tuple[int, ...]] = []
        self.constants: dict[int, float] = {}  # node -> value
        self.inputs: dict[str, int] = {}  # name -> node
        self.tables: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
        self.splines: list[Spline] = []
        self.untold: set[int] = set()  # choices of first guesses: no value jumps by them
        self.still: set[int] = set()  # values whose derivatives count as 0
        self._memo: dict[tuple[int | str, tuple[int, ...]] | float | str, int] = {}

    def __len__(self) -> int:
        return len(self.ops)

    def input(self, name: str) -> int:
        """The input of that name; asked twice, the same node."""
        node = self.inputs.get(name)
        if node is None:
            node = self._append(INPUT, ())
            self.inputs[name] = node
        return node

    def constant(self, value: float) -> int:
        """The constant of that value (-0.0 is 0.0)."""
        value = float(value) + 0.0
        node = self._memo.get(value)
        if node is None:
            node = self._append(CONSTANT, ())
            self._memo[value] = node
            self.constants[node] = value
        return node

    def node(self, op: Op, *args: int) -> int:
        """The node op(args) without any folding."""
        key = (int(op), args)
        node = self._memo.get(key)
        if node is None:
            node = self._append(int(op), args)
            self._memo[key] = node
        return node

    def held(self, a: int) -> int:
        """The value of `a` as one that does not change in derivatives; it costs nothing."""
        if a in self.constants:
            return a
        node = self._memo.get(("held", (a,)))
        if node is None:
            node = self._append(int(Op.COPY), (a,))
            self._memo["held", (a,)] = node
            self.still.add(node)
        return node

    def _append(self, op: int, args: tuple[int, ...]) -> int:
        self.ops.append(op)
        self.args.append(args)
        return len(self.ops) - 1

    # -- operations with folding -------------------------------------------------------------

    def add(self, a: int, b: int) -> int:
        """a + b."""
        ca, cb = self.constants.get(a), self.constants.get(b)
        if ca == 0.0:
            return b
        if cb == 0.0:
            return a
        if ca is not None and cb is not None:
            return self._folded(Op.ADD, a, b, ca, cb)
        if self.ops[b] == Op.NEG:
            return self.sub(a, self.args[b][0])
        if self.ops[a] == Op.NEG:
            return self.sub(b, self.args[a][0])
        return self.node(Op.ADD, a, b) if a < b else self.node(Op.ADD, b, a)

    def sub(self, a: int, b: int) -> int:
        """a - b."""
        if a == b:
            return self.constant(0.0)
        ca, cb = self.constants.get(a), self.constants.get(b)
        if cb == 0.0:
            return a
        if ca == 0.0:
            return self.neg(b)
        if ca is not None and cb is not None:
            return self._folded(Op.SUB, a, b, ca, cb)
        if self.ops[b] == Op.NEG:
            return self.add(a, self.args[b][0])
        return self.node(Op.SUB, a, b)

    def neg(self, a: int) -> int:
        """-a."""
        constant = self.constants.get(a)
        if constant is not None:
            return self.constant(-constant)
        op = self.ops[a]
        if op == Op.NEG:
            return self.args[a][0]
        if op == Op.SUB:
            return self.node(Op.SUB, self.args[a][1], self.args[a][0])
        return self.node(Op.NEG, a)

    def mul(self, a: int, b: int) -> int:
        """a b."""
        ca, cb = self.constants.get(a), self.constants.get(b)
        for x, cx, y in ((a, ca, b), (b, cb, a)):
            if cx == 0.0:
                return self.constant(0.0)
            if cx == 1.0:
                return y
            if cx == -1.0:
                return self.neg(y)
            if self.ops[x] == Op.NEG:
                return self.neg(self.mul(self.args[x][0], y))
        if ca is not None and cb is not None:
            return self._folded(Op.MUL, a, b, ca, cb)
        if a == b:
            return self.node(Op.SQR, a)
        return self.node(Op.MUL, a, b) if a < b else self.node(Op.MUL, b, a)

    def div(self, a: int, b: int) -> int:
        """a / b."""
        ca, cb = self.constants.get(a), self.constants.get(b)
        if cb == 1.0:
            return a
        if cb == -1.0:
            return self.neg(a)
        if cb != 0.0:
            if ca == 0.0:
                return a
            if ca == 1.0:
                return self.rec(b)
            if ca is not None and cb is not None:
                return self._folded(Op.DIV, a, b, ca, cb)
        if self.ops[a] == Op.NEG:
            return self.neg(self.div(self.args[a][0], b))
        if self.ops[b] == Op.NEG:
            return self.neg(self.div(a, self.args[b][0]))
        return self.node(Op.DIV, a, b)

    def rec(self, a: int) -> int:
        """1 / a."""
        constant = self.constants.get(a)
        if constant and _is_exact(Op.DIV, 1.0, constant):
            return self.constant(1 / constant)
        if self.ops[a] == Op.NEG:
            return self.neg(self.rec(self.args[a][0]))
        return self.node(Op.REC, a)

    def sqrt(self, a: int) -> int:
        """Square root of a."""
        constant = self.constants.get(a)
        if constant is not None and 0.0 <= constant < math.inf:
            root = math.sqrt(constant)
            if Fraction(root) ** 2 == Fraction(constant):
                return self.constant(root)
        return self.node(Op.SQRT, a)

    def function(self, op: Op, a: int) -> int:
        """A function of one argument, with its symmetries and exact values."""
        constant = self.constants.get(a)
        if constant is not None:
            exact = EXACT_VALUES.get(op, {}).get(constant)
            if exact is not None:
                return self.constant(exact)
            if op == Op.ABS:
                return self.constant(abs(constant))
            if op == Op.ROUND and math.isfinite(constant):
                return self.constant(float(round(constant)))
        if self.ops[a] == Op.NEG:
            if op in (Op.SIN, Op.TAN, Op.ASIN, Op.TANH):
                return self.neg(self.function(op, self.args[a][0]))
            if op in (Op.COS, Op.ABS):
                return self.function(op, self.args[a][0])
        return self.node(op, a)

    def where(self, op: Op, condition: int, yes: int, no: int) -> int:
        """`yes` where the condition's value is positive (or not negative), else `no`."""
        if yes == no:
            return yes
        constant = self.constants.get(condition)
        if constant is not None:
            taken = constant > 0.0 if op == Op.WHERE_POSITIVE else constant >= 0.0
            return yes if taken else no
        return self.node(op, condition, yes, no)

    def extremum(self, op: Op, a: int, b: int) -> int:
        """min(a, b) or max(a, b)."""
        if a == b:
            return a
        ca, cb = self.constants.get(a), self.constants.get(b)
        if ca is not None and cb is not None:
            return self.constant(min(ca, cb) if op == Op.MIN else max(ca, cb))
        return self.node(op, min(a, b), max(a, b))

    def _folded(self, op: Op, a: int, b: int, ca: float, cb: float) -> int:
        if _is_exact(op, ca, cb):
            return self.constant(ARITHMETIC[op](ca, cb))
        if op in COMMUTATIVE and a > b:
            a, b = b, a
        return self.node(op, a, b)


def _is_exact(op: Op, a: float, b: float) -> bool:
    """Whether op(a, b) of two doubles is a double; b is not 0 where it divides."""
    value = ARITHMETIC[op](a, b)
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(value)):
        return False
    exact: Fraction = ARITHMETIC[op](Fraction(a), Fraction(b))
    return Fraction(value) == exact
