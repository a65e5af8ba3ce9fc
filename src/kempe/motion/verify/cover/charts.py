"""Rows of second degree: charts in their own frames and boxes made smaller, thousands at once.

With x = p + A z, z = (y, s), and any matrix C,

    C F(x) = v + y + S z + K[z, z] / 2,
    v = C F(p),   S = C J(p) A - [1 0],   K_i = sum_q C_iq A^T H_q A

holds exactly. C is made here, the nearly inverse of J N; the one that the search used is not read.

About the middle p of a box, |d_j| <= r_j, every mixture M of rows satisfies

    0 = V + sum_j (G_j d_j + K_jj d_j^2 / 2) + sum_{j != k} K_jk d_j d_k / 2,
    (V, G, K) = M (V, G, H).

The rows themselves and those of a Gauss-Jordan elimination of G are taken. Any mixture gives a true
bound; good ones give narrow bounds. Each is solved for every unknown.
"""

from collections.abc import Iterator
from copy import copy
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.enclosures.balls import SLACK, TINY, BallRows, roundings, share

FloatArray = NDArray[np.float64]
Flags = NDArray[np.bool_]

AT_A_TIME = 2**21  # doubles in one array of a part: 16 MB
MOST_KEPT = 2**26  # doubles of second derivatives: 0.5 GB


@final
class Frames:
    """Parallelotopes x = p + A z of charts (k of them): |z_j| <= w across, <= h along the curve.

    A[k, c], as it is given, is column c: m columns across the curve, then the one along it. An
    unknown with a period is compared by the nearest way round its circle.
    """

    def __init__(
        self,
        p: FloatArray,
        A: FloatArray,
        sizes: tuple[FloatArray, FloatArray],
        m: int,
        period: FloatArray,
    ) -> None:
        self.p, (self.h, self.w), self.m = p, sizes, m
        self.n, self.share, self.period = p.shape[1], share(p.shape[1]), period
        self.A = np.ascontiguousarray(A.transpose(0, 2, 1))
        self.inverse = inverses(self.A)
        # |z - B d| <= skew |B d| / (1 - skew) for d = A z, B the inverse as far as doubles go
        self.skew = np.zeros(len(p))
        one = np.eye(self.n)
        with np.errstate(all="ignore"):
            for part in parts(len(p), self.n * self.n):
                B = self.inverse[part]
                defect = np.abs(B @ self.A[part] - one)
                size = np.abs(B) @ np.abs(self.A[part]) + one
                skew = (defect + self.share * size).sum(axis=2).max(axis=1) * 1.01
                self.skew[part] = np.where(skew < 0.5, skew / (1.0 - skew) * 1.01, np.nan)

    def part(self, which: slice) -> "Frames":
        """Some of the charts."""
        found = copy(self)
        found.p, found.A, found.inverse = self.p[which], self.A[which], self.inverse[which]
        found.h, found.w, found.skew = self.h[which], self.w[which], self.skew[which]
        return found

    def turned(
        self, which: NDArray[np.int64], low: FloatArray, high: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Boxes less the whole turns between them and their charts, each known to a digit."""
        if not (self.period > 0.0).any():
            return low, high
        P = np.where(self.period > 0.0, self.period, np.inf)
        turns = np.round((0.5 * (low + high) - self.p[which]) / P)
        shift, off = turns * self.period, np.abs(turns) * np.spacing(self.period)
        moved = turns != 0.0
        return (
            np.where(moved, np.nextafter(low - shift - off, -np.inf), low),
            np.where(moved, np.nextafter(high - shift + off, np.inf), high),
        )

    def own(
        self, which: NDArray[np.int64], low: FloatArray, high: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Middles and radii of z over boxes, each in the frame of one chart."""
        p = self.p[which]
        middle, radius = middles(low, high)
        d = middle - p
        B = self.inverse[which]
        z = np.einsum("kij,kj->ki", B, d)
        size = np.einsum("kij,kj->ki", np.abs(B), np.abs(d) + np.abs(p) + np.abs(middle) + radius)
        spread = np.einsum("kij,kj->ki", np.abs(B), radius)
        most = (np.abs(z) + spread).max(axis=1) * (1.0 + SLACK)
        radius = spread + self.share * size + (self.skew[which] * most)[:, None] + TINY
        return z, radius * (1.0 + SLACK)

    def are_inside(self, which: NDArray[np.int64], low: FloatArray, high: FloatArray) -> Flags:
        """Whether ranges of z lie within the charts' own bounds."""
        m = self.m
        w, h = self.w[which][:, None], self.h[which][:, None]
        across = ((low[:, :m] >= -w) & (high[:, :m] <= w)).all(axis=1)
        along = ((low[:, m:] >= -h) & (high[:, m:] <= h)).all(axis=1)
        return np.asarray(across & along, dtype=bool)

    def outer(
        self, which: NDArray[np.int64], low: FloatArray, high: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Boxes around ranges of z."""
        z, radius = middles(low, high)
        A, p = self.A[which], self.p[which]
        x = p + np.einsum("kij,kj->ki", A, z)
        off = np.einsum("kij,kj->ki", np.abs(A), radius)
        size = np.abs(p) + np.einsum("kij,kj->ki", np.abs(A), np.abs(z) + radius)
        off = (off + self.share * size) * (1.0 + SLACK) + TINY
        return np.nextafter(x - off, -np.inf), np.nextafter(x + off, np.inf)


@final
class FrameForms:
    """v, S and K of charts, with sizes. K, the largest, is kept where there is room for it."""

    def __init__(
        self,
        rows: BallRows,
        frames: Frames,
        exactly: tuple[FloatArray, FloatArray] | None = None,  # F(p) and sizes, where known better
    ) -> None:
        self.frames, self.share = frames, frames.share
        self.rows = rows
        m = len(rows.c)
        V, V_size, G, G_size = rows.at(frames.p)
        if exactly is not None:
            V, V_size = exactly
        A = frames.A
        with np.errstate(all="ignore"):
            self.C = C = inverses(G @ A[:, :, :m])
        sC, sA = np.abs(C), np.abs(A)
        self.v = np.einsum("kij,kj->ki", C, V)
        self.v_size = np.einsum("kij,kj->ki", sC, V_size)
        self.S = C @ (G @ A)
        self.S_size = sC @ (G_size @ sA)
        one = np.arange(m)
        self.S[:, one, one] -= 1.0
        self.S_size[:, one, one] += 1.0

    def _bends(self, H: FloatArray, C: FloatArray, A: FloatArray) -> FloatArray:
        """K (k, m, n, n), or its size, of charts with these C and A."""
        (k, n, _), m = A.shape, len(H)
        # A^T H as one product of matrices: (k, i, q, b), then A on the right and C on the left
        turned = A.transpose(0, 2, 1).reshape(k * n, n) @ H.transpose(1, 0, 2).reshape(n, m * n)
        turned = (turned.reshape(k, n * m, n) @ A).reshape(k, n, m, n)
        found: FloatArray = (C[:, None] @ turned).transpose(0, 2, 1, 3)
        return found

    @cached_property
    def K(self) -> FloatArray:
        """Second derivatives in the frames of all charts."""
        return self._bends(self.rows.H, self.C, self.frames.A)

    @cached_property
    def K_size_sums(self) -> FloatArray:
        """Sums of the sizes of all second derivatives of a row, of every chart."""
        found: FloatArray = np.zeros(self.v.shape)
        for part in self._parts():
            sizes = self._bends(self.rows.H_size, np.abs(self.C[part]), np.abs(self.frames.A[part]))
            found[part] = sizes.sum(axis=(2, 3))
        return found

    def _parts(self) -> Iterator[slice]:
        return parts(len(self.v), self.frames.m * self.frames.n**2)

    def are_one_arc(self) -> Flags:
        """Which charts hold, for every |s| <= h, exactly one |y_j| <= w that solves the rows.

        y -> y - C F maps the cube into its inside and contracts there.
        """
        found = [self._are_one_arc(part) for part in self._parts()]
        return np.concatenate([np.zeros(0, dtype=bool), *found])

    def _are_one_arc(self, part: slice) -> Flags:
        frames, m = self.frames, self.frames.m
        h, w = frames.h[part], frames.w[part]
        z = np.concatenate(
            [np.repeat(w[:, None], m, axis=1), np.repeat(h[:, None], frames.n - m, axis=1)], axis=1
        )
        A, C = frames.A[part], self.C[part]
        S = np.abs(self.S[part]) + self.share * self.S_size[part]
        K = np.abs(self._bends(self.rows.H, C, A))
        K += self.share * self._bends(self.rows.H_size, np.abs(C), np.abs(A))
        v = np.abs(self.v[part]) + self.share * self.v_size[part]
        Kz = np.einsum("kijl,kl->kij", K, z)
        mapped = v + np.einsum("kij,kj->ki", S + 0.5 * Kz, z)
        steep = (S + Kz)[:, :, :m].sum(axis=2)
        room = 1.0 + self.share
        with np.errstate(invalid="ignore"):
            holds = (mapped * room + TINY < w[:, None]) & (steep * room < 1.0)
        return np.asarray(holds.all(axis=1) & (w > 0.0) & (h >= 0.0), dtype=bool)

    def leans(self) -> FloatArray:
        """How steep y rises over |s| <= h in every chart: |y_i(s) - y_i(s')| <= lean |s - s'|.

        (1 + P) y' = -Q with |P| <= q < 1 by rows, so |y'| <= max |Q| / (1 - q).
        """
        found = [self._lean(part) for part in self._parts()]
        return np.concatenate([np.zeros(0), *found])

    def _lean(self, part: slice) -> FloatArray:
        m = self.frames.m
        h, w = self.frames.h[part], self.frames.w[part]
        A, C = self.frames.A[part], self.C[part]
        K = self._bends(self.rows.H, C, A)
        K_off = self.share * self._bends(self.rows.H_size, np.abs(C), np.abs(A))
        S = np.abs(self.S[part]) + self.share * self.S_size[part]
        v = np.abs(self.v[part]) + self.share * self.v_size[part]
        y = self._reach(S, np.abs(K) + K_off, v, (h, w))  # of solutions: less than w
        H = h[:, None, None]
        # what s does over a disc, by the norms of rows of K, and y over a cube, by their sums
        P = S[:, :, :m] + H * np.linalg.norm(K[:, :, :m, m:], axis=3)
        P += np.einsum("kijl,kl->kij", np.abs(K[:, :, :m, :m]), y)
        P += (H + w[:, None, None]) * K_off[:, :, :m].sum(axis=3)
        Q = np.linalg.norm(S[:, :, m:], axis=2)
        Q += h[:, None] * np.linalg.norm(K[:, :, m:, m:], ord=2, axis=(2, 3)) * (1.0 + SLACK)
        Q += np.linalg.norm(np.einsum("kijl,kl->kij", np.abs(K[:, :, m:, :m]), y), axis=2)
        Q += (h + w)[:, None] * K_off[:, :, m:].sum(axis=(2, 3))
        q = P.sum(axis=2).max(axis=1) * (1.0 + 4.0 * self.share)
        with np.errstate(all="ignore"):
            lean = Q.max(axis=1) / (1.0 - q) * (1.0 + 8.0 * self.share)
        return np.where(q < 1.0, lean, np.inf)

    def _reach(
        self, S: FloatArray, K: FloatArray, v: FloatArray, sizes: tuple[FloatArray, FloatArray]
    ) -> FloatArray:
        """How far out (k, m) solutions are across charts, |s| <= h, from sizes of S, K and v."""
        m, (h, w) = self.frames.m, sizes
        y = np.repeat(w[:, None], m, axis=1)
        for _ in range(3):
            bent = np.einsum("kijl,kj,kl->ki", K[:, :, :m, :m], y, y)
            bent += (
                2.0
                * h[:, None]
                * np.einsum("kij,kj->ki", np.linalg.norm(K[:, :, :m, m:], axis=3), y)
            )
            bent += (h * h)[:, None] * np.linalg.norm(K[:, :, m:, m:], ord=2, axis=(2, 3))
            found = v + np.einsum("kij,kj->ki", S[:, :, :m], y) + 0.5 * bent
            found += h[:, None] * np.linalg.norm(S[:, :, m:], axis=2)
            y = np.minimum(y, found * (1.0 + 8.0 * self.share) + TINY)
        return y

    def narrowed(
        self, which: NDArray[np.int64], z: FloatArray, radius: FloatArray, rounds: int = 3
    ) -> tuple[FloatArray, FloatArray, Flags]:
        """z of solutions, narrowed by the rows: y = -v - S z - K[z, z] / 2; and which are empty."""
        m = self.frames.m
        v, S, K = self.v[which], self.S[which], self._K_of(which)
        vs, Ss, Ks = self.v_size[which], self.S_size[which], self.K_size_sums[which]
        z, radius = z.copy(), radius.copy()
        low, high = z - radius, z + radius
        low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
        empty = np.zeros(len(z), dtype=bool)
        for _ in range(rounds):
            a = np.abs(z) + radius
            Kz = np.einsum("kijl,kl->kij", K, z)
            y = -(v + np.einsum("kij,kj->ki", S + 0.5 * Kz, z))
            off = np.einsum("kij,kj->ki", np.abs(S + Kz), radius)
            off += 0.5 * np.einsum(
                "kij,kj->ki", np.einsum("kijl,kl->kij", np.abs(K), radius), radius
            )
            most = a.max(axis=1)[:, None]
            size = vs + np.einsum("kij,kj->ki", Ss, a) + Ks * most * most
            off = (off + self.share * size) * (1.0 + SLACK) + TINY
            low[:, :m] = np.maximum(low[:, :m], np.nextafter(y - off, -np.inf))
            high[:, :m] = np.minimum(high[:, :m], np.nextafter(y + off, np.inf))
            empty |= (low > high).any(axis=1)
            z, radius = middles(np.minimum(low, high), high)
        return low, high, empty

    def _K_of(self, which: NDArray[np.int64]) -> FloatArray:
        if len(self.v) * self.frames.m * self.frames.n**2 <= MOST_KEPT:
            return self.K[which]
        return self._bends(self.rows.H, self.C[which], self.frames.A[which])

    def judged(
        self, which: NDArray[np.int64], low: FloatArray, high: FloatArray
    ) -> tuple[FloatArray, FloatArray, Flags]:
        """Boxes narrowed, each in one chart's frame; and which hold no other solution."""
        frames = self.frames
        with np.errstate(invalid="ignore", over="ignore"):
            z_low, z_high, empty = self.narrowed(which, *frames.own(which, low, high))
            inside = frames.are_inside(which, z_low, z_high)
            x_low, x_high = frames.outer(which, np.minimum(z_low, z_high), z_high)
        return cut(low, high, (x_low, x_high), empty | inside)


def cut(
    low: FloatArray, high: FloatArray, by: tuple[FloatArray, FloatArray], done: Flags
) -> tuple[FloatArray, FloatArray, Flags]:
    """Boxes cut by others that hold the same solutions; those that have nothing left are done."""
    good = (np.isfinite(by[0]) & np.isfinite(by[1])).all(axis=1, keepdims=True)
    new_low = np.where(good, np.maximum(low, by[0]), low)
    new_high = np.where(good, np.minimum(high, by[1]), high)
    done = np.asarray(done | (new_low > new_high).any(axis=1), dtype=bool)
    keep = ~done[:, None]
    return np.where(keep, new_low, low), np.where(keep, new_high, high), done


def middles(low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A double near the middle, and how far the ends are from it at most."""
    middle: FloatArray = 0.5 * (low + high)
    return middle, np.nextafter(np.maximum(high - middle, middle - low), np.inf)


def parts(count: int, numbers: int) -> Iterator[slice]:
    """Things of so many numbers each, so many at a time that a few arrays of them take no room."""
    step = max(1, AT_A_TIME // max(numbers, 1))
    return (slice(start, start + step) for start in range(0, count, step))


def inverses(matrices: FloatArray) -> FloatArray:
    """Of every matrix; NaN where one is singular."""
    try:
        return np.asarray(np.linalg.inv(matrices), dtype=np.float64)
    except np.linalg.LinAlgError:
        found = np.full_like(matrices, np.nan)
        for k, matrix in enumerate(matrices):
            try:
                found[k] = np.linalg.inv(matrix)
            except np.linalg.LinAlgError:
                continue
        return found


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
