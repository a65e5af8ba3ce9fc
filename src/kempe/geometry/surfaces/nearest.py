"""The point of a surface nearest to a place: patches that are too far dropped, the rest halved."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.geometry.curves.abstract import Domain, point_of
from kempe.geometry.number import Floats

if TYPE_CHECKING:
    from kempe.geometry.surfaces.abstract import AbstractSurface

FIRST_PARTS = 8  # a side, of every smooth patch
MOST_ROUNDS = 60
MOST_PARTS = 20_000
ENOUGH = 1e-9  # relative gap between the distance found and its lower bound
ROUNDING = 1e-14  # of sums of some twenty products, relative to the largest
TINY = 1e-300  # m: at a pole nothing moves along u
NEWTONS = 30


@final
class Parameters(NamedTuple):
    """The two domains of a surface, between which u and v live."""

    u: Domain
    v: Domain


@final
@dataclass(frozen=True, slots=True)
class NearestOnSurface:
    """A point of a surface and its distance from a place; no point is nearer than `bound`."""

    parameters: tuple[float, float]  # u, v
    point: tuple[float, float, float]  # m
    distance: float  # m
    bound: float  # m, proved


def nearest_point(surface: "AbstractSurface", place: ArrayLike) -> NearestOnSurface:
    """The point of a `surface` nearest to a `place` (m), and a bound below which nothing lies.

    Patches whose `least_squared_distances` are above the best square that is known are dropped.
    """
    p = np.array(point_of(np.asarray(place, float).tolist(), "the place"))
    window = surface.window(p)
    low, high = _patches(surface, window)
    best = _polished(surface, window, p, np.concatenate([low, high, 0.5 * (low + high)]))
    least = 0.0
    for _ in range(MOST_ROUNDS):
        below = surface.least_squared_distances(low, high, p)
        keep = below <= best[1] ** 2
        low, high, below = low[keep], high[keep], below[keep]
        least = float(np.sqrt(max(0.0, below.min()))) if len(below) else best[1]
        room = ENOUGH * best[1] + np.sqrt(ROUNDING) * 1e-2 * surface.size
        if best[1] - least <= room or len(low) > MOST_PARTS:
            break
        middle = 0.5 * (low + high)
        order = np.argsort(below)[:8]
        found = _polished(surface, window, p, middle[order])
        best = min(best, found, key=lambda pair: pair[1])
        low, high = _quarters(low, middle, high)
    u, v = best[0]
    x, y, z = surface._values(np.array(u), np.array(v), (0, 0)).tolist()
    return NearestOnSurface((u, v), (x, y, z), best[1], min(least, best[1]))


def foot_of(surface: "AbstractSurface", place: ArrayLike) -> tuple[float, float]:
    """u and v of a point of a `surface` near a `place` (m), quickly: nothing is proved of it."""
    p = np.array(point_of(np.asarray(place, float).tolist(), "the place"))
    window = surface.window(p)
    low, high = _patches(surface, window)
    return _polished(surface, window, p, np.concatenate([low, high, 0.5 * (low + high)]))[0]


def _patches(surface: "AbstractSurface", window: Parameters) -> tuple[Floats, Floats]:
    """Patches (N, 2) low and high that cover the window, cut where formulas change."""
    cuts = []
    for domain, breaks in zip(window, surface.breaks, strict=True):
        ends = [domain.low, *(b for b in breaks if domain.low < b < domain.high), domain.high]
        parts = [np.linspace(a, b, FIRST_PARTS + 1)[:-1] for a, b in itertools.pairwise(ends)]
        cuts.append(np.concatenate([*parts, [domain.high]]))
    low = np.stack(np.meshgrid(cuts[0][:-1], cuts[1][:-1]), axis=-1).reshape(-1, 2)
    high = np.stack(np.meshgrid(cuts[0][1:], cuts[1][1:]), axis=-1).reshape(-1, 2)
    return low, high


def _quarters(low: Floats, middle: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Every patch cut in four."""
    lows, highs = [], []
    for right in (False, True):
        for upper in (False, True):
            pick = np.array([right, upper])
            lows.append(np.where(pick, middle, low))
            highs.append(np.where(pick, high, middle))
    return np.concatenate(lows), np.concatenate(highs)


def squares_by_slopes(surface: "AbstractSurface", low: Floats, high: Floats, p: Floats) -> Floats:
    """A lower bound of |S - p|^2 (N,) over each patch, roundings taken off.

    By the patch's box, and by f(c) - |grad f(c)| . h - 1/2 h . sup |f''| . h.
    """
    over = {k: surface.enclosure(low, high, k) for k in ((0, 0), (1, 0), (0, 1))}
    bends = {k: surface.enclosure(low, high, k) for k in ((2, 0), (1, 1), (0, 2))}
    gap = np.maximum(np.maximum(over[0, 0][0] - p, p - over[0, 0][1]), 0.0)
    by_box = (gap**2).sum(axis=1) * (1.0 - ROUNDING)
    far = np.maximum(np.abs(over[0, 0][0] - p), np.abs(over[0, 0][1] - p))
    steep = {k: np.maximum(*(np.abs(b) for b in over[k])) for k in ((1, 0), (0, 1))}
    bend = {k: np.maximum(*(np.abs(b) for b in both)) for k, both in bends.items()}
    c, h = 0.5 * (low + high), 0.5 * (high - low) * (1.0 + ROUNDING)
    d = surface._values(c[:, 0], c[:, 1], (0, 0)) - p
    slopes = [
        2.0 * np.abs((d * surface._values(c[:, 0], c[:, 1], k)).sum(axis=1))
        for k in ((1, 0), (0, 1))
    ]
    second = {
        (2, 0): 2.0 * ((steep[1, 0] ** 2).sum(axis=1) + (far * bend[2, 0]).sum(axis=1)),
        (1, 1): 2.0 * ((steep[1, 0] * steep[0, 1]).sum(axis=1) + (far * bend[1, 1]).sum(axis=1)),
        (0, 2): 2.0 * ((steep[0, 1] ** 2).sum(axis=1) + (far * bend[0, 2]).sum(axis=1)),
    }
    fall = slopes[0] * h[:, 0] + slopes[1] * h[:, 1]
    curl = 0.5 * (second[2, 0] * h[:, 0] ** 2 + second[0, 2] * h[:, 1] ** 2)
    twist = second[1, 1] * h[:, 0] * h[:, 1]
    rounding = ROUNDING * ((far**2).sum(axis=1) + fall + curl + twist)
    by_taylor = (d**2).sum(axis=1) - fall - curl - twist - rounding
    return np.asarray(np.maximum(by_box, by_taylor))


def _polished(
    surface: "AbstractSurface", window: Parameters, p: Floats, starts: Floats
) -> tuple[tuple[float, float], float]:
    """The best that Newton's method finds from the nearest of some pairs, kept in the window."""
    d = np.linalg.norm(surface._values(starts[:, 0], starts[:, 1], (0, 0)) - p, axis=1)
    order = np.argsort(d)
    u, v = starts[order[0]].tolist()
    best = ((u, v), float(d[order[0]]))
    met = set[tuple[float, float]]()
    for start in starts[order[:4]]:
        part = _smooth_part(surface, window, start)
        ends = [_newton(surface, part, p, start)]
        at = tuple(np.round(ends[0], 9).tolist())
        held = any(x in (d.low, d.high) for x, d in zip(ends[0].tolist(), part, strict=True))
        if part != window and held and at not in met:  # it may go on beyond
            ends.append(_newton(surface, window, p, start))
        met.add(at)
        for x in ends:
            there = float(np.linalg.norm(surface._values(x[0], x[1], (0, 0)) - p))
            best = min(best, ((float(x[0]), float(x[1])), there), key=lambda pair: pair[1])
    return best


def _smooth_part(surface: "AbstractSurface", window: Parameters, at: Floats) -> Parameters:
    """The part of the window about a place within which no formula changes.

    The nearest point may lie on a crease between two such parts, where no slope is zero.
    """
    sides = []
    for domain, breaks, x in zip(window, surface.breaks, at.tolist(), strict=True):
        inner = [b for b in breaks if domain.low < b < domain.high]
        low = max([domain.low, *(b for b in inner if b <= x)])
        high = min([domain.high, *(b for b in inner if b > x)])
        sides.append(Domain(low, high) if inner else domain)
    return Parameters(*sides)


def _newton(surface: "AbstractSurface", window: Parameters, p: Floats, start: Floats) -> Floats:
    """Where |S - p| is least near a start: Newton's steps, halved until they come nearer.

    A parameter at the end of its domain that would leave it stays there.
    """
    low, high = (np.array([getattr(d, end) for d in window]) for end in ("low", "high"))
    wraps = np.array([d.period > 0.0 for d in window])
    x, last = start.copy(), np.where(wraps, np.inf, np.nextafter(high, low))
    least = ROUNDING * 0.1 * (np.abs(low) + np.abs(high))

    def value(at: Floats, k: tuple[int, int]) -> Floats:
        inside = np.minimum(at, last)  # at its end, not the formula of the part that follows
        return surface._values(inside[0], inside[1], k)

    for _ in range(NEWTONS):
        d, a, b = value(x, (0, 0)) - p, value(x, (1, 0)), value(x, (0, 1))
        slope = np.array([d @ a, d @ b])
        mixed = a @ b + d @ value(x, (1, 1))
        bend = np.array(
            [[a @ a + d @ value(x, (2, 0)), mixed], [mixed, b @ b + d @ value(x, (0, 2))]]
        )
        if not (bend[0, 0] > 0.0 and np.linalg.det(bend) > 0.0):  # towards the foot, at least
            bend = np.array([[a @ a, a @ b], [a @ b, b @ b]])
        bend += 1e-14 * np.trace(bend) * np.eye(2)
        held = ~wraps & (((x <= low) & (slope > 0.0)) | ((x >= high) & (slope < 0.0)))
        free = ~held
        if not free.any() or not bend[np.ix_(free, free)].any():
            break
        step = np.zeros(2)
        step[free] = -np.linalg.solve(bend[np.ix_(free, free)], slope[free])
        share, before = 1.0, float(d @ d)
        while share > 1e-4:
            trial = np.where(wraps, x + share * step, np.clip(x + share * step, low, high))
            there = value(trial, (0, 0)) - p
            if float(there @ there) <= before:
                break
            if share == 1.0 and _is_flatter(value, p, trial, slope, before):
                break
            share *= 0.5
        else:
            break
        is_still = bool((np.abs(trial - x) <= least).all())
        x = trial
        if is_still:
            break
    turns = np.where(wraps, np.floor((x - low) / (high - low)), 0.0)
    back: Floats = np.clip(x - turns * np.where(wraps, high - low, 0.0), low, high)
    return back


def _is_flatter(
    value: Callable[[Floats, tuple[int, int]], Floats],
    p: Floats,
    trial: Floats,
    slope: Floats,
    before: float,
) -> bool:
    """Whether a step is a better one though no distance tells: near the foot these are rounding.

    Squares of distances know the foot to half of the digits, their slopes to all.
    """
    d, a, b = value(trial, (0, 0)) - p, value(trial, (1, 0)), value(trial, (0, 1))
    lost = ROUNDING * float(np.linalg.norm(p))  # of d, a difference of places
    as_near = float(d @ d) <= (math.sqrt(before) * (1.0 + ROUNDING) + lost) ** 2
    lengths = np.maximum(
        [np.linalg.norm(a), np.linalg.norm(b)], TINY
    )  # one may be rounding already
    there, here = (np.abs(x / lengths).max() for x in (np.array([d @ a, d @ b]), slope))
    return as_near and bool(there <= 0.5 * here)
