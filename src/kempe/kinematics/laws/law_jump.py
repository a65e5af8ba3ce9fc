"""Drives whose law jumps, or sets off without bounds: no step of a sweep is small enough."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.drives import Drive
from kempe.kinematics.laws.law_rate import law_rate
from kempe.kinematics.laws.undefined_law import law_value
from kempe.outcome import Ending, Outcome

# Of the span of a sweep: it has ended within steps of a quarter of this.
AHEAD = 4e-13
# How many times as far as its rates on both sides lead a law may go: one that begins steeply, as
# sqrt(t - 1) at t = 1, goes twice as far.
STEEP = 8.0
# rad or m, and of the value: less is rounding.
ROUNDING = 1e-9


def law_jump(
    drives: Sequence[Drive], t: float, times: NDArray[np.float64], now: float, refusal: str
) -> Outcome | None:
    """How a sweep over times of the laws ended at t (s), where a law jumps right after it.

    `now` is the time of the run at which it ended, `refusal` why its last step was refused.
    """
    way = 1.0 if times[-1] >= times[0] else -1.0
    h = max(AHEAD * float(np.abs(times[-1] - times[0])), 8.0 * math.ulp(t))
    ahead = t + way * h
    for drive in drives:
        (before, _), (after, _) = law_value(drive, t), law_value(drive, ahead)
        rate, later = abs(law_rate(drive.law, t)), abs(law_rate(drive.law, ahead))
        gone = abs(after - before) - ROUNDING * (1.0 + max(abs(before), abs(after)))
        if gone > STEEP * h * (rate + later):
            return _jumps(drive, before, after, now, refusal)
        if gone > STEEP * h * rate:
            return _steep(drive, before, later, now, refusal)
    return None


def _jumps(drive: Drive, before: float, after: float, t: float, refusal: str) -> Outcome:
    name, unit = drive.gauge.name, drive.gauge.unit
    return Outcome(
        Ending.STEP_TOO_SMALL,
        f"at t = {t:.9g} s the drive on {name!r} jumps from {before:.9g} to {after:.9g} {unit}: no"
        " small steps lead there.",
        "End the sweep before it, or give the drive a law that does not jump: a rise such as"
        " Cycloidal leads from one value to the other.",
        {"t": t, "drive": name, "value": before, "after": after, "unit": unit, "refusal": refusal},
    )


def _steep(drive: Drive, value: float, rate: float, t: float, refusal: str) -> Outcome:
    name, unit = drive.gauge.name, drive.gauge.unit
    return Outcome(
        Ending.STEP_TOO_SMALL,
        f"at t = {t:.9g} s the drive on {name!r}, at {value:.9g} {unit}, sets off with {rate:.2g}"
        f" {unit}/s: no steps are small enough for that.",
        "End the sweep before it, or give the drive a law whose speed has bounds: a rise such as"
        " Cycloidal sets off from rest.",
        {"t": t, "drive": name, "value": value, "unit": unit, "refusal": refusal},
    )
