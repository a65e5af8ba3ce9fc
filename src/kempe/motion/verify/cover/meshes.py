"""That a mesh is its surface: one to one, as a topological space.

Triangles stand for pieces of the surface that curves from corner to corner bound. The curve of an
edge is where n . (x - V) = 0, n square to U - V; in a chart whose surface leans by no more than
`lean` it stays, seen from either end, within the angle t of the straight line,

    sin t = lean |N^T n|_1 / |T^T n|,

and so within 2 t of it. Where the angles between the lines at all corners exceed those of their
curves together, and the triangles about every corner make one turn, the mesh covers the surface
without folds; one corner that lies in no other triangle says that it does so once; and a corner
outside the charts of a triangle's corners that this is no sphere within them.

The triangles are the search's; nothing else of what it knew about them is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.cover.blocks import BlockProof, Sheet
from kempe.motion.verify.cover.charts import Flags, FloatArray, FrameForms, Frames, parts

Numbers = NDArray[np.int64]

SLACK = 1e-9  # of angles and lengths in charts: a million times what doubles lose
STEEPEST = 0.4  # sine of the angle of an edge, at most
NEAREST = 12  # charts of corners, among which one is looked for that holds a lone corner
ROUND = 1e-6  # rad: of one turn about a corner
AT_ONCE = 1 << 16  # triangles


@final
@dataclass(frozen=True, slots=True, eq=False)
class MeshProof:
    """What of meshes is wrong, and their Euler characteristics, piece by piece."""

    failures: tuple[str, ...]
    euler: tuple[int | None, ...]  # None where a shape is not proved


def proved_meshes(proof: BlockProof, sheets: Sequence[Sheet]) -> MeshProof:
    """All pieces of one block: their triangles, held against the surface in charts of corners."""
    return _Meshes(proof, sheets).proved()


@final
class _Meshes:
    def __init__(self, proof: BlockProof, sheets: Sequence[Sheet]) -> None:
        assert proof.frames is not None
        self.proof, self.frames = proof, proof.frames
        counts = [len(s.charts["h"]) for s in sheets]
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
        self.piece = np.repeat(np.arange(len(sheets)), counts)  # of corners
        self.count = len(sheets)
        self.t: Numbers = np.concatenate(
            [
                np.asarray(s.charts["triangles"], dtype=np.int64).reshape(-1, 3) + start
                for s, start in zip(sheets, starts, strict=True)
            ]
        )
        self.radius = _all(sheets, "radius")
        sizes = _all(sheets, "star_h"), _all(sheets, "star_w")
        whole = self.frames
        A = np.ascontiguousarray(whole.A.transpose(0, 2, 1))
        self.stars = Frames(whole.p, A, sizes, whole.m, whole.period)
        self.good = np.ones(len(whole.p), dtype=bool)  # corners of which nothing is wrong
        self.used = np.zeros(len(whole.p), dtype=bool)
        self.used[self.t] = True

    def proved(self) -> MeshProof:
        """Everything, piece by piece."""
        failures = []
        points = self.proof.points_of
        assert points is not None
        every = np.arange(len(self.radius))
        known = np.concatenate(
            [
                points.beside(every[part], self.frames.p[part], self.radius[part]).are_known
                for part in parts(len(every), self.frames.n**2)
            ]
        )
        for what, flags in (("chart", self.proof.proved), ("corner", known)):
            wrong = np.flatnonzero(~flags)
            if len(wrong):
                piece = int(self.piece[wrong[0]])
                failures.append(f"piece {piece}: {len(wrong)} {what}s are not proved")
        if failures:
            return MeshProof(tuple(failures), (None,) * self.count)
        self._stars()
        self._round()
        shapes = [self._shape(k) for k in range(self.count)]
        return MeshProof((), tuple(shapes))

    # -- about corners ---------------------------------------------------------------------------

    def _stars(self) -> None:
        """Smaller charts about all corners, proved, and how much surfaces lean in them."""
        self.lean = np.full(len(self.radius), np.inf)
        for part in parts(len(self.radius), self.frames.m * self.frames.n**2):
            some = self.stars.part(part)
            assert self.proof.rows is not None
            self.good[part] &= self.proof.hold(some) | ~self.used[part]
            self.lean[part] = FrameForms(self.proof.rows, some).leans()

    def _seen(self, charts: Numbers, corners: Numbers) -> FloatArray:
        """z (k, n) of corners in the frames of charts, by the nearest way round circles."""
        P = np.where(self.frames.period > 0.0, self.frames.period, np.inf)
        d = self.frames.p[corners] - self.frames.p[charts]
        d = d - np.round(d / P) * self.frames.period
        z: FloatArray = np.einsum("kij,kj->ki", self.stars.inverse[charts], d)
        return z

    def _across(self, a: Numbers, b: Numbers) -> FloatArray:
        """n (k, n) of edges: along the surface and across the edge, the same from either end."""
        first, last = np.minimum(a, b), np.maximum(a, b)
        P = np.where(self.frames.period > 0.0, self.frames.period, np.inf)
        d = self.frames.p[last] - self.frames.p[first]
        d = d - np.round(d / P) * self.frames.period
        made = np.zeros_like(d)
        for k in (first, last):
            T = self.frames.A[k][:, :, self.frames.m :]
            s = np.einsum("kij,ki->kj", T, d)
            turned = np.stack([-s[:, 1], s[:, 0]], axis=1) / np.linalg.norm(s, axis=1)[:, None]
            made += np.einsum("kij,kj->ki", T, turned)
        made -= ((made * d).sum(axis=1) / (d * d).sum(axis=1))[:, None] * d
        unit: FloatArray = made / np.linalg.norm(made, axis=1)[:, None]
        return unit

    def _bend(self, charts: Numbers, a: Numbers, b: Numbers) -> FloatArray:
        """2 t (k,) of edges in charts, above; infinite where an edge is none there."""
        m = self.frames.m
        z = np.einsum("kij,ki->kj", self.frames.A[charts], self._across(a, b))
        beside = np.abs(z[:, :m]).sum(axis=1) + m * SLACK
        with np.errstate(all="ignore"):
            sine = self.lean[charts] * beside / (np.linalg.norm(z[:, m:], axis=1) - SLACK)
            found = 2.0 * np.arcsin(sine) + SLACK
        return np.where((sine >= 0.0) & (sine <= STEEPEST), found, np.inf)

    def _round(self) -> None:
        """Triangles about every corner: angles that exceed those of curves, and one turn in all."""
        turn = np.zeros(len(self.radius))
        for start in range(0, len(self.t), AT_ONCE):
            t = self.t[start : start + AT_ONCE]
            for k in range(3):
                v, a, b = (t[:, (k + i) % 3] for i in range(3))
                holds, angle = self._about(v, a, b)
                np.add.at(turn, v, angle)
                self.good[v[~holds]] = False
        self.good &= ~self.used | (np.abs(turn - 2.0 * np.pi) < ROUND)

    def _about(self, v: Numbers, a: Numbers, b: Numbers) -> tuple[Flags, FloatArray]:
        """Whether triangles v, a, b hold in the chart about v, and their angles there."""
        m, h = self.frames.m, self.stars.h[v]
        p, q = self._seen(v, a)[:, m:], self._seen(v, b)[:, m:]
        holds = self._holds(v, a) & self._holds(v, b)
        side, area = q - p, p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
        spoke, other, rim = self._bend(v, v, a), self._bend(v, v, b), self._bend(v, a, b)
        angles = [
            np.arctan2(area, (p * q).sum(axis=1)),
            np.arctan2(area, -(p * side).sum(axis=1)),
            np.arctan2(area, (q * side).sum(axis=1)),
        ]
        wide = [spoke + other, spoke + rim, other + rim]
        near = np.linalg.norm(p, axis=1)
        out = np.linalg.norm(0.5 * (p + q), axis=1)
        with np.errstate(all="ignore"):
            out = out + 0.5 * np.linalg.norm(side, axis=1) * np.tan(rim)
            holds &= (area > 0.0) & (near < h) & (out < h) & np.isfinite(rim)
            for angle, least in zip(angles, wide, strict=True):
                holds &= angle > least + SLACK
        holds &= self.radius[v] + self.radius[a] < 0.01 * SLACK * near
        return holds, angles[0]

    def _holds(self, charts: Numbers, corners: Numbers) -> Flags:
        """Whether true points at corners lie in the smaller charts about others."""
        low, high = self._around(corners)
        with np.errstate(all="ignore"):
            z, r = self.stars.own(charts, *self.stars.turned(charts, low, high))
            return self.stars.are_inside(charts, z - r, z + r)

    def _around(self, corners: Numbers) -> tuple[FloatArray, FloatArray]:
        p, r = self.frames.p[corners], self.radius[corners][:, None]
        return np.nextafter(p - r, -np.inf), np.nextafter(p + r, np.inf)

    # -- whole pieces ----------------------------------------------------------------------------

    def _shape(self, piece: int) -> int | None:
        """V - E + F of a piece whose mesh is proved to be all of it; else None."""
        t = self.t[self.piece[self.t[:, 0]] == piece]
        mine = np.flatnonzero(self.piece == piece)
        if not len(t) or (self.piece[t] != piece).any() or not self.good[mine].all():
            return None
        directed = np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]])
        once = np.unique(directed, axis=0)
        if len(once) != len(directed) or (np.unique(directed[:, ::-1], axis=0) != once).any():
            return None  # it has a rim, or a fold
        if not (self._is_connected(t) and self._is_covered_once(t) and self._is_no_sphere(t)):
            return None
        if not self._holds_lone(mine):
            return None
        return len(np.unique(t)) - len(directed) // 2 + len(t)

    def _is_connected(self, t: Numbers) -> bool:
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        corners, numbers = np.unique(t, return_inverse=True)
        numbers = np.asarray(numbers).reshape(-1, 3)
        a, b = np.concatenate([numbers[:, :2], numbers[:, 1:]]).T
        graph = coo_array((np.ones(len(a)), (a, b)), shape=(len(corners),) * 2)
        return int(connected_components(graph, directed=False)[0]) == 1

    def _is_covered_once(self, t: Numbers) -> bool:
        """Whether the first corner lies in no triangle but those about it, of any piece."""
        v = int(t[0, 0])
        others = self.t[(self.t != v).all(axis=1)]
        charts = others[:, 0]
        again = np.full(len(others), v)
        clear = self._are_outside(charts, again)
        left, m = others[~clear], self.frames.m
        p = self._seen(left[:, 0], again[~clear])[:, m:]
        beyond = np.zeros(len(left), dtype=bool)
        for k in range(3):
            a, b = left[:, k], left[:, (k + 1) % 3]
            A, B = (self._seen(left[:, 0], e)[:, m:] for e in (a, b))
            side, d = B - A, p - A
            length = np.linalg.norm(side, axis=1)
            bend = self._bend(left[:, 0], a, b)
            with np.errstate(all="ignore"):
                away = -(side[:, 0] * d[:, 1] - side[:, 1] * d[:, 0]) / length
                beyond |= away > 0.5 * length * np.tan(bend) + SLACK
        return bool(beyond.all())

    def _are_outside(self, charts: Numbers, corners: Numbers) -> Flags:
        """Corners that surely lie outside the smaller charts about others."""
        low, high = self._around(corners)
        with np.errstate(all="ignore"):
            z, r = self.stars.own(charts, *self.stars.turned(charts, low, high))
        sizes = np.repeat(self.stars.w[charts][:, None], self.frames.n, axis=1)
        sizes[:, self.frames.m :] = self.stars.h[charts][:, None]
        return np.asarray((np.abs(z) - r > sizes).any(axis=1), dtype=bool)

    def _is_no_sphere(self, t: Numbers) -> bool:
        """Whether some corner is outside the charts of the corners of every triangle."""
        corners = np.unique(t)
        p = self.frames.p[corners]
        far = corners[np.unique(np.concatenate([p.argmin(axis=0), p.argmax(axis=0)]))]
        left = t
        for v in far:
            out = np.ones(len(left), dtype=bool)
            for k in range(3):
                out &= self._are_outside(left[:, k], np.full(len(left), v))
            left = left[~out]
            if not len(left):
                return True
        return False

    def _holds_lone(self, mine: Numbers) -> bool:
        """Whether corners without triangles lie in charts of others, and so on the same piece."""
        from scipy.spatial import cKDTree

        lone, others = mine[~self.used[mine]], mine[self.used[mine]]
        if not len(lone):
            return True
        count = min(NEAREST, len(others))
        near = cKDTree(self.frames.p[others]).query(self.frames.p[lone], count)[1]
        near = others[np.asarray(near, dtype=np.int64).reshape(-1, count)]
        held = np.zeros(len(lone), dtype=bool)
        low, high = self._around(lone)
        for charts in near.T:
            z, r = self.frames.own(charts, *self.frames.turned(charts, low, high))
            held |= self.frames.are_inside(charts, z - r, z + r)
        return bool(held.all())


def _all(sheets: Sequence[Sheet], name: str) -> FloatArray:
    found: list[Any] = [np.asarray(s.charts[name], dtype=np.float64) for s in sheets]
    return np.concatenate(found)
