"""The cover of a block proved again: every solution in its domain lies on a listed chart.

The saved cuts are followed from the whole domain down. At every node the box is made smaller by the
rows, then looked at in the frame of a near chart: it is done when it holds no solution, or when all
of its solutions lie in that chart or in a listed place. What is not done when the saved cuts end is
halved here, as long as it takes. Closed halves of closed boxes leave nothing out, so nothing about
the saved cuts has to be believed; they only say where halving pays.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from kempe.motion.verify.cover.charts import Contraction, Flags, FloatArray, FrameForms, middles
from kempe.motion.verify.cover.span_cover import Numbers, SpanContraction, SpanForms
from kempe.results.maps.certificate import Cover
from kempe.results.maps.motion_map import SingularPlace

BETWEEN_WORDS = 0.1  # s


@final
@dataclass(slots=True)
class Watch:
    """A time of `time.monotonic` after which to end; `tell` hears (done, whole) now and then."""

    deadline: float = math.inf
    tell: Callable[[int, int], None] | None = None
    told: float = -math.inf

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.deadline

    def say(self, done: int, whole: int) -> None:
        """Tell how far it is, unless that was told just now."""
        if self.tell is not None and time.monotonic() - self.told > BETWEEN_WORDS:
            self.told = time.monotonic()
            self.tell(done, whole)


SHARE = 1.0 / 32.0  # of the width of a box of a sheet
WIDENING = 1e-6  # of the boxes of places, in unknowns, which are of the size of 1
SMALL = 1e-3  # a place no larger than this is taken as one box
LEAF = 4  # boxes in a last node of the tree, at most
MOST_PAIRS = 200_000  # of boxes and places held against each other at a time


def excepted(places: Sequence[SingularPlace], n: int) -> tuple[FloatArray, FloatArray]:
    """Boxes outside of which a cover is proved: those of places, with room around them.

    A place no larger than SMALL is one box. Boxes of larger ones get a SHARE of their width as
    room, and as much as WIDENING where they are small: neighbours were narrowed each for itself,
    and between them hardly anything can be proved, where rows vanish to second order.
    """
    lows, highs = [np.zeros((0, n))], [np.zeros((0, n))]
    for place in places:
        low, high = place.lows, place.highs
        if low.ndim != 2 or low.shape != high.shape or low.shape[1] != n or not len(low):
            continue
        if (high.max(axis=0) - low.min(axis=0)).max() <= SMALL:
            low, high = low.min(axis=0)[None, :], high.max(axis=0)[None, :]
        width = (high - low).max(axis=1)[:, None]
        room = np.maximum(SHARE * width, np.minimum(WIDENING, width))
        lows.append(np.nextafter(low - room, -np.inf))
        highs.append(np.nextafter(high + room, np.inf))
    return np.concatenate(lows), np.concatenate(highs)


@final
class PlaceBoxes:
    """Boxes (k, n) of places, in a tree of hulls: node i has the halves 2 i + 1 and 2 i + 2."""

    def __init__(self, low: FloatArray, high: FloatArray) -> None:
        self.low, self.high = low, high
        self.widest = float((high - low).max(initial=0.0))
        self.depth = max(0, math.ceil(math.log2(max(len(low), 1) / LEAF)))
        groups = [np.arange(len(low))]
        hulls = [_hull(low, high, groups)]
        middle = 0.5 * (low + high)
        for _ in range(self.depth):
            groups = [half for group in groups for half in _halves(middle, group)]
            hulls.append(_hull(low, high, groups))
        self.hull_low = np.concatenate([a for a, _ in hulls])
        self.hull_high = np.concatenate([b for _, b in hulls])
        self.first_leaf = len(groups) - 1
        self.members = np.full((len(groups), max(map(len, groups))), -1, dtype=np.int64)
        for k, group in enumerate(groups):
            self.members[k, : len(group)] = group

    def _pairs(
        self, low: FloatArray, high: FloatArray, *, holding: bool
    ) -> tuple[Numbers, Numbers]:
        """(box, place) for all places that may hold boxes, or may overlap them."""
        box, node = np.arange(len(low)), np.zeros(len(low), dtype=np.int64)
        for level in range(self.depth + 1):
            a, b = (low, high) if holding else (high, low)
            near = (self.hull_low[node] <= a[box]) & (self.hull_high[node] >= b[box])
            keep = near.all(axis=1)
            box, node = box[keep], node[keep]
            if level < self.depth:
                box, node = np.repeat(box, 2), np.column_stack([2 * node + 1, 2 * node + 2]).ravel()
        places = self.members[node - self.first_leaf]
        real = places >= 0
        return np.repeat(box, real.sum(axis=1)), places[real]

    def holding(self, low: FloatArray, high: FloatArray) -> Flags:
        """Which boxes lie in one of these."""
        inside = np.zeros(len(low), dtype=bool)
        if not len(self.low):
            return inside
        small = np.flatnonzero((high - low).max(axis=1) <= self.widest)
        k, j = self._pairs(low[small], high[small], holding=True)
        for start in range(0, len(k), MOST_PAIRS):
            a, b = small[k[start : start + MOST_PAIRS]], j[start : start + MOST_PAIRS]
            fits = ((low[a] >= self.low[b]) & (high[a] <= self.high[b])).all(axis=1)
            inside[a[fits]] = True
        return inside

    def cuts(
        self, low: FloatArray, high: FloatArray, axis: Numbers, at: FloatArray
    ) -> tuple[Numbers, FloatArray]:
        """(axis, at) of boxes; those that overlap a place along the face that takes most off."""
        if not len(self.low) or not len(low):
            return axis, at
        axis, at = axis.copy(), at.copy()
        small = np.flatnonzero((high - low).max(axis=1) <= self.widest)
        k, j = self._pairs(low[small], high[small], holding=False)
        k = small[k]
        share = np.empty(len(k))
        for start in range(0, len(k), MOST_PAIRS):
            part = slice(start, start + MOST_PAIRS)
            share[part] = self._overlaps(low[k[part]], high[k[part]], j[part])
        # the place that shares most of every box
        best = np.lexsort((share, k))
        last = np.flatnonzero(np.diff(k[best], append=-1) != 0)
        best = best[last]
        best = best[share[best] >= 0.0]
        box, place = k[best], j[best]
        below, above = self.low[place] - low[box], high[box] - self.high[place]
        one = np.arange(len(box))
        under, over = below.argmax(axis=1), above.argmax(axis=1)
        most_under, most_over = below[one, under], above[one, over]
        cut = np.maximum(most_under, most_over) > 0.0
        from_below = most_under >= most_over
        axis[box[cut]] = np.where(from_below, under, over)[cut]
        faces = np.where(from_below, self.low[place][one, under], self.high[place][one, over])
        at[box[cut]] = faces[cut]
        return axis, at

    def _overlaps(self, low: FloatArray, high: FloatArray, places: Numbers) -> FloatArray:
        """The share of each box that a place has, -1 where it has none; flat boxes have no less."""
        both = np.minimum(self.high[places], high) - np.maximum(self.low[places], low)
        flat = low == high
        overlaps = ((both > 0.0) | ((both == 0.0) & flat)).all(axis=1)
        sides = np.where(flat, 1.0, np.maximum(both, 0.0) / np.where(flat, 1.0, high - low))
        found: FloatArray = np.where(overlaps, np.minimum(sides, 1.0).prod(axis=1), -1.0)
        return found


def _halves(middle: FloatArray, group: Numbers) -> tuple[Numbers, Numbers]:
    """A group of boxes cut in the unknown in which their middles are spread most."""
    if len(group) < 2:
        return group, group[:0]
    spread = np.ptp(middle[group], axis=0)
    order = np.argsort(middle[group, int(spread.argmax())], kind="stable")
    half = (len(group) + 1) // 2
    return group[order[:half]], group[order[half:]]


def _hull(
    low: FloatArray, high: FloatArray, groups: Sequence[Numbers]
) -> tuple[FloatArray, FloatArray]:
    """The hull of every group of boxes; of an empty one, nothing."""
    n = low.shape[1]
    bottom = np.array([low[g].min(axis=0, initial=np.inf) for g in groups]).reshape(-1, n)
    top = np.array([high[g].max(axis=0, initial=-np.inf) for g in groups]).reshape(-1, n)
    return bottom, top


BATCH = 1024  # boxes at a time
AT_ONCE = 200  # boxes: about as many as cost twice what one does
WIDE = 1e-5  # a box narrower than this is looked at before it is halved
NEAREST = 6  # charts by their centres, of which the one that fits best is tried
MANY = 64  # as NEAREST, for boxes that none of those holds and that are
NARROW = 1.0 / 64.0  # of the longest chart, or less
SMALLEST = 1e-9  # a box narrower than this that is not done is a hole
MOST_HOLES = 1  # after which no more are looked for
FAR = 1e3  # times worse is a chart that a box misses than one that it exceeds
OWN = 40  # boxes for every node of the cover, and
AT_LEAST = 200_000  # boxes in all cases, before it is given up
WORTH = 0.5  # of a box's width: less is left after a round, and another is tried
ROUNDS = 3
RIM = 1e-3  # of the width of a cover: what is left around it is no part of its own
CLOSE = 8.0  # half-lengths: boxes wider than this are not held against a chart


@final
@dataclass(slots=True)
class Covered:
    """What became of a cover: boxes looked at, and places of what is not done."""

    boxes: int = 0
    holes: list[FloatArray] = field(default_factory=list)  # middles of boxes that are not done
    is_given_up: bool = False
    is_late: bool = False
    passed: int = 0  # saved parts that were looked at

    @property
    def holds(self) -> bool:
        """Whether everything is done, but for parts that the cover itself calls open."""
        return not (self.holes or self.is_given_up or self.is_late)


def troubles_of_cover(cover: Cover, n: int) -> list[str]:
    """What is wrong with the arrays of a cover, before anything is proved of it."""
    unknown, at = cover.unknown, cover.at
    if unknown.ndim != 1 or at.ndim != 1 or cover.low.shape != (n,) or cover.high.shape != (n,):
        return ["its arrays are of no shape that a cover has"]
    if len(unknown) != 2 * len(at) + 1 or int((unknown >= 0).sum()) != len(at):
        return [f"it has {len(unknown)} parts and {len(at)} cuts, which do not belong together"]
    inner = np.flatnonzero(unknown >= 0)
    if not (np.isfinite(at).all() and unknown.max() < n and unknown.min() >= Cover.PLACE):
        return ["it cuts an unknown that there is none of, or nowhere"]
    if (2 * np.arange(len(inner)) + 1 <= inner).any():
        return ["its parts are not in order"]
    is_empty = len(at) == 0 and bool((cover.low > cover.high).all())
    if not (is_empty or (np.isfinite(cover.low).all() and np.isfinite(cover.high).all())):
        return ["its domain is unbounded"]
    return []


@final
class Covering:
    """One block: its rows, its charts, the boxes of its places, and the cover to be proved."""

    def __init__(
        self,
        contraction: Contraction | SpanContraction,
        forms: FrameForms | SpanForms | None,
        cover: Cover,
        places: tuple[FloatArray, FloatArray],
    ) -> None:
        self.contraction, self.forms, self.cover = contraction, forms, cover
        self.places = PlaceBoxes(*places)
        self.n = len(cover.low)
        self.first_half = np.cumsum(cover.unknown >= 0) * 2 - 1  # of nodes that are cut
        self.cut_number = np.cumsum(cover.unknown >= 0) - 1
        self.found = Covered()
        self.near = None if forms is None or not len(forms.frames.p) else NearCharts(forms)

    def proved(self, low: FloatArray, high: FloatArray, watch: Watch | None = None) -> Covered:
        """Proves that all solutions between low and high are listed, as far as the time goes."""
        watch = watch or Watch()
        budget = AT_LEAST + OWN * len(self.cover.unknown)
        stack: list[tuple[FloatArray, FloatArray, Numbers]] = self._around(low, high)
        while stack:
            lows, highs, nodes = stack.pop()
            if len(lows) > BATCH:
                stack.append((lows[BATCH:], highs[BATCH:], nodes[BATCH:]))
                lows, highs, nodes = lows[:BATCH], highs[:BATCH], nodes[:BATCH]
            if watch.is_over:
                self.found.is_late = True
                break
            watch.say(self.found.passed, len(self.cover.unknown))
            self.found.boxes += len(lows)
            self.found.passed += int((nodes >= 0).sum())
            if self.found.boxes > budget or len(self.found.holes) >= MOST_HOLES:
                self.found.is_given_up = True
                break
            left = self._halved(*self._left(lows, highs, nodes))
            if not stack:
                left = self._halved_on(left)
            if len(left[0]):
                if stack and len(stack[-1][0]) + len(left[0]) <= 4 * BATCH:
                    top = stack.pop()
                    left = tuple(np.concatenate(both) for both in zip(left, top, strict=True))  # type: ignore[assignment]
                stack.append(left)
        return self.found

    def _around(
        self, low: FloatArray, high: FloatArray
    ) -> list[tuple[FloatArray, FloatArray, Numbers]]:
        """The cover's own domain, and what lies around it as far as solutions may.

        The whole is made smaller first, and a rim that is left around the cover is not cut off: a
        flat box along a face that the curve touches would have to be cut up like all the rest.
        """
        for _ in range(ROUNDS):
            before = (high - low).sum()
            (low,), (high,), (empty,) = self.contraction.contracted(low[None, :], high[None, :])
            if empty:
                return []
            if not (high - low).sum() < WORTH * before:
                break
        bottom, top, lows, highs = low.copy(), high.copy(), [], []
        rim = RIM * (self.cover.high - self.cover.low)
        for j in range(self.n):
            for is_upper, face in ((False, self.cover.low[j]), (True, self.cover.high[j])):
                if bottom[j] + rim[j] < face < top[j] - rim[j]:
                    a, b = bottom.copy(), top.copy()
                    (a if is_upper else b)[j] = face
                    lows.append(a)
                    highs.append(b)
                    (top if is_upper else bottom)[j] = face
        return [
            (
                np.array([bottom, *lows]),
                np.array([top, *highs]),
                np.array([0, *[-1] * len(lows)], dtype=np.int64),
            )
        ]

    def _left(
        self, low: FloatArray, high: FloatArray, nodes: Numbers
    ) -> tuple[FloatArray, FloatArray, Numbers]:
        """Boxes without those that are done, as small as the rows make them.

        Another round is made with those alone that the last one made much smaller.
        """
        settled = []
        for k in range(ROUNDS):
            before = (high - low).sum(axis=1)
            low, high, empty = self.contraction.contracted(low, high)
            done = empty | self.places.holding(low, high)
            if self.near is not None:
                low, high, listed = self._on_charts(self.near, low, high, done)
                done = done | listed
            again = ~done & ((high - low).sum(axis=1) < WORTH * before)
            rest = ~done & ~again if k + 1 < ROUNDS else ~done
            settled.append((low[rest], high[rest], nodes[rest]))
            low, high, nodes = low[again], high[again], nodes[again]
            if not len(low):
                break
        lows, highs, left = zip(*settled, strict=True)
        return np.concatenate(lows), np.concatenate(highs), np.concatenate(left)

    def _on_charts(
        self, near: "NearCharts", low: FloatArray, high: FloatArray, done: Flags
    ) -> tuple[FloatArray, FloatArray, Flags]:
        """Boxes narrowed in the frame of the chart that fits best, and which are in it or empty."""
        listed = np.zeros(len(low), dtype=bool)
        at = np.flatnonzero(~done & ((high - low).max(axis=1) < CLOSE * near.longest))
        if not len(at):
            return low, high, listed
        low, high = low.copy(), high.copy()
        low[at], high[at], listed[at] = near.forms.judged(
            near.best(low[at], high[at]), low[at], high[at]
        )
        return low, high, listed

    def _halved_on(
        self, left: tuple[FloatArray, FloatArray, Numbers]
    ) -> tuple[FloatArray, FloatArray, Numbers]:
        """A few wide boxes, halved until they are some dozens: that many cost little more."""
        low, high, _ = left
        while 0 < len(low) < AT_ONCE and (high - low).max(axis=1).min() > WIDE:
            left = self._halved(*left)
            low, high, _ = left
        return left

    def _halved(
        self, low: FloatArray, high: FloatArray, nodes: Numbers
    ) -> tuple[FloatArray, FloatArray, Numbers]:
        """Both halves of boxes, by the saved cut where there is one."""
        cover = self.cover
        told = cover.unknown[np.maximum(nodes, 0)]
        is_cut: Flags = np.asarray((nodes >= 0) & (told >= 0), dtype=bool)
        is_open: Flags = np.asarray((nodes >= 0) & (told == Cover.OPEN), dtype=bool)
        widest = (high - low).argmax(axis=1)
        axis = np.where(is_cut, told, widest).astype(np.int64)
        box = np.arange(len(low))
        at = 0.5 * (low[box, axis] + high[box, axis])
        if is_cut.any():
            at[is_cut] = np.clip(
                cover.at[self.cut_number[nodes[is_cut]]],
                low[box, axis][is_cut],
                high[box, axis][is_cut],
            )
        own = ~is_cut & ~is_open
        if own.any():
            which = np.flatnonzero(own)
            axis[which], at[which] = self.places.cuts(
                low[which], high[which], axis[which], at[which]
            )
        small = own & ((high - low).max(axis=1) < SMALLEST)
        for k in np.flatnonzero(small)[:MOST_HOLES]:
            self.found.holes.append(0.5 * (low[k] + high[k]))
        keep = ~is_open & ~small
        box, axis, at = np.arange(int(keep.sum())), axis[keep], at[keep]
        low, high, nodes, is_cut = low[keep], high[keep], nodes[keep], is_cut[keep]
        lower_high, upper_low = high.copy(), low.copy()
        lower_high[box, axis] = at
        upper_low[box, axis] = at
        child = np.where(is_cut, self.first_half[np.maximum(nodes, 0)], -1)
        return (
            np.concatenate([low, upper_low]),
            np.concatenate([lower_high, high]),
            np.concatenate([child, np.where(is_cut, child + 1, -1)]),
        )


@final
class NearCharts:
    """Charts by size and place: near a crossing they are far shorter than elsewhere."""

    def __init__(self, forms: FrameForms | SpanForms) -> None:
        from scipy.spatial import cKDTree

        self.forms = forms
        frames = forms.frames
        reach = np.maximum(frames.h, frames.w)
        self.longest = float(reach.max())
        level = np.floor(np.log2(np.maximum(reach, 1e-300)) / 2.0).astype(np.int64)
        # tree of centres, numbers of charts, how far one of them extends from its centre
        self.classes: list[tuple[Any, Numbers, float]] = []
        across = np.abs(frames.A[:, :, : frames.m]).sum(axis=2) * frames.w[:, None]
        along = np.abs(frames.A[:, :, frames.m :]).sum(axis=2) * frames.h[:, None]
        extent = np.linalg.norm(across + along, axis=1)
        for one in np.unique(level):
            members = np.flatnonzero(level == one)
            p = frames.p[members]
            images, numbers = [p], [members]
            for j in np.flatnonzero(frames.period > 0.0):  # also seen once round a circle
                for turn in (-frames.period[j], frames.period[j]):
                    images.append(p + turn * np.eye(frames.n)[j])
                    numbers.append(members)
            tree = cKDTree(np.concatenate(images))
            self.classes.append((tree, np.concatenate(numbers), float(extent[members].max())))

    def best(self, low: FloatArray, high: FloatArray) -> Numbers:
        """For every box the chart, among the nearest of each size, that it exceeds least.

        Charts of a size are looked at where one of them can reach the box, or where that size comes
        nearest to it of all.
        """
        middle, radius = middles(low, high)
        best, least = self._best(middle, radius, NEAREST)
        # among crossing branches the nearest centres may all be those of others
        hard = np.flatnonzero((least > 1.0) & ((high - low).max(axis=1) < NARROW * self.longest))
        if len(hard):
            again, fit = self._best(middle[hard], radius[hard], MANY)
            best[hard] = np.where(fit < least[hard], again, best[hard])
        return best

    def _best(
        self, middle: FloatArray, radius: FloatArray, most: int
    ) -> tuple[Numbers, FloatArray]:
        """The chart that fits best, of so many of each size, and by how much it is exceeded."""
        reach = np.linalg.norm(radius, axis=1)
        best = np.zeros(len(middle), dtype=np.int64)
        least = np.full(len(middle), np.inf)
        nearest, found = list[FloatArray](), list[Numbers]()
        for tree, members, extent in self.classes:
            count = min(most, len(members))
            away, charts = tree.query(middle, k=count)
            nearest.append(np.asarray(away).reshape(-1, count)[:, 0] / (extent + reach))
            found.append(members[np.asarray(charts, dtype=np.int64).reshape(-1, count)])
        first = np.array(nearest).argmin(axis=0)
        for k, charts in enumerate(found):
            at = np.flatnonzero((nearest[k] <= 1.0) | (first == k))
            if len(at):
                one, fit = self._fitting(charts[at], middle[at], radius[at])
                better = fit < least[at]
                least[at] = np.where(better, fit, least[at])
                best[at] = np.where(better, one, best[at])
        return best, least

    def _fitting(
        self, charts: Numbers, middle: FloatArray, radius: FloatArray
    ) -> tuple[Numbers, FloatArray]:
        """Of some charts (k, c) for each box, the one that it exceeds least, and by how much."""
        frames = self.forms.frames
        P = np.where(frames.period > 0.0, frames.period, np.inf)
        B = frames.inverse[charts]
        d = middle[:, None, :] - frames.p[charts]
        d = d - np.round(d / P) * frames.period
        z = np.abs(np.einsum("kcij,kcj->kci", B, d))
        spread = np.einsum("kcij,kj->kci", np.abs(B), radius)
        # the rows narrow a box across the curve, not along it
        across = (z - spread)[:, :, : frames.m].max(axis=2, initial=0.0) / frames.w[charts]
        along = (z + spread)[:, :, frames.m :].max(axis=2, initial=0.0)
        along = along / np.maximum(frames.h[charts], 1e-300)
        fit = np.nan_to_num(np.where(across <= 1.0, along, FAR * across), nan=np.inf)
        one, box = fit.argmin(axis=1), np.arange(len(charts))
        return charts[box, one], fit[box, one]
