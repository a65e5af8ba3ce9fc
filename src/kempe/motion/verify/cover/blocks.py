"""One block proved again: its charts, its points, and that nothing in its domain is missing.

In the slice x + N y of a chart through a listed point x, with C nearly the inverse of J N and

    |1 - C J N| <= q < 1     (sums of rows, over a box about x),

the map y -> y - C F contracts the cube |y_j| <= e, e = |C F(x)| / (1 - q), into itself: exactly one
solution lies in it. F(x) is formed in pairs of doubles, for it is smaller than what doubles round.
The curve's tangent T + N u there has u = -C J T + (1 - C J N) u.

Unknowns without bounds of their own get those that rows imply. A row of second degree in them
bounds them where squares outweigh products: with a the least weight of squares, b the size of all
that is linear in them and c of the rest, a |x|^2 <= b |x| + c, so |x| <= b / a + sqrt(c / a).
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import UnsolvableKind
from kempe.motion.verify.cover.charts import (
    Contraction,
    Flags,
    FloatArray,
    FrameForms,
    Frames,
    inverses,
    middles,
    parts,
)
from kempe.motion.verify.cover.covering import Covered, Covering, Watch, excepted, troubles_of_cover
from kempe.motion.verify.cover.span_cover import SpanContraction, SpanForms
from kempe.motion.verify.enclosures.balls import SLACK, TINY, BallRows, share
from kempe.motion.verify.enclosures.pairs import PairRows
from kempe.motion.verify.enclosures.spans import SpanRows
from kempe.motion.verify.written.matching import BlockRows
from kempe.motion.verify.written.polynomial import Polynomial
from kempe.results.maps.certificate import CertifiedBlock, Cover
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import SingularPlace
from kempe.results.maps.surface import Surface

ROOM = 1.0 + 1e-9  # far more than the roundings of a bound
SURE = 1e-6  # of the largest square: what is left of a difference is no rounding


def bounded(
    rows: Sequence[Polynomial], unknowns: Sequence[int], low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray] | None:
    """A box that holds all solutions between low and high; None where the rows imply none."""
    low, high = low.copy(), high.copy()
    going = True
    while going and not (np.isfinite(low) & np.isfinite(high)).all():
        going = False
        for row in rows:
            is_open = ~(np.isfinite(low) & np.isfinite(high))
            seen = [j for j, g in enumerate(unknowns) if is_open[j] and g in row.unknowns]
            reach = _reach(row, unknowns, (low, high), seen) if seen else None
            if reach is not None:
                low[seen], high[seen] = np.maximum(low[seen], -reach), np.minimum(high[seen], reach)
                going = True
    return (low, high) if (np.isfinite(low) & np.isfinite(high)).all() else None


def _reach(
    row: Polynomial,
    unknowns: Sequence[int],
    box: tuple[FloatArray, FloatArray],
    seen: Sequence[int],
) -> float | None:
    """How far out the unbounded unknowns of a row can be, all together."""
    place = {unknowns[j]: k for k, j in enumerate(seen)}
    of, parts = row.ring.generators, dict[tuple[int, ...], Polynomial]()
    for m, c in row.terms.items():
        if any(of[g].op is not None and of[g].unknowns & place.keys() for g in m):
            return None
        outer = tuple(g for g in m if g in place)
        inner = tuple(g for g in m if g not in place)
        parts[outer] = parts.get(outer, row.ring.number(0)) + Polynomial(row.ring, {inner: c})
    if any(len(m) > 2 for m in parts):
        return None
    low, high = (np.where(np.isfinite(e), e, 0.0)[None, :] for e in box)
    values, _ = SpanRows(list(parts.values()), unknowns).over(low, high)
    spans = {m: (values.low[i, 0], values.high[i, 0]) for i, m in enumerate(parts)}
    k = len(seen)
    if k == 1 and (0, 0) not in {tuple(place[g] for g in m) for m in spans}:
        return _linear_reach(*(spans.get(m, (0.0, 0.0)) for m in ((unknowns[seen[0]],), ())))
    least, most, size = np.zeros((k, k)), np.zeros((k, k)), np.zeros(k)
    for m, (a, b) in spans.items():
        if len(m) == 2:
            i, j = place[m[0]], place[m[1]]
            share = 1.0 if i == j else 0.5
            least[i, j], most[i, j] = share * a, share * b
            least[j, i], most[j, i] = share * a, share * b
        elif len(m) == 1:
            size[place[m[0]]] = max(abs(a), abs(b))
    if np.diag(most).max() < 0.0:
        least, most = -most, -least
    own = np.diag(least)
    others = np.maximum(np.abs(least), np.abs(most)).sum(axis=1)
    others = others - np.maximum(np.abs(np.diag(least)), np.abs(np.diag(most)))
    a = float((own - others).min()) * (1.0 - 1e-9)
    if not a > SURE * float(np.abs(most).max()):
        return None
    rest = spans.get((), (0.0, 0.0))
    b = float(np.linalg.norm(size)) * ROOM
    c = max(abs(rest[0]), abs(rest[1])) * ROOM
    reach = (b / a + math.sqrt(c / a)) * ROOM
    return reach if math.isfinite(reach) else None


def _linear_reach(factor: tuple[float, float], rest: tuple[float, float]) -> float | None:
    """How far out x of a x + b = 0 can be, where a is not zero."""
    low, high = factor
    if low <= 0.0 <= high:
        return None
    reach = max(abs(rest[0]), abs(rest[1])) / min(abs(low), abs(high)) * ROOM
    return reach if math.isfinite(reach) else None


Numbers = NDArray[np.int64]
# (points, half-widths of boxes about them) -> gradients at all points of the boxes, within radii
Slopes = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]

FINEST = (
    2.0**-60
)  # of unknowns of the size of 1, far below what doubles tell: the least radius asked
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
class PointProof:
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
            middle = np.einsum("kij,kj->ki", C, F)
            spread = np.einsum("kij,kj->ki", sC, np.abs(F) * share + F_off)
            v = (np.abs(middle) + spread) * (1.0 + SLACK) + TINY
            steepest = q.max(axis=1, initial=0.0)
            e = v.max(axis=1, initial=0.0) / (1.0 - steepest) * (1.0 + 4.0 * SLACK)
            # y = -C F, but for spread and for (1 - C J N) of what is no longer than e
            y = (spread + q * e[:, None] + share * np.abs(middle)) * (1.0 + SLACK)
            off = np.einsum("kij,kj->ki", np.abs(N), y) * (1.0 + share) + TINY
            off += np.abs(np.einsum("kij,kj->ki", N, middle)) * (1.0 + SLACK)
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


NARROWINGS = 60  # of a point's chart, until rounding is all that is left
HALVINGS = 40  # of the half-width with which a point is tried
SAME = 1e-9  # points of one block nearer than this are one


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A piece of surface of a block: its charts as they are listed."""

    block: CertifiedBlock
    charts: Mapping[str, Any]


@final
class BlockProof:
    """The rows of a block as the model gives them, its charts, and its cover."""

    def __init__(
        self, block: CertifiedBlock, derived: BlockRows, components: Sequence[Component | Sheet]
    ) -> None:
        self.block = block
        self.components = [c for c in components if c.block is block]
        self.derived = derived
        on_circles = bool((block.period > 0.0).any())
        self.rows = None if on_circles else BallRows.of(derived.rows, derived.unknowns)
        self.sides = None if on_circles else BallRows.of(derived.sides, derived.unknowns)
        self.trouble = ""  # why rows of more than second degree are not enclosed
        self.curves: SpanForms | None = None
        self.points_of: PointProof | None = None
        self.proved: Flags = np.zeros(0, dtype=bool)
        self.frames = frames = self._frames() if block.freedom else None
        counts = [len(c.charts["h"]) for c in self.components] if frames is not None else []
        starts = [0, *itertools.accumulate(counts)]
        self.starts = {id(c): k for c, k in zip(self.components, starts, strict=False)}
        slopes: Slopes | None = None
        if self.rows is not None and self.sides is not None:
            if frames is not None:
                some = [frames.part(part) for part in parts(len(frames.p), frames.n**2)]
                self.proved = np.concatenate([self.hold(one) for one in some])
                slopes = self.rows.slopes
        else:
            try:
                self.span_rows = SpanRows(derived.rows, derived.unknowns)
                self.span_sides = SpanRows(derived.sides, derived.unknowns)
            except UnsolvableKind as trouble:
                self.trouble = str(trouble)
            if block.freedom > 1:
                self.trouble = "of surfaces, rows of more than second degree are not proved again"
            if frames is not None and not self.trouble:
                self.curves = SpanForms(self.span_rows, frames)
                self.proved = self.curves.are_one_arc(self.span_sides)
                slopes = self.curves.slopes
        if frames is not None and slopes is not None:
            pairs = PairRows(derived.rows, derived.unknowns)
            unit = None if self.rows is None or self.curves is not None else self.rows.unit
            self.points_of = PointProof(frames, pairs, slopes, unit)

    @property
    def is_known(self) -> bool:
        """Whether its rows and sides are of second degree."""
        return self.rows is not None and self.sides is not None

    @property
    def has_points(self) -> bool:
        """Whether positions of it can be proved."""
        return self.is_known or not self.trouble

    @cached_property
    def forms(self) -> FrameForms | None:
        """All charts of rows of second degree, in whose frames boxes are judged."""
        if self.rows is None or self.frames is None:
            return None
        return FrameForms(self.rows, self.frames)

    def hold(self, frames: Frames) -> Flags:
        """Charts that hold one arc each, on which every side is positive."""
        assert self.rows is not None
        return FrameForms(self.rows, frames).are_one_arc() & self._keep_sides(frames)

    def _frames(self) -> Frames | None:
        """Of all charts of the block's curves."""
        block, charts = self.block, [c.charts for c in self.components]
        if not charts:
            return None
        p, A, h, w = (
            np.concatenate([np.asarray(c[key]) for c in charts])
            for key in ("p" if block.freedom == 1 else "x", "A", "h", "w")
        )
        n = p.shape[1]
        return Frames(p, A.reshape(len(p), n, n), (h, w), block.n_equations, block.period)

    def _keep_sides(self, forms: Frames) -> Flags:
        """Charts on all of which every side is positive."""
        sides = self.sides
        if sides is None or not len(sides.c):
            return np.ones(len(forms.p), dtype=bool)
        m = forms.m
        z = np.repeat(forms.w[:, None], forms.n, axis=1)
        z[:, m:] = forms.h[:, None]
        low, high = forms.outer(np.arange(len(z)), -z, z)
        opposite = BallRows(
            -sides.c, -sides.l, -sides.H, sides.c_size, sides.l_size, sides.H_size, sides.unit
        )
        assert self.rows is not None
        upper = Contraction(self.rows, sides).upper(opposite, *middles(low, high))
        return np.asarray((upper < 0.0).all(axis=1), dtype=bool)

    def first_chart(self, component: Component) -> int:
        """Where the charts of a component start among those of the block."""
        return self.starts[id(component)]

    def flags_of(self, component: Component) -> Flags:
        """Which charts of a component are proved."""
        if not len(self.proved):
            return np.zeros(len(component.charts["h"]), dtype=bool)
        start = self.first_chart(component)
        return self.proved[start : start + len(component.charts["h"])]

    def joined(self, component: Component) -> Flags:
        """Which links of a component are proved, in every respect."""
        links, radii = (np.asarray(component.charts[e]) for e in ("links", "link_radii"))
        if self.points_of is None:
            return np.zeros(len(links), dtype=bool)
        first, count = self.first_chart(component), len(component.charts["h"])
        return self.points_of.are_joined(links, radii, first, count, closed=component.closed)

    def numbers_of(self, component: Component, charts: Sequence[int]) -> Numbers:
        """The numbers of a component's charts among those of the block."""
        return self.first_chart(component) + np.array(charts, dtype=np.int64)

    def points(
        self, components: Sequence[Component | Surface]
    ) -> tuple[FrameForms | SpanForms | None, list[str]]:
        """The positions of a block that stands still, each in a chart of its own."""
        n, rows = len(self.block.places), self.rows
        places = list(self.block.places)
        told = np.array([c.x[places] for c in components]).reshape(-1, n)
        off = np.array([c.radius[places] for c in components]).reshape(-1, n)
        kept: list[int] = []
        for k in range(len(told)):
            if not any((np.abs(told[k] - told[i]) <= SAME).all() for i in kept):
                kept.append(k)
        if not kept:
            return None, []
        x, radius = told[kept], off[kept]
        if rows is None or self.sides is None:
            return self._points_in_spans(x, radius)
        w, best = np.full(len(x), 0.25), np.full(len(x), np.nan)
        for _ in range(HALVINGS):
            forms = self._at_points(rows, x, w)
            best = np.where(np.isnan(best) & forms.are_one_arc(), w, best)
            if not np.isnan(best).any():
                break
            w = np.where(np.isnan(best), 0.5 * w, best)
        troubles = []
        if np.isnan(best).any():
            count = int(np.isnan(best).sum())
            troubles.append(f"{count} of {len(x)} positions of what stands still are not proved")
            best = np.where(np.isnan(best), 0.0, best)
        forms = self._at_points(rows, x, best)
        which = np.arange(len(x))
        about = np.zeros_like(x), np.repeat(best[:, None], n, axis=1)
        low, high, empty = forms.narrowed(which, *about, rounds=NARROWINGS)
        if empty.any() or (np.maximum(-low, high) > np.maximum(radius, FINEST)).any():
            away = float(np.maximum(-low, high).max())
            troubles.append(
                f"a position of what stands still is {away:.2g} off, farther off than its radius"
                f" {float(radius.max()):.2g}"
            )
        return forms, troubles

    def _points_in_spans(
        self, x: FloatArray, radius: FloatArray
    ) -> tuple[SpanForms | None, list[str]]:
        """Positions of a block with rows of any kind, each in a box of its own, by intervals."""
        k, n = x.shape
        upright = np.broadcast_to(np.eye(n), (k, n, n))

        def about(w: FloatArray) -> SpanForms:
            frames = Frames(x, upright, (np.zeros(k), w), n, self.block.period)
            return SpanForms(self.span_rows, frames)

        w, best = np.full(k, 0.25), np.full(k, np.nan)
        for _ in range(HALVINGS):
            best = np.where(np.isnan(best) & about(w).are_one_point(self.span_sides), w, best)
            if not np.isnan(best).any():
                break
            w = np.where(np.isnan(best), 0.5 * w, best)
        troubles = []
        if np.isnan(best).any():
            count = int(np.isnan(best).sum())
            troubles.append(f"{count} of {k} positions of what stands still are not proved")
            best = np.where(np.isnan(best), 0.0, best)
        forms = about(best)
        pairs = PairRows(self.derived.rows, self.derived.unknowns)
        near = PointProof(forms.frames, pairs, forms.slopes, None)
        told = np.maximum(radius.max(axis=1), FINEST)
        known = near.beside(np.arange(k), x, told).are_known
        if not known.all():
            troubles.append("a position of what stands still is not within its radius, or not told")
        return forms, troubles

    def _at_points(self, rows: BallRows, x: FloatArray, w: FloatArray) -> FrameForms:
        k, n = x.shape
        upright = np.broadcast_to(np.eye(n), (k, n, n))
        frames = Frames(x, upright, (np.zeros(k), w), n, self.block.period)
        return FrameForms(rows, frames, rows.exactly(self.derived.rows, self.derived.unknowns, x))

    def cover(
        self,
        cover: Cover,
        places: Sequence[SingularPlace],
        points: FrameForms | SpanForms | None = None,
        watch: Watch | None = None,
    ) -> tuple[Covered | None, list[str], list[str]]:
        """(what was proved, failures, what could not be proved)."""
        n = len(self.block.places)
        wrong = troubles_of_cover(cover, n)
        if wrong:
            return None, [f"its cover is none: {trouble}" for trouble in wrong], []
        low, high = self.block.low, _round(self.block.high, self.block.period)
        telling = [*self.derived.rows, *self.derived.implied]
        bounds = bounded(telling, self.derived.unknowns, low, high)
        if bounds is None:
            return None, [], ["that nothing is missing: what bounds its unknowns was not found"]
        if (cover.low > cover.high).all():  # the search was left with nothing: look everywhere
            cover = replace(cover, low=bounds[0], high=bounds[1])
        boxes = excepted(places, n)
        if self.rows is not None and self.sides is not None:
            forms = points if self.block.freedom == 0 else self.forms
            by_balls = Contraction(self.rows, self.sides)
            found = Covering(by_balls, forms, cover, boxes).proved(*bounds, watch)
        else:
            if self.trouble:
                return None, [], [f"that nothing is missing: {self.trouble}"]
            all_rows = SpanRows(telling, self.derived.unknowns)
            implied = len(self.derived.implied)
            by_spans = SpanContraction(all_rows, self.span_sides, share(n), implied)
            spans = points if self.block.freedom == 0 else self.curves
            found = Covering(by_spans, spans, cover, boxes).proved(*bounds, watch)
        if found.holes:
            return found, ["there may be solutions that are not listed"], []
        if found.is_late:
            more = f"{found.passed} of {len(cover.unknown)} parts were looked at in the time given"
            return found, [], [f"that nothing is missing: {more}"]
        if found.is_given_up:
            return found, [], [f"that nothing is missing, within {found.boxes} boxes"]
        return found, [], []


def _round(high: FloatArray, period: FloatArray) -> FloatArray:
    """Bounds so that circles are closed, also where their period is rounded."""
    return np.where(period > 0.0, high + 4.0 * np.spacing(np.maximum(np.abs(high), period)), high)
