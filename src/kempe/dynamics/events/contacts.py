"""Impacts and contact at one place: velocities after them, and which limits are rested on."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.dynamics.events.event_ending import driven_into, fighting_stops
from kempe.dynamics.events.impacts import Answer, Impact, Masses, answer_to, complementary, impact
from kempe.dynamics.events.legs import LegStart
from kempe.dynamics.events.modes import Mode, Modes, Running, Side
from kempe.dynamics.events.watches import Watches
from kempe.dynamics.preparation.callback_numbers import Outside
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.outcome import Outcome
from kempe.results import Event

FloatArray = NDArray[np.float64]

# Of the machine's size, of a radian, or of the largest number so far: a bounce that is no higher is
# over. Of the numbers it is some thousand last digits, without which its time would be rounding.
BOUNCE = 1e-12
STILL = 1e-11  # of all speeds: a limit that is approached or left no faster is rested on


def rows_at(prepared: PreparedDynamics, place: LegStart) -> tuple[FloatArray, FloatArray]:
    """J (rows, n_v) of all rows and their rates -phi_t, at a place."""
    terms = prepared.terms(place.q, place.v, place.t)
    return prepared.equations.program.dense_jacobian(terms.entries), np.asarray(terms.rhs)


def motion_at(prepared: PreparedDynamics, place: LegStart) -> "core.MotionAt":
    """Accelerations and multipliers at a place."""
    layout, outside = prepared.equations.layout, Outside(prepared.callbacks)
    if prepared.callbacks:
        outside.answers(place.q, place.v, place.t, prepared.start.turns)
    masses = layout.mass_blocks.reshape(-1)
    numbers = layout.with_states(layout.parameters, prepared.start.states)
    return prepared.system(outside).motion(
        numbers, masses, place.q, place.v, place.t, prepared.start.turns
    )


def masses_of(running: Running, size: float) -> Masses:
    """The masses of what runs in a mode of a machine of that size (m)."""
    prepared = running.prepared
    return Masses(prepared.equations.layout.mass_blocks_at(prepared.start.states), size)


def works_of_drives(running: Running, works: FloatArray) -> tuple[tuple[str, float], ...]:
    """What drives put in (J) by an impulse, by the names of measures, from that of all rows."""
    places = running.row_places()
    drives = [(name, float(works[k])) for (kind, name, _), k in places.items() if kind == "drive"]
    return tuple((name, work) for name, work in drives if work)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Resolved:
    """What stops make of a place: velocities, limits that are rested on, what happened."""

    v: FloatArray
    resting: frozenset[Side]
    events: tuple[Event, ...] = ()
    loss: float = 0.0  # J
    driven: float = 0.0
    trouble: Outcome | None = None
    touched: frozenset[Side] = frozenset()  # limits that were looked at


@final
class Contacts:
    """The stops of a model, where they are touched."""

    def __init__(self, modes: Modes, watches: Watches) -> None:
        self.model, self.modes, self.watches = modes.base, modes, watches

    def resolved(
        self,
        place: LegStart,
        left: frozenset[Side],
        mode: Mode,
        met: list[Side],
        *,
        is_thrown: bool,
    ) -> Resolved:
        """Impacts and contact at a place: limits of `met` are touched, those of `left` go.

        Where velocities have not just been thrown by an impulse, limits that were rested on are not
        approached.
        """
        measured = self.watches.measured(place)
        touched = [
            side
            for side in self.watches.sides
            if not mode.is_off(side.stop.name)
            and (
                side in met
                or side in mode.resting
                or self.watches.is_touched(side, measured, place)
            )
        ]
        if not touched:
            gone = self._departures(place, place.v, mode, frozenset())
            return Resolved(place.v, frozenset(), gone)
        return replace(self._at(touched, place, left, mode, is_thrown), touched=frozenset(touched))

    def _at(
        self,
        touched: list[Side],
        place: LegStart,
        left: frozenset[Side],
        mode: Mode,
        is_thrown: bool,
    ) -> Resolved:
        """What the limits that are touched make of a place."""
        measured = self.watches.measured(place)
        free = place.running(self.modes, mode.free)
        J, rates = rows_at(free.prepared, place)
        mass = masses_of(free, self.watches.size)
        places = [self.watches.gauges.place(side.stop.gauge) for side in touched]
        signs = np.array([side.sign for side in touched])
        answer = answer_to(J, mass, signs[:, None] * measured.gradients[places])
        e = np.array([side.stop.restitution for side in touched])
        rested = np.array([side in mode.resting and not is_thrown for side in touched])
        hit = impact(answer, place.v, e, rested)
        pushed = self._pushed(free, place, hit.v, signs, places, answer)
        over, ends = self._bounces_over(place, touched, answer, hit, e, pushed)
        if over.any():
            e = np.where(over, 0.0, e)
            hit = impact(answer, place.v, e, rested)
            pushed = self._pushed(free, place, hit.v, signs, places, answer)
        if hit.blocked is not None:
            return Resolved(
                place.v, frozenset(), trouble=driven_into(touched[hit.blocked], place.t, free)
            )
        speeds = answer.rows @ hit.v - np.where(rested, answer.rows @ place.v, 0.0)
        still = speeds <= STILL * (np.abs(answer.rows) @ np.abs(hit.v))
        still &= np.array([side not in left for side in touched])
        held = [side for side, is_still in zip(touched, still, strict=True) if is_still]
        lam = complementary(answer.matrix[np.ix_(still, still)], pushed[still])
        if lam is None:
            return Resolved(place.v, frozenset(), trouble=fighting_stops(held, place.t))
        resting = frozenset(side for side, x in zip(held, lam, strict=True) if x > 0.0)
        driven, works = 0.0, np.zeros(len(rates))
        if rates.any():
            pushed_by_rows = mass.product(hit.v - place.v) - answer.rows.T @ hit.impulses
            works = np.linalg.lstsq(J.T, pushed_by_rows)[0] * rates  # Lam phi_t of every row
            driven = float(works.sum())
        loss = driven + mass.kinetic(place.v) - mass.kinetic(hit.v) if hit.impulses.any() else 0.0
        events = self._impacts(place, touched, answer, hit, ends, mode, resting, loss)
        if events and driven:
            events[0] = replace(events[0], works=works_of_drives(free, works))
        events += self._departures(place, hit.v, mode, resting)
        return Resolved(hit.v, resting, tuple(events), loss, driven)

    def _pushed(
        self,
        free: Running,
        place: LegStart,
        v: FloatArray,
        signs: FloatArray,
        places: list[int],
        answer: Answer,
    ) -> FloatArray:
        """g'' of limits that nothing rests on."""
        at = motion_at(free.prepared, replace(place, v=v))
        bias = self.watches.measured(replace(place, v=v)).bias[places]
        return np.asarray(answer.rows @ np.asarray(at.a) + signs * bias)

    def _bounces_over(
        self,
        place: LegStart,
        touched: list[Side],
        answer: Answer,
        hit: Impact,
        e: FloatArray,
        pushed: FloatArray,
    ) -> tuple[NDArray[np.bool_], FloatArray]:
        """Whose bounces are too low to matter, and in what time (s) they would be over."""
        speeds = answer.rows @ hit.v
        met = (hit.impulses > 0.0) | (answer.rows @ place.v < 0.0)
        down = np.where(pushed < 0.0, -pushed, 1.0)
        heights = np.where(pushed < 0.0, 0.5 * speeds**2 / down, np.inf)
        seen = [max(self.watches.scale(s), self.watches.reach(s, place)) for s in touched]
        sizes = BOUNCE * np.array(seen)
        over = met & (speeds > 0.0) & (pushed < 0.0) & (heights < sizes) & (e < 1.0)
        times = np.zeros(len(e))
        times[over] = 2.0 * speeds[over] / (down[over] * (1.0 - e[over]))
        return over, times

    def _impacts(
        self,
        place: LegStart,
        touched: list[Side],
        answer: Answer,
        hit: Impact,
        ends: FloatArray,
        mode: Mode,
        resting: frozenset[Side],
        loss: float,
    ) -> list[Event]:
        before = answer.rows @ place.v
        struck = [k for k in range(len(touched)) if hit.impulses[k] > 0.0]
        words = ""
        if len(struck) > 1:
            names = ", ".join(repr(touched[k].stop.name) for k in struck)
            words = f"{names} were met at once: what was approached fastest acted first"
        events = []
        for k in struck:
            lost = loss if len(struck) == 1 else hit.losses[k]
            events.append(
                place.event(
                    self.model,
                    hit.v,
                    touched[k].stop.name,
                    "impact",
                    touched[k].word,
                    speed=max(0.0, -float(before[k])),
                    impulse=float(hit.impulses[k]),
                    lost=float(lost),
                    words=words,
                    unit=touched[k].stop.gauge.unit,
                )
            )
        for k, side in enumerate(touched):
            if side in resting and side not in mode.resting:
                later = replace(place, t=place.t + float(ends[k]))
                events.append(later.event(self.model, hit.v, side.stop.name, "contact", side.word))
        return events

    def _departures(
        self, place: LegStart, v: FloatArray, mode: Mode, resting: frozenset[Side]
    ) -> tuple[Event, ...]:
        gone = [side for side in self.watches.sides if side in mode.resting and side not in resting]
        return tuple(place.event(self.model, v, s.stop.name, "departure", s.word) for s in gone)
