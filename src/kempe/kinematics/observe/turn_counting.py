"""Counting the turns of an angle from sample to sample, and between samples that lie far apart.

Where a crank goes round more than once from one sample to the next, the rates at the samples do not
tell what happened in between: the motion is then computed again at more samples. So it is where
what points may have passed its axis on either side: then an angle makes half a turn at once.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.inputs import TURN
from kempe.kinematics.observe.pointers import Pointer
from kempe.results import Motion

FloatArray = NDArray[np.float64]


@final
class Angle(NamedTuple):
    """An angle (n,) up to whole turns, its rates, and what points, if that is one vector."""

    value: FloatArray
    rate: FloatArray
    second: FloatArray
    pointer: Pointer | None = None

    def at(self, which: NDArray[np.bool_]) -> "Angle":
        """Some of the samples."""
        pointer = None if self.pointer is None else self.pointer.at(which)
        return Angle(self.value[which], self.rate[which], self.second[which], pointer)


Read = Callable[[Motion], Angle]

EVEN = 1e-3  # rad: what turns as evenly as that is counted by its rate, however far
# rad: what is half a turn off to this may have gone either way. A direction that is told is right
# to about 1e-3 rad, and one is told before the leap, one after it.
LEAP = 2e-3
FAR = 1.0  # rad from sample to sample: beyond, rates at the samples may not tell the way
NEAR = 0.25  # rad from sample to sample that is aimed at
FINER, ROUNDS = 4, 3  # times as many samples again, at most so often, where an angle is a fast one
MOST_NUMBERS = 4_000_000  # coordinates of all samples in between: 100 MB with their rates


def counted_turns(
    t: FloatArray, angle: FloatArray, rate: FloatArray, swept: FloatArray | None = None
) -> FloatArray:
    """An angle with its whole turns, from samples of it up to whole turns and of its rate.

    The number of turns between two samples is the one nearest to what its pointer has `swept`
    (n - 1,), NaN where that is not known, or to what the mean rate makes: samples may be more than
    half a turn apart. Where that is half a turn more as well as half a turn less, as for what
    passes a place without direction, it stays near its first value, and goes up where both are as
    near.

    Own: the trapezoidal rule is off by a twelfth of h^2 times the change of the acceleration.
    """
    made = 0.5 * (rate[1:] + rate[:-1]) * np.diff(t)
    if swept is not None:
        made = np.where(np.isnan(swept), made, swept)
    turns = np.rint((made - np.diff(angle)) / TURN)
    whole = np.concatenate([[0.0], np.cumsum(turns)])
    for k in np.flatnonzero(_leaps(made, angle)) + 1:
        low = whole[k - 1] + np.floor((made[k - 1] - angle[k] + angle[k - 1]) / TURN)
        away = angle[k] + TURN * low - angle[0]
        whole[k:] += low + (abs(away + TURN) <= abs(away) + LEAP) - whole[k]
    return angle + TURN * whole


def leaps(t: FloatArray, angle: FloatArray, rate: FloatArray) -> NDArray[np.bool_]:
    """After which samples (n - 1,) an angle is half a turn off what its rate makes.

    Which way it went is then decided by rounding alone.
    """
    return _leaps(0.5 * (rate[1:] + rate[:-1]) * np.diff(t), angle)


def _leaps(made: FloatArray, angle: FloatArray) -> NDArray[np.bool_]:
    off = np.abs(np.remainder(made - np.diff(angle), TURN) - 0.5 * TURN)
    return np.asarray(off < LEAP, dtype=bool)


def counted(layout: Layout, motion: Motion, read: Read) -> FloatArray:
    """The angle (n,) that `read` finds along a motion, with the turns made since its first sample.

    NaN where it is not defined; and from the second sample on where samples lie so far apart that
    nobody can say how often it went round between them.
    """
    angle = read(motion)
    told = np.isfinite(angle.value)
    found = np.full(len(told), np.nan)
    if not told.any():
        return found
    t, angle = motion.t[told], angle.at(told)
    step = _largest_step(layout, motion)
    count = _count(t, angle, step)
    found[told] = count.angle
    if motion.steps is not None:
        turns = _turns_along(layout, motion.steps, read, t, angle)
        found[told] = np.nan if turns is None else angle.value + TURN * turns.made
        return found
    if count.is_sure or motion.again is None:
        return found
    n, before = max(2, math.ceil(count.pace / NEAR)), None
    for _ in range(ROUNDS):
        if n * len(motion) * motion.q.shape[1] > MOST_NUMBERS:
            break
        turns = _turns_along(layout, _resampled(motion.again, n), read, t, angle)
        if turns is None:
            break  # it has ended before
        is_told = turns.is_sure or (before is not None and np.array_equal(turns.made, before))
        before = turns.made
        if is_told:
            break
        n *= FINER
    if before is not None:
        found[told] = angle.value + TURN * before
    elif step > FAR or angle.pointer is None:
        found[np.flatnonzero(told)[1:]] = np.nan
    return found


@final
class _Turns(NamedTuple):
    """Whole turns (n,) that an angle has made at samples, and whether that is sure."""

    made: FloatArray
    is_sure: bool


def _turns_along(
    layout: Layout, finer: Motion, read: Read, t: FloatArray, angle: Angle
) -> _Turns | None:
    """The turns at times t by a motion with samples between them; None where some t is missing."""
    parts = read(finer)
    known = np.isfinite(parts.value)
    places = np.searchsorted(finer.t[known], t)
    if not known.any() or not np.array_equal(
        finer.t[known][np.minimum(places, known.sum() - 1)], t
    ):
        return None
    count = _count(finer.t[known], parts.at(known), _largest_step(layout, finer))
    whole = count.angle[places]
    made = np.rint((whole - whole[0] - (angle.value - angle.value[0])) / TURN)
    return _Turns(made, count.is_sure)


@final
class _Count(NamedTuple):
    """An angle with its turns, how far (rad) it goes between samples, whether that is sure."""

    angle: FloatArray
    pace: float
    is_sure: bool


def _count(t: FloatArray, angle: Angle, step: float) -> _Count:
    """The turns of an angle at these samples, between which bodies turn by `step` (rad) at most."""
    pace = _pace(t, angle, step)
    if angle.pointer is None or pace == 0.0:
        return _Count(counted_turns(t, angle.value, angle.rate), pace, pace <= FAR)
    swept, in_doubt = angle.pointer.swept(t)
    whole = counted_turns(t, angle.value, angle.rate, swept)
    return _Count(whole, step, step <= FAR and not in_doubt.any())


def _pace(t: FloatArray, of: Angle, step: float) -> float:
    """How far (rad) it may go from sample to sample, 0 where it goes evenly."""
    angle, rate, second, _ = of
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
