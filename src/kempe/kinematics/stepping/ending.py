"""How a sweep ended, in words: dead points, crossings of branches, and what else stops it."""

from collections.abc import Mapping, Sequence
from typing import Any

from kempe.drives import Drive
from kempe.kinematics.laws.undefined_law import law_value
from kempe.outcome import DONE, Continuation, Ending, Outcome

Facts = dict[str, Any]  # what the core says of a sweep
Details = dict[str, float | int | str]

# Beside a singular position pivots have all but vanished. At a dead point the velocity grows as the
# reciprocal of the pivot, where branches cross it stays finite: their product, over the speed of
# the drive, tells which it is.
NEAR_SINGULAR = 1e-4
FINITE_SPEED = 1e-4


def ending(facts: Facts, wanted: int, drives: Sequence[Drive], size: float, moment: str) -> Outcome:
    """How a sweep of that many samples ended, told by the first of its drives; `moment` shows {t}.

    `size` is the machine's.
    """
    if facts["samples"] == wanted:
        return DONE
    t, ratio = float(facts["t"]), float(facts["pivot_ratio"])
    place, when, details = _place(drives[0], t, moment.format(t=t))
    details |= {"refusal": str(facts["refusal"]), "pivot_ratio": ratio}
    if facts["interrupted"]:
        return Outcome(
            Ending.INTERRUPTED,
            f"stopped by request at {when}.",
            "The samples so far are kept.",
            details,
        )
    if facts["refusal"] == "spare_violated":
        return Outcome(
            Ending.LOCKED,
            f"at {when} the redundant joints no longer fit together.",
            "The mechanism moves only where its dimensions are exact: check angles and lengths.",
            details,
        )
    if facts["refusal"] == "too_far" and ratio > NEAR_SINGULAR:
        return Outcome(
            Ending.STEP_TOO_SMALL,
            f"at {place} the drive asks for more than can be followed in small steps.",
            "Look at the drive's law there: does it jump?",
            details,
        )
    speed = float(facts["speed"])
    if ratio < NEAR_SINGULAR and speed * ratio < FINITE_SPEED * _drive_rate(drives, size, t):
        return _crossing(place, details, ())
    return _dead_point(drives[0], details, when, ())


def is_singular(facts: Facts) -> bool:
    """Whether a sweep that got under way may have ended at a singular position."""
    if facts["samples"] == 0:
        return False
    jumps = facts["refusal"] == "too_far" and float(facts["pivot_ratio"]) > NEAR_SINGULAR
    return not (jumps or facts["interrupted"] or facts["refusal"] in ("none", "spare_violated"))


def singular_ending(
    drive: Drive,
    law_t: float,
    t: float,
    facts: Mapping[str, Any],
    continuations: tuple[Continuation, ...],
    *,
    is_crossing: bool,
) -> Outcome:
    """The outcome at a singular position that has been located: t of the laws, and of the run."""
    place, when, details = _place(drive, law_t, f"t = {t:.9g} s")
    details |= {"t": t, "refusal": str(facts["refusal"])}
    details |= {"pivot_ratio": float(facts["pivot_ratio"])}
    if is_crossing:
        return _crossing(place, details, continuations)
    return _dead_point(drive, details, when, continuations)


def _place(drive: Drive, t: float, when: str) -> tuple[str, str, Details]:
    """Where the drive stands at a time, in words and as facts."""
    value = law_value(drive, t)[0]
    unit = "rad" if drive.gauge.unit == "rad" else "m"
    details: Details = {"t": t, "drive": drive.gauge.name, "value": value, "unit": unit}
    return f"{drive.gauge.name} = {value:.9g} {unit} ({when})", when, details


def _crossing(place: str, details: Details, ways: tuple[Continuation, ...]) -> Outcome:
    return Outcome(
        Ending.BIFURCATION,
        f"at {place} branches of motion cross: there the drive does not say which to take.",
        f"End the sweep before it, or say which: {_choices(ways)}."
        if ways
        else "End the sweep before it, or start a new one on the branch you want.",
        details,
        ways,
    )


def _dead_point(
    drive: Drive, details: Details, when: str, ways: tuple[Continuation, ...]
) -> Outcome:
    name, value, unit = drive.gauge.name, float(details["value"]), details["unit"]
    return Outcome(
        Ending.DEAD_POINT,
        f"{name} cannot go beyond {value:.9g} {unit} ({when}) on this branch.",
        f"Drive another part through the dead point, or go on from it: {_choices(ways)}."
        if ways
        else "Turn back there, or drive another part through the dead point.",
        details,
        ways,
    )


def _choices(ways: tuple[Continuation, ...]) -> str:
    """What can be asked for, in a line."""
    shown = []
    for way in ways[:MOST_SHOWN]:
        option = "momentum" if way.is_straight else f"branch {way.number}"
        shown.append(f'through="{option}" ({way.words})')
    more = len(ways) - len(shown)
    return "; ".join(shown) + (f"; {more} more in `continuations`" if more > 0 else "")


MOST_SHOWN = 4


def _drive_rate(drives: Sequence[Drive], size: float, t: float) -> float:
    """How fast the drives move at time t, lengths in sizes of the machine."""
    h = 1e-6 * max(1.0, abs(t))
    rates = [
        abs(law_value(d, t)[0] - law_value(d, t - h)[0])
        / (h * (size if d.gauge.unit == "m" else 1.0))
        for d in drives
    ]
    return max(rates, default=0.0)
