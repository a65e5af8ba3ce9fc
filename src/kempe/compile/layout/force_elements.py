"""Forces as the compiler sees them: markers, numbers, and an action of traced frames."""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

from kempe.compile.layout.elements import Described, Unwrap, asking, is_described, read, value_of
from kempe.compile.layout.numbers import (
    field_names,
    own_numbers,
    with_numbers,
    word,
)
from kempe.drives import AbstractLaw
from kempe.errors import FormulaError
from kempe.forces import AbstractForce, Action
from kempe.geometry import Marker, Pose, Wrench
from kempe.measures import Gauge

ROOM = 0.5  # of a state among the numbers: neither 0 nor 1, so that it stays an input


@final
@dataclass(frozen=True, slots=True)
class ForceElement(Described):
    """A force: its own markers come first, then those of its gauges, two each."""

    force: AbstractForce

    @property
    def name(self) -> str:
        return self.force.name

    @property
    def markers(self) -> tuple[Marker, ...]:
        ends = (m for gauge in self.force.gauges for m in (gauge.I, gauge.J))
        return (*self.force.markers, *ends)

    @property
    def numbers(self) -> list[float]:
        """Those of its measures, its own, those of its laws, and room for its states."""
        parts = [gauge.measure for gauge in self.force.gauges]
        laws = (law for name in _laws(self.force) for law in _each(getattr(self.force, name)))
        own = [x for part in (*parts, self.force, *laws) for x in own_numbers(part)]
        return own + [ROOM] * len(self.force.states)

    @property
    def word(self) -> str:
        laws = _laws(self.force)
        names = field_names(type(self.force))
        held = [name for name in names if _is_place(self.force, name)]
        measures = ",".join(word(g.measure) for g in self.force.gauges)
        spoken = ",".join(
            f"{name}={'+'.join(word(law) for law in _each(getattr(self.force, name)))}"
            for name in laws
        )
        return f"{word(self.force, but=(*laws, *held))}[{measures}][{spoken}]"

    @property
    def is_built_in(self) -> bool:
        return is_described(self.force)

    def first_turns(self, X: Sequence[Pose]) -> list[float]:
        """What its gauges show where all its markers are at X."""
        ends = X[len(self.force.markers) :]
        gauges = enumerate(self.force.gauges)
        return [g.measure.number(ends[2 * k], ends[2 * k + 1]) for k, g in gauges]

    def with_numbers(self, numbers: Iterator[Any]) -> tuple[AbstractForce, list[Any]]:
        """The force and the measures of its gauges, with traced numbers in place of its own.

        Those of its states are left over.
        """
        measures = [with_numbers(gauge.measure, numbers) for gauge in self.force.gauges]
        force = copy.copy(with_numbers(self.force, numbers))
        for name in _laws(force):
            laws = tuple(with_numbers(law, numbers) for law in _each(getattr(force, name)))
            is_one = isinstance(getattr(force, name), AbstractLaw)
            object.__setattr__(force, name, laws[0] if is_one else laws)
        return force, measures

    def readings(self, measures: Sequence[Any], X: Sequence[Pose], unwrap: Unwrap) -> list[Any]:
        """What the gauges show, traced, from the poses of all markers."""
        ends = X[len(self.force.markers) :]
        return [read(m, ends[2 * k : 2 * k + 2], unwrap, k) for k, m in enumerate(measures)]


def action_of(force: AbstractForce, now: Any) -> Action:
    """What a force's formula returns, checked."""
    who = f"{type(force).__name__}.action (force {force.name!r})"
    with asking(who):
        action = force.action(now)
    if not isinstance(action, Action):
        raise FormulaError(f"{who} returned {type(action).__name__} instead of an Action.")
    given = (
        ("wrenches", len(action.wrenches), len(force.markers), "marker"),
        ("efforts", len(action.efforts), len(force.gauges), "measure"),
    )
    for what, count, wanted, each in given:
        if count not in (0, wanted):
            raise FormulaError(
                f"{who} returned {count} {what}: it has {wanted} {each}s, give none or one each."
            )
    for wrench in action.wrenches:
        if not isinstance(wrench, Wrench):
            raise FormulaError(f"{who} returned a {type(wrench).__name__} in place of a Wrench.")
    return action


def rates_of(force: AbstractForce, now: Any) -> list[Any]:
    """How fast a force's states change by its formula, checked."""
    if not force.states:
        return []
    who = f"{type(force).__name__}.rates (force {force.name!r})"
    with asking(who):
        found = list(force.rates(now))
    if len(found) != len(force.states):
        raise FormulaError(
            f"{who} returned {len(found)} rates for the states {', '.join(force.states)}: give"
            " one each."
        )
    return found


def kinetic_of(force: AbstractForce, now: Any) -> Any:
    """What mass that a force has brought moves with, or None."""
    if type(force).kinetic is AbstractForce.kinetic:
        return None
    who = f"{type(force).__name__}.kinetic (force {force.name!r})"
    return value_of(lambda: force.kinetic(now), who)


def energy_of(force: AbstractForce, now: Any) -> Any:
    """What a force says it has stored, or None."""
    if not force.stores:
        return None
    who = f"{type(force).__name__}.energy (force {force.name!r})"
    return value_of(lambda: force.energy(now), who)


def _laws(force: AbstractForce) -> list[str]:
    """The fields that hold a law or several."""
    names = field_names(type(force))
    return [name for name in names if _holds(getattr(force, name), AbstractLaw)]


def _each(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _holds(value: Any, kind: type | tuple[type, ...]) -> bool:
    entries = _each(value)
    return bool(entries) and all(isinstance(entry, kind) for entry in entries)


def _is_place(force: AbstractForce, name: str) -> bool:
    """Whether a field holds markers or gauges, whose frames and measures are named elsewhere."""
    return _holds(getattr(force, name), (Marker, Gauge))
