"""A simulation with events: leg after leg, each the motion of one mode, joined where they happen.

A leg ends where the integrator meets a watch. What happens there is decided from the state alone:
parts let go or held, impulses of latches and stops, and which limits are rested on. Then the next
leg begins.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.algebra.text.grammar import WrittenFormula
from kempe.compile.layout.dynamic_layout import (
    accelerations_at_origins,
    to_origins,
    velocities_at_origins,
)
from kempe.compile.layout.layout import Layout
from kempe.dynamics.callback_numbers import Outside
from kempe.dynamics.ending import RunEnd
from kempe.dynamics.impacts import Answer, Impact, Masses, answer_to, caught, complementary, impact
from kempe.dynamics.law_corners import Interruptions, interruptions
from kempe.dynamics.modes import (
    Mode,
    ModeModel,
    Modes,
    Running,
    Side,
    drive_is_off,
    held_measures,
    sides_of,
)
from kempe.dynamics.preparation import Angles, PreparedDynamics, prepare
from kempe.dynamics.watched_gauges import Measured, WatchedGauges, Written, seen_by_name
from kempe.errors import ModelError
from kempe.events import AbstractMoment, Crossing, Latch, Release, Switch
from kempe.kinematics.closing.placement import Given, body_pose
from kempe.kinematics.observe.observation import whole_turns
from kempe.measures import Gauge
from kempe.model import Model
from kempe.outcome import DONE, Ending, Outcome
from kempe.results import Event, Motion, Recipe
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Rows = dict[str, FloatArray]  # samples, by what they are of
Leg = tuple[Rows, "core.IntegratorEnd", RunEnd]
Turns = Mapping[tuple[str, str, int], float]

# Of the machine's size, or of a radian: a limit is touched, is left, and a bounce is over.
TOUCHED, SLACK, BOUNCE = 2e-13, 1e-13, 1e-12
BEYOND = 1e-9  # the same, of a start at a limit or beyond it
STILL = 1e-11  # of all speeds: a limit that is approached or left no faster is rested on
MOST_EVENTS = 20_000
MOST_AT_ONCE = 40  # events at one time
KEPT = "The samples so far are kept."


@final
@dataclass(frozen=True, slots=True)
class Text:
    """The expression of an event: a formula, and the readable names that its words stand for."""

    formula: WrittenFormula
    names: Mapping[str, str]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Expressions:
    """The expressions of the model's moments, in their order, and who reads any of them.

    `read` gives the values (n, moments) at the samples of a motion.
    """

    texts: tuple[Text, ...] = ()
    read: Callable[[Motion], FloatArray] | None = None


@final
@dataclass(frozen=True, slots=True)
class Watch:
    """One native watch, and what it stands for."""

    kind: int  # 0 an output of the tape, 1 a reading, 2 a multiplier
    index: int
    sign: float
    offset: float = 0.0
    slack: float = 0.0
    side: Side | None = None
    moment: AbstractMoment | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class LegStart:
    """Where a leg begins: the centres of mass, and what is counted."""

    t: float
    q: FloatArray
    v: FloatArray
    turns: Turns
    last: FloatArray  # angles that watches count


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


@final
@dataclass(eq=False)
class Joined:
    """Samples of the legs so far, by the rows of the whole model."""

    arrays: dict[str, list[FloatArray]] = field(default_factory=dict)
    works: FloatArray = field(default_factory=lambda: np.zeros(2))  # J: dissipated, driven
    counts: dict[str, int] = field(default_factory=dict)
    n: int = 0

    def add(self, rows: Rows, counts: Mapping[str, int]) -> None:
        """One more leg."""
        for name, array in rows.items():
            self.arrays.setdefault(name, []).append(array)
        self.n += len(rows["t"])
        for name, count in counts.items():
            self.counts[name] = self.counts.get(name, 0) + count

    def whole(self, name: str) -> FloatArray:
        """All samples of an array."""
        return np.concatenate(self.arrays[name])


@final
class EventRun:
    """One simulation of a model with events."""

    def __init__(
        self,
        layout: Layout,
        times: FloatArray,
        expressions: Expressions,
        modes: Modes,
        run: Callable[..., Leg],
        method: str,
        tolerance: float,
    ) -> None:
        self.layout, self.times, self.modes = layout, times, modes
        self.model: Model = layout.model
        self.expressions, self.run = expressions, run
        self.method, self.tolerance = method, tolerance
        self.sides = sides_of(self.model)
        self.moments = [e for e in self.model.events if isinstance(e, AbstractMoment)]
        self.held = held_measures(self.model)
        self.events: list[Event] = []
        self.methods: tuple[tuple[float, str], ...] = ()
        self.joined = Joined()
        self.met_corners: dict[Mode, Interruptions] = {}
        self.base = ModeModel(self.model, Mode())
        _refuse_contradictions(self.sides)

    # -- the run -----------------------------------------------------------------------------

    def motion(self, first: PreparedDynamics, mode: Mode) -> tuple[Rows, RunEnd, Outcome | None]:
        """Samples until the end, or until something ends it early, and the outcome if it did."""
        self.mode = mode
        self.running = Running(ModeModel(self.model, mode), first)
        self.modes.known.setdefault(mode, self.running)
        self._trace(first)
        place = self._first_place(first)
        pace: core.Pace | None = None
        last_t, at_once, fired = place.t, 0, frozenset[int]()
        place, outcome = self._settle(place, frozenset(), self.mode, self._first_touched(place))
        while outcome is None:
            end, run, watches = self._leg(place, pace, fired)
            place = replace(
                place,
                t=end.t,
                q=np.asarray(end.q),
                v=np.asarray(end.v),
                turns=dict(zip(self.running.counted, np.asarray(end.turns), strict=True)),
                last=np.asarray(end.watch_turns),
            )
            self.joined.works = self.joined.works + np.asarray(end.work)
            self._remember(run)
            if run.halt is core.Halt.lost_watch:
                return self._ended(_lost(watches[int(end.met[0])], end.t))
            if run.halt is not core.Halt.event:
                return self._ended(None)
            at_once = at_once + 1 if end.t <= last_t else 0
            last_t = end.t
            if at_once > MOST_AT_ONCE or len(self.events) > MOST_EVENTS:
                return self._ended(_too_many(self.events, end.t, at_once > MOST_AT_ONCE))
            fired = frozenset(int(k) for k in end.met)
            before = self.mode
            place, outcome = self._happened(place, [watches[k] for k in sorted(fired)])
            pace = end.pace if self.mode == before else end.pace.without_step()
            fired = frozenset(k for k in fired if watches[k].moment is not None)
            if self.mode != before:
                kept = {(watches[k].moment, watches[k].sign) for k in fired}
                now = enumerate(self._watches())
                fired = frozenset(k for k, w in now if (w.moment, w.sign) in kept)
        return self._ended(outcome)

    def _remember(self, run: RunEnd) -> None:
        """How the last leg ended, with the methods of all legs."""
        methods = list(self.methods)
        for t, method in run.methods:
            if not methods or methods[-1][1] != method:
                methods.append((t, method))
        self.methods = tuple(methods)
        self.last_run = replace(run, methods=self.methods)

    def _ended(self, outcome: Outcome | None) -> tuple[Rows, RunEnd, Outcome | None]:
        if not self.joined.n:  # it ended before it began: its first sample is the start
            self._sample(self._start, first=True)
        names = self.joined.arrays
        return {name: self.joined.whole(name) for name in names}, self.last_run, outcome

    def _first_place(self, first: PreparedDynamics) -> LegStart:
        """The start, with velocities that fit the joints; a ModelError beyond a stop."""
        start, dynamic = first.start, first.equations.layout
        turned = [self.watched.gauges[k] for k in self.watched.turned]
        last = []
        for gauge in turned:
            q = to_origins(self.model, start.q[None, :])[0]
            X = [body_pose(self.layout, q, m.body) @ m.pose for m in (gauge.I, gauge.J)]
            shown = gauge.measure.number(*X)
            at = replace(start, q=q)
            last.append(shown + whole_turns(self.layout, at, gauge, shown))
        out, _, run = self._at(first)
        self.last_run = run
        q, v = (out["q"][0], out["v"][0]) if run.samples else (start.q, start.v)
        turns = dict(zip(self.running.counted, start.turns, strict=True))
        place = LegStart(start.t, q, v, turns, np.array(last, dtype=np.float64))
        self._start = place
        if run.samples:
            measured = self.watched.measured(q, v, start.t, place.last)
            for side in self.sides:
                gap = self._gap(side, measured)
                if gap < -BEYOND * self._scale(side):
                    raise _beyond(side, -gap, dynamic.layout.model.name)
        return place

    def _first_touched(self, place: LegStart) -> list[Side]:
        """The limits that are touched at the start, as nearly as it was given."""
        measured = self.watched.measured(place.q, place.v, place.t, place.last)
        return [s for s in self.sides if self._gap(s, measured) <= BEYOND * self._scale(s)]

    def _trace(self, first: PreparedDynamics) -> None:
        """The tape of what is watched, for all modes."""
        self.reading: dict[int, int] = {}  # moment -> its place among what is read
        written: list[Written] = []
        self.formula: dict[int, int] = {}
        for k, text in enumerate(self.expressions.texts):
            seen = {
                word: None if name == "t" else seen_by_name(self.model, name)
                for word, name in text.names.items()
            }
            if all(seen[word] is not None or name == "t" for word, name in text.names.items()):
                self.formula[k] = len(written)
                written.append(Written(text.formula, seen))
            else:
                self.reading[k] = len(self.reading)
        gauges = [side.stop.gauge for side in self.sides]
        gauges += [gauge for e in self.model.events if isinstance(e, Latch) for gauge in e.held]
        gauges += [d.gauge for d in self.model.drives if self._is_switched(d.gauge.name, d.name)]
        self.watched = WatchedGauges(first.equations.layout, gauges, written)

    def _is_switched(self, *names: str) -> bool:
        switches = [e for e in self.model.events if isinstance(e, Switch)]
        return any(name in switch.on for switch in switches for name in names if name)

    def _leg(
        self, place: LegStart, pace: "core.Pace | None", fired: frozenset[int]
    ) -> tuple["core.IntegratorEnd", RunEnd, list[Watch]]:
        """One leg: samples are added, and where it ended."""
        watches, first = self._watches(), self.joined.n == 0
        left = self.times[self.joined.n :] if first else self.times[self.times > place.t]
        left = left[1:] if first else left
        corners = self._corners(place.t)
        if corners.corner is not None:
            left = left[left <= corners.corner.t]
        asked = np.concatenate([[place.t], left])
        out, end, run = self.run(
            self.running.prepared,
            asked,
            stops=corners.stops,
            watches=self._native(watches, place, fired),
            pace=pace,
        )
        rows = self._rows(out, asked, slice(0 if first else 1, run.samples))
        self.joined.add(rows, run.counts)
        return end, run, watches

    def _corners(self, t: float) -> Interruptions:
        if self.mode not in self.met_corners:
            drives = self.running.of.model.drives
            self.met_corners[self.mode] = interruptions(drives, t, float(self.times[-1]))
        return self.met_corners[self.mode]

    def corner_outcome(self) -> Outcome | None:
        """What is said where the law of a drive has ended the run."""
        corner = self.met_corners[self.mode].corner if self.mode in self.met_corners else None
        return None if corner is None else corner.outcome

    def _at(self, prepared: PreparedDynamics) -> Leg:
        """One sample at the start of what is prepared."""
        return self.run(prepared, np.array([prepared.start.t]))

    def _sample(self, place: LegStart, *, first: bool = False) -> None:
        """Adds one sample where a leg would begin."""
        out, _, run = self._at(self._running(self.mode, place).prepared)
        if run.samples and (first or not self.joined.n or place.t > self.joined.whole("t")[-1]):
            self.joined.add(self._rows(out, np.array([place.t]), slice(0, 1)), {})

    def _rows(self, out: Rows, t: FloatArray, some: slice) -> Rows:
        """Samples with multipliers and efforts by the rows of the whole model."""
        lam = out["lam"][some]
        energy = np.array(out["energy"][some])
        energy[:, 2:4] += self.joined.works
        multipliers = np.zeros((len(lam), len(self.base.rows)))
        held = np.zeros((len(lam), len(self.held)))
        base = {key: k for k, key in enumerate(self.base.rows)}
        for key, place in self.running.row_places().items():
            if key in base:
                multipliers[:, base[key]] = -lam[:, place]
            else:
                held[:, self._held_place(key)] += -lam[:, place]
        return {
            "t": t[some].copy(),
            "q": out["q"][some],
            "v": out["v"][some],
            "a": out["a"][some],
            "multipliers": multipliers,
            "held": held,
            "energy": energy,
            "violation": out["violation"][some],
        }

    def _held_place(self, key: tuple[str, str, int]) -> int:
        kind, name, number = key
        first = next(k for k, (event, _) in enumerate(self.held) if event == name)
        return first + (number if kind == "latch" else 0)

    def _running(self, mode: Mode, place: LegStart) -> Running:
        q = place.q[None, :]
        at = State(place.t, to_origins(self.model, q)[0], place.v)
        turns = dict(place.turns)
        return self.modes.running(mode, at, turns)

    # -- what is watched ---------------------------------------------------------------------

    def _watches(self) -> list[Watch]:
        found: list[Watch] = []
        places = self.running.row_places()
        for side in self.sides:
            if self.mode.is_off(side.stop.name):
                continue
            if side in self.mode.resting:
                row = places["stop", side.stop.name, int(side.is_low)]
                found.append(Watch(2, row, -side.sign, side=side))
            else:
                at, near = self.watched.place(side.stop.gauge), SLACK * self._scale(side)
                found.append(Watch(0, at, side.sign, side.limit, near, side=side))
        slack = min(1.0, self.layout.size)
        for k, moment in enumerate(self.moments):
            if not self._would_act(moment):
                continue
            kind = 0 if k in self.formula else 1
            at = self.watched.formula_place(self.formula[k]) if kind == 0 else self.reading[k]
            for sign in (-1.0, 1.0):
                if moment.direction.sign != sign:  # rising is -f falling
                    found.append(Watch(kind, at, sign, slack=SLACK * slack, moment=moment))
        return found

    def _would_act(self, moment: AbstractMoment) -> bool:
        """Whether anything would change at a moment: what was let go is not let go again."""
        off, latched = self.mode.off, {name for name, _ in self.mode.latched}
        if isinstance(moment, Latch):
            return moment.name not in latched
        if isinstance(moment, Release):
            latches = {e.name for e in self.model.events if isinstance(e, Latch)}
            return any(p in latched if p in latches else p not in off for p in moment.parts)
        if isinstance(moment, Switch):
            return bool(off & set(moment.on)) or not off >= set(moment.off)
        return True

    def _native(
        self, watches: list[Watch], place: LegStart, fired: frozenset[int]
    ) -> "core.WatchList":
        """The list for a leg; limits that are touched are about to be left."""
        measured = self.watched.measured(place.q, place.v, place.t, place.last)
        begun = []
        for k, watch in enumerate(watches):
            touches = (
                watch.side is not None
                and watch.kind == 0
                and (
                    watch.side in self.touched
                    or self._gap(watch.side, measured) <= TOUCHED * self._scale(watch.side)
                )
            )
            begun.append(2 if touches else int(k in fired))
        return core.WatchList(
            **self.watched.parts(place.last),
            kinds=np.array([w.kind for w in watches], dtype=np.int32),
            indices=np.array([w.index for w in watches], dtype=np.int32),
            signs=np.array([w.sign for w in watches], dtype=np.float64),
            offsets=np.array([w.offset for w in watches], dtype=np.float64),
            slacks=np.array([w.slack for w in watches], dtype=np.float64),
            begun=np.array(begun, dtype=np.int32),
            readings=len(self.reading),
            read=self._read if self.reading else None,
        )

    def _read(
        self,
        t: FloatArray,
        q: FloatArray,
        v: FloatArray,
        a: FloatArray,
        lam: FloatArray,
        energy: FloatArray,
    ) -> FloatArray:
        """What is read off some moments of the present leg, (moments, readings) in one row."""
        out = {"q": q, "v": v, "a": a, "lam": lam, "energy": energy}
        out["violation"] = np.zeros((len(t), 1))
        assert self.expressions.read is not None, "whoever gives texts reads them too"
        values = self.expressions.read(
            motion_of(self.layout, self._rows(out, t, slice(None)), DONE, self.method)
        )
        return np.ascontiguousarray(values[:, list(self.reading)]).reshape(-1)

    def _masses(self, running: Running) -> Masses:
        return Masses(running.prepared.equations.layout.mass_blocks, self.layout.size)

    def _scale(self, side: Side) -> float:
        return self.layout.size if side.stop.gauge.unit == "m" else 1.0

    def _gap(self, side: Side, measured: Measured) -> float:
        value = measured.values[self.watched.place(side.stop.gauge)]
        return side.sign * float(value - side.limit)

    # -- what happens ------------------------------------------------------------------------

    def _happened(self, place: LegStart, met: list[Watch]) -> tuple[LegStart, Outcome | None]:
        """The events at a place, and where the next leg begins."""
        left = frozenset(w.side for w in met if w.side is not None and w.kind == 2)
        moments = [w for w in met if w.moment is not None]
        mode, v, told = self.mode, place.v, []
        measured = self.watched.measured(place.q, place.v, place.t, place.last)
        for watch in moments:
            moment = watch.moment
            assert moment is not None
            mode = self._after(mode, moment, measured, place.t)
            kind = type(moment).__name__.lower()
            direction = "rising" if watch.sign < 0.0 else "falling"
            told.append((moment, kind, direction))
        stopped = self._stored(place) if mode.off != self.mode.off else None
        loss = driven = 0.0
        impulses: dict[str, float] = {}
        if _new_rows(self.mode, mode):
            running = self._running(mode.free, place)
            J, rates = _rows_at(running.prepared, place)
            held = caught(J, self._masses(running), place.v, rates)
            v, loss, driven = held.v, held.loss, held.driven
            for key, k in running.row_places().items():
                if key[0] == "latch":
                    impulses[key[1]] = impulses.get(key[1], 0.0) + abs(float(held.impulses[k]))
        for moment, kind, direction in told:
            self.events.append(
                self._event(
                    place,
                    v,
                    moment.name,
                    kind,
                    direction,
                    impulse=impulses.get(moment.name, 0.0),
                    lost=loss if kind != "crossing" and _new_rows(self.mode, mode) else 0.0,
                )
            )
        self.joined.works = self.joined.works + np.array([loss, driven])
        start = replace(place, v=v)
        start, outcome = self._settle(start, left, mode, [w.side for w in met if w.side])
        if stopped is not None and outcome is None:
            self.joined.works = self.joined.works + np.array([stopped - self._stored(start), 0.0])
        ends = [m for m, _, _ in told if isinstance(m, Crossing) and m.ends]
        if ends and outcome is None:
            self._sample(start)
            name = ends[0].name
            outcome = Outcome(
                Ending.DONE,
                f"ended by {name!r} at t = {place.t:.9g} s, as asked.",
                facts={"t": place.t, "event": name},
            )
        return start, outcome

    def _stored(self, place: LegStart) -> float:
        """The potential energy (J) in the present mode."""
        out, _, run = self._at(self._running(self.mode, place).prepared)
        return float(out["energy"][0, 1]) if run.samples else 0.0

    def _after(self, mode: Mode, moment: AbstractMoment, measured: Measured, t: float) -> Mode:
        """The mode after a moment."""
        if isinstance(moment, Release):
            latches = {e.name for e in self.model.events if isinstance(e, Latch)}
            gone = frozenset(name for name in moment.parts if name not in latches)
            kept = tuple(pair for pair in mode.latched if pair[0] not in moment.parts)
            return replace(mode, off=mode.off | gone, latched=kept)
        if isinstance(moment, Latch):
            if moment.name in dict(mode.latched):
                return mode
            values = tuple(float(measured.values[self.watched.place(g)]) for g in moment.held)
            return replace(mode, latched=(*mode.latched, (moment.name, values)))
        if isinstance(moment, Switch):
            shifts = dict(mode.shifts)
            for drive in self.model.drives:
                names = {drive.gauge.name, drive.name} - {""}
                if names & set(moment.on) and drive_is_off(mode, drive):
                    value = float(measured.values[self.watched.place(drive.gauge)])
                    shifts[drive.gauge.name] = value - float(drive.law.value(t))
            off = (mode.off - frozenset(moment.on)) | frozenset(moment.off)
            return replace(mode, off=off, shifts=tuple(sorted(shifts.items())))
        return mode

    def _settle(
        self, place: LegStart, left: frozenset[Side], mode: Mode, met: list[Side]
    ) -> tuple[LegStart, Outcome | None]:
        """Impacts and contact at a place, and the mode that holds from there on."""
        found = self._resolved(place, left, mode, met)
        self.events += found.events
        self.joined.works = self.joined.works + np.array([found.loss, found.driven])
        place = replace(place, v=found.v)
        if found.trouble is not None:
            return place, found.trouble
        self.mode = replace(mode, resting=found.resting)
        self.running = self._running(self.mode, place)
        return place, None

    def _resolved(
        self, place: LegStart, left: frozenset[Side], mode: Mode, met: list[Side]
    ) -> Resolved:
        measured = self.watched.measured(place.q, place.v, place.t, place.last)
        touched = [
            side
            for side in self.sides
            if not mode.is_off(side.stop.name)
            and (
                side in met
                or side in mode.resting
                or self._gap(side, measured) <= TOUCHED * self._scale(side)
            )
        ]
        self.touched = frozenset(touched)
        if not touched:
            return Resolved(
                place.v, frozenset(), self._departures(place, place.v, mode, frozenset())
            )
        free = self._running(mode.free, place)
        J, rates = _rows_at(free.prepared, place)
        mass = self._masses(free)
        places = [self.watched.place(side.stop.gauge) for side in touched]
        signs = np.array([side.sign for side in touched])
        answer = answer_to(J, mass, signs[:, None] * measured.gradients[places])
        e = np.array([side.stop.restitution for side in touched])
        hit = impact(answer, place.v, e)
        pushed = self._pushed(free, place, hit.v, signs, places, answer)
        over, ends = self._bounces_over(touched, answer, hit, e, pushed)
        if over.any():
            e = np.where(over, 0.0, e)
            hit = impact(answer, place.v, e)
            pushed = self._pushed(free, place, hit.v, signs, places, answer)
        if hit.blocked is not None:
            return Resolved(
                place.v, frozenset(), trouble=_run_into(touched[hit.blocked], place.t, free)
            )
        still = answer.rows @ hit.v <= STILL * (np.abs(answer.rows) @ np.abs(hit.v))
        still &= np.array([side not in left for side in touched])
        held = [side for side, is_still in zip(touched, still, strict=True) if is_still]
        lam = complementary(answer.matrix[np.ix_(still, still)], pushed[still])
        if lam is None:
            return Resolved(place.v, frozenset(), trouble=_fighting(held, place.t))
        resting = frozenset(side for side, x in zip(held, lam, strict=True) if x > 0.0)
        driven = 0.0
        if rates.any():
            pushed_by_rows = mass.product(hit.v - place.v) - answer.rows.T @ hit.impulses
            Lam = np.linalg.lstsq(J.T, pushed_by_rows)[0]
            driven = float(Lam @ rates)
        loss = driven + mass.kinetic(place.v) - mass.kinetic(hit.v) if hit.impulses.any() else 0.0
        events = self._impacts(place, touched, answer, hit, e, ends, mode, resting, loss)
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
        prepared, layout = free.prepared, free.prepared.equations.layout
        outside = Outside(prepared.callbacks)
        if prepared.callbacks:
            outside.answers(place.q, v, place.t, prepared.start.turns)
        at = prepared.system(outside).motion(
            layout.parameters,
            layout.mass_blocks.reshape(-1),
            place.q,
            v,
            place.t,
            prepared.start.turns,
        )
        bias = self.watched.measured(place.q, v, place.t, place.last).bias[places]
        return np.asarray(answer.rows @ np.asarray(at.a) + signs * bias)

    def _bounces_over(
        self, touched: list[Side], answer: Answer, hit: Impact, e: FloatArray, pushed: FloatArray
    ) -> tuple[NDArray[np.bool_], FloatArray]:
        """Whose bounces are too low to matter, and in what time (s) they would be over."""
        speeds = answer.rows @ hit.v
        down = np.where(pushed < 0.0, -pushed, 1.0)
        heights = np.where(pushed < 0.0, 0.5 * speeds**2 / down, np.inf)
        sizes = np.array([BOUNCE * self._scale(side) for side in touched])
        over = (
            (hit.impulses > 0.0) & (speeds > 0.0) & (pushed < 0.0) & (heights < sizes) & (e < 1.0)
        )
        times = np.zeros(len(e))
        times[over] = 2.0 * speeds[over] / (down[over] * (1.0 - e[over]))
        return over, times

    def _impacts(
        self,
        place: LegStart,
        touched: list[Side],
        answer: Answer,
        hit: Impact,
        e: FloatArray,
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
            share = hit.impulses[k] / hit.impulses.sum()
            lost = loss if len(struck) == 1 else loss * share
            events.append(
                self._event(
                    place,
                    hit.v,
                    touched[k].stop.name,
                    "impact",
                    touched[k].word,
                    speed=max(0.0, -float(before[k])),
                    impulse=float(hit.impulses[k]),
                    lost=float(lost),
                    words=words,
                )
            )
        for k, side in enumerate(touched):
            if side in resting and side not in mode.resting:
                later = replace(place, t=place.t + float(ends[k]))
                events.append(self._event(later, hit.v, side.stop.name, "contact", side.word))
        return events

    def _departures(
        self, place: LegStart, v: FloatArray, mode: Mode, resting: frozenset[Side]
    ) -> tuple[Event, ...]:
        gone = [side for side in self.sides if side in mode.resting and side not in resting]
        return tuple(self._event(place, v, s.stop.name, "departure", s.word) for s in gone)

    def _event(
        self,
        place: LegStart,
        after: FloatArray,
        name: str,
        kind: str,
        direction: str,
        *,
        speed: float = 0.0,
        impulse: float = 0.0,
        lost: float = 0.0,
        words: str = "",
    ) -> Event:
        q = place.q[None, :]
        v, v_after = (velocities_at_origins(self.model, q, x[None, :])[0] for x in (place.v, after))
        where = to_origins(self.model, q)[0]
        return Event(
            place.t,
            name,
            kind,
            direction,
            tuple(where.tolist()),
            tuple(v.tolist()),
            tuple(v_after.tolist()),
            speed=speed,
            impulse=impulse,
            lost=lost,
            words=words,
        )


def motion_of(layout: Layout, rows: Rows, outcome: Outcome, method: str) -> Motion:
    """A motion of the bodies' origins, from samples of the centres of mass."""
    model, q, v = layout.model, rows["q"], rows["v"]
    kinetic, potential, dissipated, driven = rows["energy"][:, :4].T.copy()
    return Motion(
        t=rows["t"],
        q=to_origins(model, q),
        v=velocities_at_origins(model, q, v),
        a=accelerations_at_origins(model, q, v, rows["a"]),
        outcome=outcome,
        recipe=Recipe(method=method),
        multipliers=rows["multipliers"],
        held=rows["held"],
        kinetic=kinetic,
        potential=potential,
        dissipated=dissipated,
        driven=driven,
        violation=rows["violation"][:, 0] * layout.size,
    )


def first_mode(
    layout: Layout,
    t: float,
    executor: str,
    plan: str,
    given: Given | None,
    angles: Angles,
) -> tuple[Modes, Mode, PreparedDynamics]:
    """The modes of a layout, the one it starts in, and that one prepared."""
    mode = Mode.first(layout.model)
    key, first = ("modes", executor, plan), "first mode"
    modes = layout.prepared(key, Modes) or layout.keep(key, Modes(layout.model, executor, plan))
    of = layout.prepared(first, ModeModel) or layout.keep(first, ModeModel(layout.model, mode))
    return modes, mode, prepare(of.layout, t, executor, plan, given, angles)


def _rows_at(prepared: PreparedDynamics, place: LegStart) -> tuple[FloatArray, FloatArray]:
    """J (rows, n_v) of all rows and their rates -phi_t, at a place."""
    terms = prepared.terms(place.q, place.v, place.t)
    return prepared.equations.program.dense_jacobian(terms.entries), np.asarray(terms.rhs)


def _new_rows(before: Mode, after: Mode) -> bool:
    """Whether rows were put on that velocities may not fit yet."""
    is_latched = not set(after.latched) <= set(before.latched)
    return is_latched or after.shifts != before.shifts


def _refuse_contradictions(sides: tuple[Side, ...]) -> None:
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


def _beyond(side: Side, by: float, who: str) -> ModelError:
    unit, name = side.stop.gauge.unit, side.stop.name
    return ModelError(
        f"{who!r} starts beyond stop {name!r}: {side.stop.gauge.name!r} is {by:.6g} {unit} past its"
        f" limit of {side.limit:g} {unit}. Start within the limit, or move it.",
        stop=name,
        beyond=by,
    )


def _lost(watch: Watch, t: float) -> Outcome:
    if watch.moment is None:
        name = watch.side.stop.name if watch.side else ""
        what = f"the measure of stop {name!r}"
    else:
        name = watch.moment.name
        what = f"the expression {watch.moment.when!r} of event {name!r}"
    return Outcome(
        Ending.DIVERGED,
        f"near t = {t:.9g} s {what} is no finite number.",
        f"Look there for a division by zero or a root of a negative number. {KEPT}",
        {"t": t, "event": name},
    )


def _too_many(events: list[Event], t: float, at_once: bool) -> Outcome:
    names = ", ".join(dict.fromkeys(repr(e.name) for e in events[-MOST_AT_ONCE:]))
    if at_once:
        return Outcome(
            Ending.LIMIT_REACHED,
            f"at t = {t:.9g} s {names} happen again and again, and time does not go on.",
            "Look for events that undo each other, or give a stop a restitution less than 1."
            f" {KEPT}",
            {"t": t, "events": len(events)},
        )
    return Outcome(
        Ending.LIMIT_REACHED,
        f"until t = {t:.9g} s there were {len(events)} events, the last of {names}.",
        "Give stops a smaller restitution, so that bounces end, make them compliant, or ask for a"
        f" shorter run. {KEPT}",
        {"t": t, "events": len(events)},
    )


def _run_into(side: Side, t: float, free: Running) -> Outcome:
    gauge, name = side.stop.gauge, side.stop.name
    drives = [drive.gauge.name for drive in free.of.model.drives]
    by = f" by the drive on {', '.join(map(repr, drives))}" if drives else ""
    return Outcome(
        Ending.LOCKED,
        f"at t = {t:.9g} s {gauge.name!r} is driven into stop {name!r}{by}: joints and drives hold"
        " it so that no impulse of the stop can turn it back.",
        f"End the drive before the limit, release it there, or make the stop compliant. {KEPT}",
        {"t": t, "stop": name},
    )


def _fighting(sides: list[Side], t: float) -> Outcome:
    names = ", ".join(dict.fromkeys(repr(side.stop.name) for side in sides))
    return Outcome(
        Ending.LOCKED,
        f"at t = {t:.9g} s no forces of {names} can keep all these limits at once.",
        f"Move a stop so that they leave room for the motion, or make one compliant. {KEPT}",
        {"t": t, "stops": len(sides)},
    )
