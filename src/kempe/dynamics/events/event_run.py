"""A simulation with events: leg after leg, each the motion of one mode, joined where they happen.

A leg ends where the integrator meets a watch. What happens there is decided from the state alone:
parts let go or held, impulses of latches and stops, and which limits are rested on. Then the next
leg begins.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.dynamic_layout import to_origins
from kempe.compile.layout.layout import Layout
from kempe.dynamics.ending import RunEnd
from kempe.dynamics.events.contacts import Contacts, masses_of, rows_at, works_of_drives
from kempe.dynamics.events.event_ending import (
    MOST_AT_ONCE,
    MOST_EVENTS,
    lost_watch,
    outran,
    refuse_contradictions,
    starts_beyond,
    too_many_events,
)
from kempe.dynamics.events.impacts import caught
from kempe.dynamics.events.legs import JoinedLegs, Leg, LegStart, Rows, motion_of
from kempe.dynamics.events.modes import Mode, ModeModel, Modes, Running, Side
from kempe.dynamics.events.moments import (
    has_new_rows,
    may_enable,
    mode_after,
    mode_to_prepare,
    moments_named,
    put_on,
    would_act,
)
from kempe.dynamics.events.passages import Passage
from kempe.dynamics.events.stick_slip import StickSlip
from kempe.dynamics.events.watches import MULTIPLIER, READING, TAPE, Expressions, Watch, Watches
from kempe.dynamics.law_corners import Interruptions, interruptions
from kempe.dynamics.preparation.preparation import Angles, PreparedDynamics, prepare
from kempe.events import AbstractMoment, Crossing
from kempe.kinematics.closing.placement import Given, body_pose
from kempe.kinematics.observe.observation import whole_turns
from kempe.model import Model
from kempe.outcome import DONE, Ending, Outcome
from kempe.results import Event

FloatArray = NDArray[np.float64]

BEYOND = 1e-9  # of the machine's size, or of a radian: a start at a limit or beyond it


@final
class EventRun:
    """One simulation of a model with events, from its first mode on."""

    def __init__(
        self,
        layout: Layout,
        times: FloatArray,
        expressions: Expressions,
        begun: tuple[Modes, Mode, PreparedDynamics],
        run: Callable[..., Leg],
        method: str,
        states: FloatArray,
        acted: tuple[str, ...] = (),
    ) -> None:
        self.layout, self.times, self.method = layout, times, method
        self.model: Model = layout.model
        self.modes, self.mode, self.first = begun
        self.expressions, self.run = expressions, run
        self.acted = acted  # moments that acted before the start
        self.events: list[Event] = []
        self.passages: list[Passage] = []  # from leg to leg, the first one into the first leg
        self.methods: tuple[tuple[float, str], ...] = ()
        self.last_run: RunEnd
        self.joined = JoinedLegs(layout, states)
        self.met_corners: dict[Mode, Interruptions] = {}
        self.watches = Watches(self.model, layout.size, self.first, expressions.texts)
        self.contacts = Contacts(self.modes, self.watches)
        self.stick_slip = StickSlip(self.modes, self.watches, layout)
        self.touched: frozenset[Side] = frozenset()
        self.setting_out: frozenset[str] = frozenset()  # frictions of joints that begin to slide
        refuse_contradictions(self.watches.sides)

    def motion(self) -> tuple[Rows, RunEnd, Outcome | None]:
        """Samples until the end, or until something ends it early, and the outcome if it did."""
        of, start = ModeModel(self.model, self.mode), self.first.start
        start = replace(start, states=self.joined.states[of.states])
        self.first = replace(self.first, start=start)
        self.running = Running(of, self.first)
        self.modes.known.setdefault(self.mode, self.running)
        place = self._first_place(self.first)
        pace: core.Pace | None = None
        last_t, at_once, fired = place.t, 0, frozenset[int]()
        begun = place
        mode, place = self._resumed(place)
        place, outcome = self._settle(place, mode, (), self._first_touched(place))
        self._pass(begun, mode, (), (), 0, place)
        while outcome is None:
            end, run, watches = self._leg(place, pace, fired)
            if not run.samples:  # friction that jams where it begins: what there is lies before it
                self._remember(run)
                self.mode = replace(self.mode, stuck=(), ways=(), aims=())
                self.running = place.running(self.modes, self.mode)
                return self._ended(None)
            place = replace(
                place,
                t=end.t,
                q=np.asarray(end.q),
                v=np.asarray(end.v),
                turns=dict(zip(self.running.counted, np.asarray(end.turns), strict=True)),
                last=np.asarray(end.watch_turns),
                states=self._states(place, end),
            )
            self.joined.states = place.states
            self.joined.spent(*end.work)
            self._remember(run)
            if run.halt is core.Halt.lost_watch:
                return self._ended(lost_watch(watches[int(end.met[0])], end.t))
            if run.halt is core.Halt.fast_watch:
                return self._ended(outran(watches[int(end.met[0])], end.t))
            if run.halt is not core.Halt.event:
                return self._ended(None)
            at_once = at_once + 1 if end.t <= last_t else 0
            last_t = end.t
            if at_once > MOST_AT_ONCE or len(self.events) > MOST_EVENTS:
                return self._ended(too_many_events(self.events, end.t, at_once > MOST_AT_ONCE))
            fired = frozenset(int(k) for k in end.met)
            before = self.mode
            place, outcome = self._happened(place, [watches[k] for k in sorted(fired)])
            goes_on = self.mode == before and self.mode.ways == before.ways
            pace = end.pace if goes_on else end.pace.without_step()
            fired = frozenset(k for k in fired if watches[k].moment is not None)
            if not goes_on:
                kept = {(watches[k].moment, watches[k].sign) for k in fired}
                now = enumerate(self.watches.in_mode(self.mode, self.running))
                fired = frozenset(k for k, w in now if (w.moment, w.sign) in kept)
        return self._ended(outcome)

    def _resumed(self, place: LegStart) -> tuple[Mode, LegStart]:
        """The mode after moments that acted before the start, and velocities that fit it."""
        mode, measured = Mode.first(self.model), self.watches.measured(place)
        for moment in moments_named(self.model, self.acted):
            mode = mode_after(mode, moment, self.model, self.watches.gauges, measured, place.t)
        if not has_new_rows(self.mode, mode):
            return mode, place
        running = place.running(self.modes, mode.free.unstuck)
        J, rates = rows_at(running.prepared, place)
        return mode, replace(
            place, v=caught(J, masses_of(running, self.layout.size), place.v, rates).v
        )

    def _states(self, place: LegStart, end: "core.IntegratorEnd") -> FloatArray:
        """The states of all forces where a leg ended: those of forces that do not act stay."""
        states = place.states.copy()
        states[self.running.of.states] = end.states
        return states

    def _remember(self, run: RunEnd) -> None:
        """How the last leg ended, with the methods and touches of all legs."""
        methods = list(self.methods)
        for t, method in run.methods:
            if not methods or methods[-1][1] != method:
                methods.append((t, method))
        self.methods = tuple(methods)
        touches = (*self.last_run.touches, *run.touches)
        changes = (*self.last_run.law_changes, *run.law_changes)
        strays = (*self.last_run.strays, *run.strays)
        self.last_run = replace(
            run, methods=self.methods, touches=touches, law_changes=changes, strays=strays
        )

    def _ended(self, outcome: Outcome | None) -> tuple[Rows, RunEnd, Outcome | None]:
        if not self.joined.n:  # it ended before it began: its first sample is the start
            self._sample(self._start, first=True)
        names = self.joined.arrays
        return {name: self.joined.whole(name) for name in names}, self.last_run, outcome

    def _first_place(self, first: PreparedDynamics) -> LegStart:
        """The start, with velocities that fit the joints; a ModelError beyond a stop."""
        start, dynamic = first.start, first.equations.layout
        turned = [self.watches.gauges.gauges[k] for k in self.watches.gauges.turned]
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
        place = LegStart(start.t, q, v, turns, np.array(last, dtype=np.float64), self.joined.states)
        self._start = place
        if run.samples:
            measured = self.watches.measured(place)
            for side in self.watches.sides:
                gap = self.watches.gap(side, measured)
                is_met = not self.mode.is_off(side.stop.name)
                if is_met and gap < -BEYOND * self.watches.scale(side):
                    raise starts_beyond(side, -gap, dynamic.layout.model.name)
        return place

    def _first_touched(self, place: LegStart) -> list[Side]:
        """The limits that are touched at the start, as nearly as it was given."""
        measured = self.watches.measured(place)
        return [
            s for s in self.watches.sides if self.watches.is_touched(s, measured, place, BEYOND)
        ]

    def _pace(self, pace: "core.Pace | None") -> "core.Pace | None":
        """That of a leg: implicit at first where a ball or a foot sets out.

        Its slip is as slow then as one likes, and friction turns with the least error of it.
        """
        wide = {friction.name for friction in self.watches.frictions if friction.surface}
        if not wide & self.setting_out:
            return pace
        return (pace or core.Pace()).implicitly()

    def _leg(
        self, place: LegStart, pace: "core.Pace | None", fired: frozenset[int]
    ) -> tuple["core.IntegratorEnd", RunEnd, list[Watch]]:
        """One leg: samples are added, and where it ended."""
        self.place = place
        watches, first = self.watches.in_mode(self.mode, self.running), self.joined.n == 0
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
            watches=self.watches.native(
                watches,
                place,
                fired,
                self.touched,
                self.setting_out,
                dict(self.mode.aims),
                self._read,
            ),
            pace=self._pace(pace),
        )
        rows = self.joined.rows(self.running, out, asked, slice(0 if first else 1, run.samples))
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
        out, _, run = self._at(place.running(self.modes, self.mode).prepared)
        if run.samples and (first or not self.joined.n or place.t > self.joined.whole("t")[-1]):
            self.joined.add(
                self.joined.rows(self.running, out, np.array([place.t]), slice(0, 1)), {}
            )

    def _read(
        self,
        t: FloatArray,
        q: FloatArray,
        v: FloatArray,
        a: FloatArray,
        lam: FloatArray,
        energy: FloatArray,
        states: FloatArray,
    ) -> FloatArray:
        """What is read off some moments of the present leg, (moments, readings) in one row."""
        out = {"q": q, "v": v, "a": a, "lam": lam, "energy": energy, "states": states}
        read = []
        if self.watches.read_columns:
            out["violation"] = np.zeros((len(t), 1))
            assert self.expressions.read is not None, "whoever gives texts reads them too"
            rows = self.joined.rows(self.running, out, t, slice(None))
            values = self.expressions.read(motion_of(self.layout, rows, DONE, self.method))
            read.append(values[:, self.watches.read_columns])
        if self.watches.about_to_slip(self.mode):
            looks = out | {"t": t}
            read.append(self.stick_slip.margins(self.running, self.mode, self.place, looks))
        return np.ascontiguousarray(np.hstack(read)).reshape(-1)

    def _happened(self, place: LegStart, met: list[Watch]) -> tuple[LegStart, Outcome | None]:
        """The events at a place, and where the next leg begins."""
        before, seen = self.mode, len(self.events)
        mode, start, told = self._moments(place, met)
        stopped = self._stored(place) if mode.off != self.mode.off else None
        touched = [w.side for w in met if w.side]
        is_thrown = start.v is not place.v
        start, outcome = self._settle(start, mode, met, touched, is_thrown=is_thrown)
        self._pass(place, before, met, told, seen, start)
        if stopped is not None and outcome is None:
            self.joined.spent(stopped - self._stored(start), 0.0)
        ends = [moment for moment in told if isinstance(moment, Crossing) and moment.ends]
        if ends and outcome is None:
            self._sample(start)
            name = ends[0].name
            outcome = Outcome(
                Ending.DONE,
                f"ended by {name!r} at t = {place.t:.9g} s, as asked.",
                facts={"t": place.t, "event": name},
            )
        return start, outcome

    def _pass(
        self,
        place: LegStart,
        before: Mode,
        met: Sequence[Watch],
        told: Sequence[AbstractMoment],
        seen: int,
        after: LegStart,
    ) -> None:
        """Remembers how the run went on from a place, after `seen` events."""
        struck = [(e.name, e.direction) for e in self.events[seen:] if e.kind == "impact"]
        acted = tuple(moment.name for moment in told)
        found = Passage(place, before, tuple(met), acted, tuple(struck), after, self.mode)
        self.passages.append(found)

    def _moments(
        self, place: LegStart, met: list[Watch]
    ) -> tuple[Mode, LegStart, list[AbstractMoment]]:
        """What the moments at a place make of the mode and of velocities, and which ones acted.

        One after the other in the order of the model, so that one may undo what another has done.
        What is put on, and not let go again at once, acts by one impulse.
        """
        before = mode = self.mode
        measured = self.watches.measured(place)
        together: list[tuple[AbstractMoment, str]] = []
        acted = []
        for watch in met:
            moment = watch.moment
            if moment is None or not would_act(mode, moment, self.model):
                continue
            if any(may_enable(one, moment) for one, _ in together) and has_new_rows(before, mode):
                place = self._caught(place, before, mode, together)
                before, together = mode, []
            mode = mode_after(mode, moment, self.model, self.watches.gauges, measured, place.t)
            together.append((moment, "rising" if watch.sign < 0.0 else "falling"))
            acted.append(moment)
        return mode, self._caught(place, before, mode, together), acted

    def _caught(
        self, place: LegStart, before: Mode, mode: Mode, told: list[tuple[AbstractMoment, str]]
    ) -> LegStart:
        """Lists moments, and gives velocities what rows that they have put on make of them."""
        v = place.v
        works: tuple[tuple[str, float], ...] = ()
        impulses: dict[str, float] = {}
        lost: dict[str, float] = {}  # by latches and by the measures of drives
        if has_new_rows(before, mode):
            running = place.running(self.modes, mode.free.unstuck)
            J, rates = rows_at(running.prepared, place)
            held = caught(J, masses_of(running, self.layout.size), place.v, rates)
            v, works = held.v, works_of_drives(running, held.impulses * rates)
            for (kind, name, _), k in running.row_places().items():
                if kind == "latch":
                    impulses[name] = impulses.get(name, 0.0) + abs(float(held.impulses[k]))
                if kind in ("latch", "drive"):
                    lost[name] = lost.get(name, 0.0) + float(held.losses[k])
            self.joined.spent(held.loss, held.driven)
        for k, (moment, direction) in enumerate(told):
            event = place.event(
                self.model,
                v,
                moment.name,
                type(moment).__name__.lower(),
                direction,
                impulse=impulses.get(moment.name, 0.0),
                lost=sum(lost.get(name, 0.0) for name in put_on(moment, self.model)),
            )
            self.events.append(event if k else replace(event, works=works))
        return place if v is place.v else replace(place, v=v)

    def _stored(self, place: LegStart) -> float:
        """The potential energy (J) in the present mode."""
        out, _, run = self._at(place.running(self.modes, self.mode).prepared)
        return float(out["energy"][0, 1]) if run.samples else 0.0

    def _settle(
        self,
        place: LegStart,
        mode: Mode,
        met: Sequence[Watch],
        touched: list[Side],
        *,
        is_thrown: bool = False,
    ) -> tuple[LegStart, Outcome | None]:
        """Impacts, contact and friction at a place, and the mode that holds from there on."""
        before = self.mode if self.joined.n else None
        left = frozenset(w.side for w in met if w.side is not None and w.kind == MULTIPLIER)
        at_rest = frozenset(w.friction for w in met if w.friction and w.kind == TAPE)
        let_go = frozenset(w.friction for w in met if w.friction and w.kind == READING)
        slipping = self.stick_slip.leaving(place, self.mode, let_go) if let_go else {}
        found = self.contacts.resolved(place, left, mode.unstuck, touched, is_thrown=is_thrown)
        self.touched = found.touched
        self.events += found.events
        self.joined.spent(found.loss, found.driven)
        place = replace(place, v=found.v)
        if found.trouble is not None:
            return place, found.trouble
        mode = replace(mode, resting=found.resting)
        rubbed = self.stick_slip.settled(place, mode, before, at_rest, slipping)
        if rubbed.trouble is not None:
            return place, rubbed.trouble
        self.events += rubbed.events
        self.setting_out = rubbed.setting_out
        self.mode = rubbed.mode
        place = place if rubbed.v is None else replace(place, v=rubbed.v)
        self.running = place.running(self.modes, self.mode)
        return place, None


def first_mode(
    layout: Layout,
    t: float,
    executor: str,
    plan: str,
    given: Given | None,
    angles: Angles,
    acted: tuple[str, ...] = (),
) -> tuple[Modes, Mode, PreparedDynamics]:
    """The modes of a layout, the one it starts in, and that one prepared.

    `acted` are moments that have acted before.
    """
    mode = mode_to_prepare(layout.model, acted)
    key, first = ("modes", executor, plan), ("first mode", mode.off)
    modes = layout.prepared(key, Modes) or layout.keep(key, Modes(layout.model, executor, plan))
    of = layout.prepared(first, ModeModel) or layout.keep(first, ModeModel(layout.model, mode))
    return modes, mode, prepare(of.layout, t, executor, plan, given, angles)
