"""One block proved again: its charts in balls, and that nothing in its domain is missing."""

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import UnsolvableKind
from kempe.motion.verify.cover.charts import FrameForms, Frames, middles, parts
from kempe.motion.verify.cover.contraction import Contraction
from kempe.motion.verify.cover.covering import Covered, Covering, troubles_of_form
from kempe.motion.verify.cover.place_boxes import excepted
from kempe.motion.verify.cover.points import Points, Slopes
from kempe.motion.verify.cover.span_cover import SpanContraction, SpanForms
from kempe.motion.verify.cover.watch import Watch
from kempe.motion.verify.enclosures.balls import BallRows, share
from kempe.motion.verify.enclosures.implied_bounds import bounded
from kempe.motion.verify.enclosures.pair_rows import PairRows
from kempe.motion.verify.enclosures.span_rows import SpanRows
from kempe.motion.verify.written.from_model import BlockRows
from kempe.results.maps.certificate import CertifiedBlock, Cover
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import SingularPlace

FloatArray = NDArray[np.float64]
Flags = NDArray[np.bool_]

NARROWINGS = 60  # of a point's chart, until rounding is all that is left
HALVINGS = 40  # of the half-width with which a point is tried
SAME = 1e-9  # points of one block nearer than this are one


@final
class BlockProof:
    """The rows of a block as the model gives them, its charts, and its cover."""

    def __init__(
        self, block: CertifiedBlock, derived: BlockRows, components: Sequence[Component]
    ) -> None:
        self.block = block
        self.components = [c for c in components if c.block is block]
        self.derived = derived
        on_circles = bool((block.period > 0.0).any())
        self.rows = None if on_circles else BallRows.of(derived.rows, derived.unknowns)
        self.sides = None if on_circles else BallRows.of(derived.sides, derived.unknowns)
        self.trouble = ""  # why rows of more than second degree are not enclosed
        self.curves: SpanForms | None = None
        self.points_of: Points | None = None
        self.proved: Flags = np.zeros(0, dtype=bool)
        self.frames = frames = self._frames() if block.freedom == 1 else None
        counts = [len(c.charts["h"]) for c in self.components] if frames is not None else []
        starts = [0, *itertools.accumulate(counts)]
        self.starts = {id(c): k for c, k in zip(self.components, starts, strict=False)}
        slopes: Slopes | None = None
        if self.rows is not None and self.sides is not None:
            if frames is not None:
                some = [frames.part(part) for part in parts(len(frames.p), frames.n**2)]
                self.proved = np.concatenate([self._hold(one) for one in some])
                slopes = self.rows.slopes
        else:
            try:
                self.span_rows = SpanRows(derived.rows, derived.unknowns)
                self.span_sides = SpanRows(derived.sides, derived.unknowns)
            except UnsolvableKind as trouble:
                self.trouble = str(trouble)
            if frames is not None and not self.trouble:
                self.curves = SpanForms(self.span_rows, frames)
                self.proved = self.curves.are_one_arc(self.span_sides)
                slopes = self.curves.slopes
        if frames is not None and slopes is not None:
            pairs = PairRows(derived.rows, derived.unknowns)
            unit = None if self.rows is None or self.curves is not None else self.rows.unit
            self.points_of = Points(frames, pairs, slopes, unit)

    @property
    def is_known(self) -> bool:
        """Whether its rows and sides are of second degree."""
        return self.rows is not None and self.sides is not None

    @cached_property
    def forms(self) -> FrameForms | None:
        """All charts of rows of second degree, in whose frames boxes are judged."""
        if self.rows is None or self.frames is None:
            return None
        return FrameForms(self.rows, self.frames)

    def _hold(self, frames: Frames) -> Flags:
        """Charts that hold one arc each, on which every side is positive."""
        assert self.rows is not None
        return FrameForms(self.rows, frames).are_one_arc() & self._keep_sides(frames)

    def _frames(self) -> Frames | None:
        """Of all charts of the block's curves."""
        block, charts = self.block, [c.charts for c in self.components]
        if not charts:
            return None
        p, A, h, w = (
            np.concatenate([np.asarray(c[key]) for c in charts]) for key in ("p", "A", "h", "w")
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

    def holds_a_point(
        self, component: Component, x: FloatArray, radius: float, charts: Sequence[int]
    ) -> bool:
        """Whether a solution within a radius of a point is proved to lie in one of the charts."""
        if self.points_of is None:
            return False
        first = self.first_chart(component)
        return self.points_of.holds_one(x, radius, first + np.array(charts, dtype=np.int64))

    def is_outside(
        self, component: Component, x: FloatArray, radius: float, charts: Sequence[int]
    ) -> bool:
        """Whether nothing within a radius of a point is in one of the charts, by proof."""
        if self.points_of is None:
            return False
        first = self.first_chart(component)
        return self.points_of.are_outside(x, radius, first + np.array(charts, dtype=np.int64))

    def points(self, components: Sequence[Component]) -> tuple[FrameForms | None, list[str]]:
        """The positions of a block that stands still, each in a chart of its own."""
        n, rows = len(self.block.places), self.rows
        assert rows is not None
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
        w, best = np.full(len(x), 0.25), np.full(len(x), np.nan)
        for _ in range(HALVINGS):
            forms = self._at_points(rows, x, w)
            best = np.where(np.isnan(best) & forms.are_one_arc(), w, best)
            if not np.isnan(best).any():
                break
            w = np.where(np.isnan(best), 0.5 * w, best)
        troubles = []
        if np.isnan(best).any():
            troubles.append("a position of what stands still is not proved")
            best = np.where(np.isnan(best), 0.0, best)
        forms = self._at_points(rows, x, best)
        which = np.arange(len(x))
        about = np.zeros_like(x), np.repeat(best[:, None], n, axis=1)
        low, high, empty = forms.narrowed(which, *about, rounds=NARROWINGS)
        if empty.any() or (np.maximum(-low, high) > radius).any():
            troubles.append("a position of what stands still is farther off than its radius")
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
        points: FrameForms | None = None,
        watch: Watch | None = None,
    ) -> tuple[Covered | None, list[str], list[str]]:
        """(what was proved, failures, what could not be proved)."""
        n = len(self.block.places)
        wrong = troubles_of_form(cover, n)
        if wrong:
            return None, [f"its cover is none: {trouble}" for trouble in wrong], []
        low, high = self.block.low, _round(self.block.high, self.block.period)
        telling = [*self.derived.rows, *self.derived.implied]
        bounds = bounded(telling, self.derived.unknowns, low, high)
        if bounds is None:
            return None, [], ["that nothing is missing: what bounds its unknowns was not found"]
        boxes = excepted(places, n)
        if self.rows is not None and self.sides is not None:
            forms = points if self.block.freedom == 0 else self.forms
            by_balls = Contraction(self.rows, self.sides)
            found = Covering(by_balls, forms, cover, boxes).proved(*bounds, watch)
        elif self.block.freedom == 0:
            return None, [], ["that nothing is missing: its rows are more than of second degree"]
        else:
            if self.trouble:
                return None, [], [f"that nothing is missing: {self.trouble}"]
            all_rows = SpanRows(telling, self.derived.unknowns)
            implied = len(self.derived.implied)
            by_spans = SpanContraction(all_rows, self.span_sides, share(n), implied)
            found = Covering(by_spans, self.curves, cover, boxes).proved(*bounds, watch)
        if found.holes:
            at = ", ".join(f"{x:.6g}" for x in found.holes[0])
            return found, [f"there may be solutions that are not listed, near ({at})"], []
        if found.is_late:
            more = f"{found.passed} of {len(cover.unknown)} parts were looked at in the time given"
            return found, [], [f"that nothing is missing: {more}"]
        if found.is_given_up:
            return found, [], [f"that nothing is missing, within {found.boxes} boxes"]
        return found, [], []


def _round(high: FloatArray, period: FloatArray) -> FloatArray:
    """Bounds so that circles are closed, also where their period is rounded."""
    return np.where(period > 0.0, high + 4.0 * np.spacing(np.maximum(np.abs(high), period)), high)
