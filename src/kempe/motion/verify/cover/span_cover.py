"""Boxes judged by rows of any kind: by the values of single rows, and by the mean value theorem.

*Values*: a row is a sum of terms that vanishes, so each term is minus the sum of the others. A term
is a number times a product; its factor x, or x^2, is that sum divided by the rest of the product,
where this cannot be 0. Squares are inverted as squares, which tells something of the widest boxes.
What is inside a spline, a sine or a root is not inverted: there an unknown is cut into slices, and
those at its ends on which some row cannot vanish are taken off. Nothing has to be continuous: a
point at which a row is not defined is no solution.

*Slopes*: on a box X with middle c, F(x) = F(c) + G (x - c) with G among the slopes of F between c
and X, where F is defined and continuous on their hull: where it may not be, some slope is unbounded
and nothing follows. That a chart holds one arc rests on gradients instead.
"""

from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.cover.charts import (
    Flags,
    FloatArray,
    Frames,
    cut,
    inverses,
    linear,
    middles,
    mixtures,
)
from kempe.motion.verify.enclosures.balls import SLACK, TINY
from kempe.motion.verify.enclosures.spans import SpanRows, Spans

CUT_INTO = 8  # of an unknown
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
            cuts: FloatArray = np.linspace(low[at, j], high[at, j], CUT_INTO + 1, axis=1)
            cuts[:, 0], cuts[:, -1] = low[at, j], high[at, j]
            a, b = np.repeat(low[at], CUT_INTO, axis=0), np.repeat(high[at], CUT_INTO, axis=0)
            a[:, j], b[:, j] = cuts[:, :-1].ravel(), cuts[:, 1:].ravel()
            known = {g: Spans(a[:, i], b[:, i]) for g, i in self.rows.place.items()}
            left = np.ones(len(a), dtype=bool)
            with np.errstate(all="ignore"):
                for i in rows:
                    value = self.rows.value_over(self.rows.sums[i], known)
                    left &= ~((value.low > 0.0) | (value.high < 0.0))
            by_box: Flags = left.reshape(-1, CUT_INTO)
            some = by_box.any(axis=1)
            empty[at[~some]] = True
            first, last = by_box.argmax(axis=1), CUT_INTO - by_box[:, ::-1].argmax(axis=1)
            self.tried[j] += len(at)
            self.taken[j] += (
                float(np.where(some, CUT_INTO - (last - first), CUT_INTO).sum()) / CUT_INTO
            )
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


Numbers = NDArray[np.int64]

SLICES = (1, 4, 16, 64)  # of a chart, until each of them is proved


@final
class SpanContraction:
    """Boxes made smaller by rows of any kind, sides kept positive.

    The last `implied` rows follow from those before them: these are mixed, those taken as they are.
    """

    def __init__(self, rows: SpanRows, sides: SpanRows, share: float, implied: int = 0) -> None:
        self.rows, self.sides, self.share = rows, sides, share
        self.n_mixed = len(rows.sums) - implied
        self.projection = SpanProjection(rows)

    def contracted(self, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray, Flags]:
        """Boxes that hold the same solutions, and which hold none."""
        k = len(low)
        empty = np.zeros(k, dtype=bool)
        if self.sides.sums:
            empty |= (self.sides.over(low, high)[0].high <= 0.0).any(axis=0)
        if not self.rows.sums:  # every position is a solution: a shaft that turns alone
            return low, high, empty
        low, high, none = self.projection.contracted(low, high)
        empty |= none
        c, r = middles(low, high)
        values, there, slopes = self.rows.about(low, high, c)
        empty |= ((values.low > 0.0) | (values.high < 0.0)).any(axis=0)
        V, V_off = _ball(Spans(there.low.T, there.high.T))
        G, G_off = _ball(Spans(slopes.low.transpose(2, 0, 1), slopes.high.transpose(2, 0, 1)))
        known = np.isfinite(G_off).all(axis=(1, 2)) & np.isfinite(V_off).all(axis=1)
        at = np.flatnonzero(known & ~empty)
        if not len(at):
            return low, high, empty
        a, b, none = self._solved(
            low[at], high[at], (c[at], r[at]), (V[at], V_off[at], G[at], G_off[at])
        )
        low, high = low.copy(), high.copy()
        low[at], high[at] = a, b
        empty[at] |= none
        return low, high, empty

    def _solved(
        self,
        low: FloatArray,
        high: FloatArray,
        about: tuple[FloatArray, FloatArray],
        form: tuple[FloatArray, FloatArray, FloatArray, FloatArray],
    ) -> tuple[FloatArray, FloatArray, Flags]:
        (c, r), (V, V_off, G, G_off) = about, form
        k, q, _ = G.shape
        m = self.n_mixed
        M = np.zeros((k, q + m, q))
        M[:, :q] = np.eye(q)
        M[:, q:, :m] = mixtures(G[:, :m] * r[:, None, :])
        sM = np.abs(M)
        size = np.einsum("kpq,kq->kp", sM, np.abs(V))
        V = np.einsum("kpq,kq->kp", M, V)
        V_off = np.einsum("kpq,kq->kp", sM, V_off)
        G_size = sM @ np.abs(G)
        G, G_off = M @ G, (sM @ G_off) * (1.0 + SLACK) + self.share * G_size
        rr = r[:, None, :]
        most = (np.abs(G) + G_off) * rr
        off = V_off + self.share * (size + (G_size * rr).sum(axis=2) + most.sum(axis=2)) + TINY
        total = most.sum(axis=2)
        bottom, top = V - off - total, V + off + total
        empty = ((bottom > 0.0) | (top < 0.0)).any(axis=1)
        under, over = -(top[:, :, None] - most), -(bottom[:, :, None] + most)
        d_low, d_high = linear(G, G_off, under, over, rr)
        d_low, d_high = d_low.max(axis=1), d_high.min(axis=1)
        empty |= (d_low > d_high).any(axis=1)
        new_low = np.maximum(low, np.nextafter(c + d_low, -np.inf))
        new_high = np.minimum(high, np.nextafter(c + d_high, np.inf))
        empty = np.asarray(empty | (new_low > new_high).any(axis=1), dtype=bool)
        keep = ~empty[:, None]
        return np.where(keep, new_low, low), np.where(keep, new_high, high), empty


@final
class SpanForms:
    """Charts of rows of any kind: y = -C F(p) - (C G A - [1 0]) z, G the slopes from p on."""

    def __init__(self, rows: SpanRows, frames: Frames) -> None:
        self.rows, self.frames = rows, frames
        values, slopes = rows.over(frames.p, frames.p)
        V, V_off = _ball(Spans(values.low.T, values.high.T))
        G, _ = _ball(Spans(slopes.low.transpose(2, 0, 1), slopes.high.transpose(2, 0, 1)))
        with np.errstate(all="ignore"):
            self.C = inverses(G @ frames.A[:, :, : frames.m])
            sC = np.abs(self.C)
            self.v = np.einsum("kij,kj->ki", self.C, V)
            size = np.einsum("kij,kj->ki", sC, np.abs(V))
            self.v_off = np.einsum("kij,kj->ki", sC, V_off) * (1.0 + SLACK) + frames.share * size

    def slopes(self, x: FloatArray, r: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Gradients (k, q, n) over boxes x +- r: middles, and how far others are from them."""
        return _gradients(self.rows, np.nextafter(x - r, -np.inf), np.nextafter(x + r, np.inf))

    def are_one_arc(self, sides: SpanRows) -> Flags:
        """Which charts hold, for every |s| <= h, one |y_j| <= w, with all sides positive there.

        As a whole, or in slices of s; where F is not known to be continuous nothing is.
        """
        left = np.arange(len(self.frames.p))
        proved = np.zeros(len(left), dtype=bool)
        if self.frames.n != self.frames.m + 1:
            return proved
        for count in SLICES:
            if not len(left):
                break
            which = np.repeat(left, count)
            cuts = np.linspace(-1.0, 1.0, count + 1)
            h = self.frames.h[which]
            low, high = np.tile(cuts[:-1], len(left)) * h, np.tile(cuts[1:], len(left)) * h
            good = self._slices(which, low, high, sides).reshape(len(left), count).all(axis=1)
            proved[left[good]] = True
            left = left[~good]
        return proved

    def are_one_point(self, sides: SpanRows) -> Flags:
        """Which boxes |y_j| <= w about points hold one solution each, all sides positive there.

        |C F(p)| + |1 - C J| w < w, J over the box, where F is known to be continuous.
        """
        frames, m = self.frames, self.frames.m
        which, wide = np.arange(len(frames.p)), np.repeat(frames.w[:, None], m, axis=1)
        low, high = frames.outer(which, -wide, wide)
        G, G_off = _gradients(self.rows, low, high)
        with np.errstate(all="ignore"):
            sC, share = np.abs(self.C), frames.share
            N = frames.A
            steep = np.abs(np.eye(m) - self.C @ (G @ N)) + _off(sC, G, G_off, N, share)
            steep = steep.sum(axis=2) + share
            b = np.abs(self.v) * (1.0 + share) + self.v_off
            total = (b + steep * frames.w[:, None]) * (1.0 + 8.0 * SLACK) + TINY
            holds = (total < frames.w[:, None]).all(axis=1) & (frames.w > 0.0)
        if sides.sums:
            holds &= (sides.over(low, high)[0].low > 0.0).all(axis=0)
        return np.asarray(holds, dtype=bool)

    def _slices(self, which: Numbers, low: FloatArray, high: FloatArray, sides: SpanRows) -> Flags:
        """Whether |C (F(x_c) + J T (s - s_c))| + |1 - C J N| w < w: J along s, and over all y."""
        frames, m, k = self.frames, self.frames.m, len(which)
        w, C = frames.w[which], self.C[which]
        s, r = middles(low, high)
        flat, wide = np.zeros((k, m)), np.repeat(w[:, None], m, axis=1)
        centre = frames.outer(which, *(np.column_stack([flat, s]),) * 2)
        line = frames.outer(which, np.column_stack([flat, low]), np.column_stack([flat, high]))
        tube = frames.outer(which, np.column_stack([-wide, low]), np.column_stack([wide, high]))
        if sides.sums:
            keeps = (sides.over(*tube)[0].low > 0.0).all(axis=0)
        else:
            keeps = np.ones(k, dtype=bool)
        values, slopes = self.rows.over(
            np.concatenate([centre[0], line[0], tube[0]]),
            np.concatenate([centre[1], line[1], tube[1]]),
        )
        V, V_off = _ball(Spans(values.low[:, :k].T, values.high[:, :k].T))
        G, G_off = _ball(
            Spans(slopes.low[:, :, k:].transpose(2, 0, 1), slopes.high[:, :, k:].transpose(2, 0, 1))
        )
        with np.errstate(all="ignore"):
            sC, share = np.abs(C), frames.share
            N, T = frames.A[which][:, :, :m], frames.A[which][:, :, m:]
            b = np.abs(np.einsum("kij,kj->ki", C, V))
            b += np.einsum("kij,kj->ki", sC, V_off + share * np.abs(V))
            b += (np.abs(C @ (G[:k] @ T)) + _off(sC, G[:k], G_off[:k], T, share))[:, :, 0] * r[
                :, None
            ]
            steep = np.abs(np.eye(m) - C @ (G[k:] @ N)) + _off(sC, G[k:], G_off[k:], N, share)
            steep = steep.sum(axis=2) + share
            total = (b + steep * w[:, None]) * (1.0 + 8.0 * SLACK) + TINY
            holds = (total < w[:, None]).all(axis=1) & (w > 0.0) & (frames.h[which] >= 0.0)
        return np.asarray(holds & keeps, dtype=bool)

    def judged(
        self, which: Numbers, low: FloatArray, high: FloatArray
    ) -> tuple[FloatArray, FloatArray, Flags]:
        """Boxes narrowed, each in one chart's frame; and which hold no other solution."""
        frames, m = self.frames, self.frames.m
        p = frames.p[which]
        a, b = frames.turned(which, low, high)
        _, _, slopes = self.rows.about(a, b, p)
        G, G_off = _ball(Spans(slopes.low.transpose(2, 0, 1), slopes.high.transpose(2, 0, 1)))
        with np.errstate(all="ignore"):
            A, C = frames.A[which], self.C[which]
            sA, sC = np.abs(A), np.abs(C)
            S = C @ (G @ A)
            S_off = (sC @ (G_off @ sA)) * (1.0 + SLACK)
            one = np.arange(m)
            S[:, one, one] -= 1.0
            S_off += frames.share * (sC @ (np.abs(G) @ sA) + 1.0)
            z, radius = frames.own(which, a, b)
            z_low, z_high = np.nextafter(z - radius, -np.inf), np.nextafter(z + radius, np.inf)
            empty = np.zeros(len(z), dtype=bool)
            for _ in range(3):
                z, radius = middles(np.minimum(z_low, z_high), z_high)
                size = np.abs(z) + radius
                y = -(self.v[which] + np.einsum("kij,kj->ki", S, z))
                off = self.v_off[which] + np.einsum("kij,kj->ki", np.abs(S), radius)
                off += np.einsum("kij,kj->ki", S_off, size)
                off += frames.share * (
                    np.abs(self.v[which]) + np.einsum("kij,kj->ki", np.abs(S), size)
                )
                off = off * (1.0 + SLACK) + TINY
                low_y, high_y = np.nextafter(y - off, -np.inf), np.nextafter(y + off, np.inf)
                good = np.isfinite(low_y) & np.isfinite(high_y)
                z_low[:, :m] = np.where(good, np.maximum(z_low[:, :m], low_y), z_low[:, :m])
                z_high[:, :m] = np.where(good, np.minimum(z_high[:, :m], high_y), z_high[:, :m])
                empty |= (z_low > z_high).any(axis=1)
            inside = frames.are_inside(which, z_low, z_high)
            x_low, x_high = frames.outer(which, np.minimum(z_low, z_high), z_high)
        still = ((a == low) & (b == high)).all(axis=1, keepdims=True)  # turned ones are not cut
        x_low, x_high = np.where(still, x_low, -np.inf), np.where(still, x_high, np.inf)
        bounds = np.maximum(x_low, low), np.minimum(x_high, high)
        return cut(low, high, bounds, empty | inside)


def _off(
    sC: FloatArray, G: FloatArray, G_off: FloatArray, A: FloatArray, share: float
) -> FloatArray:
    """How far C G A is from the product of middles."""
    sA = np.abs(A)
    found: FloatArray = sC @ (G_off @ sA) + share * (sC @ (np.abs(G) @ sA))
    return found


def _gradients(rows: SpanRows, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    _, slopes = rows.over(low, high)
    return _ball(Spans(slopes.low.transpose(2, 0, 1), slopes.high.transpose(2, 0, 1)))


def _ball(spans: Spans) -> tuple[FloatArray, FloatArray]:
    """Middles and radii; an infinite radius where something is unbounded."""
    with np.errstate(all="ignore"):
        middle, radius = middles(spans.low, spans.high)
    good = np.isfinite(spans.low) & np.isfinite(spans.high)
    return np.where(good, middle, 0.0), np.where(good, radius, np.inf)
