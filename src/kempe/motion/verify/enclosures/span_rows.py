"""Rows of any kind over boxes, with their gradients: polynomials of atoms, in intervals."""

from collections.abc import Mapping, Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Op
from kempe.errors import UnsolvableKind
from kempe.motion.verify.enclosures.balls import enclosed
from kempe.motion.verify.enclosures.spans import MINUS_ONE, ONE, Spans, spline_over
from kempe.motion.verify.written.derivation import by_unknowns
from kempe.motion.verify.written.polynomial import Polynomial, Ring

FloatArray = NDArray[np.float64]
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
