"""What a moment makes of a mode: parts let go, held, switched on and off."""

from dataclasses import replace

from kempe.dynamics.modes import Mode, drive_is_off
from kempe.dynamics.watched_gauges import Measured, WatchedGauges
from kempe.events import AbstractMoment, Latch, Release, Switch
from kempe.model import Model


def would_act(mode: Mode, moment: AbstractMoment, model: Model) -> bool:
    """Whether anything would change at a moment: what was let go is not let go again."""
    off, latched = mode.off, {name for name, _ in mode.latched}
    if isinstance(moment, Latch):
        return moment.name not in latched
    if isinstance(moment, Release):
        latches = {e.name for e in model.events if isinstance(e, Latch)}
        return any(p in latched if p in latches else p not in off for p in moment.parts)
    if isinstance(moment, Switch):
        return bool(off & set(moment.on)) or not off >= set(moment.off)
    return True


def mode_after(
    mode: Mode,
    moment: AbstractMoment,
    model: Model,
    watched: WatchedGauges,
    measured: Measured,
    t: float,
) -> Mode:
    """The mode after a moment at time t, with what `watched` has measured there."""
    if isinstance(moment, Release):
        latches = {e.name for e in model.events if isinstance(e, Latch)}
        gone = frozenset(name for name in moment.parts if name not in latches)
        kept = tuple(pair for pair in mode.latched if pair[0] not in moment.parts)
        return replace(mode, off=mode.off | gone, latched=kept)
    if isinstance(moment, Latch):
        if moment.name in dict(mode.latched):
            return mode
        values = tuple(float(measured.values[watched.place(g)]) for g in moment.held)
        return replace(mode, latched=(*mode.latched, (moment.name, values)))
    if isinstance(moment, Switch):
        shifts = dict(mode.shifts)
        for drive in model.drives:
            names = {drive.gauge.name, drive.name} - {""}
            if names & set(moment.on) and drive_is_off(mode, drive):
                value = float(measured.values[watched.place(drive.gauge)])
                shifts[drive.gauge.name] = value - float(drive.law.value(t))
        off = (mode.off - frozenset(moment.on)) | frozenset(moment.off)
        return replace(mode, off=off, shifts=tuple(sorted(shifts.items())))
    return mode


def put_on(moment: AbstractMoment, model: Model) -> list[str]:
    """Whose rows a moment puts on: the latch itself, or the measures of drives it switches on."""
    if isinstance(moment, Latch):
        return [moment.name]
    if isinstance(moment, Switch):
        return [d.gauge.name for d in model.drives if {d.gauge.name, d.name} & set(moment.on)]
    return []


def has_new_rows(before: Mode, after: Mode) -> bool:
    """Whether rows were put on that velocities may not fit yet."""
    is_latched = not set(after.latched) <= set(before.latched)
    return is_latched or after.shifts != before.shifts
