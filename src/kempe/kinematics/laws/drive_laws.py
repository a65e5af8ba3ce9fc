"""Laws of drives at one moment: their rate, where they have no value, where they jump."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.drives import AbstractLaw, Drive
from kempe.errors import DriveError, ExpressionError
from kempe.outcome import Ending, Outcome

# rad: neighbouring doubles are 0.002 rad apart there, and soon a position means nothing.
FARTHEST = 1e13

# Of the span of a sweep: it has ended within steps of a quarter of this.
AHEAD = 4e-13
# How many times as far as its rates on both sides lead a law may go: one that begins steeply, as
# sqrt(t - 1) at t = 1, goes twice as far.
STEEP = 8.0
# rad or m, and of the value: less is rounding.
ROUNDING = 1e-9


def law_rate(law: AbstractLaw, t: float) -> float:
    """df/dt at t, by tracing the law."""
    return law_rates(law, t)[0]


def law_rates(law: AbstractLaw, t: float) -> tuple[float, float]:
    """df/dt and d2f/dt2 at t, by tracing the law; not finite where it has none."""
    graph = Graph()
    time = Expression(graph, graph.input("t"))
    one, zero = (Expression(graph, graph.constant(c)) for c in (1.0, 0.0))
    rate = zero + tangent([zero + law.value(time)], {time.node: one})[0]
    second = zero + tangent([rate], {time.node: one})[0]
    tape = record_formula([time], [rate, second])
    found = native_tape(tape).evaluate(np.array([[t]]), tape.outputs)[0]
    return float(found[0]), float(found[1])


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
