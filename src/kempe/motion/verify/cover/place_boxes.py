"""The boxes of listed places, with room around them: which hold a box, and where to cut one.

A sheet may have ten thousand boxes, wide ones and narrow ones. They are kept in a tree of hulls, so
that a box is held against those near it only.
"""

import math
from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.results.maps.motion_map import SingularPlace

FloatArray = NDArray[np.float64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

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
