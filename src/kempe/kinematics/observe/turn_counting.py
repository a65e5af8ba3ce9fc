"""Counting the turns of an angle from sample to sample, and between samples that lie far apart.

Where a crank goes round more than once from one sample to the next, the rates at the samples do not
tell what happened in between: the motion is then computed again at more samples.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.tracing import TURN
from kempe.results import Motion

FloatArray = NDArray[np.float64]
Angle = tuple[FloatArray, FloatArray, FloatArray]  # (n,) up to whole turns, its rate, its second
Read = Callable[[Motion], Angle]

EVEN = 1e-3  # rad: what turns as evenly as that is counted by its rate, however far
# rad: what is half a turn off to this may have gone either way. A direction that is told is right
# to about 1e-3 rad, and one is told before the leap, one after it.
LEAP = 2e-3
FAR = 1.0  # rad from sample to sample: beyond, rates at the samples may not tell the way
NEAR = 0.25  # rad from sample to sample that is aimed at
FINER, ROUNDS = 4, 3  # times as many samples again, at most so often, where an angle is a fast one
MOST_NUMBERS = 4_000_000  # coordinates of all samples in between: 100 MB with their rates


def counted_turns(t: FloatArray, angle: FloatArray, rate: FloatArray) -> FloatArray:
    """An angle with its whole turns, from samples of it up to whole turns and of its rate.

    The number of turns between two samples is the one nearest to what the mean rate makes, so
    that samples may be more than half a turn apart. Where that is half a turn more as well as half
    a turn less, as for what passes a place without direction, it stays near its first value, and
    goes up where both are as near.

    Own: the trapezoidal rule is off by a twelfth of h^2 times the change of the acceleration.
    """
    made = 0.5 * (rate[1:] + rate[:-1]) * np.diff(t)
    turns = np.rint((made - np.diff(angle)) / TURN)
    whole = np.concatenate([[0.0], np.cumsum(turns)])
    for k in np.flatnonzero(leaps(t, angle, rate)) + 1:
        low = whole[k - 1] + np.floor((made[k - 1] - angle[k] + angle[k - 1]) / TURN)
        away = angle[k] + TURN * low - angle[0]
        whole[k:] += low + (abs(away + TURN) <= abs(away) + LEAP) - whole[k]
    return angle + TURN * whole


def leaps(t: FloatArray, angle: FloatArray, rate: FloatArray) -> NDArray[np.bool_]:
    """After which samples (n - 1,) an angle is half a turn off what its rate makes.

    Which way it went is then decided by rounding alone.
    """
    made = 0.5 * (rate[1:] + rate[:-1]) * np.diff(t)
    off = np.abs(np.remainder(made - np.diff(angle), TURN) - 0.5 * TURN)
    return np.asarray(off < LEAP, dtype=bool)


def counted(layout: Layout, motion: Motion, read: Read) -> FloatArray:
    """The angle (n,) that `read` finds along a motion, with the turns made since its first sample.

    NaN where it is not defined; and from the second sample on where samples lie so far apart that
    nobody can say how often it went round between them.
    """
    angle, rate, second = read(motion)
    told = np.isfinite(angle)
    found = np.full(len(angle), np.nan)
    if not told.any():
        return found
    found[told] = counted_turns(motion.t[told], angle[told], rate[told])
    step = _largest_step(layout, motion)
    pace = _pace(motion.t[told], (angle[told], rate[told], second[told]), step)
    if pace <= FAR or motion.again is None:
        return found
    n, before = math.ceil(pace / NEAR), None
    for _ in range(ROUNDS):
        if n * len(motion) * motion.q.shape[1] > MOST_NUMBERS:
            break
        finer = _resampled(motion.again, n)
        parts = read(finer)
        known = np.isfinite(parts[0])
        values, rates, seconds = (part[known] for part in parts)
        t = finer.t[known]
        places = np.searchsorted(t, motion.t[told])
        if not len(t) or not np.array_equal(t[np.minimum(places, len(t) - 1)], motion.t[told]):
            break  # it has ended before
        whole = counted_turns(t, values, rates)[places]
        turns = np.rint((whole - whole[0] - (angle[told] - angle[told][0])) / TURN)
        pace = _pace(t, (values, rates, seconds), _largest_step(layout, finer))
        is_told = pace <= FAR or (before is not None and np.array_equal(turns, before))
        before = turns
        if is_told:
            break
        n *= FINER
    if before is None:
        found[np.flatnonzero(told)[1:]] = np.nan
    else:
        found[told] = angle[told] + TURN * before
    return found


def _pace(t: FloatArray, parts: Angle, step: float) -> float:
    """How far (rad) it may go from sample to sample, 0 where it goes evenly."""
    angle, rate, second = parts
    h = np.diff(t)
    if not len(h):
        return 0.0
    made = 0.5 * (rate[1:] + rate[:-1]) * h
    off = np.abs(np.remainder(made - np.diff(angle) + 0.5 * TURN, TURN) - 0.5 * TURN)
    bend = np.maximum(np.abs(second[1:]), np.abs(second[:-1])) * h * h
    change = np.abs(np.diff(rate)) * h
    if max(off.max(), bend.max(), change.max()) < EVEN:
        return 0.0
    return float(max(step, np.abs(rate[1:] * h).max(), np.abs(rate[:-1] * h).max()))


@lru_cache(maxsize=2)
def _largest_step(layout: Layout, motion: Motion) -> float:
    """How far (rad) a body turns from one sample to the next, at most."""
    if len(motion) < 2:
        return 0.0
    at = layout.coordinates
    bodies = range(layout.n_bodies)
    fastest = np.zeros(len(motion))
    for k in bodies:
        spin = np.sqrt((motion.v[:, at.spin_of(k)] ** 2).sum(axis=1))
        fastest = np.maximum(fastest, spin)
    return float((np.maximum(fastest[1:], fastest[:-1]) * np.diff(motion.t)).max())


@lru_cache(maxsize=1)
def _resampled(again: Callable[[int], Motion], n: int) -> Motion:
    return again(n)


def finer_times(times: FloatArray, n: int) -> FloatArray:
    """Times with n - 1 more between any two; those given are among them to the last bit."""
    share = np.arange(n) / n
    between = times[:-1, None] + np.diff(times)[:, None] * share
    return np.append(between.reshape(-1), times[-1])
