"""Charts of second-degree rows in their own frames, all of a block at once.

With x = p + A z, z = (y, s), and any matrix C,

    C F(x) = v + y + S z + K[z, z] / 2,
    v = C F(p),   S = C J(p) A - [1 0],   K_i = sum_q C_iq A^T H_q A

holds exactly. C is made here, the nearly inverse of J N; the one that the search used is not read.
"""

from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.proof.balls import SLACK, TINY, BallRows, share

FloatArray = NDArray[np.float64]
Flags = NDArray[np.bool_]


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
        one = np.eye(self.n)
        with np.errstate(all="ignore"):
            defect = np.abs(self.inverse @ self.A - one)
            size = np.abs(self.inverse) @ np.abs(self.A) + one
            skew = (defect + self.share * size).sum(axis=2).max(axis=1) * 1.01
            self.skew = np.where(skew < 0.5, skew / (1.0 - skew) * 1.01, np.nan)

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
    """v, S and K of charts, with sizes."""

    def __init__(
        self,
        rows: BallRows,
        frames: Frames,
        exactly: tuple[FloatArray, FloatArray] | None = None,  # F(p) and sizes, where known better
    ) -> None:
        self.frames, self.share = frames, frames.share
        k, n = frames.p.shape
        m = len(rows.c)
        V, V_size, G, G_size = rows.at(frames.p)
        if exactly is not None:
            V, V_size = exactly
        A = frames.A
        with np.errstate(all="ignore"):
            C = inverses(G @ A[:, :, :m])
        sC, sA = np.abs(C), np.abs(A)
        self.v = np.einsum("kij,kj->ki", C, V)
        self.v_size = np.einsum("kij,kj->ki", sC, V_size)
        self.S = C @ (G @ A)
        self.S_size = sC @ (G_size @ sA)
        one = np.arange(m)
        self.S[:, one, one] -= 1.0
        self.S_size[:, one, one] += 1.0
        turned = np.einsum("kai,qab->kqib", A, rows.H) @ A[:, None]
        turned_size = np.einsum("kai,qab->kqib", sA, rows.H_size) @ sA[:, None]
        self.K = (C @ turned.reshape(k, m, n * n)).reshape(k, m, n, n)
        self.K_size = (sC @ turned_size.reshape(k, m, n * n)).reshape(k, m, n, n)

        self.K_size_sums = self.K_size.sum(axis=(2, 3))

    def are_one_arc(self) -> Flags:
        """Which charts hold, for every |s| <= h, exactly one |y_j| <= w that solves the rows.

        y -> y - C F maps the cube into its inside and contracts there.
        """
        frames, m = self.frames, self.frames.m
        z = np.concatenate(
            [
                np.repeat(frames.w[:, None], m, axis=1),
                np.repeat(frames.h[:, None], frames.n - m, axis=1),
            ],
            axis=1,
        )
        S = np.abs(self.S) + self.share * self.S_size
        K = np.abs(self.K) + self.share * self.K_size
        v = np.abs(self.v) + self.share * self.v_size
        Kz = np.einsum("kijl,kl->kij", K, z)
        mapped = v + np.einsum("kij,kj->ki", S + 0.5 * Kz, z)
        steep = (S + Kz)[:, :, :m].sum(axis=2)
        room = 1.0 + self.share
        with np.errstate(invalid="ignore"):
            holds = (mapped * room + TINY < frames.w[:, None]) & (steep * room < 1.0)
        return np.asarray(holds.all(axis=1) & (frames.w > 0.0) & (frames.h >= 0.0), dtype=bool)

    def narrowed(
        self, which: NDArray[np.int64], z: FloatArray, radius: FloatArray, rounds: int = 3
    ) -> tuple[FloatArray, FloatArray, Flags]:
        """z of solutions, narrowed by the rows: y = -v - S z - K[z, z] / 2; and which are empty."""
        m = self.frames.m
        v, S, K = self.v[which], self.S[which], self.K[which]
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
