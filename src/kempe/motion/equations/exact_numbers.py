"""Numbers that belong to a system: exact where that can be told, enclosed always.

Eliminating an unknown divides lengths by lengths, and no double holds the quotient. The quotient
stays a formula of the model's own numbers (a `Constant`), which the interval executor encloses. An
exact value goes along where there is one, a fraction or a sum of roots and turns:

    x = P / Q,   P and Q sums of  (a + j b) sqrt(n) e^(j t),   a, b, t fractions, n a whole number

with cos t = (e^(jt) + e^(-jt)) / 2 and sin t = (e^(jt) - e^(-jt)) / (2 j). Products of roots and of
turns are gathered, so cos^2 + sin^2 is 1 and sqrt(3) sqrt(3) is 3. Where all terms of P cancel the
number *is* zero; where some are left only an enclosure tells: a number is *sure* where that has no
zero in it and the number is far larger than what rounded lengths may make of a zero.

30 degrees is no double in radians. Where an angle is a multiple of 15 degrees to the last digits,
the multiple is what is meant: then a bar held at 30 degrees and one held at 120 degrees are square,
exactly. Any other angle is the double that was given.

Own.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from kempe.algebra import Expression, Graph, Op, record_formula, substituted
from kempe.algebra.derivative import reachable
from kempe.algebra.native import native_tape
from kempe.algebra.operations import CONSTANT

Weight = tuple[Fraction, Fraction]  # real and imaginary part
Terms = Mapping[tuple[Fraction, int], Weight]  # by turn (rad) and radicand

MOST_TERMS = 96  # longer sums are given up: their number is then known by its enclosure alone
MOST_BITS = 20_000  # of a numerator or denominator, likewise
SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
NO_TURN = Fraction(0)
ONE: Terms = {(NO_TURN, 1): (Fraction(1), Fraction(0))}


@final
@dataclass(frozen=True, slots=True)
class ExactNumber:
    """above / below, sums of roots and turns with fractions as weights; `below` is not zero."""

    above: Terms
    below: Terms


Exact = Fraction | ExactNumber


def added(a: Exact, b: Exact) -> Exact:
    """a + b."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a + b
    p, q = _number(a), _number(b)
    if p.below == q.below:
        return _made(_sum(p.above, q.above), p.below)
    above = _sum(_product(p.above, q.below), _product(q.above, p.below))
    return _made(above, _product(p.below, q.below))


def negated(a: Exact) -> Exact:
    """-a."""
    if isinstance(a, Fraction):
        return -a
    return ExactNumber({k: (-x, -y) for k, (x, y) in a.above.items()}, a.below)


def multiplied(a: Exact, b: Exact) -> Exact:
    """a b."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    p, q = _number(a), _number(b)
    return _made(_product(p.above, q.above), _product(p.below, q.below))


def divided(a: Exact, b: Exact) -> Exact:
    """a / b for a b that is not zero; ZeroDivisionError where all terms of b cancel."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a / b
    p, q = _number(a), _number(b)
    if not q.above:
        raise ZeroDivisionError
    return _made(_product(p.above, q.below), _product(p.below, q.above))


def rooted(a: Exact) -> Exact | None:
    """sqrt(a) of a fraction that is not negative; None of any other number."""
    if not isinstance(a, Fraction) or a < 0:
        return None
    whole, outside = a.numerator * a.denominator, Fraction(1, a.denominator)
    root = math.isqrt(whole)
    if root * root == whole:
        return root * outside
    for prime in SMALL_PRIMES:
        while whole % (prime * prime) == 0:
            whole, outside = whole // (prime * prime), outside * prime
    return ExactNumber({(NO_TURN, whole): (outside, Fraction(0))}, ONE)


def cosine(turn: Fraction) -> Exact:
    """cos of a fraction of a radian."""
    half = (Fraction(1, 2), Fraction(0))
    return ExactNumber({(turn, 1): half, (-turn, 1): half}, ONE) if turn else Fraction(1)


def sine(turn: Fraction) -> Exact:
    """sin of a fraction of a radian."""
    half = Fraction(1, 2)
    terms = {(turn, 1): (Fraction(0), -half), (-turn, 1): (Fraction(0), half)}
    return ExactNumber(terms, ONE) if turn else Fraction(0)


def is_manageable(a: Exact) -> bool:
    """Whether a number is short enough to be worth going on with."""
    if isinstance(a, Fraction):
        return _bits(a) <= MOST_BITS
    parts = [x for terms in (a.above, a.below) for weight in terms.values() for x in weight]
    return max(len(a.above), len(a.below)) <= MOST_TERMS and max(map(_bits, parts)) <= MOST_BITS


def _bits(a: Fraction) -> int:
    return a.numerator.bit_length() + a.denominator.bit_length()


def _number(a: Exact) -> ExactNumber:
    if isinstance(a, ExactNumber):
        return a
    return ExactNumber({(NO_TURN, 1): (a, Fraction(0))} if a else {}, ONE)


def _sum(a: Terms, b: Terms) -> Terms:
    total = dict(a)
    for key, (x, y) in b.items():
        u, v = total.get(key, (Fraction(0), Fraction(0)))
        total[key] = (u + x, v + y)
    return {key: weight for key, weight in total.items() if any(weight)}


def _product(a: Terms, b: Terms) -> Terms:
    total: dict[tuple[Fraction, int], Weight] = {}
    for (s, m), (u, v) in a.items():
        for (t, n), (x, y) in b.items():
            common = math.gcd(m, n)  # sqrt(m) sqrt(n) = common sqrt(m / common n / common)
            key = (s + t, (m // common) * (n // common))
            p, q = total.get(key, (Fraction(0), Fraction(0)))
            total[key] = (p + common * (u * x - v * y), q + common * (u * y + v * x))
    return {key: weight for key, weight in total.items() if any(weight)}


def _made(above: Terms, below: Terms) -> Exact:
    """above / below, without a denominator of one term, and a fraction where it is one."""
    if not above:
        return Fraction(0)
    if len(below) == 1 and below != ONE:
        (((turn, n), (x, y)),) = below.items()
        size = (x * x + y * y) * n  # of (x + jy) sqrt(n); its inverse is its conjugate over this
        above, below = _product(above, {(-turn, n): (x / size, -y / size)}), ONE
    elif below != ONE:
        ratio = _ratio(above, below)
        if ratio is not None:
            return ratio
    if below == ONE and len(above) == 1:
        ((key, (x, y)),) = above.items()
        if key == (NO_TURN, 1) and not y:
            return x
    return ExactNumber(above, below)


def _ratio(above: Terms, below: Terms) -> Fraction | None:
    """The fraction that above is of below, where it is one."""
    if above.keys() != below.keys():
        return None
    key = next(iter(below))
    (u, v), (x, y) = above[key], below[key]
    ratio = u / x if x else v / y
    same = all((ratio * x, ratio * y) == above[k] for k, (x, y) in below.items())
    return ratio if same else None


# pi to 60 digits: a multiple of it is known far beyond the digits of a double.
PI = Fraction(3141592653589793238462643383279502884197169399375105820974944, 10**60)
STEP = PI / 12
LAST_DIGITS = Fraction(1, 2**51)  # relative: a conversion from degrees rounds twice
LAST_OF_UNIT = 2.0**-50  # of cosines and sines: both they and the turn here are rounded
MOST_STEPS = 24 * 1000  # a thousand turns


def fifteens(angle: float) -> int | None:
    """How many times 15 degrees an angle (rad) is; None where it is no multiple."""
    if not math.isfinite(angle) or abs(angle) > MOST_STEPS * 0.27:
        return None
    exactly = Fraction(angle)
    steps = round(exactly / STEP)
    return steps if abs(exactly - steps * STEP) <= LAST_DIGITS * abs(exactly) else None


def cosine_of_fifteens(steps: int, graph: Graph) -> Expression:
    """cos(15 degrees times steps) as a formula of roots."""

    def number(value: float) -> Expression:
        return Expression(graph, graph.constant(value))

    turn = steps % 24
    turn = min(turn, 24 - turn)  # cosine is even
    if turn > 6:
        return -cosine_of_fifteens(12 - turn, graph)
    if turn in (1, 5):
        root, two = number(6.0).sqrt(), number(2.0).sqrt()
        return (root + two if turn == 1 else root - two) / number(4.0)
    radicand = {0: 4.0, 2: 3.0, 3: 2.0, 4: 1.0, 6: 0.0}[turn]
    return number(radicand).sqrt() / number(2.0)


def with_exact_angles(values: Sequence[Expression]) -> list[Expression]:
    """Formulas with the cosines and sines of multiples of 15 degrees put in."""
    if not values:
        return []
    known = _known(values[0].graph, [v.node for v in values])
    return substituted(list(values), known) if known else list(values)


def exact_direction(axis: Sequence[Expression]) -> list[Expression]:
    """A direction (x, y, z) of plain numbers; in roots at a multiple of 15 degrees in the plane."""
    x, y, z = (e.constant for e in axis)
    if x is None or y is None or z != 0.0:
        return list(axis)
    graph = axis[0].graph
    steps = round(math.atan2(y, x) / float(STEP))
    turn = math.pi * steps / 12.0
    if max(abs(x - math.cos(turn)), abs(y - math.sin(turn))) > LAST_OF_UNIT:
        return list(axis)
    return [cosine_of_fifteens(steps, graph), cosine_of_fifteens(steps - 6, graph), axis[2]]


def _known(graph: Graph, roots: Sequence[int]) -> dict[int, Expression]:
    """The cosines and sines of multiples of 15 degrees that formulas are made of, by node."""
    found: dict[int, Expression] = {}
    for node in reachable(graph, roots):
        if graph.ops[node] not in (Op.COS, Op.SIN):
            continue
        (of,) = graph.args[node]
        steps = fifteens(graph.constants[of]) if graph.ops[of] == CONSTANT else None
        if steps is not None:
            shift = 0 if graph.ops[node] == Op.COS else 6  # sin a = cos(a - 90 degrees)
            found[node] = cosine_of_fifteens(steps - shift, graph)
    return found


# A number below this share of what it is the difference of, or of the machine's size, may be a
# zero that was rounded when the model was written: 0.1 + 0.2 - 0.3.
LEAST = 2.0**-44

EXACT: dict[int, Callable[..., Exact | None]] = {
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
class KnownValue:
    """What a formula without unknowns is worth: in doubles, exactly, and what it is made of."""

    value: float
    exact: Exact | None
    noise: float  # size of the terms whose sum or difference it is


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A number as a formula of the model's numbers, with what is known of its value."""

    expression: Expression
    value: float
    exact: Exact | None
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
        self._known: dict[int, KnownValue] = {}
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

    def _read(self, node: int) -> KnownValue:
        if node not in self._known:
            self._known[node] = self._evaluated(node)
        return self._known[node]

    def _evaluated(self, node: int) -> KnownValue:
        graph, op = self.graph, self.graph.ops[node]
        if op == CONSTANT:
            value = graph.constants[node]
            return KnownValue(value, Fraction(value) if math.isfinite(value) else None, abs(value))
        return _combined(op, [self._read(a) for a in graph.args[node]])


def _combined(op: int, parts: list[KnownValue]) -> KnownValue:
    """What an operation makes of numbers; of what it is not defined for, not a number."""
    exact: Exact | None = None
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
        return KnownValue(math.nan, None, math.inf)
    return KnownValue(value, exact, max(noise, abs(value)))


def _reading(constant: Constant) -> KnownValue:
    return KnownValue(constant.value, constant.exact, constant.noise)


def _constant(read: KnownValue, expression: Any) -> Constant:
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
