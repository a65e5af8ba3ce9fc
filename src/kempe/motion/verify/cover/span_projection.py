"""Boxes cut by the values of single rows: what one term of a sum can be, given all others.

A row is a sum of terms that vanishes, so each term is minus the sum of the others. A term is a
number times a product; its factor x, or x^2, is that sum divided by the rest of the product, where
this cannot be 0. Unlike slopes, squares are inverted as squares, which tells something of the
widest boxes. What is inside a spline, a sine or a root is not inverted: there an unknown is cut
into slices, and those at its ends on which some row cannot vanish are taken off.

Values alone are used. They hold what a formula takes wherever it is defined, so nothing has to be
continuous: a point at which a row is not defined is no solution.
"""

from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.enclosures.span_rows import SpanRows
from kempe.motion.verify.enclosures.spans import Spans

FloatArray = NDArray[np.float64]
Flags = NDArray[np.bool_]

SLICES = 8  # of an unknown
ENOUGH = 100  # boxes cut into slices tell whether that pays for an unknown:
WORTH = 0.25  # of their widths must be taken off, on average
WIDE = 0.5  # of unknowns, which are of the size of 1: in narrower boxes slopes tell as much


@final
class SpanProjection:
    """Rows of any kind, each solved for every unknown in it, by values."""

    def __init__(self, rows: SpanRows) -> None:
        self.rows = rows
        # unknowns in atoms, each with the rows that have such an atom
        inside: dict[int, list[int]] = {}
        for i, row in enumerate(rows.sums):
            for j in {j for m, _ in row for g in m for j in rows.unknowns_inside(g)}:
                inside.setdefault(j, []).append(i)
        self.inside = inside
        self.tried = dict.fromkeys(inside, 0)  # boxes that were cut into slices, by unknown
        self.taken = dict.fromkeys(inside, 0.0)  # shares of their widths that were taken off

    def contracted(self, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray, Flags]:
        """Boxes (k, n) that hold the same solutions, and which hold none."""
        low, high = low.copy(), high.copy()
        empty = np.zeros(len(low), dtype=bool)
        wide = np.flatnonzero((high - low).max(axis=1) > WIDE)
        if len(wide):
            low[wide], high[wide], empty[wide] = self.projected(low[wide], high[wide])
        at = np.flatnonzero(~empty)
        low[at], high[at], empty[at] = self.sliced(low[at], high[at])
        return low, high, empty

    def projected(self, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray, Flags]:
        """Boxes cut by what every row says of each unknown in it, one row after the other."""
        whole = low, high
        low, high = low.copy(), high.copy()
        empty = np.zeros(len(low), dtype=bool)
        place = self.rows.place
        atoms: dict[int, Spans] = {}
        with np.errstate(all="ignore"):
            for row in self.rows.sums:
                known = {g: Spans(low[:, j], high[:, j]) for g, j in place.items()} | atoms
                powers = [[(g, m.count(g)) for g in dict.fromkeys(m)] for m, _ in row]
                for g in {g for factors in powers for g, _ in factors} - known.keys():
                    known[g] = atoms[g] = self.rows.atom_over(g, known)
                terms = []
                for (_, number), factors in zip(row, powers, strict=True):
                    term = number
                    for g, power in factors:
                        term = term * _power(known[g], power)
                    terms.append(term)
                others, total = _without_each(terms)
                empty |= (total.low > 0.0) | (total.high < 0.0)
                for i, factors in enumerate(powers):
                    for g, power in factors:
                        if g not in place or power > 2:
                            continue
                        rest = row[i][1]
                        for other, times in factors:
                            if other != g:
                                rest = rest * _power(known[other], times)
                        j = place[g]
                        found = -others[i] * rest.reciprocal()
                        if power == 2:
                            found, none = _roots(found, known[g])
                            empty |= none
                        # a comparison with what is not known is false: then nothing is cut
                        low[:, j] = np.where(found.low > low[:, j], found.low, low[:, j])
                        high[:, j] = np.where(found.high < high[:, j], found.high, high[:, j])
                empty |= (low > high).any(axis=1)
                gone = empty[:, None]
                low, high = np.where(gone, whole[0], low), np.where(gone, whole[1], high)
        return low, high, empty

    def sliced(self, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray, Flags]:
        """Boxes without what rows exclude at both ends of an unknown that is part of an atom."""
        low, high = low.copy(), high.copy()
        empty = np.zeros(len(low), dtype=bool)
        for j, rows in self.inside.items():
            if self.tried[j] > ENOUGH and self.taken[j] < WORTH * self.tried[j]:
                continue
            at = np.flatnonzero(~empty & (high[:, j] > low[:, j]))
            # they rise, for rounding does not change the order of low + i step
            cuts: FloatArray = np.linspace(low[at, j], high[at, j], SLICES + 1, axis=1)
            cuts[:, 0], cuts[:, -1] = low[at, j], high[at, j]
            a, b = np.repeat(low[at], SLICES, axis=0), np.repeat(high[at], SLICES, axis=0)
            a[:, j], b[:, j] = cuts[:, :-1].ravel(), cuts[:, 1:].ravel()
            known = {g: Spans(a[:, i], b[:, i]) for g, i in self.rows.place.items()}
            left = np.ones(len(a), dtype=bool)
            with np.errstate(all="ignore"):
                for i in rows:
                    value = self.rows.value_over(self.rows.sums[i], known)
                    left &= ~((value.low > 0.0) | (value.high < 0.0))
            by_box: Flags = left.reshape(-1, SLICES)
            some = by_box.any(axis=1)
            empty[at[~some]] = True
            first, last = by_box.argmax(axis=1), SLICES - by_box[:, ::-1].argmax(axis=1)
            self.tried[j] += len(at)
            self.taken[j] += float(np.where(some, SLICES - (last - first), SLICES).sum()) / SLICES
            box = np.arange(len(at))
            low[at, j] = np.where(some, cuts[box, first], low[at, j])
            high[at, j] = np.where(some, cuts[box, last], high[at, j])
        return low, high, empty


def _power(x: Spans, power: int) -> Spans:
    found = x.square() if power > 1 else x
    for _ in range(power - 2):
        found = found * x
    return found


def _without_each(terms: list[Spans]) -> tuple[list[Spans], Spans]:
    """The sum of all terms but one, for each; and of all."""
    zero = Spans(np.zeros(1), np.zeros(1))
    before, after = [zero], [zero]
    for term in terms:
        before.append(before[-1] + term)
    for term in reversed(terms):
        after.append(after[-1] + term)
    count = len(terms)
    return [before[i] + after[count - 1 - i] for i in range(count)], before[-1]


def _roots(square: Spans, x: Spans) -> tuple[Spans, Flags]:
    """What x is whose square is told: on one side of 0 where x is; and where there is none."""
    most, least = square.root().high, square.root().low
    positive, negative = x.low >= 0.0, x.high <= 0.0
    # both roots are possible where x changes sign, unless one of them lies outside x
    low = np.where(positive | (x.low > -least), least, -most)
    high = np.where(negative | (x.high < least), -least, most)
    return Spans(low, high), square.high < 0.0
