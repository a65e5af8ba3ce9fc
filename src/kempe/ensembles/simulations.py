"""Simulations of many variants and starts, in threads, each with steps of its own.

Every run is one of `simulate`: the same equations, method, tolerance and audits. What all have in
common is made once. A mechanism that starts in many ways is prepared once, and so are the formulas
by which motions are read; variants are built one by one, and share the program of their structure.
"""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.asking import NOT_REACHED, REFUSED, WORDS, Swept
from kempe.batch.lanes import PARTS_A_THREAD
from kempe.batch.summary import ROWS, as_means, summary_of
from kempe.compile.layout.dynamic_layout import velocities_at_centres
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name
from kempe.dynamics.integration import Method
from kempe.dynamics.preparation.preparation import PreparedDynamics, centred_state, prepare
from kempe.dynamics.simulation import simulate_prepared
from kempe.ensembles.observing import Observing
from kempe.ensembles.on_cards import Device, reason_against
from kempe.ensembles.starts import Starts
from kempe.errors import KempeError
from kempe.interruption import put_off
from kempe.kinematics.reactions.loads import frictions_of
from kempe.outcome import Ending
from kempe.results import Motion
from kempe.results.motion import Repeatable
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Run = Callable[[FloatArray], Motion]  # of samples at these times
TURN: Final = 2.0 * np.pi


@final
@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """What is simulated: so many runs of a mechanism at `home`, over these times.

    `variant` gives the layout of each, `home` itself where nothing varies but the start.
    `alone` simulates a layout from a state, or from its own start, in every generality.
    """

    home: Layout
    variant: Callable[[int], Layout] | None
    count: int
    times: FloatArray
    method: Method
    tolerance: float
    alone: Callable[[Layout, State | None, FloatArray], Motion]
    again: Callable[[Run, FloatArray], Repeatable]
    starts: Starts | None = None
    angles: dict[str, FloatArray] | None = None  # rad, that are given at the start, by name


def all_simulated(
    runs: Runs,
    observing: Observing,
    threads: int,
    *,
    is_summary: bool,
    device: Device | None = None,
) -> Swept:
    """All of them: what is read, and how each ended. A `device` runs those that it can."""
    task = _Task(runs, observing, is_summary)
    if device is not None:
        task.run_on(device)
    task.run(threads)
    return task.result()


def state_of(runs: Runs, k: int) -> State | None:
    """The state of the bodies' origins that run k starts with; None where it is its model's."""
    starts = runs.starts
    if starts is None:
        return None
    return State(float(runs.times[0]), starts.q[k], starts.v[k], angles=_turned(runs, k))


def _turned(runs: Runs, k: int) -> dict[str, float]:
    """The angles (rad) that run k starts with and that have turned.

    In space those too that couplers count from there on: nothing else tells them.
    """
    angles = {name: float(x[k]) for name, x in (runs.angles or {}).items()}
    starts, layout = runs.starts, runs.home
    if starts is not None and layout.model.couplers and not layout.model.plane:
        gauges = gauges_by_name(layout.model)
        for (element, reading), turns in zip(starts.counted, starts.turns[k], strict=True):
            if element >= layout.first_drive:  # what holds the start, and nothing afterwards
                continue
            gauge = layout.elements[element].gauges[reading]
            if gauges.get(gauge.name) == gauge:
                angles.setdefault(gauge.name, float(turns))
    return {name: x for name, x in angles.items() if abs(x) > 0.5 * TURN}


@final
class _Task:
    """Runs while they are simulated."""

    def __init__(self, runs: Runs, observing: Observing, is_summary: bool) -> None:
        self.runs, self.observing, self.is_summary = runs, observing, is_summary
        rows = ROWS if is_summary else len(runs.times)
        shape = (runs.count, observing.orders, observing.scalars, rows)
        self.values = np.full(shape, np.nan)
        self.samples = np.zeros(runs.count, dtype=np.int64)
        self.endings = np.full(runs.count, WORDS.index(Ending.INTERRUPTED.value), dtype=np.int8)
        self.reasons: dict[int, str] = {}
        self.is_taken = np.zeros(runs.count, dtype=bool)  # by a device
        self.device_seconds, self.device_parts = 0.0, 1
        self.shared: PreparedDynamics | None = None
        if runs.variant is None and is_plain(runs.home):
            self.shared = prepare(runs.home, float(runs.times[0]))

    def run_on(self, device: Device) -> None:
        """Those that a device can run, alike ones together."""
        runs = self.runs
        first = self.shared or prepare(runs.home, float(runs.times[0]))
        device.refuse(runs.home, first, runs.method, runs.tolerance)
        self._on(device, first)
        self.device_seconds, self.device_parts = device.seconds, device.parts

    def _on(self, device: Device, first: PreparedDynamics) -> None:
        runs = self.runs
        if self.shared is not None and runs.starts is not None:
            mine = np.flatnonzero(runs.starts.is_reached & ~self._turned_far())
            if len(mine):
                part = runs.starts.of(mine)
                self._take(mine, device.run([runs.home], [first], runs.times, runs.tolerance, part))
            return
        alike: dict[int, list[tuple[int, Layout, PreparedDynamics]]] = {}
        for k in range(runs.count):
            with suppress(KempeError):  # it is refused when it is its turn
                layout = runs.home if runs.variant is None else runs.variant(k)
                if is_plain(layout):
                    ready = prepare(layout, float(runs.times[0]))
                    if not reason_against(layout, ready):
                        shape = ready.equations.program.shape
                        alike.setdefault(id(shape), []).append((k, layout, ready))
        for same in alike.values():
            numbers, layouts, prepared = zip(*same, strict=True)
            found = device.run(layouts, prepared, runs.times, runs.tolerance)
            self._take(np.array(numbers), found)

    def _turned_far(self) -> NDArray[np.bool_]:
        """Which runs start with angles that have turned."""
        given = (self.runs.angles or {}).values()
        far = np.zeros(self.runs.count, dtype=bool)
        for angles in given:
            far |= np.abs(angles) > 0.5 * TURN
        return far

    def _take(self, numbers: NDArray[np.intp], found: tuple[FloatArray, NDArray[np.bool_]]) -> None:
        """What a device has done."""
        values, done = found
        mine = numbers[done]
        self.values[mine] = np.moveaxis(values[..., done], -1, 0)
        self.samples[mine] = len(self.runs.times)
        self.endings[mine] = WORDS.index(Ending.DONE.value)
        self.is_taken[mine] = True

    def run(self, threads: int) -> None:
        """All of them; on Ctrl-C those that are done stay."""
        parts = _parts(self.runs.count, threads)
        try:
            if threads <= 1:
                for part in parts:
                    self._part(part)
                return
            pool = ThreadPoolExecutor(threads, thread_name_prefix="kempe-ensemble")
            try:
                for ended in [pool.submit(self._part, part) for part in parts]:
                    ended.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
        except KeyboardInterrupt as stop:
            put_off(stop)

    def result(self) -> Swept:
        """What was found, NaN where a run had ended."""
        values = np.moveaxis(self.values, 0, -1)  # (orders, scalars, rows, runs)
        if self.is_summary:
            as_means(values, len(self.runs.times))
        on_device = self.device_seconds, self.device_parts
        return Swept(values, self.samples, self.endings, self.reasons, self.is_summary, *on_device)

    def _part(self, part: range) -> None:
        for k in part:
            self._one(k)

    def _one(self, k: int) -> None:
        if self.is_taken[k]:
            return
        starts = self.runs.starts
        if starts is not None and not starts.is_reached[k]:
            self._refused(k, NOT_REACHED, starts.reasons.get(k, ""))
            return
        try:
            layout = self.runs.home if self.runs.variant is None else self.runs.variant(k)
        except KempeError as mistake:
            self._refused(k, REFUSED, str(mistake))
            return
        try:
            self._put(k, layout, self._motion(k, layout))
        except KempeError as mistake:
            self._refused(k, NOT_REACHED, str(mistake))

    def _motion(self, k: int, layout: Layout) -> Motion:
        run = self._run_of(k, layout)
        return replace(run(self.runs.times), again=self.runs.again(run, self.runs.times))

    def _run_of(self, k: int, layout: Layout) -> Run:
        runs, state = self.runs, state_of(self.runs, k)
        prepared = self.shared
        if prepared is None and state is None and is_plain(layout):
            prepared = prepare(layout, float(runs.times[0]))
        elif prepared is not None and state is not None:
            prepared = self._standing(prepared, state, k)
        if prepared is None:
            return lambda times: runs.alone(layout, state, times)
        ready, model = prepared, layout.model
        return lambda times: simulate_prepared(ready, model, times, runs.method, runs.tolerance)

    def _standing(self, prepared: PreparedDynamics, at: State, k: int) -> PreparedDynamics | None:
        """The mechanism at a state; None where it is not known how often what is counted turned."""
        starts, shape = self.runs.starts, prepared.equations.program.shape
        assert starts is not None
        places = {pair: place for place, pair in enumerate(starts.counted)}
        if any(pair not in places for pair in shape.counted):
            return None
        turns = starts.turns[k, [places[pair] for pair in shape.counted]]
        there = centred_state(prepared.equations, replace(at, turns=turns))
        v = velocities_at_centres(self.runs.home.model, at.q[None], at.v[None])[0]
        start = replace(there, v=v, states=prepared.start.states)
        return replace(prepared, start=start, changes=(), moved=())

    def _put(self, k: int, layout: Layout, motion: Motion) -> None:
        n = len(motion)
        self.endings[k], self.samples[k] = WORDS.index(motion.outcome.name), n
        if not motion.outcome.is_done:
            self.reasons[k] = str(motion.outcome)
        read = self.observing.read(layout, motion)
        if not self.is_summary:
            self.values[k, ..., :n] = read
        elif n == len(self.runs.times):
            self.values[k] = summary_of(read)

    def _refused(self, k: int, word: str, why: str) -> None:
        self.endings[k] = WORDS.index(word)
        if why:
            self.reasons[k] = why


def is_plain(layout: Layout) -> bool:
    """Whether a simulation is one run of the equations: without events or what sticks."""
    model = layout.model
    sticks = any(friction.sticks for friction in frictions_of(model))
    return not (layout.n_own or model.events or sticks)


def _parts(count: int, threads: int) -> list[range]:
    many = min(count, max(1, threads) * PARTS_A_THREAD)
    edges = [count * k // many for k in range(many + 1)]
    return [range(a, b) for a, b in itertools.pairwise(edges)]
