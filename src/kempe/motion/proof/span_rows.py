"""Rows of any kind over boxes, with their gradients: polynomials of atoms, in intervals."""

from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Op
from kempe.errors import UnsolvableKind
from kempe.motion.proof.balls import enclosed
from kempe.motion.proof.derivation import by_unknowns
from kempe.motion.proof.polynomial import Polynomial, Ring
from kempe.motion.proof.spans import Spans, spline_over

FloatArray = NDArray[np.float64]
Gradient = dict[int, Spans]
Dual = tuple[Spans, Gradient]  # value and derivatives by unknown
Sum = list[tuple[tuple[int, ...], tuple[float, float]]]  # products of generators, with factors


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
        return [(m, enclosed(value.ring, f)) for m, f in by_unknowns(value).items()]

    def over(self, low: FloatArray, high: FloatArray) -> tuple[Spans, Spans]:
        """Values (q, k) and gradients (q, n, k) over boxes (k, n)."""
        count, n = low.shape
        one = Spans(np.ones(count), np.ones(count))
        known: dict[int, Dual] = {
            g: (Spans(low[:, j], high[:, j]), {j: one}) for g, j in self.place.items()
        }
        zero = np.zeros(count)
        values, slopes = [], []
        with np.errstate(all="ignore"):
            for row in self.sums:
                value, gradient = self._value(row, known, count)
                values.append(value)
                slopes.append([gradient.get(j, Spans(zero, zero)) for j in range(n)])
        shape = (len(self.sums), n, count)
        return (
            Spans(np.array([v.low for v in values]), np.array([v.high for v in values])),
            Spans(
                np.array([[g.low for g in row] for row in slopes]).reshape(shape),
                np.array([[g.high for g in row] for row in slopes]).reshape(shape),
            ),
        )

    def _value(self, row: Sum, known: dict[int, Dual], count: int) -> Dual:
        total: Dual | None = None
        for m, factor in row:
            term: Dual = (Spans.number(*factor, count), {})
            k = 0
            while k < len(m):
                value = self._generator(m[k], known, count)
                if k + 1 < len(m) and m[k + 1] == m[k]:
                    value, k = _squared(value, count), k + 1
                term = _product(term, value)
                k += 1
            total = term if total is None else _total(total, term)
        assert total is not None
        return total

    def _generator(self, g: int, known: dict[int, Dual], count: int) -> Dual:
        if g not in known:
            assert self.ring is not None
            of = self.ring.generators[g]
            x, dx = self._value(self._inside[g], known, count)
            if of.op is Op.SPLINE:
                assert of.spline is not None
                value = spline_over(of.spline, x, of.order)
                slope = spline_over(of.spline, x, of.order + 1)
            elif of.op is Op.SIN:
                value, slope = x.sine(), x.cosine()
            elif of.op is Op.COS:
                value, slope = x.cosine(), -x.sine()
            elif of.op is Op.SQRT:
                value = x.root()
                # where x may be negative the root is not defined on all of the box
                half = Spans.number(0.5, 0.0, count)
                slope = half * value.reciprocal()
                bad = x.low <= 0.0
                slope = Spans(np.where(bad, -np.inf, slope.low), np.where(bad, np.inf, slope.high))
            else:
                value = x.reciprocal()
                slope = -value.square()
            known[g] = value, {j: slope * d for j, d in dx.items()}
        return known[g]


KNOWN = frozenset({Op.SPLINE, Op.SIN, Op.COS, Op.SQRT, Op.REC})


def _product(a: Dual, b: Dual) -> Dual:
    made = {j: g * b[0] for j, g in a[1].items()}
    for j, g in b[1].items():
        made[j] = made[j] + a[0] * g if j in made else a[0] * g
    return a[0] * b[0], made


def _squared(a: Dual, count: int) -> Dual:
    twice = Spans.number(2.0, 0.0, count) * a[0]
    return a[0].square(), {j: twice * g for j, g in a[1].items()}


def _total(a: Dual, b: Dual) -> Dual:
    made = dict(a[1])
    for j, g in b[1].items():
        made[j] = made[j] + g if j in made else g
    return a[0] + b[0], made
