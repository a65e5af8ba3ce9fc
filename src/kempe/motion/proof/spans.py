"""Intervals in arrays: a lower and an upper bound for every box, each stepped outward.

Every operation is rounded to nearest and its result moved to the next double below or above, so
the true result lies between them. Sines and cosines are taken from NumPy and widened by LIBM, a
hundred times more than it is off by.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Spline

FloatArray = NDArray[np.float64]

LIBM = 1e-13  # of sines and cosines, assumed
EDGE = 2.0**-50  # of a piece's length: what a place in it is rounded by


@final
@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Numbers between `low` and `high`."""

    low: FloatArray
    high: FloatArray

    def __add__(self, other: "Spans") -> "Spans":
        return _outward(self.low + other.low, self.high + other.high)

    def __sub__(self, other: "Spans") -> "Spans":
        return _outward(self.low - other.high, self.high - other.low)

    def __neg__(self) -> "Spans":
        return Spans(-self.high, -self.low)

    def __mul__(self, other: "Spans") -> "Spans":
        a, b = self.low * other.low, self.low * other.high
        c, d = self.high * other.low, self.high * other.high
        # 0 times an unbounded number is 0: the bound is not reached
        a, b, c, d = (np.where(np.isnan(x), 0.0, x) for x in (a, b, c, d))
        return _outward(
            np.minimum(np.minimum(a, b), np.minimum(c, d)),
            np.maximum(np.maximum(a, b), np.maximum(c, d)),
        )

    def square(self) -> "Spans":
        """Its square, never negative."""
        a, b = self.low * self.low, self.high * self.high
        least = np.where((self.low <= 0.0) & (self.high >= 0.0), 0.0, np.minimum(a, b))
        found = _outward(least, np.maximum(a, b))
        return Spans(np.maximum(found.low, 0.0), found.high)

    def reciprocal(self) -> "Spans":
        """1 over it; unbounded where it may be zero."""
        bad = (self.low <= 0.0) & (self.high >= 0.0)
        with np.errstate(all="ignore"):
            made = _outward(1.0 / self.high, 1.0 / self.low)
        return Spans(np.where(bad, -np.inf, made.low), np.where(bad, np.inf, made.high))

    def root(self) -> "Spans":
        """Its square root, where it has one."""
        made = _outward(np.sqrt(np.maximum(self.low, 0.0)), np.sqrt(np.maximum(self.high, 0.0)))
        return Spans(np.maximum(made.low, 0.0), made.high)

    def cosine(self) -> "Spans":
        """By the values at both ends, and 1 or -1 where it may turn between them."""
        a, b = np.cos(self.low), np.cos(self.high)
        low, high = np.minimum(a, b) - LIBM, np.maximum(a, b) + LIBM
        first, last = self.low - LIBM, self.high + LIBM
        turns = np.floor(last / (2.0 * math.pi)) >= np.ceil(first / (2.0 * math.pi))
        half = (last - math.pi) / (2.0 * math.pi), (first - math.pi) / (2.0 * math.pi)
        bottoms = np.floor(half[0]) >= np.ceil(half[1])
        far = ~(np.maximum(np.abs(self.low), np.abs(self.high)) < 1e3)
        low = np.where(bottoms | far, -1.0, np.maximum(low, -1.0))
        return Spans(low, np.where(turns | far, 1.0, np.minimum(high, 1.0)))

    def sine(self) -> "Spans":
        """As a cosine, a quarter turn before."""
        quarter = Spans(
            np.full_like(self.low, 1.5707963267948963), np.full_like(self.low, 1.570796326794897)
        )
        return (self - quarter).cosine()

    def hull(self, other: "Spans") -> "Spans":
        """Whatever lies between both."""
        return Spans(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    @classmethod
    def number(cls, x: float, off: float, count: int) -> "Spans":
        """A number that is known to within `off`, for every box."""
        low, high = (
            (np.nextafter(x - off, -np.inf), np.nextafter(x + off, np.inf)) if off else (x, x)
        )
        return cls(np.full(count, low), np.full(count, high))


def _outward(low: FloatArray, high: FloatArray) -> Spans:
    return Spans(np.nextafter(low, -np.inf), np.nextafter(high, np.inf))


def spline_over(spline: Spline, x: Spans, order: int) -> Spans:
    """A derivative of a spline over intervals: hulls of the coefficients of the parts they meet."""
    count = len(x.low)
    found = Spans(np.full(count, np.inf), np.full(count, -np.inf))
    breaks = spline.breaks
    first, last = float(breaks[0]), float(breaks[-1])
    shifts = [0.0]
    if spline.is_periodic:
        finite = np.isfinite(x.low) & np.isfinite(x.high)
        if not finite.any():
            return Spans(np.full(count, -np.inf), np.full(count, np.inf))
        least, most = x.low[finite].min() / last, x.high[finite].max() / last
        shifts = [k * last for k in range(math.floor(least - 1e-9), math.floor(most + 1e-9) + 1)]
    for shift in shifts:
        for i in range(len(spline.numerators)):
            start, stop = float(breaks[i]), float(breaks[i + 1])
            away = EDGE * (abs(shift) + abs(stop) + abs(start))
            at = np.flatnonzero((x.high - shift >= start - away) & (x.low - shift <= stop + away))
            if len(at):
                part = Spans(
                    np.clip((x.low[at] - shift - start) / (stop - start), 0.0, 1.0) - EDGE - away,
                    np.clip((x.high[at] - shift - start) / (stop - start), 0.0, 1.0) + EDGE + away,
                )
                piece = _piece(spline, i, part, order)
                found.low[at] = np.minimum(found.low[at], piece.low)
                found.high[at] = np.maximum(found.high[at], piece.high)
    if not spline.is_periodic:  # beyond its ends it goes on along its tangents
        for end, outside in ((first, x.low < first), (last, x.high > last)):
            at = np.flatnonzero(outside)
            if len(at):
                beyond = _beyond(spline, end, Spans(x.low[at], x.high[at]), order)
                found.low[at] = np.minimum(found.low[at], beyond.low)
                found.high[at] = np.maximum(found.high[at], beyond.high)
    return found


def _beyond(spline: Spline, end: float, x: Spans, order: int) -> Spans:
    count = len(x.low)
    if order > 1:
        return Spans(np.zeros(count), np.zeros(count))
    i = 0 if end == float(spline.breaks[0]) else len(spline.numerators) - 1
    s = Spans.number(0.0 if end == float(spline.breaks[0]) else 1.0, 0.0, count)
    slope = _piece(spline, i, s, 1)
    if order == 1:
        return slope
    there = Spans(np.full(count, end), np.full(count, end))
    return _piece(spline, i, s, 0) + slope * (x - there)


def _piece(spline: Spline, i: int, s: Spans, order: int) -> Spans:
    """f^(r) = (N^(r) - sum_k C(r, k) D^(k) f^(r - k)) / D on one piece, s from 0 to 1."""
    count = len(s.low)
    length = float(spline.breaks[i + 1] - spline.breaks[i])
    step = Spans.number(length, abs(length) * 2.0**-51, count).reciprocal()
    scale = Spans.number(1.0, 0.0, count)
    for _ in range(order):
        scale = scale * step
    above = spline.numerators[i]
    if not spline.is_rational:
        return _bernstein(above, s, order) * scale
    below, f = spline.denominators[i], list[Spans]()
    under = _bernstein(below, s, 0).reciprocal()
    for r in range(order + 1):
        total = _bernstein(above, s, r)
        for k in range(1, r + 1):
            times = Spans.number(float(math.comb(r, k)), 0.0, count)
            total = total - times * _bernstein(below, s, k) * f[r - k]
        f.append(total * under)
    return f[order] * scale


def _bernstein(c: FloatArray, s: Spans, order: int) -> Spans:
    """The hull of the coefficients of the part from s.low to s.high; plain sums, widened."""
    n, count = len(c) - 1, len(s.low)
    if order > n:
        return Spans(np.zeros(count), np.zeros(count))
    w = np.asarray(c, dtype=np.float64)
    for _ in range(order):
        w = np.diff(w)
    m = n - order
    factor = float(math.perm(n, order))
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    for j in range(m + 1):
        b = np.repeat(w[:, None], count, axis=1)
        for k in range(m):
            t = s.high if k < j else s.low
            b = (1.0 - t) * b[:-1] + t * b[1:]
        low, high = np.minimum(low, b[0]), np.maximum(high, b[0])
    # differences, m steps of three roundings each, and factors up to 1 + EDGE in each of them
    off = (4.0 * m + 2.0 * order + 8.0) * 2.0**-52 * 2.0**order * float(np.abs(c).max(initial=0.0))
    return _outward(factor * (low - off), factor * (high + off))
