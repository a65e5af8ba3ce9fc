"""The cover of a block proved again: every solution in its domain lies on a listed chart.

The saved cuts are followed from the whole domain down. At every node the box is made smaller by the
rows, then looked at in the frame of a near chart: it is done when it holds no solution, or when all
of its solutions lie in that chart. What is not done when the saved cuts end is halved here, as long
as it takes. Closed halves of closed boxes leave nothing out, so nothing about the saved cuts has to
be believed; they only say where halving pays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.proof.charts import Frames, middles
from kempe.results.certificate import Cover
from kempe.results.motion_map import SingularPlace

FloatArray = NDArray[np.float64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

BATCH = 1024  # boxes at a time
NEAREST = 6  # charts by their centres, of which the one that fits best is tried
SMALLEST = 1e-9  # a box narrower than this that is not done is a hole
SHARE = 1.0 / 32.0  # of the width of a box of a sheet
WIDENING = 1e-6  # of the boxes of places, in unknowns, which are of the size of 1
SMALL = 1e-3  # a place no larger than this is taken as one box
MOST_HOLES = 1  # after which no more are looked for
FAR = 1e3  # times worse is a chart that a box misses than one that it exceeds
OWN = 40  # boxes for every node of the cover, and
AT_LEAST = 200_000  # boxes in all cases, before it is given up
WORTH = 0.7  # of a box's width: less is left after a round, and another is tried
ROUNDS = 3
CLOSE = 8.0  # half-lengths: boxes wider than this are not held against a chart


class AbstractContraction(Protocol):
    """What makes boxes smaller without losing a solution."""

    def contracted(self, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray, Flags]:
        """Boxes that hold the same solutions, and which hold none."""


class AbstractForms(Protocol):
    """Charts, in whose frames boxes are judged."""

    @property
    def frames(self) -> Frames:
        """Their parallelotopes."""

    def judged(
        self, which: Numbers, low: FloatArray, high: FloatArray
    ) -> tuple[FloatArray, FloatArray, Flags]:
        """Boxes narrowed, each in one chart's frame; and which hold no other solution."""


@final
@dataclass(slots=True)
class Covered:
    """What became of a cover: boxes looked at, and places of what is not done."""

    boxes: int = 0
    open_parts: int = 0
    holes: list[FloatArray] = field(default_factory=list)  # middles of boxes that are not done
    is_given_up: bool = False
    uses_places: bool = False

    @property
    def holds(self) -> bool:
        """Whether everything is done, but for parts that the cover itself calls open."""
        return not self.holes and not self.is_given_up


def troubles_of_form(cover: Cover, n: int) -> list[str]:
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
    if not (np.isfinite(cover.low).all() and np.isfinite(cover.high).all()):
        return ["its domain is unbounded"]
    return []


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
class Covering:
    """One block: its rows, its charts, the boxes of its places, and the cover to be proved."""

    def __init__(
        self,
        contraction: AbstractContraction,
        forms: AbstractForms | None,
        cover: Cover,
        places: tuple[FloatArray, FloatArray],
    ) -> None:
        self.contraction, self.forms, self.cover = contraction, forms, cover
        self.place_low, self.place_high = places
        self.widest_place = float((self.place_high - self.place_low).max(initial=0.0))
        self.place_tree: Any = None
        self.n = len(cover.low)
        self.first_half = np.cumsum(cover.unknown >= 0) * 2 - 1  # of nodes that are cut
        self.cut_number = np.cumsum(cover.unknown >= 0) - 1
        self.found = Covered()
        self.near = None if forms is None or not len(forms.frames.p) else NearCharts(forms)

    def proved(self, low: FloatArray, high: FloatArray) -> Covered:
        """Proves that all solutions between low and high are listed."""
        budget = AT_LEAST + OWN * len(self.cover.unknown)
        stack: list[tuple[FloatArray, FloatArray, Numbers]] = self._around(low, high)
        while stack:
            lows, highs, nodes = stack.pop()
            if len(lows) > BATCH:
                stack.append((lows[BATCH:], highs[BATCH:], nodes[BATCH:]))
                lows, highs, nodes = lows[:BATCH], highs[:BATCH], nodes[:BATCH]
            self.found.boxes += len(lows)
            if self.found.boxes > budget or len(self.found.holes) >= MOST_HOLES:
                self.found.is_given_up = True
                break
            left = self._halved(*self._left(lows, highs, nodes))
            if len(left[0]):
                if stack and len(stack[-1][0]) + len(left[0]) <= 4 * BATCH:
                    top = stack.pop()
                    left = tuple(np.concatenate(both) for both in zip(left, top, strict=True))  # type: ignore[assignment]
                stack.append(left)
        return self.found

    def _around(
        self, low: FloatArray, high: FloatArray
    ) -> list[tuple[FloatArray, FloatArray, Numbers]]:
        """The cover's own domain, and what lies around it as far as solutions may."""
        bottom, top, lows, highs = low.copy(), high.copy(), [], []
        for j in range(self.n):
            for is_upper, face in ((False, self.cover.low[j]), (True, self.cover.high[j])):
                if bottom[j] < face < top[j]:
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
        """Boxes without those that are done, as small as the rows make them."""
        for _ in range(ROUNDS):
            before = (high - low).sum(axis=1)
            low, high, empty = self.contraction.contracted(low, high)
            done = empty | self._in_places(low, high)
            if self.near is not None:
                low, high, listed = self._on_charts(self.near, low, high, done)
                done = done | listed
            low, high, nodes, before = low[~done], high[~done], nodes[~done], before[~done]
            if not len(low) or not ((high - low).sum(axis=1) < WORTH * before).any():
                break
        return low, high, nodes

    def _places_near(self, low: FloatArray, high: FloatArray) -> list[list[int]]:
        """For boxes no wider than the widest place: the numbers of places that may meet them."""
        if not len(low):
            return []
        if self.place_tree is None:
            from scipy.spatial import cKDTree

            self.place_tree = cKDTree(0.5 * (self.place_low + self.place_high))
        near: list[list[int]] = list(
            self.place_tree.query_ball_point(0.5 * (low + high), 1.01 * self.widest_place, p=np.inf)
        )
        return near

    def _in_places(self, low: FloatArray, high: FloatArray) -> Flags:
        """Boxes that lie in a box of a listed place."""
        inside = np.zeros(len(low), dtype=bool)
        if not len(self.place_low):
            return inside
        small = np.flatnonzero((high - low).max(axis=1) <= self.widest_place)
        for k, near in zip(small, self._places_near(low[small], high[small]), strict=True):
            fits = (low[k] >= self.place_low[near]) & (high[k] <= self.place_high[near])
            inside[k] = fits.all(axis=1).any()
        if inside.any():
            self.found.uses_places = True
        return inside

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

    def _halved(
        self, low: FloatArray, high: FloatArray, nodes: Numbers
    ) -> tuple[FloatArray, FloatArray, Numbers]:
        """Both halves of boxes, by the saved cut where there is one."""
        cover = self.cover
        told = cover.unknown[np.maximum(nodes, 0)]
        is_cut: Flags = np.asarray((nodes >= 0) & (told >= 0), dtype=bool)
        is_open: Flags = np.asarray((nodes >= 0) & (told == Cover.OPEN), dtype=bool)
        self.found.open_parts += int(is_open.sum())
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
        if len(self.place_low) and own.any():
            self._cut_at_places(low, high, np.flatnonzero(own), axis, at)
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

    def _cut_at_places(
        self, low: FloatArray, high: FloatArray, which: Numbers, axis: Numbers, at: FloatArray
    ) -> None:
        """Cut boxes that overlap a place along the face that takes most off them."""
        small = which[(high[which] - low[which]).max(axis=1) <= self.widest_place]
        for k, near in zip(small, self._places_near(low[small], high[small]), strict=True):
            if not near:
                continue
            a, b = low[k], high[k]
            # overlap in every unknown, as a share of the box; a box that is flat there lies in it
            place_low, place_high = self.place_low[near], self.place_high[near]
            both = np.minimum(place_high, b) - np.maximum(place_low, a)
            overlaps = ((both > 0.0) | ((both == 0.0) & (a == b))).all(axis=1)
            if not overlaps.any():
                continue
            sides = np.where(a == b, 1.0, both / np.where(a == b, 1.0, b - a))
            best = int(np.where(overlaps, sides.prod(axis=1), -1.0).argmax())
            faces_low, faces_high = place_low[best], place_high[best]
            below, above = faces_low - a, b - faces_high
            j, i = int(below.argmax()), int(above.argmax())
            if max(below[j], above[i]) <= 0.0:
                continue
            axis[k] = j if below[j] >= above[i] else i
            at[k] = faces_low[j] if below[j] >= above[i] else faces_high[i]


@final
class NearCharts:
    """Charts by size and place: near a crossing they are far shorter than elsewhere."""

    def __init__(self, forms: AbstractForms) -> None:
        from scipy.spatial import cKDTree

        self.forms = forms
        frames = forms.frames
        reach = np.maximum(frames.h, frames.w)
        self.longest = float(reach.max())
        level = np.floor(np.log2(np.maximum(reach, 1e-300)) / 2.0).astype(np.int64)
        self.classes: list[tuple[Any, Numbers]] = []
        for one in np.unique(level):
            members = np.flatnonzero(level == one)
            p = frames.p[members]
            images, numbers = [p], [members]
            for j in np.flatnonzero(frames.period > 0.0):  # also seen once round a circle
                for turn in (-frames.period[j], frames.period[j]):
                    images.append(p + turn * np.eye(frames.n)[j])
                    numbers.append(members)
            self.classes.append((cKDTree(np.concatenate(images)), np.concatenate(numbers)))

    def best(self, low: FloatArray, high: FloatArray) -> Numbers:
        """For every box the chart, among the nearest of each size, that it exceeds least."""
        frames = self.forms.frames
        middle, radius = middles(low, high)
        best = np.zeros(len(low), dtype=np.int64)
        least = np.full(len(low), np.inf)
        box = np.arange(len(low))
        P = np.where(frames.period > 0.0, frames.period, np.inf)
        for tree, members in self.classes:
            count = min(NEAREST, len(members))
            _, found = tree.query(middle, k=count)
            charts = members[np.asarray(found, dtype=np.int64).reshape(len(low), count)]
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
            one = fit.argmin(axis=1)
            better = fit[box, one] < least
            least = np.where(better, fit[box, one], least)
            best = np.where(better, charts[box, one], best)
        return best
