"""Points of a map, each proved to lie beside a solution: links of charts and starts, all at once.

In the slice x + N y of a chart through a listed point x, with C nearly the inverse of J N and

    |1 - C J N| <= q < 1     (sums of rows, over a box about x),

the map y -> y - C F contracts the cube |y_j| <= e, e = |C F(x)| / (1 - q), into itself: exactly one
solution lies in it. F(x) is formed in pairs of doubles, for it is smaller than what doubles round.
The curve's tangent T + N u there has u = -C J T + (1 - C J N) u.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.cover.charts import Flags, FloatArray, Frames, inverses
from kempe.motion.verify.enclosures.balls import SLACK, TINY
from kempe.motion.verify.enclosures.pair_rows import PairRows

Numbers = NDArray[np.int64]
# (points, half-widths of boxes about them) -> gradients at all points of the boxes, within radii
Slopes = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]

LEAST = 1e-15  # half-width of the box in which a solution is looked for


@final
@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """Solutions within `off` (k, n) of points, and tangents there; only where `are_known`."""

    x: FloatArray
    off: FloatArray
    tangent: FloatArray
    tangent_off: FloatArray
    are_known: Flags


@final
class Points:
    """The rows of a block, and the charts in whose slices its points are looked at."""

    def __init__(
        self, frames: Frames, rows: PairRows, slopes: Slopes, unit: FloatArray | None
    ) -> None:
        self.frames, self.rows, self.slopes, self.unit = frames, rows, slopes, unit

    def beside(self, which: Numbers, x: FloatArray, radius: FloatArray) -> Beside:
        """Solutions within radii (k,) of points (k, n), each in the slice of one chart."""
        frames, m = self.frames, self.frames.m
        F, F_off = self.rows.at(x)
        if self.unit is not None:
            F, F_off = F * self.unit, F_off * self.unit
        r = np.repeat(np.maximum(2.0 * radius, LEAST)[:, None], frames.n, axis=1)
        G, G_off = self.slopes(x, r)
        A = frames.A[which]
        N, T = A[:, :, :m], A[:, :, m:]
        with np.errstate(all="ignore"):
            C = inverses(G @ N)
            sC, share = np.abs(C), frames.share
            D = C @ (G @ A)
            D_off = (sC @ (G_off @ np.abs(A))) * (1.0 + SLACK)
            D_off += share * (sC @ (np.abs(G) @ np.abs(A)) + 1.0)
            away = np.abs(np.eye(m) - D[:, :, :m]) + D_off[:, :, :m]
            q = away.sum(axis=2) * (1.0 + SLACK)
            v = np.einsum("kij,kj->ki", sC, np.abs(F) * share + F_off)
            v = (np.abs(np.einsum("kij,kj->ki", C, F)) + v) * (1.0 + SLACK) + TINY
            steepest = q.max(axis=1, initial=0.0)
            e = v.max(axis=1, initial=0.0) / (1.0 - steepest) * (1.0 + 4.0 * SLACK)
            y = (v + q * e[:, None]) * (1.0 + SLACK)
            off = np.einsum("kij,kj->ki", np.abs(N), y) * (1.0 + share) + TINY
            known = (steepest < 0.5) & (np.abs(N).sum(axis=2) * e[:, None] < r).all(axis=1)
            known &= (off <= radius[:, None]).all(axis=1)
            u = -D[:, :, m:].sum(axis=2)  # one column, or none
            most = (np.abs(u) + D_off[:, :, m:].sum(axis=2)).max(axis=1, initial=0.0)
            u_off = D_off[:, :, m:].sum(axis=2) + q * (most / (1.0 - steepest))[:, None]
            t = T.sum(axis=2) + np.einsum("kij,kj->ki", N, u)
            size = np.abs(T).sum(axis=2) + np.einsum("kij,kj->ki", np.abs(N), np.abs(u))
            t_off = np.einsum("kij,kj->ki", np.abs(N), u_off) + share * size
            t_off = t_off * (1.0 + 4.0 * SLACK) + TINY
        return Beside(x, off, t, t_off, np.asarray(known, dtype=bool))

    def own(self, which: Numbers, found: Beside) -> tuple[FloatArray, FloatArray]:
        """Bounds of z of solutions in the frames of charts, by the nearest way round circles."""
        frames = self.frames
        low = np.nextafter(found.x - found.off, -np.inf)
        high = np.nextafter(found.x + found.off, np.inf)
        with np.errstate(all="ignore"):
            z, radius = frames.own(which, *frames.turned(which, low, high))
        return np.nextafter(z - radius, -np.inf), np.nextafter(z + radius, np.inf)

    def run_along(self, which: Numbers, found: Beside) -> Flags:
        """Charts along which tangents surely run forward."""
        frames = self.frames
        B = frames.inverse[which]
        with np.errstate(all="ignore"):
            z = np.einsum("kij,kj->ki", B, found.tangent)
            size = np.einsum("kij,kj->ki", np.abs(B), np.abs(found.tangent))
            off = np.einsum("kij,kj->ki", np.abs(B), found.tangent_off) + frames.share * size
            most = (np.abs(z) + off).max(axis=1)
            off = (off + (frames.skew[which] * most)[:, None]) * (1.0 + SLACK) + TINY
            runs = z[:, frames.m] - off[:, frames.m] > 0.0
        return np.asarray(runs & found.are_known, dtype=bool)

    def are_joined(
        self, links: FloatArray, radii: FloatArray, first: int, count: int, *, closed: bool
    ) -> Flags:
        """Links of a component of `count` charts from `first` on, of which nothing is wrong.

        Link i is near a solution, in chart i and in the one after it, the curve runs along both
        there, and it enters chart i before it leaves it.
        """
        if len(links) != count - (not closed) or not len(links):
            return np.zeros(len(links), dtype=bool)
        here = first + np.arange(len(links))
        there = first + (np.arange(len(links)) + 1) % count
        found = self.beside(here, links, radii)
        own, next_own = self.own(here, found), self.own(there, found)
        good = found.are_known & self.run_along(here, found) & self.run_along(there, found)
        good &= self.frames.are_inside(here, *own) & self.frames.are_inside(there, *next_own)
        m = self.frames.m
        entered = np.full(count, -np.inf)
        entered[there - first] = next_own[1][:, m]
        good &= own[0][:, m] > entered[: len(links)]
        good &= np.roll(good, 1) if closed else np.concatenate([[True], good[:-1]])
        return np.asarray(good, dtype=bool)

    def are_outside(self, x: FloatArray, radius: float, charts: Numbers) -> bool:
        """Whether nothing within a radius of a point lies in any of these charts."""
        frames, m = self.frames, self.frames.m
        points = np.repeat(x[None, :], len(charts), axis=0)
        low, high = np.nextafter(points - radius, -np.inf), np.nextafter(points + radius, np.inf)
        with np.errstate(all="ignore"):
            z, r = frames.own(charts, *frames.turned(charts, low, high))
            size = np.repeat(frames.w[charts][:, None], frames.n, axis=1)
            size[:, m:] = frames.h[charts][:, None]
            outside = (np.abs(z) - r > size * (1.0 + SLACK)).any(axis=1)
        return bool(outside.all())

    def holds_one(self, x: FloatArray, radius: float, charts: Numbers) -> bool:
        """Whether a solution within a radius of a point lies in one of these charts."""
        if not len(charts):
            return False
        found = self.beside(
            charts, np.repeat(x[None, :], len(charts), axis=0), np.full(len(charts), radius)
        )
        inside = self.frames.are_inside(charts, *self.own(charts, found))
        return bool((found.are_known & inside).any())
