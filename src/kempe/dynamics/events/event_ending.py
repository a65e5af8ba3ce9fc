"""How a run with events ends early, in words, and what a start at its stops is refused for."""

from collections.abc import Sequence

from kempe.dynamics.ending import KEPT, WEDGED
from kempe.dynamics.events.modes import Running, Side
from kempe.dynamics.events.watches import Watch
from kempe.errors import ModelError
from kempe.measures import Gauge
from kempe.outcome import Ending, Outcome
from kempe.results import Event

MOST_EVENTS = 20_000
MOST_AT_ONCE = 40  # events at one time


def refuse_contradictions(sides: tuple[Side, ...]) -> None:
    """A ModelError where two stops of one measure leave no place between them."""
    gauges: dict[Gauge, list[Side]] = {}
    for side in sides:
        gauges.setdefault(side.stop.gauge, []).append(side)
    for gauge, mine in gauges.items():
        low = max((s for s in mine if s.is_low), key=lambda s: s.limit, default=None)
        high = min((s for s in mine if not s.is_low), key=lambda s: s.limit, default=None)
        if low is not None and high is not None and low.limit > high.limit:
            raise ModelError(
                f"stops {low.stop.name!r} and {high.stop.name!r} contradict each other:"
                f" {gauge.name!r} would be at least {low.limit:g} and at most {high.limit:g}"
                f" {gauge.unit}. Move one of them by {low.limit - high.limit:g} {gauge.unit}.",
                stops=(low.stop.name, high.stop.name),
            )


def starts_beyond(side: Side, by: float, who: str) -> ModelError:
    """What is said where a mechanism starts `by` (m or rad) past a limit."""
    unit, name = side.stop.gauge.unit, side.stop.name
    return ModelError(
        f"{who!r} starts beyond stop {name!r}: {side.stop.gauge.name!r} is {by:.6g} {unit} past its"
        f" limit of {side.limit:g} {unit}. Start within the limit, or move it.",
        stop=name,
        beyond=by,
    )


def lost_watch(watch: Watch, t: float) -> Outcome:
    """What is said where what is watched is no finite number."""
    if watch.moment is None:
        name = watch.side.stop.name if watch.side else ""
        what = f"the measure of stop {name!r}"
    else:
        name = watch.moment.name
        what = f"the expression {watch.moment.when!r} of event {name!r}"
    return Outcome(
        Ending.DIVERGED,
        f"near t = {t:.9g} s {what} is no finite number.",
        f"Look there for a division by zero, or a root or logarithm of a negative number. {KEPT}",
        {"t": t, "event": name},
    )


def outran(watch: Watch, t: float) -> Outcome:
    """What is said where an expression turns to and fro too fast for its zeros to be told apart."""
    assert watch.moment is not None, "only expressions of moments are followed by parts of a step"
    name, when = watch.moment.name, watch.moment.when
    return Outcome(
        Ending.LIMIT_REACHED,
        f"from t = {t:.9g} s on the expression {when!r} of event {name!r} changes too fast to be"
        " followed: its zeros cannot be told apart.",
        "Take an expression that does not jump or touch zero all the time, or one that is slower."
        f" {KEPT}",
        {"t": t, "event": name},
    )


def too_many_events(events: list[Event], t: float, at_once: bool) -> Outcome:
    """What is said where events do not cease, at one time or in all."""
    names = ", ".join(dict.fromkeys(repr(e.name) for e in events[-MOST_AT_ONCE:]))
    if at_once:
        return Outcome(
            Ending.LIMIT_REACHED,
            f"at t = {t:.9g} s {names} happen again and again, and time does not go on.",
            "Look for events that undo each other, or give a stop a restitution less than 1."
            f" {KEPT}",
            {"t": t, "events": len(events)},
        )
    stops = "give stops a smaller restitution, so that bounces end, or put a Bumper in their place"
    slower = "take expressions that pass zero less often"
    advice = stops if any(e.kind == "impact" for e in events[-MOST_AT_ONCE:]) else slower
    return Outcome(
        Ending.LIMIT_REACHED,
        f"until t = {t:.9g} s there were {len(events)} events, the last of {names}.",
        f"Ask for a shorter run, or {advice}. {KEPT}",
        {"t": t, "events": len(events)},
    )


def driven_into(side: Side, t: float, free: Running) -> Outcome:
    """What is said where joints and drives leave a stop no way to turn something back."""
    gauge, name = side.stop.gauge, side.stop.name
    drives = [drive.gauge.name for drive in free.of.model.drives]
    by = f" by the drive on {', '.join(map(repr, drives))}" if drives else ""
    return Outcome(
        Ending.LOCKED,
        f"at t = {t:.9g} s {gauge.name!r} is driven into stop {name!r}{by}: joints and drives hold"
        " it so that no impulse of the stop can turn it back.",
        "End the drive before the limit, release it there, or put a Bumper in the stop's place."
        f" {KEPT}",
        {"t": t, "stop": name},
    )


def fighting_stops(sides: list[Side], t: float) -> Outcome:
    """What is said where no forces keep all limits that are rested on."""
    names = ", ".join(dict.fromkeys(repr(side.stop.name) for side in sides))
    return Outcome(
        Ending.LOCKED,
        f"at t = {t:.9g} s no forces of {names} can keep all these limits at once.",
        "Move a stop so that they leave room for the motion, or put a Bumper in the place of one."
        f" {KEPT}",
        {"t": t, "stops": len(sides)},
    )


def jammed_at_rest(names: Sequence[str], t: float) -> Outcome:
    """What is said where no loads of joints at rest fit their friction."""
    shown = " and ".join(map(repr, names))
    return Outcome(
        Ending.LOCKED,
        f"at t = {t:.9g} s the friction {shown} jams: what its joint carries and the friction that"
        " follows from it raise each other without end.",
        f"{WEDGED} {KEPT}",
        {"t": t, "force": names[0]},
    )
