"""How a sweep ended, in words: dead points, crossings of branches, and what else stops it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.drives import Drive
from kempe.kinematics.laws.drive_laws import law_value, steep_law, too_fast, undefined_law
from kempe.outcome import DONE, Continuation, Ending, Outcome
from kempe.results.state import State

Refusal = core.Refusal
Details = dict[str, float | int | str]

# Beside a singular position pivots have all but vanished. At a dead point the velocity grows as the
# reciprocal of the pivot, where branches cross it stays finite: their product, over the speed of
# the drive, tells which it is.
NEAR_SINGULAR = 1e-4
FINITE_SPEED = 1e-4
MOST_SHOWN = 4  # continuations in a line of advice
MOST_STEPS = 1e8  # that a sweep is believed to come to its end in

COUNTS = ("iterations", "halvings", "substeps", "fallbacks")
REASONS = tuple(reason.name for reason in Refusal)


@final
@dataclass(frozen=True, slots=True)
class SweepCost:
    """What a sweep cost: counts by their names, refused steps by their reasons."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    refusals: dict[str, int] = field(default_factory=dict)
    smallest_step: float = float("inf")  # s, between samples

    @classmethod
    def of(cls, counts: "core.SweepCounts") -> "SweepCost":
        """The cost as the core has counted it."""
        refused = zip(REASONS, counts.refusals, strict=True)
        return cls(
            {name: getattr(counts, name) for name in COUNTS},
            {reason: count for reason, count in refused if count},
            counts.smallest_step,
        )

    def __add__(self, other: "SweepCost") -> "SweepCost":
        reasons = dict.fromkeys((*self.refusals, *other.refusals))
        return SweepCost(
            {name: self.counts[name] + other.counts[name] for name in COUNTS},
            {r: self.refusals.get(r, 0) + other.refusals.get(r, 0) for r in reasons},
            min(self.smallest_step, other.smallest_step),
        )


@final
@dataclass(frozen=True, slots=True, eq=False)
class SweepEnd:
    """How far a sweep came, where it stands, why it ended early, and what it cost."""

    samples: int
    refusal: core.Refusal
    at: State  # the last accepted one
    interrupted: bool
    pivot_ratio: float  # the smallest pivot there, over its row
    speed: float  # the largest velocity there, lengths in sizes of the machine
    cost: SweepCost

    @classmethod
    def of(cls, end: "core.SweepEnd") -> "SweepEnd":
        """The end as the core tells it."""
        return cls(
            end.samples,
            end.refusal,
            State(end.t, end.q, turns=end.turns),
            end.interrupted,
            end.pivot_ratio,
            end.speed,
            SweepCost.of(end.counts),
        )


def ending(
    end: SweepEnd, wanted: int, drives: Sequence[Drive], size: float, moment: str
) -> Outcome:
    """How a sweep of that many samples ended, told by the first of its drives; `moment` shows {t}.

    `size` is the machine's.
    """
    if end.samples == wanted:
        return DONE
    t, ratio = end.at.t, end.pivot_ratio
    place, when, details = _place(drives[0], t, moment.format(t=t))
    details |= {"refusal": end.refusal.name, "pivot_ratio": ratio}
    if end.interrupted:
        return Outcome(
            Ending.INTERRUPTED,
            f"stopped by request at {when}.",
            "The samples so far are kept.",
            details,
        )
    if end.refusal is Refusal.spare_violated:
        return Outcome(
            Ending.LOCKED,
            f"at {when} the redundant joints no longer fit together.",
            "The mechanism moves only where its dimensions are exact: check angles and lengths.",
            details,
        )
    if end.refusal is Refusal.too_far and ratio > NEAR_SINGULAR:
        return Outcome(
            Ending.STEP_TOO_SMALL,
            f"at {place} the drive asks for more than can be followed in small steps.",
            "Look at the drive's law there: does it jump?",
            details,
        )
    if end.refusal is Refusal.too_many_iterations and ratio > NEAR_SINGULAR:
        return Outcome(
            Ending.STEP_TOO_SMALL,
            f"at {when} Newton's method did not come below its tolerance within the iterations it"
            " may take, however short the step.",
            "Allow it more iterations (newton_iterations), or a larger tolerance"
            " (newton_tolerance).",
            details,
        )
    if ratio < NEAR_SINGULAR and end.speed * ratio < FINITE_SPEED * _drive_rate(drives, size, t):
        return _crossing(place, details, ())
    return _dead_point(drives[0], details, when, ())


def broken_law(
    drives: Sequence[Drive], end: SweepEnd, times: NDArray[np.float64], now: float
) -> Outcome | None:
    """How a sweep over times of the laws ended, where a law has no value there, or is too steep.

    `now` is the time of the run at which it ended.
    """
    if end.samples == len(times) or end.interrupted:
        return None
    undefined = undefined_law(drives, end.at.t, times[end.samples : end.samples + 2])
    if undefined is not None or not end.samples:
        return undefined
    is_regular = end.refusal is Refusal.singular and end.pivot_ratio > NEAR_SINGULAR
    name = end.refusal.name
    steep = steep_law(drives, end.at.t, times, now, name, is_regular=is_regular)
    told = steep or _too_many_steps(drives, end, times, now)
    if told is None and end.refusal is Refusal.too_far and end.pivot_ratio > NEAR_SINGULAR:
        return too_fast(drives, end.at.t, now, name)
    return told


def _too_many_steps(
    drives: Sequence[Drive], end: SweepEnd, times: NDArray[np.float64], now: float
) -> Outcome | None:
    """How a sweep ended that would take for ever, since its drives go through so many turns."""
    t, made = end.at.t, end.samples + end.cost.counts["substeps"]
    gone, left = abs(t - float(times[0])), abs(float(times[-1]) - t)
    if not gone or end.pivot_ratio <= NEAR_SINGULAR or left * made <= MOST_STEPS * gone:
        return None
    start, here, stop = ([law_value(d, x)[0] for d in drives] for x in (times[0], t, times[-1]))
    ways = [abs(b - a) for a, b in zip(start, stop, strict=True)]
    k = int(np.argmax(ways))
    name, unit, way = drives[k].gauge.name, drives[k].gauge.unit, abs(here[k] - start[k])
    if unit == "rad":
        parts = f"{way / math.tau:.3g} of the {ways[k] / math.tau:.3g} turns"
    else:
        parts = f"{way:.3g} m of the {ways[k]:.3g} m"
    return Outcome(
        Ending.STEP_TOO_SMALL,
        f"at t = {now:.9g} s the drive on {name!r} has gone {parts} that it is to go: at this pace"
        f" the rest would take {left * made / gone:.0e} steps.",
        "Ask for fewer turns at a time: a drive may start at any value, so that the last turns can"
        " be swept by themselves.",
        {"t": now, "drive": name, "value": here[k], "unit": unit, "refusal": end.refusal.name},
    )


def is_singular(end: SweepEnd) -> bool:
    """Whether a sweep that got under way may have ended at a singular position."""
    jumps = end.refusal is Refusal.too_far and end.pivot_ratio > NEAR_SINGULAR
    told = end.refusal in (Refusal.none, Refusal.spare_violated)
    return end.samples > 0 and not (jumps or end.interrupted or told)


def singular_ending(
    drive: Drive,
    law_t: float,
    t: float,
    end: SweepEnd,
    continuations: tuple[Continuation, ...],
    *,
    is_crossing: bool,
) -> Outcome:
    """The outcome at a singular position that has been located: t of the laws, and of the run."""
    place, when, details = _place(drive, law_t, f"t = {t:.9g} s")
    details |= {"t": t, "refusal": end.refusal.name, "pivot_ratio": end.pivot_ratio}
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


def _drive_rate(drives: Sequence[Drive], size: float, t: float) -> float:
    """How fast the drives move at time t, lengths in sizes of the machine."""
    h = 1e-6 * max(1.0, abs(t))
    rates = [
        abs(law_value(d, t)[0] - law_value(d, t - h)[0])
        / (h * (size if d.gauge.unit == "m" else 1.0))
        for d in drives
    ]
    return max(rates, default=0.0)
