"""How slopes pass events: impacts, stops, latches, releases, switches.

An event happens at the time t_e at which g(q, v, z, t; p) = 0. With slopes x at fixed time before
it,

    tau = dt_e/dp = -(g_q x_0 + g_v x_1 + g_z dz + g_p) / (dg/dt along the motion)

and the velocities after it, v+ = R(q, v-, t; p), change by R's derivative along (x_0 + v- tau,
x_1 + a- tau, dz + z' tau, tau, p). Fixed times again,

    x_0+ = x_0 + (v- - v+) tau,   x_1+ = R' - a+ tau,   dz+ = dz + (z'- - z'+) tau.

g and R are explicit formulas: both are differentiated along these directions by differences of
order eight, with the limits that gave an impulse held, and checked against what the run itself did.

Source: [HiskensPai] for jumps of sensitivities; [PfeifferGlocker] for R. Own: the differences.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.drives import Drive
from kempe.dynamics.events.contacts import masses_of, rows_at
from kempe.dynamics.events.event_run import EventRun
from kempe.dynamics.events.impacts import answer_to, caught
from kempe.dynamics.events.legs import LegStart, motion_of
from kempe.dynamics.events.modes import Mode, Running, Side, sides_of
from kempe.dynamics.events.moments import has_new_rows, may_enable, mode_after, moments_named
from kempe.dynamics.events.passages import Passage
from kempe.dynamics.events.watches import MULTIPLIER, Watch
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.errors import GradientError
from kempe.events import Crossing
from kempe.gradients.build_map import BuildMap
from kempe.gradients.legs import (
    Leg,
    Passed,
    Places,
    corner_flows,
    cut_at_corners,
    over_corner,
    rates_of,
    same_rows,
    slope_of,
)
from kempe.gradients.reading_slopes import displaced
from kempe.gradients.smooth_slope import smooth_slope
from kempe.outcome import DONE
from kempe.results import Motion
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Begin = Callable[[Layout], EventRun]

SAME: Final = 1e-8  # of the largest velocity: the formula is what the run did
TOGETHER: Final = 1e-6  # of the slopes of times: things that happen at once do so beside it too
GRAZING: Final = 1e-9  # of a watch's speed: it passes zero no faster
STEP: Final = 2.0**-6  # rad, or sizes of the machine: by how much a place is moved along the motion
LOST: Final = ("dissipated", "driven")  # energies that no formula of a place tells


@final
@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """How a place goes on in a mode: velocities, accelerations, rates of states of all forces."""

    v: FloatArray
    a: FloatArray
    rates: FloatArray


@final
class EventCourse:
    """A motion with events: how its legs, and what happens between them, follow from parameters."""

    def __init__(
        self, motion: Motion, by: BuildMap, begin: Begin, passages: Sequence[Passage]
    ) -> None:
        self.by, self.begin, self.passages = by, begin, list(passages)
        self._runs: dict[tuple[int, float], EventRun] = {}
        self._made: dict[tuple[int, int, float], PreparedDynamics] = {}
        self.home = self._run(0, 0.0)
        self.layout = self.home.first.equations.layout.layout
        self._motion, self._changes = motion, motion.law_changes
        self._all_passages = list(passages)
        last = float(motion.t[-1])
        self.ends_itself = "event" in motion.outcome.facts and self.passages[-1].place.t == last
        within = [p for p in self.passages[1:] if p.place.t < last]
        self.passages = [self.passages[0], *within]
        if self.ends_itself:
            self.passages.append(passages[-1])
        self.legs = self._legs(float(motion.t[0]), last, len(within) + 1)
        # How the numbers of each mode follow from parameters, and how each leg begins.
        self._numbers = [np.zeros((0, len(by.names)))] * len(self.legs)
        self._begun = [np.zeros((0, 0))] * len(self.legs)
        self._corners = corner_flows(motion, self.legs)

    def _legs(self, begins: float, last: float, count: int) -> list[Leg]:
        found: list[Leg] = []
        for number, passage in enumerate(self.passages[:count]):
            ends = self.passages[number + 1].place.t if number + 1 < count else last
            running = passage.onward.running(self.home.modes, passage.after)
            whole = Leg(begins, ends, running.prepared, self._places(running), number)
            found += cut_at_corners(whole, running.of.model.drives, self._changes)
            begins = ends
        return found

    def _places(self, running: Running) -> Places:
        joined = self.home.joined
        rows, held = [-1] * running.prepared.n_rows, [-1] * running.prepared.n_rows
        for key, place in running.row_places().items():
            if key in joined.places:
                rows[place] = joined.places[key]
            elif key[0] != "friction":
                held[place] = joined.held_place(key)
        return Places(running.of.states, rows, held, len(self.home.joined.states))

    def _run(self, k: int, s: float) -> EventRun:
        """The run of a variant, where it begins."""
        key = (k if s else 0, s)
        if key not in self._runs:
            self._runs[key] = self.begin(self.by.layout(self.by.home, k, s))
        return self._runs[key]

    @property
    def follows_slopes(self) -> bool:
        return any(len(_numbers_of(p.after)) for p in self.passages)

    def first(self, k: int, s: float) -> State:
        run = self._run(k, s)
        return replace(run.first.start, states=run.joined.states)

    def variant(self, leg: int, k: int, s: float) -> PreparedDynamics:
        here = self.legs[leg]
        if not s:
            return here.prepared
        if (leg, k, s) not in self._made:
            passage, run = self.passages[here.passage], self._run(k, s)
            place = self._moved(passage.onward, s * self._begun[leg][:, k], 0.0)
            mode = self._mode(run, passage.after, s * self._numbers[leg][:, k])
            made = place.running(run.modes, mode).prepared
            same_rows(made, here.prepared, self.by.names[k], float(self.by.home[k]))
            self._made[leg, k, s] = made
        return self._made[leg, k, s]

    def entered(self, leg: int, y: FloatArray) -> FloatArray:
        here = self.legs[leg]
        if here.is_corner or here.changes:
            self._numbers[leg], self._begun[leg] = self._numbers[leg - 1], self._begun[leg - 1]
            if here.changes:  # what these do to slopes is told by the equations
                return y
            jump = self._corners[leg]
            return over_corner(self.by, self.legs, leg, jump, self._drives, y)
        if not leg:
            self._made.clear()  # numbers of modes are found anew, a little better
        passage = self.passages[here.passage]
        tau = self._tau(leg, passage, y) if here.passage else np.zeros(y.shape[1])
        after, numbers = self._jumped(leg, passage, y, tau)
        self._numbers[leg], self._begun[leg] = numbers, after
        return after

    def passed(self, leg: int, m: int) -> Passed | None:
        here = self.legs[leg]
        if here.changes:
            return None
        late = self.entered(leg, np.zeros((m, len(self.by.names))))
        if here.is_corner:
            return Passed(None, late)
        scales = self._scales(m)
        return Passed(self._still.entered(leg, np.diag(scales)) / scales, late)

    def _scales(self, m: int) -> FloatArray:
        """By how much places, velocities and states may be moved: (m,)."""
        weights = self.layout.step_weights
        place = self.passages[0].place
        fast = float(np.abs(weights * place.v).max(initial=0.0)) or 1.0
        states = np.maximum(np.abs(place.states), 1.0)
        found = np.concatenate([1.0 / weights, fast / weights, states])
        assert len(found) == m
        return found

    @cached_property
    def _still(self) -> "EventCourse":
        """A course like this one, differentiated by the slopes that each leg begins with alone."""
        names = [f"y{k}" for k in range(2 * self.layout.n_v + len(self.home.joined.states))]
        home = self.by.layout(self.by.home)
        still = BuildMap(lambda _: home, dict.fromkeys(names, 1.0), names)
        return EventCourse(self._motion, still, self.begin, self._all_passages)

    def ended(self, y: FloatArray) -> FloatArray:
        if _throws(self.passages[-1]):
            raise GradientError(
                f"velocities jump at t = {self.passages[-1].place.t:.9g} s, where the motion is"
                " ended: its last sample has no slope. End it a little earlier or later."
            )
        return self._tau(len(self.legs), self.passages[-1], y)

    def _drives(self, leg: int, k: int, s: float) -> Sequence[Drive]:
        return self.variant(leg, k, s).equations.layout.model.drives

    def _mode(self, run: EventRun, mode: Mode, more: FloatArray) -> Mode:
        """A mode of the mechanism itself for a variant, whose numbers are so much more."""
        shifts, n = [], len(mode.shifts)
        for (name, value), own in zip(mode.shifts, more[:n].tolist(), strict=True):
            shifts.append((name, value + own))
        latched, at = [], n
        for name, values in mode.latched:
            own = more[at : at + len(values)].tolist()
            latched.append((name, tuple(a + b for a, b in zip(values, own, strict=True))))
            at += len(values)
        known = {(side.stop.name, side.is_low): side for side in sides_of(run.model)}
        resting = frozenset(known[side.stop.name, side.is_low] for side in mode.resting)
        return replace(mode, shifts=tuple(shifts), latched=tuple(latched), resting=resting)

    def _moved(self, place: LegStart, way: FloatArray, dt: float) -> LegStart:
        """A place displaced by y (m,), so much later."""
        n = self.layout.n_v
        q = displaced(self.layout, place.q[None], way[None, :n])[0]
        v, states = place.v + way[n : 2 * n], place.states + way[2 * n :]
        return replace(place, t=place.t + dt, q=q, v=v, states=states)

    def _flow(self, place: LegStart, mode: Mode) -> Flow:
        """How the motion of the mechanism itself goes on from a place."""
        running = place.running(self.home.modes, mode)
        a, some = rates_of(running.prepared, running.prepared.start)
        rates = np.zeros(len(place.states))
        rates[running.of.states] = some
        return Flow(place.v, a, rates)

    def _tau(self, leg: int, passage: Passage, y: FloatArray) -> FloatArray:
        """How the time of an event follows from parameters, (parameters,)."""
        place, flow = passage.place, self._flow(passage.place, passage.before)
        acting = [w for w in passage.met if self._matters(w, passage)]
        if not acting:
            return np.zeros(y.shape[1])
        found = []
        for watch in acting:
            speed = self._speed(watch, passage, flow)
            slopes = []
            for k in range(y.shape[1]):

                def gap(s: float, k: int = k, watch: Watch = watch) -> FloatArray:
                    mode = self._mode(self._run(k, s), passage.before, s * self._before(leg, k))
                    at = self._moved(place, s * y[:, k], 0.0)
                    return np.array([self._gap(self._run(k, s), watch, at, mode)])

                slopes.append(-slope_of(gap, self.by, k, f"what happens at t = {place.t:.6g} s")[0])
            found.append(np.array(slopes) / speed)
        if not all(np.allclose(found[0], one, rtol=TOGETHER, atol=0.0) for one in found):
            raise GradientError(
                f"at t = {place.t:.9g} s things happen at once that beside it do not: which comes"
                " first decides how the motion goes on, and it has no slope from there on.",
                t=place.t,
            )
        return np.asarray(found[0])

    def _before(self, leg: int, k: int) -> FloatArray:
        """How the numbers of the mode before a leg follow from parameter k."""
        return np.asarray(self._numbers[leg - 1][:, k])

    def _matters(self, watch: Watch, passage: Passage) -> bool:
        """Whether velocities or equations jump by what is watched; where a limit is left, neither.

        What only ends the motion matters for where it ends.
        """
        if watch.kind == MULTIPLIER:
            return False
        if watch.side is not None:
            return True
        moment = watch.moment
        assert moment is not None, "rubbing joints were refused"
        if isinstance(moment, Crossing):
            return moment.ends and self.ends_itself and passage is self.passages[-1]
        changes = passage.before != passage.after or _throws(passage)
        return changes and moment.name in passage.acted

    def _speed(self, watch: Watch, passage: Passage, flow: Flow) -> float:
        """How fast what is watched passes zero along the motion."""
        place, run = passage.place, self.home
        if watch.side is not None:
            measured = run.watches.measured(place)
            at = run.watches.gauges.place(watch.side.stop.gauge)
            speed, most = float(measured.rates[at]), float(np.abs(measured.gradients[at] @ place.v))
            speed *= watch.side.sign
            most = float(np.abs(measured.gradients[at]) @ np.abs(place.v))
        else:
            weights = self.layout.step_weights
            fast = float(np.abs(weights * flow.v).max(initial=0.0))
            fast = max(fast, float(np.sqrt(np.abs(weights * flow.a).max(initial=0.0))))
            way = np.concatenate([flow.v, flow.a, flow.rates])

            def gap(h: float) -> FloatArray:
                at = self._moved(place, h * way, h)
                return np.array([self._gap(run, watch, at, passage.before)])

            slope = smooth_slope(gap, STEP / max(fast, 1e-300) if fast else STEP)
            speed = float(slope.values[0]) if slope.doubt <= TOGETHER else 0.0
            most = abs(speed)
        if abs(speed) <= GRAZING * most or not speed:
            raise GradientError(
                f"at t = {place.t:.9g} s an event is only just met: its time has no slope.",
                t=place.t,
            )
        return speed

    def _gap(self, run: EventRun, watch: Watch, place: LegStart, mode: Mode) -> float:
        """What is watched, of a variant at a place: zero where the event happens."""
        if watch.side is not None:
            side = self._side(run, (watch.side.stop.name, watch.side.word))
            return run.watches.gap(side, run.watches.measured(place))
        assert watch.moment is not None
        names = [moment.name for moment in run.watches.moments]
        k = names.index(watch.moment.name)
        if k in run.watches.formula:
            gauges = run.watches.gauges
            values = gauges.formulas(place.q, place.v, place.t, place.last)
            return float(values[run.watches.formula[k]])
        return self._read(run, k, place, mode)

    def _read(self, run: EventRun, moment: int, place: LegStart, mode: Mode) -> float:
        """The expression of a moment that reads more than measures."""
        text = run.expressions.texts[moment]
        if any(name.endswith(LOST) for name in text.names.values()):
            raise GradientError(
                f"event {run.watches.moments[moment].name!r} looks at an energy that was lost or"
                " put in: no formula of the place tells it, so its time has no slope."
            )
        running = place.running(run.modes, mode)
        start = running.prepared.start
        layout, system = (
            running.prepared.equations.layout,
            running.prepared.equations.program.system,
        )
        numbers = layout.with_states(layout.parameters, start.states)
        masses = layout.mass_blocks.reshape(-1)
        at = system.motion(numbers, masses, start.q, start.v, start.t, start.turns)
        lam = np.zeros((1, running.prepared.n_rows))
        lam[0, : len(at.lam)] = at.lam
        nothing = np.full((1, 6), np.nan)
        blocks = masses_of(running, run.watches.size)
        nothing[0, 0] = blocks.kinetic(start.v)
        out = {"q": start.q[None], "v": start.v[None], "a": np.asarray(at.a)[None], "lam": lam}
        out |= {"energy": nothing, "violation": np.zeros((1, 1)), "states": start.states[None]}
        rows = run.joined.rows(running, out, np.array([place.t]), slice(None))
        assert run.expressions.read is not None
        motion = motion_of(run.layout, rows, DONE, run.method)
        return float(run.expressions.read(motion)[0, moment])

    def _side(self, run: EventRun, key: tuple[str, str]) -> Side:
        return next(s for s in run.watches.sides if (s.stop.name, s.word) == key)

    @staticmethod
    def _along(flow: Flow, tau: FloatArray) -> FloatArray:
        """(v, a, z') tau, (m, parameters)."""
        return np.outer(np.concatenate([flow.v, flow.a, flow.rates]), tau)

    def _jumped(
        self, leg: int, passage: Passage, y: FloatArray, tau: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """The slopes after an event, and those of the numbers of the mode after it."""
        n = self.layout.n_v
        flow = self._flow(passage.place, passage.before)
        later = self._flow(passage.onward, passage.after)
        whole = y + self._along(flow, tau)
        after, numbers = whole.copy(), []
        self._refuse_other(leg, passage, self._onward(leg, passage, whole, tau, 0, 0.0)[:n])
        for k in range(y.shape[1]):
            moved = partial(self._onward, leg, passage, whole, tau, k)
            slope = slope_of(moved, self.by, k, f"what happens at t = {passage.place.t:.6g} s")
            after[n : 2 * n, k] = slope[:n]
            numbers.append(slope[n:])
        return after - self._along(later, tau), np.stack(numbers, axis=1)

    def _refuse_other(self, leg: int, passage: Passage, v: FloatArray) -> None:
        """A GradientError where velocities after an event are not those that the run found."""
        weights = self.layout.step_weights
        largest = max(float(np.abs(weights * x).max(initial=0.0)) for x in (passage.place.v, v))
        off = float(np.abs(weights * (v - passage.onward.v)).max(initial=0.0))
        if off > SAME * largest:
            raise GradientError(
                f"at t = {passage.place.t:.9g} s several limits were met one after the other: what"
                " their impulses make of the velocities has no slope that is known.",
                t=passage.place.t,
            )

    def _onward(
        self, leg: int, passage: Passage, whole: FloatArray, tau: FloatArray, k: int, s: float
    ) -> FloatArray:
        """Velocities after an event and the numbers of the mode, of a variant: one array."""
        run = self._run(k, s)
        place = self._moved(passage.place, s * whole[:, k], s * float(tau[k]))
        before = s * self._before(leg, k) if leg else np.zeros(len(_numbers_of(passage.before)))
        mode = self._mode(run, passage.before, before)
        v, mode = self._acted(run, passage, place, mode)
        struck = [self._side(run, key) for key in passage.struck]
        if struck:
            v = self._struck(run, replace(place, v=v), mode, struck, passage.after)
        return np.concatenate([v, _numbers_of(mode)])

    def _acted(
        self, run: EventRun, passage: Passage, place: LegStart, mode: Mode
    ) -> tuple[FloatArray, Mode]:
        """Velocities and mode after the moments of a passage."""
        moments = moments_named(run.model, passage.acted)
        measured, begun = run.watches.measured(place), mode
        if any(may_enable(a, b) for n, b in enumerate(moments) for a in moments[:n]):
            raise GradientError(
                f"at t = {place.t:.9g} s one event undoes what another does at the same moment: of"
                " that no slopes are known.",
                t=place.t,
            )
        for moment in moments:
            mode = mode_after(mode, moment, run.model, run.watches.gauges, measured, place.t)
        if not has_new_rows(begun, mode):
            return place.v, mode
        running = place.running(run.modes, mode.free.unstuck)
        J, rates = _solved_rows(running, place)
        return caught(J, masses_of(running, run.watches.size), place.v, rates).v, mode

    def _struck(
        self, run: EventRun, place: LegStart, mode: Mode, struck: Sequence[Side], after: Mode
    ) -> FloatArray:
        """Velocities after impulses of limits that act together: A P = -(1 + e) g'."""
        free = place.running(run.modes, mode.free)
        J, _ = _solved_rows(free, place)
        measured = run.watches.measured(place)
        at = [run.watches.gauges.place(side.stop.gauge) for side in struck]
        signs = np.array([side.sign for side in struck])
        mass = masses_of(free, run.watches.size)
        answer = answer_to(J, mass, signs[:, None] * measured.gradients[at])
        resting = {(side.stop.name, side.word) for side in after.resting}
        rests = [(side.stop.name, side.word) in resting for side in struck]
        e = np.array([side.stop.restitution for side in struck])
        push = np.linalg.solve(
            answer.matrix, -(1.0 + np.where(rests, 0.0, e)) * (signs * measured.rates[at])
        )
        return np.asarray(place.v + answer.moved @ push)


def _throws(passage: Passage) -> bool:
    """Whether velocities jump."""
    return not np.array_equal(passage.place.v, passage.onward.v)


def _numbers_of(mode: Mode) -> FloatArray:
    """The numbers that a mode holds: shifts of laws, and values that are latched."""
    shifts = [value for _, value in mode.shifts]
    return np.array([*shifts, *(x for _, values in mode.latched for x in values)], dtype=np.float64)


def _solved_rows(running: Running, place: LegStart) -> tuple[FloatArray, FloatArray]:
    """The rows that are solved for, and their rates: beside a place spare ones do not fit."""
    J, rates = rows_at(running.prepared, place)
    solved = running.prepared.equations.program.shape.n_rows
    return J[:solved], rates[:solved]
