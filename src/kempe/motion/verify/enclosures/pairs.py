"""Numbers as unevaluated sums of two doubles, some 31 digits, in arrays, each with what it is off.

Sums and products of doubles are split without error into a rounded result and the rest of it; the
splittings are right wherever nothing overflows or underflows, which TINY outweighs. A result with
an infinite `off` is not known.

Source: [Dekker] for the product; the sum is Knuth's. A sum of pairs is off by less than 2^-104 of
itself, a product by less than 2^-103 ([JoldesPairs] algorithms 6 and 10); twice that is counted.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

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

    def times(self, power: float) -> "Pairs":
        """Multiplied by a power of two, exactly."""
        return Pairs(power * self.high, power * self.low, abs(power) * self.off)

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

    def taken(self, at: NDArray[np.int64]) -> "Pairs":
        """Some of them."""
        return Pairs(self.high[at], self.low[at], self.off[at])

    @property
    def size(self) -> FloatArray:
        """Upper bounds of their sizes."""
        found: FloatArray = (np.abs(self.high) * ROOM + self.off) * ROOM
        return found


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
