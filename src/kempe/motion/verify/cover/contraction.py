"""Boxes made smaller by rows of second degree, without losing a solution; thousands at once.

About the middle p of a box, |d_j| <= r_j, every mixture M of rows satisfies

    0 = V + sum_j (G_j d_j + K_jj d_j^2 / 2) + sum_{j != k} K_jk d_j d_k / 2,
    (V, G, K) = M (V, G, H).

The rows themselves and those of a Gauss-Jordan elimination of G are taken. Any mixture gives a true
bound; good ones give narrow bounds. Each is solved for every unknown.
"""

from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.cover.charts import middles
from kempe.motion.verify.enclosures.balls import SLACK, TINY, BallRows, roundings, share

FloatArray = NDArray[np.float64]
Flags = NDArray[np.bool_]


@final
class Contraction:
    """The rows of one block, and the sides that must be positive."""

    def __init__(self, rows: BallRows, sides: BallRows | None) -> None:
        self.rows, self.sides = rows, sides
        n = rows.l.shape[1]
        # d^T H d / 2 as a sum over pairs of unknowns, those alone that some row has
        seen = np.triu((rows.H_size != 0.0).any(axis=0))
        self.first, self.second = np.nonzero(seen)
        self.share = max(share(n), roundings(4 * n + 32 + len(self.first)))
        factor = np.where(self.first == self.second, 0.5, 1.0)
        self.bends = rows.H[:, self.first, self.second] * factor
        self.bends_size = rows.H_size[:, self.first, self.second] * factor

    def contracted(self, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray, Flags]:
        """Boxes (k, n) that hold the same solutions, and which hold none."""
        p, r = middles(low, high)
        empty = self._wrong_side(p, r)
        if not len(self.rows.l):  # nothing is asked: every position is a solution
            return low, high, empty
        V, V_size, G, G_size = self.rows.at(p)
        M = mixtures(G * r[:, None, :])
        k, q, n = G.shape
        sM, rr = np.abs(M), r[:, None, :]
        V = np.concatenate([V, np.einsum("kpq,kq->kp", M, V)], axis=1)
        # the size of d^T K d / 2 over a box, and of all that is added to it
        products = r[:, self.first] * r[:, self.second]
        size = V_size + (G_size * rr).sum(axis=2) + products @ self.bends_size.T
        size = np.concatenate([size, np.einsum("kpq,kq->kp", sM, size)], axis=1)
        G = np.concatenate([G, M @ G], axis=1)
        K = (M.reshape(k * q, q) @ self.bends).reshape(k, q, len(self.first))
        own = self.first == self.second
        bent = np.zeros((k, 2 * q, n))  # of d_j^2
        bent[:, :q, self.first[own]] = self.bends[:, own]
        bent[:, q:, self.first[own]] = K[:, :, own]
        pairs = np.concatenate(
            [
                products[:, ~own] @ np.abs(self.bends[:, ~own]).T,
                np.einsum("kpi,ki->kp", np.abs(K[:, :, ~own]), products[:, ~own]),
            ],
            axis=1,
        )
        off = pairs + self.share * size + TINY
        line, square = np.abs(G) * rr, bent * rr * rr
        least, most = -line + np.minimum(square, 0.0), line + np.maximum(square, 0.0)
        bottom = V - off + least.sum(axis=2)
        top = V + off + most.sum(axis=2)
        empty |= ((bottom > 0.0) | (top < 0.0)).any(axis=1)
        # G_j d_j + bent_j d_j^2 lies between -(top without j) and -(bottom without j)
        under, over = -(top[:, :, None] - most), -(bottom[:, :, None] - least)
        d_low, d_high = linear(G, np.abs(bent) * rr, under, over, rr)
        e_low, e_high = _bent(G, bent, under, over, rr)
        d_low = np.maximum(d_low, e_low).max(axis=1)
        d_high = np.minimum(d_high, e_high).min(axis=1)
        empty |= (d_low > d_high).any(axis=1)
        new_low = np.maximum(low, np.nextafter(p + d_low, -np.inf))
        new_high = np.minimum(high, np.nextafter(p + d_high, np.inf))
        empty |= (new_low > new_high).any(axis=1)
        good = ~empty[:, None] & np.isfinite(new_low) & np.isfinite(new_high)
        return np.where(good, new_low, low), np.where(good, new_high, high), empty

    def _wrong_side(self, p: FloatArray, r: FloatArray) -> Flags:
        """Boxes on which some side is surely not positive."""
        if self.sides is None or not len(self.sides.c):
            return np.zeros(len(p), dtype=bool)
        return np.asarray((self.upper(self.sides, p, r) <= 0.0).any(axis=1), dtype=bool)

    def upper(self, rows: BallRows, p: FloatArray, r: FloatArray) -> FloatArray:
        """Upper bounds of rows over boxes."""
        V, V_size, G, G_size = rows.at(p)
        bent = 0.5 * np.einsum("qij,ki,kj->kq", np.abs(rows.H), r, r, optimize=True)
        size = V_size + np.einsum("kqj,kj->kq", G_size, r)
        size += 0.5 * np.einsum("qij,ki,kj->kq", rows.H_size, r, r, optimize=True)
        line = np.einsum("kqj,kj->kq", np.abs(G), r)
        found: FloatArray = V + line + bent + self.share * size + TINY
        return found


def mixtures(G: FloatArray) -> FloatArray:
    """Gauss-Jordan elimination with full pivoting: M such that M G has a pivot in every row."""
    k, q, n = G.shape
    work = np.concatenate([G, np.broadcast_to(np.eye(q), (k, q, q))], axis=2)
    done = np.zeros((k, q), dtype=bool)
    box = np.arange(k)
    with np.errstate(all="ignore"):
        for _ in range(q):
            size = np.abs(work[:, :, :n])
            size[done] = -1.0
            best = size.reshape(k, -1).argmax(axis=1)
            row, column = best // n, best % n
            pivot = work[box, row, column]
            line = work[box, row] / np.where(pivot == 0.0, np.inf, pivot)[:, None]
            factor = work[box, :, column]
            factor[box, row] = 0.0
            work = work - factor[:, :, None] * line[:, None, :]
            work[box, row] = line
            done[box, row] = True
    M = work[:, :, n:]
    return np.where(np.isfinite(M).all(axis=(1, 2))[:, None, None], M, 0.0)


def linear(
    G: FloatArray, bend: FloatArray, under: FloatArray, over: FloatArray, r: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """d with a d between under and over, a within `bend` of G, where a is surely not 0."""
    least, most = np.abs(G) * (1.0 - SLACK) - bend, np.abs(G) * (1.0 + SLACK) + bend
    sure = least > TINY
    sign = np.sign(G)
    low, high = np.where(sign < 0, -over, under), np.where(sign < 0, -under, over)
    with np.errstate(all="ignore"):
        a = np.where(low > 0.0, low / most, low / least)
        b = np.where(high < 0.0, high / most, high / least)
        a -= SLACK * np.abs(a) + TINY
        b += SLACK * np.abs(b) + TINY
    sure = sure & np.isfinite(a) & np.isfinite(b)
    wide = np.broadcast_to(r, G.shape)
    return np.where(sure, a, -wide), np.where(sure, b, wide)


def _bent(
    G: FloatArray, bent: FloatArray, under: FloatArray, over: FloatArray, r: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """d with G d + bent d^2 between under and over: (d + G / (2 bent))^2 at most a square."""
    with np.errstate(all="ignore"):
        g = 0.5 * G / bent
        most = np.maximum(under / bent, over / bent)
        square = most + g * g
        square += 8.0 * SLACK * (np.abs(most) + g * g) + TINY
        root = np.sqrt(np.maximum(square, 0.0)) * (1.0 + SLACK) + TINY
        off = 8.0 * SLACK * (np.abs(g) + root)
        low, high = -g - root - off, -g + root + off
        none = square < 0.0
    low, high = np.where(none, 1.0, low), np.where(none, -1.0, high)
    sure = (np.abs(bent) > TINY) & (none | (np.isfinite(low) & np.isfinite(high)))
    wide = np.broadcast_to(r, G.shape)
    return np.where(sure, low, -wide), np.where(sure, high, wide)
