"""Intervals in arrays, a lower and an upper bound for every box, and rows of any kind in them.

Every operation is rounded to nearest and its result moved to the next double below or above, so
the true result lies between them. Sines and cosines are taken from NumPy and widened by LIBM, a
hundred times more than it is off by.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Op, Spline
from kempe.errors import UnsolvableKind
from kempe.motion.verify.enclosures.balls import enclosed
from kempe.motion.verify.written.polynomial import Polynomial, Ring, by_unknowns

FloatArray = NDArray[np.float64]

PARTS = 64  # of an unknown's domain, in each of which a number is enclosed
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
        for one, factor in ((self, other), (other, self)):  # most factors are these: no rounding
            if factor is ONE:
                return one
            if factor is MINUS_ONE:
                return -one
            if factor.low.shape == (1,) and one.low.size > 1:
                least, most = float(factor.low[0]), float(factor.high[0])
                if 0.0 < least <= most < math.inf:  # one number, for all of them
                    return one.stretched(least, most)
                if -math.inf < least <= most < 0.0:
                    return -one.stretched(-most, -least)
        a, b = self.low * other.low, self.low * other.high
        c, d = self.high * other.low, self.high * other.high
        low = np.minimum(np.minimum(a, b), np.minimum(c, d))
        if np.isnan(low).any():
            # 0 times an unbounded number is 0: the bound is not reached
            a, b, c, d = (np.where(np.isnan(x), 0.0, x) for x in (a, b, c, d))
            low = np.minimum(np.minimum(a, b), np.minimum(c, d))
        return _outward(low, np.maximum(np.maximum(a, b), np.maximum(c, d)))

    def stretched(self, a: float, b: float) -> "Spans":
        """Its products with all numbers from a to b, 0 < a <= b."""
        low, high = a * self.low, a * self.high
        if a < b:
            low, high = np.minimum(low, b * self.low), np.maximum(high, b * self.high)
        return _outward(low, high)

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

    def part(self, start: int, stop: int) -> "Spans":
        """Some of them, in arrays of their own."""
        return Spans(self.low[start:stop].copy(), self.high[start:stop].copy())

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


ONE = Spans(np.ones(1), np.ones(1))
MINUS_ONE = Spans(-np.ones(1), -np.ones(1))


def _outward(low: FloatArray, high: FloatArray) -> Spans:
    return Spans(np.nextafter(low, -np.inf), np.nextafter(high, np.inf))


def spline_over(spline: Spline, x: Spans, order: int) -> tuple[Spans, Spans]:
    """A derivative of a spline over intervals, and the next: hulls over the parts they meet."""
    count = len(x.low)
    value, slope = _nothing(count), _nothing(count)
    breaks = spline.breaks
    first, last = float(breaks[0]), float(breaks[-1])
    shifts = [0.0]
    if spline.is_periodic:
        finite = np.isfinite(x.low) & np.isfinite(x.high)
        if not finite.any():
            unbounded = Spans(np.full(count, -np.inf), np.full(count, np.inf))
            return unbounded, unbounded
        least, most = x.low[finite].min() / last, x.high[finite].max() / last
        shifts = [k * last for k in range(math.floor(least - 1e-9), math.floor(most + 1e-9) + 1)]
    for shift in shifts:
        away = EDGE * (abs(shift) + np.abs(breaks[1:]) + np.abs(breaks[:-1]))
        low, high = x.low - shift, x.high - shift
        meets = high[:, None] >= breaks[:-1] - away
        meets &= low[:, None] <= breaks[1:] + away
        at, piece = np.nonzero(meets)  # in order of boxes
        if len(at):
            start, length = breaks[piece], breaks[piece + 1] - breaks[piece]
            off = EDGE + away[piece]
            part = Spans(
                np.clip((low[at] - start) / length, 0.0, 1.0) - off,
                np.clip((high[at] - start) / length, 0.0, 1.0) + off,
            )
            for found, made in zip(
                (value, slope), _pieces(spline, piece, part, order), strict=True
            ):
                _widen(found, at, made)
    if not spline.is_periodic:  # beyond its ends it goes on along its tangents
        for end, outside in ((first, x.low < first), (last, x.high > last)):
            at = np.flatnonzero(outside)
            if len(at):
                beyond = _beyond(spline, end, Spans(x.low[at], x.high[at]), order)
                for found, made in zip((value, slope), beyond, strict=True):
                    _widen(found, at, made)
    return value, slope


def _nothing(count: int) -> Spans:
    return Spans(np.full(count, np.inf), np.full(count, -np.inf))


def _widen(found: Spans, at: NDArray[np.int64], by: Spans) -> None:
    """Make intervals hold others, in place: `at` says which, in order."""
    starts = np.flatnonzero(np.diff(at, prepend=-1))
    where = at[starts]
    found.low[where] = np.minimum(found.low[where], np.minimum.reduceat(by.low, starts))
    found.high[where] = np.maximum(found.high[where], np.maximum.reduceat(by.high, starts))


def _beyond(spline: Spline, end: float, x: Spans, order: int) -> tuple[Spans, Spans]:
    count = len(x.low)
    zero = Spans(np.zeros(count), np.zeros(count))
    if order > 1:
        return zero, zero
    is_first = end == float(spline.breaks[0])
    piece = np.full(count, 0 if is_first else len(spline.numerators) - 1, dtype=np.int64)
    s = Spans.number(0.0 if is_first else 1.0, 0.0, count)
    value, slope = _pieces(spline, piece, s, 0)
    if order == 1:
        return slope, zero
    there = Spans(np.full(count, end), np.full(count, end))
    return value + slope * (x - there), slope


def _pieces(spline: Spline, piece: NDArray[np.int64], s: Spans, order: int) -> tuple[Spans, Spans]:
    """f^(r) = (N^(r) - sum_k C(r, k) D^(k) f^(r - k)) / D, r = order and the next, s in 0 ... 1."""
    length = spline.breaks[piece + 1] - spline.breaks[piece]
    away = np.abs(length) * 2.0**-51
    step = _outward(length - away, length + away).reciprocal()
    scale = Spans(np.ones(1), np.ones(1))
    for _ in range(order):
        scale = scale * step
    above = spline.numerators[piece]
    if not spline.is_rational:
        value, slope = (_bernstein(above, s, r) for r in (order, order + 1))
        return value * scale, slope * (scale * step)
    below = spline.denominators[piece]
    under, f = _bernstein(below, s, 0).reciprocal(), list[Spans]()
    bends = [under, *(_bernstein(below, s, k) for k in range(1, order + 2))]
    for r in range(order + 2):
        total = _bernstein(above, s, r)
        for k in range(1, r + 1):
            times = Spans.number(float(math.comb(r, k)), 0.0, 1)
            total = total - times * bends[k] * f[r - k]
        f.append(total * under)
    return f[order] * scale, f[order + 1] * (scale * step)


def _bernstein(c: FloatArray, s: Spans, order: int) -> Spans:
    """Rows of coefficients (k, n + 1): the hull of those of the part from s.low to s.high.

    Plain sums, widened.
    """
    n, count = c.shape[1] - 1, len(s.low)
    if order > n:
        return Spans(np.zeros(count), np.zeros(count))
    w = np.ascontiguousarray(c.T)
    for _ in range(order):
        w = np.diff(w, axis=0)
    m = n - order
    factor = float(math.perm(n, order))
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    u = 1.0 - s.low, 1.0 - s.high
    from_low = w  # with the first steps at s.low, the last j at s.high
    for j in range(m + 1):
        b = from_low
        for _ in range(m - j):
            b = u[1] * b[:-1] + s.high * b[1:]
        low, high = np.minimum(low, b[0]), np.maximum(high, b[0])
        if j < m:
            from_low = u[0] * from_low[:-1] + s.low * from_low[1:]
    # differences, m steps of three roundings each, and factors up to 1 + EDGE in each of them
    most = np.abs(c).max(axis=1, initial=0.0)
    off = (4.0 * m + 2.0 * order + 8.0) * 2.0**-52 * 2.0**order * most
    return _outward(factor * (low - off), factor * (high + off))


Gradient = dict[int, Spans]
Dual = tuple[Spans, Gradient]  # value and derivatives by unknown
Slope = tuple[Spans, Spans, Gradient]  # values over boxes, at points, slopes between them
Sum = list[tuple[tuple[int, ...], Spans]]  # products of generators, with factors


@final
class SpanRows:
    """q rows in n unknowns: values and gradients over boxes."""

    def __init__(self, rows: Sequence[Polynomial], unknowns: Sequence[int]) -> None:
        self.unknowns = list(unknowns)
        self.place = {g: j for j, g in enumerate(unknowns)}
        self.ring: Ring | None = rows[0].ring if rows else None
        self.sums = [self._sum(row) for row in rows]
        self._inside: dict[int, Sum] = {}
        for row in rows:
            self._prepare(row)

    def _prepare(self, value: Polynomial) -> None:
        for m in value.terms:
            for g in m:
                of = value.ring.generators[g]
                if of.op is not None and of.unknowns and g not in self._inside:
                    if of.op not in KNOWN:
                        raise UnsolvableKind(f"rows with {of.name} are not enclosed here")
                    self._prepare(of.args[0])
                    self._inside[g] = self._sum(of.args[0])

    def _sum(self, value: Polynomial) -> Sum:
        parts = by_unknowns(value).items()
        return [(m, _number(*enclosed(value.ring, f))) for m, f in parts]

    def over(self, low: FloatArray, high: FloatArray) -> tuple[Spans, Spans]:
        """Values (q, k) and gradients (q, n, k) over boxes (k, n)."""
        count, n = low.shape
        known: dict[int, Dual] = {
            g: (Spans(low[:, j], high[:, j]), {j: ONE}) for g, j in self.place.items()
        }
        values, slopes = list[Spans](), dict[tuple[int, ...], Spans]()
        with np.errstate(all="ignore"):
            for i, row in enumerate(self.sums):
                value, gradient = self._value(row, known, count)
                values.append(value)
                slopes |= {(i, j): g for j, g in gradient.items()}
        q = len(self.sums)
        return _stacked(values, (q, count)), _stacked(slopes, (q, n, count))

    def about(self, low: FloatArray, high: FloatArray, c: FloatArray) -> tuple[Spans, Spans, Spans]:
        """Values (q, k) over boxes X and at points c (k, n), and slopes (q, n, k) between them.

        F(x) = F(c) + G (x - c) for all x in X, with G in the slopes: of a product f g they are
        those of f times g(X), and f(c) times those of g. That is narrower than gradients are, and
        unbounded where these are. Points c need not lie in X.
        """
        count, n = low.shape
        known: dict[int, Slope] = {
            g: (Spans(low[:, j], high[:, j]), Spans(c[:, j], c[:, j]), {j: ONE})
            for g, j in self.place.items()
        }
        over, at, slopes = list[Spans](), list[Spans](), dict[tuple[int, ...], Spans]()
        with np.errstate(all="ignore"):
            for i, row in enumerate(self.sums):
                value, there, slope = self._slope(row, known)
                over.append(value)
                at.append(there)
                slopes |= {(i, j): g for j, g in slope.items()}
        q = len(self.sums)
        return (
            _stacked(over, (q, count)),
            _stacked(at, (q, count)),
            _stacked(slopes, (q, n, count)),
        )

    def _slope(self, row: Sum, known: dict[int, Slope]) -> Slope:
        total: Slope | None = None
        for m, factor in row:
            term: Slope = (factor, factor, {})
            k = 0
            while k < len(m):
                value = known.get(m[k]) or self._atom_slope(m[k], known)
                if k + 1 < len(m) and m[k + 1] == m[k]:
                    both = value[0] + value[1]
                    slopes = {j: both * g for j, g in value[2].items()}
                    value, k = (value[0].square(), value[1].square(), slopes), k + 1
                made = {j: g * value[0] for j, g in term[2].items()}
                for j, g in value[2].items():
                    part = term[1] * g
                    made[j] = made[j] + part if j in made else part
                term = (term[0] * value[0], term[1] * value[1], made)
                k += 1
            if total is None:
                total = term
            else:
                slopes = dict(total[2])
                for j, g in term[2].items():
                    slopes[j] = slopes[j] + g if j in slopes else g
                total = (total[0] + term[0], total[1] + term[1], slopes)
        assert total is not None
        return total

    def _atom_slope(self, g: int, known: dict[int, Slope]) -> Slope:
        x, c, dx = self._slope(self._inside[g], known)
        count = max(len(x.low), len(c.low))
        x, c = _wide(x, count), _wide(c, count)
        hull = x.hull(c)
        # all in one call: boxes, points, and hulls where points lie outside their boxes
        out = np.flatnonzero((hull.low < x.low) | (hull.high > x.high))
        made, slope = self._function(
            g,
            Spans(
                np.concatenate([x.low, c.low, hull.low[out]]),
                np.concatenate([x.high, c.high, hull.high[out]]),
            ),
        )
        steep = slope.part(0, count)
        beyond = slope.part(2 * count, 2 * count + len(out))
        steep.low[out], steep.high[out] = beyond.low, beyond.high
        value, there = made.part(0, count), made.part(count, 2 * count)
        known[g] = value, there, {j: steep * d for j, d in dx.items()}
        return known[g]

    def _value(self, row: Sum, known: dict[int, Dual], count: int) -> Dual:
        total: Dual | None = None
        for m, factor in row:
            term: Dual = (factor, {})
            k = 0
            while k < len(m):
                value = self._generator(m[k], known, count)
                if k + 1 < len(m) and m[k + 1] == m[k]:
                    value, k = _squared(value), k + 1
                term = _product(term, value)
                k += 1
            total = term if total is None else _total(total, term)
        assert total is not None
        return total

    def _generator(self, g: int, known: dict[int, Dual], count: int) -> Dual:
        if g not in known:
            x, dx = self._value(self._inside[g], known, count)
            x = _wide(x, count)
            value, slope = self._function(g, x)
            known[g] = value, {j: slope * d for j, d in dx.items()}
        return known[g]

    def unknowns_inside(self, g: int) -> set[int]:
        """The places of unknowns that an atom is made of; of anything else, none."""
        if g not in self._inside:
            return set()
        assert self.ring is not None
        return {self.place[u] for u in self.ring.generators[g].unknowns if u in self.place}

    def value_over(self, row: Sum, known: dict[int, Spans]) -> Spans:
        """A sum where unknowns are known over boxes; what its atoms are is noted there."""
        total: Spans | None = None
        for m, factor in row:
            term, k = factor, 0
            while k < len(m):
                value = known.get(m[k]) or self.atom_over(m[k], known)
                if k + 1 < len(m) and m[k + 1] == m[k]:
                    value, k = value.square(), k + 1
                term = term * value
                k += 1
            total = term if total is None else total + term
        assert total is not None
        return total

    def atom_over(self, g: int, known: dict[int, Spans]) -> Spans:
        """An atom where unknowns are known over boxes."""
        inner = self.value_over(self._inside[g], known)
        known[g] = self._function(g, _wide(inner, len(known[self.unknowns[0]].low)))[0]
        return known[g]

    def _function(self, g: int, x: Spans) -> tuple[Spans, Spans]:
        """An atom and its derivative over intervals of its argument."""
        assert self.ring is not None
        of = self.ring.generators[g]
        if of.op is Op.SPLINE:
            assert of.spline is not None
            return spline_over(of.spline, x, of.order)
        if of.op is Op.SIN:
            return x.sine(), x.cosine()
        if of.op is Op.COS:
            return x.cosine(), -x.sine()
        if of.op is Op.SQRT:
            value = x.root()
            # where x may be negative the root is not defined on all of the box
            slope = Spans.number(0.5, 0.0, 1) * value.reciprocal()
            bad = x.low <= 0.0
            return value, Spans(
                np.where(bad, -np.inf, slope.low), np.where(bad, np.inf, slope.high)
            )
        value = x.reciprocal()
        return value, -value.square()


KNOWN = frozenset({Op.SPLINE, Op.SIN, Op.COS, Op.SQRT, Op.REC})


def _number(x: float, off: float) -> Spans:
    """A number as a factor."""
    if off == 0.0 and abs(x) == 1.0:
        return ONE if x > 0.0 else MINUS_ONE
    return Spans.number(x, off, 1)


def _product(a: Dual, b: Dual) -> Dual:
    made = {j: g * b[0] for j, g in a[1].items()}
    for j, g in b[1].items():
        made[j] = made[j] + a[0] * g if j in made else a[0] * g
    return a[0] * b[0], made


def _squared(a: Dual) -> Dual:
    twice = Spans.number(2.0, 0.0, 1) * a[0]
    return a[0].square(), {j: twice * g for j, g in a[1].items()}


def _total(a: Dual, b: Dual) -> Dual:
    made = dict(a[1])
    for j, g in b[1].items():
        made[j] = made[j] + g if j in made else g
    return a[0] + b[0], made


def _wide(x: Spans, count: int) -> Spans:
    """One interval for every box."""
    return Spans(np.broadcast_to(x.low, count), np.broadcast_to(x.high, count))


def _stacked(
    spans: Mapping[tuple[int, ...], Spans] | Sequence[Spans], shape: tuple[int, ...]
) -> Spans:
    """One array of intervals by place; zero where there is none."""
    low, high = np.zeros(shape), np.zeros(shape)
    for at, one in spans.items() if isinstance(spans, Mapping) else enumerate(spans):
        low[at], high[at] = one.low, one.high
    return Spans(low, high)


def is_positive(value: Polynomial, bounds: Mapping[int, tuple[float, float]]) -> bool:
    """Whether a function of one or two unknowns is positive all over their `bounds`."""
    inside = sorted(value.unknowns)
    ends = [bounds[g] for g in inside]
    if not 0 < len(inside) <= 2 or not np.isfinite(ends).all():
        return False
    cuts = [np.linspace(low, high, PARTS + 1) for low, high in ends]
    low, high = (
        np.stack([part.ravel() for part in np.meshgrid(*some, indexing="ij")], axis=1)
        for some in ([c[:-1] for c in cuts], [c[1:] for c in cuts])
    )
    values, _ = SpanRows([value], inside).over(low, high)
    return bool((values.low > 0.0).all())
