"""Tapes made by hand and at random, and the exact meaning of every operation."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from kempe import _core

#: Enough to see the last place of a sine of 1e308, or of a sum of 1e308 and 1e-308.
EXACT_BITS = 2400

#: Cubic pieces, one break at a jump, and pieces of one coefficient.
TABLES = [
    (
        np.array([-1.0, 0.0, 0.5, 2.0]),
        np.array([[1.0, -2.0, 0.5, 3.0], [0.25, 1.0, 0.0, -1.0], [-0.3, 0.1, 2.0, 0.7]]),
    ),
    (np.array([0.0, 1.0]), np.array([[4.0]])),
]

#: A cubic with a corner, a quotient, a quotient that repeats itself, and a constant.
NONE = np.zeros((0, 0))
SPLINES = [
    (
        np.array([-1.0, 0.25, 2.0]),
        np.array([[1.0, -2.0, 0.5, 3.0], [3.0, 1.0, 0.0, -1.0]]),
        NONE,
        False,
    ),
    (
        np.array([-0.5, 0.5, 3.0]),
        np.array([[1.0, 1.0, 0.0], [0.0, -2.0, 1.5]]),
        np.array([[1.0, 0.75, 2.0], [2.0, 0.5, 1.0]]),
        False,
    ),
    (
        np.array([0.0, 1.0, 2.5]),
        np.array([[0.3, 1.0, -1.0], [-1.0, 0.5, 0.3]]),
        np.array([[1.0, 0.6, 1.0], [1.0, 2.0, 1.0]]),
        True,
    ),
    (np.array([0.0, 1.0]), np.array([[4.0]]), NONE, False),
]
PIECEWISE = {"table": TABLES, "spline": SPLINES}

OPERANDS = dict.fromkeys(_core.operation_names(), 1) | dict.fromkeys(
    ("add", "sub", "mul", "div", "atan2", "min", "max", "pow"), 2
)
OPERANDS |= dict.fromkeys(
    ("where_positive", "where_not_negative", "muladd", "mulsub", "nmuladd"), 3
)

Row = list[int]


def opcode(name: str) -> int:
    return _core.operation_names().index(name)


@dataclass
class Program:
    """A tape in the making: each operation writes new registers."""

    n_inputs: int
    constants: list[float] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    stops: list[int] = field(default_factory=list)
    n_registers: int = 0

    def __post_init__(self) -> None:
        self.n_registers = self.n_inputs + len(self.constants)

    def new_register(self) -> int:
        self.n_registers += 1
        return self.n_registers - 1

    def add(self, name: str, a: int, b: int = 0, c: int = 0) -> int:
        d = self.new_register()
        if name == "sincos":
            b = self.new_register()
        self.rows.append([opcode(name), d, a, b, c])
        return d

    def tape(self) -> _core.Tape:
        code = np.array(self.rows, dtype=np.int32).reshape(-1, 5)
        stops = np.array([*self.stops, len(self.rows)], dtype=np.int32)
        constants = np.array(self.constants, dtype=np.float64)
        return _core.Tape(code, constants, self.n_inputs, self.n_registers, stops, TABLES, SPLINES)

    def all_registers(self) -> np.ndarray:
        return np.arange(self.n_registers, dtype=np.int32)


def _table(x: Any, k: int, order: int) -> Any:
    breaks, coefficients = TABLES[k]
    i = int(np.clip(sum(x >= mp.mpf(b) for b in breaks) - 1, 0, len(breaks) - 2))
    u = x - mp.mpf(breaks[i])
    terms = len(coefficients[i])
    return mp.fsum(
        mp.mpf(c) * math.perm(terms - 1 - j, order) * u ** (terms - 1 - j - order)
        for j, c in enumerate(coefficients[i][: max(terms - order, 0)])
    )


def _bernstein(c: Any, s: Any, order: int) -> Any:
    """The derivative in s of a polynomial given by its Bernstein coefficients."""
    n, c = len(c) - 1, [mp.mpf(v) for v in c]
    if order > n:
        return mp.mpf(0)
    for _ in range(order):
        c = [b - a for a, b in itertools.pairwise(c)]
    m = n - order
    terms = (math.comb(m, j) * v * s**j * (1 - s) ** (m - j) for j, v in enumerate(c))
    return math.perm(n, order) * mp.fsum(terms)


def _piece(x: Any, k: int, i: int, order: int) -> Any:
    breaks, numerators, denominators, _ = SPLINES[k]
    h = mp.mpf(breaks[i + 1]) - mp.mpf(breaks[i])
    s = (x - mp.mpf(breaks[i])) / h
    if not denominators.size:
        return _bernstein(numerators[i], s, order) / h**order
    f: list[Any] = []
    for r in range(order + 1):
        total = _bernstein(numerators[i], s, r)
        for j in range(1, r + 1):
            total -= math.comb(r, j) * _bernstein(denominators[i], s, j) * f[r - j]
        f.append(total / _bernstein(denominators[i], s, 0))
    return f[order] / h**order


def _spline(x: Any, k: int, order: int) -> Any:
    breaks, periodic = SPLINES[k][0], SPLINES[k][3]
    first, last = mp.mpf(breaks[0]), mp.mpf(breaks[-1])
    if periodic:
        x -= mp.floor(x / last) * last
    end = min(max(x, first), last)
    i = int(np.clip(sum(end >= mp.mpf(b) for b in breaks) - 1, 0, len(breaks) - 2))
    if end == x:
        return _piece(x, k, i, order)
    if order > 1:
        return mp.mpf(0)
    slope = _piece(end, k, i, 1)
    return slope if order else _piece(end, k, i, 0) + slope * (x - end)


def _power(x: Any, y: Any) -> Any:
    if x == 0:
        return None if y < 0 else mp.mpf(0 if y > 0 else 1)
    if x < 0 and not mp.isint(y):
        return None
    return mp.re(mp.power(x, y))


def _inside(low: float, high: float, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: function(x) if low <= x <= high else None


#: What each operation means for real numbers; None outside its domain.
EXACT: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: None if b == 0 else a / b,
    "neg": lambda a: -a,
    "rec": lambda a: None if a == 0 else 1 / a,
    "sqr": lambda a: a * a,
    "sqrt": _inside(0, mp.inf, mp.sqrt),
    "sincos": mp.sin,
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": _inside(-1, 1, mp.asin),
    "acos": _inside(-1, 1, mp.acos),
    "atan2": lambda y, x: None if x == 0 and y == 0 else mp.atan2(y, x),
    "exp": mp.exp,
    "log": lambda a: mp.log(a) if a > 0 else None,
    "tanh": lambda a: mp.tanh(a) if abs(a) < 1e4 else mp.sign(a) * (1 - mp.mpf(2) ** -EXACT_BITS),
    "abs": abs,
    "min": min,
    "max": max,
    "pow": _power,
    "round": mp.nint,
    "where_positive": lambda a, b, c: b if a > 0 else c,
    "where_not_negative": lambda a, b, c: b if a >= 0 else c,
    "muladd": lambda a, b, c: a * b + c,
    "mulsub": lambda a, b, c: a * b - c,
    "nmuladd": lambda a, b, c: c - a * b,
    "copy": lambda a: a,
}


def _real(x: Any) -> Any:
    return x if isinstance(x, mp.mpf) or not np.isscalar(x) else mp.mpf(float(x))


def exact(name: str, operands: list[Any], b: int = 0, c: int = 0) -> Any:
    """The value of an operation on real numbers, or None outside its domain."""
    with mp.workprec(EXACT_BITS):
        if name in PIECEWISE:
            meaning = _table if name == "table" else _spline
            return meaning(_real(operands[0]), b, c)
        return EXACT[name](*(_real(x) for x in operands))


def random_program(rng: np.random.Generator, n_operations: int = 40) -> Program:
    """Any operations on any registers that have a value, cut into sections at random."""
    program = Program(3, [0.5, -1.25, 3.0, 1e-3])
    names = _core.operation_names()
    for _ in range(n_operations):
        name = str(rng.choice(names))
        a, b, c = (int(r) for r in rng.integers(program.n_registers, size=3))
        if name in PIECEWISE:
            b, c = int(rng.integers(len(PIECEWISE[name]))), int(rng.integers(5))
        program.add(name, a, b, c)
    program.stops = sorted(int(s) for s in rng.integers(n_operations + 1, size=3))
    return program


def single(name: str, b: int = 0, c: int = 0) -> tuple[_core.Tape, int]:
    """A tape of one operation on its inputs, and the register of the result."""
    program = Program(OPERANDS[name])
    columns = (0, b, c) if name in PIECEWISE else (0, 1, 2)
    d = program.add(name, *columns)
    return program.tape(), d


def enclosure(
    name: str, *boxes: tuple[float, float], table: tuple[int, int] = (0, 0)
) -> tuple[float, float]:
    """The result of one operation on one box."""
    tape, d = single(name, *table)
    bounds = np.array([boxes], dtype=np.float64)
    lower, upper = tape.evaluate_intervals(
        bounds[:, :, 0], bounds[:, :, 1], np.array([d], dtype=np.int32)
    )
    return float(lower[0, 0]), float(upper[0, 0])


@dataclass(frozen=True)
class TapeKit:
    """The above, for the tests of this room."""

    program: Callable[..., Program] = Program
    random_program: Callable[..., Program] = random_program
    single: Callable[..., tuple[_core.Tape, int]] = single
    enclosure: Callable[..., tuple[float, float]] = enclosure
    exact: Callable[..., Any] = exact
    operands: Callable[[str], int] = OPERANDS.__getitem__
    n_tables: int = len(TABLES)
    n_splines: int = len(SPLINES)

    def pieces(self, name: str) -> int:
        """How many piecewise functions of that kind there are; 0 for any other operation."""
        return len(PIECEWISE.get(name, ()))


@pytest.fixture(scope="session")
def kit() -> TapeKit:
    return TapeKit()
