"""Numbers as unevaluated sums of two doubles, some 31 digits, in arrays, each with what it is off.

Sums and products of doubles are split without error into a rounded result and the rest of it; the
splittings are right wherever nothing overflows or underflows, which TINY outweighs. A result with
an infinite `off` is not known. Rows at listed points are formed so: how far they are from zero.

Source: [Dekker] for the product; the sum is Knuth's. A sum of pairs is off by less than 2^-104 of
itself, a product by less than 2^-103 ([JoldesPairs] algorithms 6 and 10); twice that is counted.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Op, Spline
from kempe.motion.verify.written.polynomial import Polynomial, by_unknowns

FloatArray = NDArray[np.float64]

ROUNDED = 2.0**-102  # of a sum or a product, at most
TINY = 1e-280  # beyond what is lost by underflow
ROOM = 1.0 + 2.0**-50  # a few roundings of what is added to `off`
SPLITTER = 2.0**27 + 1.0


@final
@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Numbers within `off` of high + low."""

    high: FloatArray
    low: FloatArray
    off: FloatArray

    def __add__(self, other: "Pairs") -> "Pairs":
        s, e = _two_sum(self.high, other.high)
        t, f = _two_sum(self.low, other.low)
        s, e = _fast_sum(s, e + t)
        s, e = _fast_sum(s, e + f)
        return Pairs(s, e, (self.off + other.off + ROUNDED * np.abs(s) + TINY) * ROOM)

    def __neg__(self) -> "Pairs":
        return Pairs(-self.high, -self.low, self.off)

    def __sub__(self, other: "Pairs") -> "Pairs":
        return self + (-other)

    def __mul__(self, other: "Pairs") -> "Pairs":
        p, e = _two_product(self.high, other.high)
        s, e = _fast_sum(p, e + (self.high * other.low + self.low * other.high))
        a, b = np.abs(self.high) * ROOM, np.abs(other.high) * ROOM
        off = a * other.off + b * self.off + self.off * other.off + ROUNDED * np.abs(s) + TINY
        return Pairs(s, e, off * (ROOM * ROOM))

    def reciprocal(self) -> "Pairs":
        """1 over it: r with 1 - b r = e is off by |r| |e| / (1 - |e|)."""
        one = number(Fraction(1), Fraction(1))
        r = Pairs(1.0 / self.high, np.zeros_like(self.high), np.zeros_like(self.high))
        r = r + r * (one - self * r)
        r = Pairs(r.high, r.low, np.zeros_like(r.high))
        left = one - self * r
        e = (np.abs(left.high) + left.off) * ROOM
        off = np.where(e < 0.5, 2.0 * np.abs(r.high) * e * ROOM + TINY, np.inf)
        return Pairs(r.high, r.low, off)

    def root(self) -> "Pairs":
        """Its square root r: with a - r^2 = e it is off by at most |e| / r."""
        first = np.sqrt(self.high)
        zero = np.zeros_like(first)
        r = Pairs(first, zero, zero)
        r = r + (self - r * r) * Pairs(0.5 / first, zero, zero)
        r = Pairs(r.high, r.low, zero)
        left = self - r * r
        e = (np.abs(left.high) + left.off) * ROOM
        sure = e < 0.5 * self.high
        return Pairs(r.high, r.low, np.where(sure, e / r.high * ROOM + TINY, np.inf))


def doubles(x: FloatArray) -> Pairs:
    """Doubles as they are."""
    return Pairs(x, np.zeros_like(x), np.zeros_like(x))


def number(low: Fraction, high: Fraction) -> Pairs:
    """One number that lies between two fractions."""
    middle = (low + high) / 2
    first = float(middle)
    second = float(middle - Fraction(first))
    told = Fraction(first) + Fraction(second)
    off = max(high - told, told - low)
    away = float(np.nextafter(float(off), np.inf)) if off else 0.0
    return Pairs(np.array([first]), np.array([second]), np.array([away]))


def _two_sum(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def _fast_sum(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of numbers the first of which is the larger."""
    s = a + b
    return s, b - (s - a)


def _split(a: FloatArray) -> tuple[FloatArray, FloatArray]:
    c = SPLITTER * a
    high = c - (c - a)
    return high, a - high


def _two_product(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    p = a * b
    (a1, a2), (b1, b2) = _split(a), _split(b)
    return p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2


Flags = NDArray[np.bool_]
Sum = list[tuple[tuple[int, ...], Pairs]]  # products of generators, with factors

CLEAR = 1e-24  # of a break: nearer to it than this the piece is not told


@final
class PairRows:
    """q rows in n unknowns, at points."""

    def __init__(self, rows: Sequence[Polynomial], unknowns: Sequence[int]) -> None:
        self.rows, self.unknowns = rows, list(unknowns)
        self._sums: dict[int, Sum] = {}

    def at(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Values (k, q) at points (k, n), and what they are off by: infinite where not known."""
        known = {g: doubles(x[:, j]) for j, g in enumerate(self.unknowns)}
        values, off = np.zeros((len(x), len(self.rows))), np.zeros((len(x), len(self.rows)))
        with np.errstate(all="ignore"):
            for i, row in enumerate(self.rows):
                total = self._value(row, known)
                values[:, i] = total.high
                off[:, i] = np.abs(total.low) + total.off
        good = np.isfinite(values) & np.isfinite(off)
        return np.where(good, values, 0.0), np.where(good, off * (1.0 + 1e-15), np.inf)

    def _value(self, row: Polynomial, known: dict[int, Pairs]) -> Pairs:
        total: Pairs | None = None
        for m, factor in self._sum(row):
            term = factor
            for g in m:
                if g not in known:
                    known[g] = self._atom(row, g, known)
                term = term * known[g]
            total = term if total is None else total + term
        assert total is not None
        return total

    def _sum(self, row: Polynomial) -> Sum:
        if id(row) not in self._sums:
            parts = by_unknowns(row).items()
            self._sums[id(row)] = [(m, number(*row.ring.bounds(f))) for m, f in parts]
        return self._sums[id(row)]

    def _atom(self, row: Polynomial, g: int, known: dict[int, Pairs]) -> Pairs:
        of = row.ring.generators[g]
        x = self._value(of.args[0], known)
        if of.op is Op.SPLINE and of.spline is not None:
            return spline_at(of.spline, x, of.order)
        if of.op is Op.SQRT:
            return x.root()
        if of.op is Op.REC:
            return x.reciprocal()
        if of.op in (Op.SIN, Op.COS):
            sine, cosine = sine_and_cosine(x)
            return sine if of.op is Op.SIN else cosine
        return Pairs(x.high, x.low, np.full_like(x.high, np.inf))


def sine_and_cosine(x: Pairs) -> tuple[Pairs, Pairs]:
    """By Taylor's sums at r = x - k pi/2, |r| < 0.8; what is left out is below its next term."""
    k = np.round(x.high / (0.5 * math.pi))
    r = x - doubles(k) * QUARTER
    square = r * r
    sine, cosine = INVERSE_FACTORIALS[MOST], INVERSE_FACTORIALS[MOST - 1]
    for n in range(MOST - 2, 0, -2):
        sine = INVERSE_FACTORIALS[n] - square * sine
        cosine = INVERSE_FACTORIALS[n - 1] - square * cosine
    sine = sine * r
    sure = (np.abs(r.high) < 0.8) & (np.abs(x.high) < FARTHEST)
    left_out = np.where(sure, LEFT_OUT, np.inf)
    quadrant = np.mod(k, 4.0)
    swaps, s_sign = np.mod(quadrant, 2.0) == 1.0, np.where(quadrant >= 2.0, -1.0, 1.0)
    c_sign = np.where((quadrant == 1.0) | (quadrant == 2.0), -1.0, 1.0)
    return (
        _chosen(swaps, cosine, sine, s_sign, left_out),
        _chosen(swaps, sine, cosine, c_sign, left_out),
    )


def _chosen(first: Flags, a: Pairs, b: Pairs, sign: FloatArray, off: FloatArray) -> Pairs:
    """Sign times a or b, off by as much more."""
    return Pairs(
        sign * np.where(first, a.high, b.high),
        sign * np.where(first, a.low, b.low),
        np.where(first, a.off, b.off) + off,
    )


def _quarter() -> Pairs:
    """A quarter turn, pi / 2 to 60 digits."""
    digits = "314159265358979323846264338327950288419716939937510582097494"
    low = Fraction(int(digits), 2 * 10 ** (len(digits) - 1))
    return number(low, low + Fraction(1, 10 ** (len(digits) - 1)))


QUARTER = _quarter()
MOST = 29  # the highest power in a sine
INVERSE_FACTORIALS = [
    number(f, f) for f in (Fraction(1, math.factorial(n)) for n in range(MOST + 1))
]
LEFT_OUT = 0.8 ** (MOST + 1) / math.factorial(MOST + 1) * 1.01
FARTHEST = 1e3  # of an angle: with more turns pi has too few digits


def spline_at(spline: Spline, x: Pairs, order: int) -> Pairs:
    """A derivative of a spline at numbers; not known beside a break, and outside all of them."""
    breaks = spline.breaks
    if spline.is_periodic:
        turns = np.floor(x.high / breaks[-1])
        x = x - doubles(turns) * doubles(np.full_like(turns, breaks[-1]))
    piece = np.clip(np.searchsorted(breaks, x.high, side="right") - 1, 0, len(breaks) - 2)
    start, stop = doubles(breaks[piece]), doubles(breaks[piece + 1])
    after, before = x - start, stop - x
    on_break = (after.high == 0.0) & (after.off <= CLEAR)  # both pieces have that value
    sure = on_break | ((after.high > CLEAR + after.off) & (before.high > CLEAR + before.off))
    step = (stop - start).reciprocal()
    s = after * step
    t = doubles(np.ones_like(s.high)) - s
    above = spline.numerators[piece]
    scale = doubles(np.ones_like(s.high))
    for _ in range(order):
        scale = scale * step
    if not spline.is_rational:
        found = _bernstein(above, s, t, order) * scale
        return Pairs(found.high, found.low, np.where(sure, found.off, np.inf))
    below, f = spline.denominators[piece], list[Pairs]()
    under = _bernstein(below, s, t, 0).reciprocal()
    for r in range(order + 1):
        total = _bernstein(above, s, t, r)
        for k in range(1, r + 1):
            times = doubles(np.array([float(math.comb(r, k))]))
            total = total - times * _bernstein(below, s, t, k) * f[r - k]
        f.append(total * under)
    found = f[order] * scale
    return Pairs(found.high, found.low, np.where(sure, found.off, np.inf))


def _bernstein(c: FloatArray, s: Pairs, t: Pairs, order: int) -> Pairs:
    """The derivative in s, by differences and de Casteljau's scheme; t = 1 - s."""
    n = c.shape[1] - 1
    if order > n:
        return doubles(np.zeros(len(c)))
    w = [doubles(c[:, j]) for j in range(n + 1)]
    for _ in range(order):
        w = [b - a for a, b in itertools.pairwise(w)]
    while len(w) > 1:
        w = [t * a + s * b for a, b in itertools.pairwise(w)]
    return doubles(np.array([float(math.perm(n, order))])) * w[0]
