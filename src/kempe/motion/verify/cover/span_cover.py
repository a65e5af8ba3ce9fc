"""Boxes judged by rows of any kind, by the mean value theorem.

On a box X with middle c, F(x) = F(c) + G (x - c) with G among the slopes of F between c and X,
where F is defined and continuous on their hull: where it may not be, some slope is unbounded and
nothing follows. That a chart holds one arc rests on gradients instead.
"""

from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.cover.charts import Flags, FloatArray, Frames, cut, inverses, middles
from kempe.motion.verify.cover.contraction import linear, mixtures
from kempe.motion.verify.cover.span_projection import SpanProjection
from kempe.motion.verify.enclosures.balls import SLACK, TINY
from kempe.motion.verify.enclosures.span_rows import SpanRows
from kempe.motion.verify.enclosures.spans import Spans

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
