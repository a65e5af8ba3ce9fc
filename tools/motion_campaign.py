"""Random four-bars and six-bars: the certified count of loops against closed forms.

A four-bar's loops follow from its lengths (Grashof). A six-bar is a four-bar and a dyad on its
rocker: along every loop of the four-bar the dyad closes everywhere, which makes two loops, or on
some stretches, each of which makes one. That count is a sweep along closed forms and shares nothing
with the search.

    python tools/motion_campaign.py 3000
"""

import math
import random
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import kempe

Complexes = NDArray[np.complex128]

SAMPLES = 4000  # along a loop of the four-bar
TOO_CLOSE = 1e-7  # of a length: where a sweep in doubles cannot tell touching from missing


class FourBar(NamedTuple):
    """Lengths of a four-bar."""

    crank: float
    coupler: float
    rocker: float
    ground: float

    @property
    def loops(self) -> int:
        """0 where it cannot close, 2 by Grashof, else 1."""
        shortest, p, q, longest = sorted(self)
        if longest > shortest + p + q:
            return 0
        return 2 if shortest + longest < p + q else 1


class SixBar(NamedTuple):
    """A four-bar whose rocker carries an arm, and the dyad that hangs on it."""

    first: FourBar
    arm: float
    bend: float  # rad
    link: float
    follower: float
    ground: float

    def loops(self) -> int | None:
        """How many loops it has; None where the sweep cannot tell."""
        total = 0
        for tips in arm_tips(self):
            count = self._on(tips)
            if count is None:
                return None
            total += count
        return total

    def _on(self, tips: Complexes) -> int | None:
        apart = np.abs(tips - (self.first.ground + self.ground))
        far, near = self.link + self.follower, abs(self.link - self.follower)
        gap = np.minimum(far - apart, apart - near)  # positive: it closes
        turns = (gap <= np.roll(gap, 1)) & (gap <= np.roll(gap, -1))
        turns |= (gap >= np.roll(gap, 1)) & (gap >= np.roll(gap, -1))
        bend = np.abs(np.roll(gap, 1) - 2.0 * gap + np.roll(gap, -1))
        if (np.abs(gap[turns]) < TOO_CLOSE + bend[turns]).any():
            return None
        closes = gap > 0.0
        if closes.all():
            return 2
        return int((closes & ~np.roll(closes, 1)).sum())


def arm_tips(six: SixBar) -> Iterator[Complexes]:
    """Where the arm's tip goes, for every loop of the four-bar, evenly in a closed parameter."""
    r, b, s, g = six.first
    low = (r * r + g * g - (b + s) ** 2) / (2.0 * r * g)  # the crank's cosine lies between these
    high = (r * r + g * g - (b - s) ** 2) / (2.0 * r * g)
    u = 2.0 * math.pi * np.arange(SAMPLES) / SAMPLES
    if low > 1.0 or high < -1.0 or low > high:
        return
    if low < -1.0 and high > 1.0:
        for side in (1.0, -1.0):
            yield _tips(six, u, np.full(SAMPLES, side))
        return
    first = math.acos(min(1.0, high)) if high < 1.0 else None
    last = math.acos(max(-1.0, low)) if low > -1.0 else None
    sides = np.where(np.arange(SAMPLES) < SAMPLES // 2, 1.0, -1.0)
    if first is not None and last is not None:
        for sign in (1.0, -1.0):
            middle, half = 0.5 * (first + last), 0.5 * (last - first)
            yield _tips(six, sign * (middle - half * np.cos(u)), sides)
    elif last is not None:
        yield _tips(six, -last * np.cos(u), sides)
    elif first is not None:
        yield _tips(six, math.pi - (math.pi - first) * np.cos(u), sides)


def _tips(six: SixBar, angle: NDArray[np.float64], side: NDArray[np.float64]) -> Complexes:
    r, b, s, g = six.first
    B = r * np.exp(1j * angle)
    d = np.abs(g - B)
    x = (b * b - s * s + d * d) / (2.0 * d)
    height = np.sqrt(np.maximum(b * b - x * x, 0.0))
    C = B + (g - B) / d * (x + 1j * side * height)
    tips: Complexes = g + six.arm * np.exp(1j * six.bend) * (C - g) / s
    return tips


def random_four_bar(chance: random.Random) -> FourBar:
    """Lengths between 0.5 and 3."""
    return FourBar(*(chance.uniform(0.5, 3.0) for _ in range(4)))


def random_six_bar(chance: random.Random) -> SixBar:
    """A random four-bar and a random dyad."""
    lengths = [chance.uniform(0.5, 3.0) for _ in range(4)]
    return SixBar(random_four_bar(chance), lengths[0], chance.uniform(-3.0, 3.0), *lengths[1:])


def four_bar_map(bar: FourBar) -> kempe.MotionMap:
    """All motions of the four-bar."""
    return _curves(kempe.gallery.four_bar(**bar._asdict()))


def six_bar_map(six: SixBar) -> kempe.MotionMap:
    """All motions of the six-bar."""
    lengths = six.first._asdict()
    grounds = (lengths.pop("ground"), six.ground)
    dyad = {"arm": six.arm, "bend": six.bend, "link": six.link, "follower": six.follower}
    return _curves(kempe.gallery.watt_six_bar(**lengths, **dyad, grounds=grounds))


def _curves(mechanism: kempe.Mechanism) -> kempe.MotionMap:
    found = mechanism.motions()
    assert isinstance(found, kempe.MotionMap)  # they have one freedom
    return found


def main(count: int, seed: int = 1) -> int:
    """Run both campaigns and print what was found; 0 where no count is wrong."""
    chance = random.Random(seed)
    wrong = 0
    for name in ("four-bars", "six-bars"):
        began, outcomes, unknown = time.process_time(), dict[str, int](), 0
        for _ in range(count):
            bar = random_four_bar(chance) if name == "four-bars" else random_six_bar(chance)
            wanted = bar.loops if isinstance(bar, FourBar) else bar.loops()
            found = four_bar_map(bar) if isinstance(bar, FourBar) else six_bar_map(bar)
            outcomes[str(found.outcome)] = outcomes.get(str(found.outcome), 0) + 1
            if wanted is None:
                unknown += 1
            elif found.outcome == "complete" and len(found) != wanted:
                wrong += 1
                print(f"WRONG: {bar} has {wanted} loops, {len(found)} were found", flush=True)
        spent = time.process_time() - began
        print(f"{count} {name}, seed {seed}: {outcomes}, {unknown} untold, {spent:.1f} s")
    print(f"{wrong} wrong counts")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*(int(text) for text in sys.argv[1:]) if len(sys.argv) > 1 else (3000,)))
