"""Surfaces that limits cut off: unfolded again, with their rims counted and their meshes cut.

A surface between limits is searched for as its double, which has no rim (`folding`). A component K
of the double is mapped to itself by turning the sign of the mirror unknown of a limit exactly where
it crosses that limit; otherwise the sign makes another component of it. With f limits crossed, c
corners, where two limits meet, and e the Euler characteristic of K, that of the surface is
e / 2^f + c / 4: 2^f copies of the surface make K, those of its rims coincide in pairs, and those of
its corners by fours. Rims are curves of positions with one limit held, found by the same search;
arcs of them are joined at corners.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Part, record_parts, sparse_jacobian
from kempe.algebra.native import native_tape
from kempe.frames.networks.network import joined
from kempe.motion.reduction.blocks import Block, RowsLeft
from kempe.motion.reduction.folding import Fold, held_at
from kempe.motion.search.search import Effort, EndKind, FoundCurve, search
from kempe.results.maps.cut_mesh import CutMesh
from kempe.results.maps.surface import euler_characteristic

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

NEAREST = 12  # charts, among which one is looked for that holds a point
MARGIN = 1e-9  # of a chart's sizes: what rounding may do to a position
SAME = 1e-7  # of unknowns: ends of arcs nearer than this are one corner
FINE = Effort().resolution  # of rims: curves need smaller charts than surfaces, and are few
NEWTON_STEPS = 12
SETTLED = 1e-13  # a step of Newton's method after which nothing changes any more

Piece = dict[str, Any]  # the charts and triangles of one component


@final
@dataclass(slots=True)
class Cut:
    """One surface between limits: its piece of the double, and what was found of its rim."""

    piece: Piece
    mesh: CutMesh | None  # None where no limit cuts it
    euler: int | None
    rims: int | None


@final
@dataclass(slots=True)
class _Rim:
    """A curve of positions with one limit met, and the corners that it runs between."""

    fold: int
    x: FloatArray  # of a point of it, all unknowns
    ends: list[tuple[int, FloatArray]] = field(default_factory=list)  # (fold met there, where)


def cut_surfaces(
    pieces: Sequence[Piece],
    block: Block,
    folds: Sequence[Fold],
    rows: RowsLeft,
    plain: RowsLeft,
    effort: Effort,
) -> list[Cut]:
    """The surfaces between limits that pieces of their double stand for.

    `rows` are those of the double, of which the block is; `plain` those with limits, not folded,
    whose unknowns are the first of the double's.
    """
    if not folds:
        return [Cut(piece, None, euler_characteristic(piece), 0) for piece in pieces]
    unfolding = _Unfolding(pieces, block, folds, plain, _Rows(rows, block))
    kept = unfolding.kept()
    rims = unfolding.rims(effort) if any(crossed for _, crossed, _ in kept) else []
    return [unfolding.cut(k, crossed, rims, sure=sure) for k, crossed, sure in kept]


@final
class _Rows:
    """The equations of a block with their gradients, for Newton's method at many points."""

    def __init__(self, rows: RowsLeft, block: Block) -> None:
        inputs = [rows.inputs[p] for p in block.places]
        mine = {e.node: k for k, e in enumerate(inputs)}
        one, zero = (Expression(rows.graph, rows.graph.constant(x)) for x in (1.0, 0.0))
        values = [r.value for r in rows.equations_of(block.places)]
        slopes = sparse_jacobian(values, {node: {k: one} for node, k in mine.items()})
        outputs = values + [row.get(k, zero) for row in slopes for k in range(len(inputs))]
        tape = record_parts(rows.graph, inputs, [Part("rows", {"rows": outputs})]).tape
        self.count, self.tape, self.outputs = len(values), native_tape(tape), tape.outputs
        self.sees = np.array([[k in row for k in range(len(inputs))] for row in slopes])

    def tangents(self, x: FloatArray, mirrors: Sequence[int]) -> FloatArray:
        """Two directions (k, 2, n) along the surface that was not folded, at points of it (k, n).

        They are upright to each other, and have no part in the mirror unknowns.
        """
        m, n = self.count, x.shape[1]
        slopes = self.tape.evaluate(np.ascontiguousarray(x), self.outputs)[:, m:].reshape(-1, m, n)
        others = np.setdiff1d(np.arange(n), mirrors)
        plain = ~self.sees[:, list(mirrors)].any(axis=1)
        _, _, rows = np.linalg.svd(slopes[:, plain][:, :, others])
        made = np.zeros((len(x), 2, n))
        made[:, :, others] = rows[:, -2:]
        return made

    def settled(self, x: FloatArray, still: BoolArray) -> FloatArray:
        """The nearest solutions to points (k, n), marked unknowns (k, n) standing still."""
        x, m, n = x.copy(), self.count, x.shape[1]
        for _ in range(NEWTON_STEPS if len(x) else 0):
            found = self.tape.evaluate(np.ascontiguousarray(x), self.outputs)
            slopes = found[:, m:].reshape(-1, m, n) * ~still[:, None, :]
            step = -np.einsum("kij,kj->ki", np.linalg.pinv(slopes), found[:, :m])
            x += step
            if np.abs(step).max() < SETTLED:
                break
        return x


@final
class _Unfolding:
    """Pieces of a double, and which of them are mirror images of each other."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        block: Block,
        folds: Sequence[Fold],
        plain: RowsLeft,
        rows: "_Rows",
    ) -> None:
        self.pieces, self.block, self.folds, self.plain = pieces, block, folds, plain
        self.rows = rows
        self.columns = [block.places.index(f.mirror) for f in folds]
        inputs = list(plain.inputs)
        values = [f.room for f in folds]
        self.rooms = record_parts(folds[0].room.graph, inputs, [Part("room", {"room": values})])
        self.known = len(inputs)

    def kept(self) -> list[tuple[int, list[int], bool]]:
        """(piece, folds that it crosses, whether that is proved), one of all mirror images."""
        found = []
        for k, piece in enumerate(self.pieces):
            s = np.asarray(piece["x"])[:, self.columns]
            off = float(np.max(piece["radius"]))
            above, below = s.max(axis=0) > off, s.min(axis=0) < -off
            crossed = [i for i in range(len(self.folds)) if above[i] and below[i]]
            if any(below[i] for i in range(len(self.folds)) if i not in crossed):
                continue  # its mirror image is kept
            alone = [i for i in range(len(self.folds)) if i not in crossed]
            found.append((k, crossed, all(self._has_image(k, i) for i in alone)))
        return found

    def _has_image(self, k: int, i: int) -> bool:
        """Whether the sign of a mirror unknown makes another piece of this one."""
        for x in np.asarray(self.pieces[k]["x"]):
            image = x.copy()
            image[self.columns[i]] *= -1.0
            held = self._piece_at(image)
            if held is not None:
                return held != k
        return False

    def _piece_at(self, x: FloatArray) -> int | None:
        """The piece in one of whose charts a point of the double lies."""
        for k, piece in enumerate(self.pieces):
            if _holds(piece, x, self.block.certified.period):
                return k
        return None

    def lifted(self, x: FloatArray, met: Sequence[int]) -> FloatArray:
        """The block's unknowns at a position, mirror unknowns positive, and 0 where met."""
        tape = self.rooms.tape
        room = native_tape(tape).evaluate(np.ascontiguousarray(x[None, :]), tape.outputs)[0]
        room[list(met)] = 0.0
        everything = np.concatenate([x, np.zeros(max(self.block.places) + 1)])
        everything[[f.mirror for f in self.folds]] = np.sqrt(np.maximum(room, 0.0))
        self._put_roots(everything)
        made: FloatArray = everything[list(self.block.places)]
        return made

    def _put_roots(self, everything: FloatArray) -> None:
        """Values of unknowns that stand for roots: rows that name them, solved one by one."""
        places = list(self.block.places)
        mirrors = {f.mirror for f in self.folds}
        roots = [p for p in places if p >= self.known and p not in mirrors]
        if not roots:
            return
        is_root = np.isin(places, roots)
        x = np.where(is_root, 1.0, everything[places])  # roots are positive
        everything[places] = self.rows.settled(x[None, :], ~is_root[None, :])[0]

    # -- rims ----------------------------------------------------------------------------------

    def rims(self, effort: Effort) -> list[_Rim] | None:
        """All curves on which a limit is met; None where they are not all known."""
        began, found = time.monotonic(), list[_Rim]()
        places = [p for p in self.block.places if p < self.known]
        places += [f.place for f in self.folds if f.place not in places]
        for i, fold in enumerate(self.folds):
            for end in fold.ends:
                left = replace(effort.after(time.monotonic() - began), resolution=FINE)
                block = held_at(self.plain, fold.place, end).block(sorted(places))
                curves = search(block, left)
                if curves.ended != "complete" or len(curves.unresolved[0]) or len(curves.sheets[0]):
                    return None
                found += [self._rim(i, block, curve) for curve in curves.components]
        return found

    def _rim(self, fold: int, block: Block, curve: FoundCurve) -> _Rim:
        def whole(x: FloatArray) -> FloatArray:
            everything = np.zeros(self.known)
            everything[list(block.places)] = x
            return everything

        rim = _Rim(fold, whole(np.asarray(curve.start)))
        by_place = {f.place: i for i, f in enumerate(self.folds)}
        for end in () if curve.closed else curve.ends:
            met = by_place.get(block.places[end.unknown], -1) if end.kind is EndKind.limit else -1
            rim.ends.append((met, whole(np.asarray(end.x))))
        return rim

    def _of_piece(self, k: int, rims: Sequence[_Rim]) -> list[_Rim]:
        period = self.block.certified.period
        return [r for r in rims if _holds(self.pieces[k], self.lifted(r.x, [r.fold]), period)]

    # -- surfaces ------------------------------------------------------------------------------

    def cut(self, k: int, crossed: list[int], rims: Sequence[_Rim] | None, *, sure: bool) -> Cut:
        """The surface of one piece: its shape as far as it is proved, and its mesh."""
        piece = self.pieces[k]
        whole = euler_characteristic(piece) if sure else None
        if not crossed:
            return Cut(piece, None, whole, 0)
        mesh = self._mesh(piece, crossed)
        own = None if rims is None else self._of_piece(k, rims)
        if whole is None or own is None:
            return Cut(piece, mesh, None, None)
        corners, circles = _circles(own)
        if circles is None:
            return Cut(piece, mesh, None, None)
        # e / 2^f + c / 4, a whole number wherever every curve was found
        quarters, left = divmod(whole * 4 + corners * 2 ** len(crossed), 4 * 2 ** len(crossed))
        agrees = left == 0 and (quarters, circles) == (mesh.euler, mesh.rims)
        return Cut(piece, mesh, quarters if agrees else None, circles if agrees else None)

    def _mesh(self, piece: Piece, crossed: list[int]) -> CutMesh:
        """The triangles on the positive sides of the folds, cut along them."""
        x = np.asarray(piece["x"], dtype=float)
        mesh = CutMesh(
            x,
            np.asarray(piece["radius"], dtype=float),
            np.asarray(piece["triangles"], dtype=np.int64),
            np.arange(len(x)),
            np.zeros((len(x), len(self.folds)), dtype=bool),
            np.zeros((0, 2, x.shape[1])),
        )
        for i in crossed:
            mesh = mesh.cut(i, self.columns, self.rows.settled)
        mesh = mesh.tidy()
        return replace(mesh, tangents=self._turned_alike(piece, mesh))

    def _turned_alike(self, piece: Piece, mesh: CutMesh) -> FloatArray:
        """Directions along the surface at all corners, turned as the charts about them are."""
        n = mesh.x.shape[1]
        made = self.rows.tangents(mesh.x, self.columns)
        charts = np.asarray(piece["A"]).reshape(-1, n, n)[mesh.chart, n - 2 :]
        side = np.sign(np.asarray(piece["x"])[mesh.chart][:, list(mesh.mirrors)]).prod(axis=1)
        alike = np.linalg.det(made @ charts.transpose(0, 2, 1)) * side > 0.0
        made[~alike, 0] *= -1.0
        return made


def _circles(rims: Sequence[_Rim]) -> tuple[int, int | None]:
    """(corners, closed lines) that curves of a rim make; None where ends do not meet in pairs."""
    ends = [(r, fold, x) for r, rim in enumerate(rims) for fold, x in rim.ends]
    links = [{r} for r in range(len(rims))]
    for r, fold, x in ends:
        mates = [
            other
            for other, met, y in ends
            if met == rims[r].fold and rims[other].fold == fold and np.abs(x - y).max() < SAME
        ]
        if len(mates) != 1:
            return 0, None
        links.append({r, mates[0]})
    return len(ends) // 2, len(joined(links))


def nearest_holding(
    charts: Piece, among: IntArray, points: IntArray, period: FloatArray
) -> IntArray:
    """For middles of charts (by number), one `among` others whose chart holds them; else -1."""
    from scipy.spatial import cKDTree

    x, n = np.asarray(charts["x"]), np.asarray(charts["x"]).shape[1]
    A = np.asarray(charts["A"]).reshape(-1, n, n)
    count = min(NEAREST, len(among))
    near = cKDTree(x[among]).query(x[points], count)[1]
    found = np.full(len(points), -1)
    P = np.where(period > 0.0, period, np.inf)
    for other in among[np.asarray(near, dtype=np.int64).reshape(-1, count)].T:
        d = x[points] - x[other]
        d = d - np.round(d / P) * period
        z = np.abs(np.linalg.solve(A[other].transpose(0, 2, 1), d[:, :, None])[:, :, 0])
        w, h = (np.asarray(charts[name])[other] for name in ("w", "h"))
        inside = (z[:, : n - 2].max(axis=1) <= (1.0 - MARGIN) * w) & (
            z[:, n - 2 :].max(axis=1) <= (1.0 - MARGIN) * h
        )
        found = np.where((found < 0) & inside, other, found)
    return found


def _holds(piece: Piece, x: FloatArray, period: FloatArray) -> bool:
    """Whether a point of the double, all but exact, lies in a chart of a piece."""
    p, n = np.asarray(piece["x"]), len(x)
    d = x - p
    turns = period > 0.0
    d[:, turns] -= np.round(d[:, turns] / period[turns]) * period[turns]
    A = np.asarray(piece["A"]).reshape(-1, n, n)
    sizes = np.concatenate(
        [
            np.repeat(np.asarray(piece["w"])[:, None], n - 2, axis=1),
            np.repeat(np.asarray(piece["h"])[:, None], 2, axis=1),
        ],
        axis=1,
    )
    reach = np.einsum("kij,ki->kj", np.abs(A), sizes)
    near = np.flatnonzero((np.abs(d) <= reach).all(axis=1))
    if not len(near):
        return False
    z = np.linalg.solve(A[near].transpose(0, 2, 1), d[near][:, :, None])[:, :, 0]
    return bool((np.abs(z) <= (1.0 - MARGIN) * sizes[near]).all(axis=1).any())
