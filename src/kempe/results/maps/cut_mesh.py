"""Meshes of a folded surface, cut along the lines on which limits are met."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

Settle = Callable[[FloatArray, BoolArray], FloatArray]

BY_NUMBERS = 1e-12  # m or 1, radius of a corner that Newton's method has put on a limit


@final
@dataclass(frozen=True, slots=True, eq=False)
class CutMesh:
    """Triangles between limits: corners `x` (v, n), of which some were put on a limit.

    `chart` (v,) numbers the certified chart a corner is the middle of, of one on a limit that of a
    neighbour inside; `is_on` (v, f) says which of f limits are met. `radius` (v,) bounds how far a
    true position is; of corners on a limit it is a number that is not proved. `mirrors` are the
    columns of `x` whose sign tells the sides of the limits that cut it. `tangents` (v, 2, n) are
    two directions along the surface at every corner, turned alike.
    """

    x: FloatArray
    radius: FloatArray
    triangles: IntArray
    chart: IntArray
    is_on: BoolArray
    tangents: FloatArray
    mirrors: tuple[int, ...] = ()

    @property
    def euler(self) -> int:
        """V - E + F."""
        corners = len(np.unique(self.triangles))
        return int(corners - len(self._edges()[0]) + len(self.triangles))

    @property
    def rims(self) -> int:
        """How many closed lines make its rim."""
        edges, count, _ = self._edges()
        rim = edges[count == 1]
        if not len(rim):
            return 0
        corners, ends = np.unique(rim, return_inverse=True)
        a, b = np.asarray(ends).reshape(-1, 2).T
        least = np.arange(len(corners))
        while True:  # the least number of those joined goes along
            after = least.copy()
            np.minimum.at(after, a, least[b])
            np.minimum.at(after, b, least[a])
            after = after[after]
            if (after == least).all():
                return len(np.unique(least))
            least = after

    def rim_edges(self) -> IntArray:
        """The edges (e, 2) with a triangle on one side only."""
        edges, count, _ = self._edges()
        rim: IntArray = edges[count == 1]
        return rim

    def _edges(self) -> tuple[IntArray, IntArray, IntArray]:
        """(edges, how many triangles each has, the edges of every triangle)."""
        t = self.triangles
        pairs = np.stack([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]], axis=1)
        edges, number, count = np.unique(
            np.sort(pairs, axis=2).reshape(-1, 2), axis=0, return_inverse=True, return_counts=True
        )
        return edges, count, np.asarray(number).reshape(-1, 3)

    def cut(self, limit: int, columns: Sequence[int], settle: Settle) -> "CutMesh":
        """What is left where the mirror unknown of a limit is positive.

        `columns` are the mirror unknowns of all limits; `settle` puts points (k, n) on the surface
        while the unknowns marked (k, n) stand still.
        """
        own = columns[limit]
        inside = self.x[:, own] > 0.0
        edges, count, of = self._edges()
        crossing = np.flatnonzero(inside[edges[:, 0]] != inside[edges[:, 1]])
        a, b = edges[crossing].T
        a, b = np.where(inside[a], a, b), np.where(inside[a], b, a)  # from inside out
        made = self._between(a, b, own)
        is_on = self.is_on[a] & self.is_on[b] & (count[crossing] == 1)[:, None]
        is_on[:, limit] = True
        still = np.zeros(made.shape, dtype=bool)
        still[:, list(columns)] = is_on
        made[still] = 0.0
        number = np.full(len(edges), -1)
        number[crossing] = len(self.x) + np.arange(len(crossing))
        return replace(
            self,
            x=np.vstack([self.x, settle(made, still)]),
            radius=np.concatenate([self.radius, np.full(len(a), BY_NUMBERS)]),
            triangles=self._inside(inside, number[of]),
            chart=np.concatenate([self.chart, self.chart[a]]),
            is_on=np.vstack([self.is_on, is_on]),
            mirrors=(*self.mirrors, own),
        )

    def _between(self, a: IntArray, b: IntArray, own: int) -> FloatArray:
        """Points (k, n) between corners a and b, where an unknown is zero."""
        first, last = self.x[a, own], self.x[b, own]
        share = (first / (first - last))[:, None]
        made: FloatArray = (1.0 - share) * self.x[a] + share * self.x[b]
        return made

    def _inside(self, inside: BoolArray, cuts: IntArray) -> IntArray:
        """Triangles inside, whole or cut, from the corner (f, 3) on each of their edges."""
        held = inside[self.triangles]
        found = [self.triangles[held.all(axis=1)]]
        for k in range(3):  # turned so that the corner that differs comes first
            t, c = (np.roll(self.triangles, -k, axis=1), np.roll(cuts, -k, axis=1))
            h = np.roll(held, -k, axis=1)
            alone = h[:, 0] & ~h[:, 1] & ~h[:, 2]
            found.append(np.stack([t[:, 0], c[:, 0], c[:, 2]], axis=1)[alone])
            two = ~h[:, 0] & h[:, 1] & h[:, 2]
            found.append(np.stack([c[:, 0], t[:, 1], t[:, 2]], axis=1)[two])
            found.append(np.stack([c[:, 0], t[:, 2], c[:, 2]], axis=1)[two])
        return np.concatenate(found)

    def tidy(self) -> "CutMesh":
        """Without corners that no triangle needs; `tangents` are those of before."""
        used, triangles = np.unique(self.triangles, return_inverse=True)
        return CutMesh(
            self.x[used],
            self.radius[used],
            np.asarray(triangles).reshape(-1, 3),
            self.chart[used],
            self.is_on[used],
            self.tangents,
            self.mirrors,
        )
