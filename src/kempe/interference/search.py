"""The search along a pair's motion: no touch is missed that is deeper than a tolerance.

Own: two shapes that are d apart, and of which no point moves faster than L against the other,
cannot touch for d / L. So between two times a and b their gap is at least
(d(a) + d(b) - L (b - a)) / 2, and an interval in which this is above the margin is done; any other
is halved. The least of all these bounds is what the gap never goes below. Source: [Mirtich1996]
section 2.3, conservative advancement.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from kempe.errors import BadNumber

FloatArray = NDArray[np.float64]

SHARE = 1e-4  # of the least distance so far: intervals that cannot go below by so much are done
MOST_LOOKS = 20_000  # of one pair: then the least gap is no longer narrowed down, but bounded
SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
POLISHED = 5  # lowest places that are refined
LOOKS = 4  # parts of a step in which it is asked whether shapes that touch part again
TIE = 1e-12  # of a gap: what rounding may make of one that does not change
ROUNDS = 60  # of halving: from any step to the last digit of a time
MOST_INTERVALS = 200_000  # of one pair in one round: more is refused


@final
@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of time (s) in which shapes touch, and when they are deepest."""

    start: float
    end: float
    deepest: float


@final
@dataclass(frozen=True, slots=True)
class Found:
    """Where shapes touch, when their gap is least (s), and what it never goes below (m)."""

    stretches: tuple[Stretch, ...]
    nearest: float
    floor: float


@final
class Search:
    """One pair: `gap(times)` gives signed distances (m,), nobody moves faster than `speeds`.

    `least` (n,) are lower bounds of the gap at the samples t (n,). The motion may be `off` (n - 1,)
    (m) in every step: gaps count as so much less, and shapes that part by no more than that have
    not parted.
    """

    def __init__(
        self,
        gap: Callable[[FloatArray], FloatArray],
        t: FloatArray,
        speeds: FloatArray,
        off: FloatArray,
        least: FloatArray,
        touching: float,
        tolerance: float,
    ) -> None:
        self.gap, self.t, self.speeds, self.off, self.least = gap, t, speeds, off, least
        self.floor = np.inf
        self.touching, self.tolerance = touching, tolerance
        self.times: list[FloatArray] = []
        self.values: list[FloatArray] = []

    def run(self) -> Found:
        """Where they touch, and when they are nearest."""
        self._at(self.t[[int(self.least.argmin())]])
        self._halve()
        times, values = self._known()
        touches = values <= self.touching
        if not touches.any():
            nearest = self._polished(times, values)
            if self._lowest(nearest) > self.touching:
                return Found((), nearest, self.floor)
            times, values = np.append(times, nearest), np.append(values, self.touching)
            order = np.argsort(times)
            times, values = times[order], values[order]
            touches = values <= self.touching
        stretches = self._stretches(times, values, touches)
        deepest = min(stretches, key=lambda s: self._lowest(s.deepest))
        return Found(stretches, deepest.deepest, self.floor)

    def _off(self, times: FloatArray) -> FloatArray:
        """How far (m) the motion may be off at times (m,): the worse of both sides of a sample."""
        most = len(self.off) - 1
        before, after = (np.searchsorted(self.t, times, side=side) - 1 for side in SIDES)
        return np.maximum(self.off[np.clip(before, 0, most)], self.off[np.clip(after, 0, most)])

    def _lowest(self, time: float) -> float:
        """What the gap may be at a time, at least."""
        one = np.array([time])
        return float(self.gap(one)[0] - self._off(one)[0])

    def _at(self, times: FloatArray) -> FloatArray:
        values = self.gap(times) - self._off(times)
        self.times.append(times)
        self.values.append(values)
        return values

    def _known(self) -> tuple[FloatArray, FloatArray]:
        """All times that were looked at, in order, and the gaps there."""
        times, first = np.unique(np.concatenate(self.times), return_index=True)
        return times, np.concatenate(self.values)[first]

    def _bar(self) -> float:
        """What an interval's lower bound has to reach: nothing in it is much nearer then."""
        if sum(len(times) for times in self.times) > MOST_LOOKS:
            return -np.inf
        best = min(float(values.min()) for values in self.values)
        return best - max(SHARE * abs(best), self.tolerance)

    def _halve(self) -> None:
        """Halve intervals until none can hold a touch, or anything much nearer."""
        h = np.diff(self.t)
        low = (self.least[:-1] + self.least[1:] - self.speeds * h) / 2.0 - self.off
        is_left = low < max(self._bar(), self.touching)
        self.floor = min(self.floor, low[~is_left].min(initial=np.inf))
        left = np.flatnonzero(is_left)
        a, b, speed = self.t[left], self.t[left + 1], self.speeds[left]
        times = np.unique(np.concatenate([a, b]))
        values = self._at(times) if len(times) else times
        at_a, at_b = (values[np.searchsorted(times, x)] for x in (a, b))
        step = b - a
        while len(a):
            worth = self._is_worth(at_a, at_b, speed, b - a, step)
            a, b, at_a, at_b, speed, step = (x[worth] for x in (a, b, at_a, at_b, speed, step))
            if not len(a):
                break
            if len(a) > MOST_INTERVALS:
                raise BadNumber(
                    f"whether these shapes touch takes more than {MOST_INTERVALS} looks at a"
                    f" tolerance of {self.tolerance:.3g} m: give a larger one."
                )
            middle = (a + b) / 2.0
            at_m = self._at(middle)
            a, b = np.concatenate([a, middle]), np.concatenate([middle, b])
            at_a, at_b = np.concatenate([at_a, at_m]), np.concatenate([at_m, at_b])
            speed, step = np.tile(speed, 2), np.tile(step, 2)

    def _is_worth(
        self, at_a: FloatArray, at_b: FloatArray, speed: FloatArray, h: FloatArray, step: FloatArray
    ) -> NDArray[np.bool_]:
        """Whether intervals may hold a touch or a nearer place, and are long enough to tell."""
        touch_a, touch_b = at_a <= self.touching, at_b <= self.touching
        low = (at_a + at_b - speed * h) / 2.0
        is_long = speed * h > 2.0 * self.tolerance
        may = ~touch_a & ~touch_b & (low < self.touching) & is_long
        coarse = (touch_a | touch_b) & (h > step / LOOKS * (1.0 + 1e-9))
        worth = may | coarse | ((low < self._bar()) & is_long)
        self.floor = min(self.floor, low[~worth].min(initial=np.inf))
        return np.asarray(worth, dtype=bool)

    def _stretches(
        self, times: FloatArray, values: FloatArray, touches: NDArray[np.bool_]
    ) -> tuple[Stretch, ...]:
        """Runs of times at which they touch, their ends found by halving."""
        touches = touches | self._barely_parted(times, values, touches)
        edges = np.diff(touches.astype(int), prepend=0, append=0)
        found = []
        for i, j in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1, strict=True):
            start = times[i] if i == 0 else self._edge(times[i - 1], times[i])
            end = times[j] if j == len(times) - 1 else self._edge(times[j + 1], times[j])
            inner = times[i : j + 1], values[i : j + 1]
            k = int(inner[1].argmin())
            low = inner[0][k - 1] if k else start
            high = inner[0][k + 1] if k + 1 < len(inner[0]) else end
            deepest = self._least(float(low), float(high), float(inner[0][k]))
            found.append(Stretch(float(start), float(end), deepest))
        return tuple(found)

    def _barely_parted(
        self, times: FloatArray, values: FloatArray, touches: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Runs of times between touches at which they are apart by what the motion may be off."""
        parted = values > self.touching + 2.0 * self._off(times)
        edges = np.diff(touches.astype(int), prepend=1, append=1)
        starts, ends = np.flatnonzero(edges == -1), np.flatnonzero(edges == 1)
        found = np.zeros_like(touches)
        for i, j in zip(starts, ends, strict=True):
            is_between = i > 0 and j < len(values)
            if is_between and not parted[i:j].any():
                found[i:j] = True
        return found

    def _edge(self, apart: float, touching: float) -> float:
        """Where they begin to touch, between a time at which they do not and one at which they do.

        The last time found at which they do.
        """
        for _ in range(ROUNDS):
            middle = (apart + touching) / 2.0
            if middle in (apart, touching):
                break
            if self._lowest(middle) <= self.touching:
                touching = middle
            else:
                apart = middle
        return float(touching)

    def _least(self, low: float, high: float, guess: float) -> float:
        """The time of the least gap between two times, around a guess."""
        if not high > low:
            return guess

        value = self._lowest
        width = high - low
        found = minimize_scalar(
            lambda s: value(low + s * width), bounds=(0.0, 1.0), method="bounded",
            options={"xatol": 1e-10, "maxiter": 100},
        )  # fmt: skip
        best = low + float(found.x) * width
        found_gap = value(guess)
        better = [t for t in (best, low, high) if value(t) < found_gap - TIE * abs(found_gap)]
        return min(better, key=value, default=guess)

    def _polished(self, times: FloatArray, values: FloatArray) -> float:
        """The time of the least gap: the lowest places of those that were looked at, refined."""
        padded = np.concatenate([[np.inf], values, [np.inf]])
        dips = np.flatnonzero((values <= padded[:-2]) & (values <= padded[2:]))
        around = np.union1d(self.t, times)
        found = []
        for k in dips[np.argsort(values[dips])][:POLISHED]:
            at = float(times[k])
            low = around[around < at].max(initial=self.t[0])
            high = around[around > at].min(initial=self.t[-1])
            found.append(self._least(float(low), float(high), at))
        return min(found, key=self._lowest)
