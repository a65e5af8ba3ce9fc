"""Where a number changes its sign on a mesh of triangles, and what triangles cover of a plane."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

LINES = 2048  # level lines on which it is told what is covered


@final
@dataclass(frozen=True, slots=True, eq=False)
class Crossings:
    """Points on edges of a mesh where values at its corners change sign, in order along lines.

    `ends` (k, 2) are the corners of an edge, `share` (k,) how far from the first to the second the
    sign changes; `lines` number the points along each line, `is_closed` says which lines close.
    """

    ends: IntArray
    share: FloatArray
    lines: tuple[IntArray, ...]
    is_closed: tuple[bool, ...]

    def at(self, values: FloatArray) -> FloatArray:
        """Values (v, ...) of corners, interpolated at the points (k, ...)."""
        share = self.share.reshape(-1, *([1] * (values.ndim - 1)))
        made: FloatArray = (1.0 - share) * values[self.ends[:, 0]] + share * values[self.ends[:, 1]]
        return made


def crossings(triangles: IntArray, values: FloatArray) -> Crossings:
    """The lines on triangles (f, 3) along which values (v,) at the corners change sign."""
    above = values > 0.0
    sides = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2)  # (f, 3, 2)
    is_cut = above[sides[..., 0]] != above[sides[..., 1]]
    cut = np.flatnonzero(is_cut.any(axis=1))
    pairs = np.sort(sides[cut][is_cut[cut]].reshape(-1, 2), axis=1)  # two a triangle
    ends, number = np.unique(pairs, axis=0, return_inverse=True)
    first, second = values[ends[:, 0]], values[ends[:, 1]]
    lines, is_closed = _chained(np.asarray(number).reshape(-1, 2), len(ends))
    return Crossings(ends, first / (first - second), lines, is_closed)


def closed_lines(edges: IntArray) -> list[IntArray]:
    """Corners along the closed lines that edges (e, 2) make, the first again at the end."""
    corners, ends = np.unique(edges, return_inverse=True)
    lines, _ = _chained(np.asarray(ends).reshape(-1, 2), len(corners))
    return [corners[np.append(line, line[0])] for line in lines]


def _chained(links: IntArray, count: int) -> tuple[tuple[IntArray, ...], tuple[bool, ...]]:
    """Points 0 ... count - 1, joined two by two, as lines; and whether each closes."""
    joined: list[list[int]] = [[] for _ in range(count)]
    for a, b in links.tolist():
        joined[a].append(b)
        joined[b].append(a)
    seen, lines, closed = [False] * count, [], []
    ends_first = sorted(range(count), key=lambda k: len(joined[k]) != 1)
    for start in ends_first:
        if seen[start]:
            continue
        line, here = [start], start
        seen[start] = True
        while (after := next((k for k in joined[here] if not seen[k]), None)) is not None:
            line.append(after)
            seen[after], here = True, after
        lines.append(np.array(line))
        closed.append(len(line) > 2 and line[0] in joined[line[-1]])
    return tuple(lines), tuple(closed)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """What triangles cover of a plane: stretches of x on level lines that are `step` apart."""

    low: float  # y of the first line
    step: float
    line: IntArray  # of every stretch, rising
    start: FloatArray
    stop: FloatArray

    @classmethod
    def of(cls, corners: FloatArray, triangles: IntArray) -> "Coverage":
        """The coverage of triangles (f, 3) with corners (v, 2)."""
        low, high = float(corners[:, 1].min()), float(corners[:, 1].max())
        step = (high - low) / LINES or 1.0
        low += 0.5 * step
        y = corners[:, 1][triangles]
        first = np.ceil((y.min(axis=1) - low) / step).astype(np.int64)
        last = np.floor((y.max(axis=1) - low) / step).astype(np.int64)
        count = np.maximum(last - first + 1, 0)
        of = np.repeat(np.arange(len(triangles)), count)
        line = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count) + first[of]
        x0, x1 = _cut(corners[triangles[of]], low + step * line)
        return cls(low, step, *_joined(line, x0, x1))

    @property
    def area(self) -> float:
        """The area that is covered, once where triangles lie over each other."""
        return float((self.stop - self.start).sum() * self.step)

    def holds(self, points: FloatArray) -> BoolArray:
        """Whether points (k, 2) are covered, as told by the nearest level line."""
        line = np.clip(np.round((points[:, 1] - self.low) / self.step), 0, LINES - 1)
        outside = np.abs(points[:, 1] - (self.low + line * self.step)) > self.step
        wide = _width(self.start, self.stop)
        at = np.searchsorted(self.line * wide + self.start, line * wide + points[:, 0]) - 1
        found = (at >= 0) & (self.line[at] == line) & (points[:, 0] <= self.stop[at]) & ~outside
        return np.asarray(found, dtype=np.bool_)


def _cut(corners: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where level lines y (k,) enter and leave triangles with corners (k, 3, 2)."""
    low = np.full(len(y), np.inf)
    high = np.full(len(y), -np.inf)
    for k in range(3):
        a, b = corners[:, k], corners[:, (k + 1) % 3]
        rise = b[:, 1] - a[:, 1]
        share = np.divide(y - a[:, 1], rise, out=np.full(len(y), np.nan), where=rise != 0.0)
        x = np.where((share >= 0.0) & (share <= 1.0), a[:, 0] + share * (b[:, 0] - a[:, 0]), np.nan)
        low, high = np.fmin(low, x), np.fmax(high, x)
    return low, high


def _joined(
    line: IntArray, start: FloatArray, stop: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Stretches on lines, those that overlap put together."""
    kept = start <= stop
    line, start, stop = line[kept], start[kept], stop[kept]
    wide = _width(start, stop)
    order = np.lexsort((start, line))
    line, start, stop = line[order], start[order], stop[order]
    reach = np.maximum.accumulate(line * wide + stop)
    is_first = np.ones(len(line), dtype=bool)
    is_first[1:] = (line * wide + start)[1:] > reach[:-1]
    first = np.flatnonzero(is_first)
    last = np.append(first[1:], len(line)) - 1
    return line[first], start[first], reach[last] - line[first] * wide


def _width(start: FloatArray, stop: FloatArray) -> float:
    """By how much lines are set apart when they are laid in a row: stretches stay on their own."""
    return float(4.0 * max(1e-300, np.abs(start).max(initial=0.0), np.abs(stop).max(initial=0.0)))
