"""Drives whose law has no value: at the start a mistake, on the way the end of a run."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.drives import Drive
from kempe.errors import DriveError, ExpressionError
from kempe.kinematics.laws.law_rate import law_rates
from kempe.outcome import Ending, Outcome

# rad: neighbouring doubles are 0.002 rad apart there, and soon a position means nothing.
FARTHEST = 1e13


def law_value(drive: Drive, t: float) -> tuple[float, str]:
    """What a drive prescribes at time t; nan, and why, where that is nothing."""
    try:
        with np.errstate(all="ignore"):
            value = float(drive.law.value(t))
    except ExpressionError as trouble:
        return math.nan, trouble.message
    except ArithmeticError as trouble:  # a user's function of floats: 1 / (t - 1) at t = 1
        return math.nan, f"its law has no value at t = {t:.9g} s ({trouble})."
    if drive.gauge.unit == "rad" and FARTHEST < abs(value) < math.inf:
        return math.nan, (
            f"its law is {value:.3g} rad at t = {t:.9g} s, and where in a turn that is nobody"
            f" knows: neighbouring numbers are {math.ulp(value):.1g} rad apart."
        )
    return value, f"its law is {value} at t = {t:.9g} s."


def refuse_undefined_start(drives: Sequence[Drive], t: float) -> None:
    """DriveError where a law has no value at the start."""
    for drive in drives:
        value, reason = law_value(drive, t)
        if not math.isfinite(value):
            raise DriveError(
                f"the drive on {drive.gauge.name!r} has no value to start from: {reason}"
                " Start where it has one.",
                drive=drive.gauge.name,
                t=t,
            )


def refuse_rough_start(drives: Sequence[Drive], t: float) -> None:
    """DriveError where a law has a value at the start, but no velocity or acceleration."""
    for drive in drives:
        rates = law_rates(drive.law, t)
        for rate, word, unit in zip(
            rates, ("velocity", "acceleration"), ("/s", "/s^2"), strict=True
        ):
            if not math.isfinite(rate):
                raise DriveError(
                    f"the drive on {drive.gauge.name!r} has no {word} at t = {t:.9g} s, where it"
                    f" starts: its law gives {rate} {drive.gauge.unit}{unit}. Start where the law"
                    " is smooth.",
                    drive=drive.gauge.name,
                    t=t,
                )


def undefined_law(
    drives: Sequence[Drive], t: float, following: NDArray[np.float64]
) -> Outcome | None:
    """How a sweep ended at t (s), where a law has no value there or at the times that follow."""
    for drive in drives:
        for time in (t, *following.tolist()):
            value, reason = law_value(drive, time)
            if not math.isfinite(value):
                name = drive.gauge.name
                return Outcome(
                    Ending.LIMIT_REACHED,
                    f"the drive on {name!r} goes no further than t = {t:.9g} s: {reason}",
                    "End the run before that time, or give the drive a value there.",
                    {"t": t, "drive": name, "undefined_at": time},
                )
    return None
