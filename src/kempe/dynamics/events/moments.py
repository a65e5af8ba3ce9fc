"""What a moment makes of a mode: parts let go, held, switched on and off."""

from collections.abc import Iterable
from dataclasses import replace

from kempe.dynamics.events.modes import Mode, drive_is_off
from kempe.dynamics.events.watched_gauges import Measured, WatchedGauges
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


def off_after(off: frozenset[str], moment: AbstractMoment, model: Model) -> frozenset[str]:
    """The parts that do not act after a moment."""
    if isinstance(moment, Release):
        latches = {e.name for e in model.events if isinstance(e, Latch)}
        return off | (frozenset(moment.parts) - latches)
    if isinstance(moment, Switch):
        return (off - frozenset(moment.on)) | frozenset(moment.off)
    return off


def moments_named(model: Model, names: Iterable[str]) -> list[AbstractMoment]:
    """The moments of a model by name; those of names that it does not have are left out."""
    known = {e.name: e for e in model.events if isinstance(e, AbstractMoment)}
    return [known[name] for name in names if name in known]


def mode_to_prepare(model: Model, acted: Iterable[str]) -> Mode:
    """What holds at a start after moments have acted, but for what goes on from where it stands.

    That are latches, and drives that were switched on: they follow from the place of the start.
    """
    off = Mode.first(model).off
    for moment in moments_named(model, acted):
        off = off_after(off, moment, model)
    switched = {name for e in model.events if isinstance(e, Switch) for name in e.on}
    drives = [d for d in model.drives if {d.gauge.name, d.name} & switched]
    resumed = {drive.gauge.name for drive in drives if not drive_is_off(Mode(off), drive)}
    return Mode(off | resumed)


def mode_after(
    mode: Mode,
    moment: AbstractMoment,
    model: Model,
    watched: WatchedGauges,
    measured: Measured,
    t: float,
) -> Mode:
    """The mode after a moment at time t, with what `watched` has measured there."""
    off = off_after(mode.off, moment, model)
    if isinstance(moment, Release):
        kept = tuple(pair for pair in mode.latched if pair[0] not in moment.parts)
        return replace(mode, off=off, latched=kept)
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
        return replace(mode, off=off, shifts=tuple(sorted(shifts.items())))
    return mode


def may_enable(one: AbstractMoment, other: AbstractMoment) -> bool:
    """Whether what one moment does may be what another one undoes."""
    lets_go = {*getattr(one, "off", ()), *getattr(one, "parts", ())}
    puts_on = {*getattr(one, "on", ()), *([one.name] if isinstance(one, Latch) else ())}
    if isinstance(other, Latch):
        return other.name in lets_go
    if isinstance(other, Release):
        return bool(puts_on & set(other.parts))
    return isinstance(other, Switch) and bool(lets_go & set(other.on) or puts_on & set(other.off))


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
