"""Laws of drives at one moment: their rate, where they have no value, where they jump."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.derivative import reachable, selection
from kempe.algebra.native import native_tape
from kempe.algebra.operations import Op
from kempe.algebra.table_corners import table_jumps
from kempe.drives import AbstractLaw, Drive
from kempe.errors import DriveError, ExpressionError
from kempe.outcome import Ending, Outcome

# rad: neighbouring doubles are 0.002 rad apart there, and soon a position means nothing.
FARTHEST = 1e13
# Times at which every switch of a law is looked at; of two switches closer than that neither is
# seen, and the balance of energies has to tell.
LOOKS = 20_001
# Of the largest rate or acceleration of the law: a jump below it is rounding.
JUMP = 1e-9
# Of the change that an acceleration makes between neighbouring times, in which time is rounded too.
WITHIN = 8.0
# Of the span of a sweep: it has ended within steps of a quarter of this.
AHEAD = 4e-13
# How many times as far as its rates on both sides lead a law may go: one that begins steeply, as
# sqrt(t - 1) at t = 1, goes twice as far.
STEEP = 8.0
# rad or m, and of the value: less is rounding.
ROUNDING = 1e-9
ROUGH = 1e-3  # share of a rate by which it may change within the smallest of steps
SHOWN = 1e-6  # of the value: a jump that is less shows in no digit that is told, and is told itself


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


@final
@dataclass(frozen=True, slots=True)
class Jump:
    """Neighbouring times between which a law, its rate or its acceleration jumps.

    `sides` are the values before and after of what ends a run: of the law itself, or its rate.
    """

    before: float
    after: float
    sides: tuple[float, float]
    is_corner: bool
    is_rate: bool


def law_jumps(law: AbstractLaw, start: float, stop: float) -> list[Jump]:
    """The jumps of a law, its rate and its acceleration after `start` and before `stop`, rising."""
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    one, zero = (Expression(graph, graph.constant(c)) for c in (1.0, 0.0))
    value = zero + law.value(t)
    switches = _switches(graph, value)
    if not switches or not stop > start:
        return []
    rate = zero + tangent([value], {t.node: one})[0]
    acceleration = zero + tangent([rate], {t.node: one})[0]
    tape = record_formula([t], [value, rate, acceleration, *switches])
    run = native_tape(tape)

    def at(times: NDArray[np.float64]) -> NDArray[np.float64]:
        values: NDArray[np.float64] = run.evaluate_lanes(times.reshape(-1, 1), tape.outputs)
        return values

    times = np.linspace(start, stop, LOOKS)
    seen = at(times)
    sides = seen[:, 3:] > 0.0
    look, switch = np.nonzero(sides[1:] != sides[:-1])
    low, high, side = times[look], times[look + 1], sides[look, switch]
    while ((low < (middle := 0.5 * (low + high))) & (middle < high)).any():
        same = (at(middle)[np.arange(len(look)), 3 + switch] > 0.0) == side
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)  # on either side
    before, after = at(low)[:, :3], at(high)[:, :3]
    largest = np.maximum(np.abs(before), np.abs(after))
    allowed = JUMP * largest
    # what leaves zero has changed between neighbouring times, and not jumped
    allowed[:, :2] += WITHIN * (high - low)[:, None] * largest[:, 1:]
    # where terms cancel, as at the end of a rise, rounding is that of the terms
    for k in (0, 1, 2):
        allowed[:, k] = np.maximum(allowed[:, k], JUMP * _largest(seen[:, k]))
    jumps = np.abs(after - before) > allowed
    found: list[Jump] = []
    for k in np.argsort(low, kind="stable"):
        if jumps[k].any() and start < low[k] < stop:
            of = 0 if jumps[k, 0] else 1
            ends = (float(before[k, of]), float(after[k, of]))
            is_corner = bool(jumps[k, :2].any())
            found.append(Jump(float(low[k]), float(high[k]), ends, is_corner, of == 1))
    return found


def _largest(values: NDArray[np.float64]) -> float:
    """The largest of those that are finite."""
    sizes = np.abs(values[np.isfinite(values)])
    return float(sizes.max()) if len(sizes) else 0.0


def _switches(graph: Graph, value: Expression) -> list[Expression]:
    """Functions of time that change their sign where a formula goes over to another one."""
    found: list[Expression] = []
    for node in reachable(graph, [value.node]):
        op, args = graph.ops[node], graph.args[node]
        choice = selection(graph, node)
        if choice is not None:
            found.append(Expression(graph, choice[1]))
        elif op in (Op.ABS, Op.ATAN2):
            found.append(Expression(graph, args[0]))
        elif op == Op.ROUND:
            found.append(np.cos(np.pi * Expression(graph, args[0])))
        elif op == Op.TABLE and args[2] == 0:
            x = Expression(graph, args[0])
            table = graph.tables[args[1]]
            breaks = np.union1d(table_jumps(table, 1), table_jumps(table, 2))
            found += [x - float(b) for b in breaks]
    return found


@final
@dataclass(frozen=True, slots=True)
class ValueJump:
    """A drive whose value jumps on the way of a sweep: the last time before it, and both values."""

    drive: Drive
    t: float  # s, of the laws
    before: float
    after: float

    def outcome(self, t: float, refusal: str) -> Outcome:
        """The ending of a sweep that has come there at time t of the run."""
        name, unit = self.drive.gauge.name, self.drive.gauge.unit
        return Outcome(
            Ending.STEP_TOO_SMALL,
            f"at t = {t:.9g} s the drive on {name!r} jumps"
            f" {jump_words(self.before, self.after, unit)}: no small steps lead there.",
            "End the sweep before it, or give the drive a law that does not jump: a rise such as"
            " Cycloidal leads from one value to the other.",
            {
                "t": t,
                "drive": name,
                "value": self.before,
                "after": self.after,
                "unit": unit,
                "refusal": refusal,
            },
        )


def jump_words(before: float, after: float, unit: str) -> str:
    """From which number to which, and by how much where that shows in none of their digits."""
    gap = after - before
    by = "" if abs(gap) > SHOWN * abs(after) else f", by {gap:.3g} {unit}"
    return f"from {before:.9g} to {after:.9g} {unit}{by}"


def value_jump(
    drives: Sequence[Drive], times: NDArray[np.float64], reached: float
) -> ValueJump | None:
    """The first jump of a drive's value on the way from the first of the times to where one ended.

    However small it is, no motion leads over it: steps are only so long that the one over a small
    jump looks like any other.
    """
    way = 1.0 if times[-1] >= times[0] else -1.0
    stop = reached if reached == times[-1] else reached + way * _ahead(times, reached)
    low, high = sorted((float(times[0]), float(stop)))
    found = [
        ValueJump(
            drive, *((jump.before, *jump.sides) if way > 0.0 else (jump.after, *jump.sides[::-1]))
        )
        for drive in drives
        for jump in law_jumps(drive.law, low, high)
        if jump.is_corner and not jump.is_rate
    ]
    return min(found, key=lambda jump: way * jump.t, default=None)


def _ahead(times: NDArray[np.float64], t: float) -> float:
    """How far (s) beyond t a law is looked at that may have ended a sweep there."""
    return max(AHEAD * float(np.abs(times[-1] - times[0])), 8.0 * math.ulp(t))


def steep_law(
    drives: Sequence[Drive],
    t: float,
    times: NDArray[np.float64],
    now: float,
    refusal: str,
    *,
    is_regular: bool,
) -> Outcome | None:
    """How a sweep over times of the laws ended at t (s), where a law jumps there or is too steep.

    `now` is the time of the run at which it ended, `refusal` why its last step was refused. Where
    the position `is_regular`, a law whose rate changes within the smallest of steps has ended it.
    """
    h = _ahead(times, t)
    ahead = t + math.copysign(h, float(times[-1] - times[0]))
    for drive in drives:
        (before, _), (after, _) = law_value(drive, t), law_value(drive, ahead)
        (rate, bend), (later, bend_later) = law_rates(drive.law, t), law_rates(drive.law, ahead)
        gone = abs(after - before) - ROUNDING * (1.0 + max(abs(before), abs(after)))
        if gone > STEEP * h * (abs(rate) + abs(later)):
            return ValueJump(drive, t, before, after).outcome(now, refusal)
        if gone > STEEP * h * abs(rate):
            said = f"sets off with {abs(later):.2g} {drive.gauge.unit}/s"
            return _too_steep(drive, before, said, now, refusal)
        smooth = [h * abs(b) <= ROUGH * abs(r) for r, b in ((rate, bend), (later, bend_later))]
        if is_regular and not all(smooth) and max(abs(rate), abs(later)) > 0.0:
            most = max(abs(rate), abs(later))
            said = f"has a speed without bounds, {most:.2g} {drive.gauge.unit}/s beside it"
            return _too_steep(drive, before, said, now, refusal)
    return None


def too_fast(drives: Sequence[Drive], t: float, now: float, refusal: str) -> Outcome | None:
    """How a sweep ended at t (s) of the laws, where the fastest drive asks for too much."""
    drive = max(drives, key=lambda d: abs(law_rate(d.law, t)), default=None)
    if drive is None:
        return None
    said = f"moves with {abs(law_rate(drive.law, t)):.2g} {drive.gauge.unit}/s"
    return _too_steep(drive, law_value(drive, t)[0], said, now, refusal)


def _too_steep(drive: Drive, value: float, said: str, t: float, refusal: str) -> Outcome:
    name, unit = drive.gauge.name, drive.gauge.unit
    return Outcome(
        Ending.STEP_TOO_SMALL,
        f"at t = {t:.9g} s the drive on {name!r}, at {value:.9g} {unit}, {said}: no steps are small"
        " enough for that.",
        "End the sweep before it, or give the drive a law whose speed has bounds: a rise such as"
        " Cycloidal sets off from rest.",
        {"t": t, "drive": name, "value": value, "unit": unit, "refusal": refusal},
    )
