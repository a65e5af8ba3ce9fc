"""Variants in lanes: one compiled sweep, what its steps must satisfy, and threads that run it."""

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, cast, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.batch.asking import Ask, places_of
from kempe.batch.devices import CPU, sweep_code
from kempe.batch.numbers import driven
from kempe.batch.starts import Home, lanes_of, led_from, padded
from kempe.batch.summary import summary_of
from kempe.batch.variants import Group
from kempe.compile.layout.layout import Layout
from kempe.compile.llvm.lane_sweep import WIDTH, LaneArrays, LaneLimits, LaneTask, aligned
from kempe.compile.small.reading_tape import Read, reading_tape
from kempe.kinematics.observe.observation import whole_turns
from kempe.kinematics.stepping.newton import CONVERGED
from kempe.kinematics.stepping.stretch import PIVOT_FLOOR, WATCHED
from kempe.kinematics.stepping.sweep_start import Prepared
from kempe.measures import Gauge

FloatArray = NDArray[np.float64]

START_LEASH: Final = 0.5  # rad and sizes of the machine: Newton's way to a variant's start
PARTS_A_THREAD: Final = 8  # between two of them Ctrl-C is heard
SUMMARISED: Final = 256  # variants whose samples stand in memory until they are summarised


@final
class Lanes:
    """The sweep of the variants of a group, compiled; `prepared` stands where they start from."""

    def __init__(self, prepared: Prepared, group: Group, ask: Ask) -> None:
        self.prepared, self.group, self.ask = prepared, group, ask
        self.home: Layout = prepared.equations.layout
        self.readings: Sequence[Read] = ask.read.found(group.layout)
        self.tape = reading_tape(group.layout, self.readings)
        turning = self.home.coordinates.is_angular
        units = (*("rad" if turns else "m" for turns in turning), *("own",) * self.home.n_own)
        is_flat = self.home.chart.is_flat
        task = LaneTask(prepared.equations.program.tape, self.tape, units, ask.orders, is_flat)
        self.code = sweep_code(task, ask.device, is_summary=ask.is_summary)
        self.shared = self._shared()
        self.parameters, self.read = (group.numbers.part(name) for name in ("all", "read"))
        sizes = group.numbers.sizes
        self.sizes = np.where(sizes > 0.0, sizes, self.home.size)
        self.aims = self._aims()

    def starts(self) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
        """Coordinates and turns of all variants at the first time, and which were reached."""
        start = self.prepared.start
        size = self.prepared.equations.layout.size
        here = Home(self.prepared.equations.parameters, start.q, start.turns, size)
        t, count = float(self.ask.times[0]), len(self.parameters)
        q, turns = (np.empty((count, len(x))) for x in (here.q, here.turns))
        is_reached = np.empty(count, dtype=bool)

        def lead(part: slice) -> None:
            numbers, sizes = self.parameters[part], self.sizes[part]
            found = led_from(here, self.code, self.shared, t, numbers, sizes)
            q[part], turns[part], is_reached[part] = found

        if self.ask.device == CPU:
            in_threads(lead, padded(count), self.ask.threads)
        else:
            lead(slice(0, count))
        return q, turns, is_reached

    def run(
        self, q: FloatArray, turns: FloatArray, values: FloatArray, samples: NDArray[np.int64]
    ) -> None:
        """Sweep all variants from their starts; what is read, and how many samples each passed.

        Of a summary the sums stand where means belong.
        """
        mine = LaneArrays(
            parameters=lanes_of(self.parameters),
            read=lanes_of(self.read),
            q=lanes_of(q),
            turns=lanes_of(turns),
            sizes=lanes_of(1.0 / self.sizes[:, None]),
            aims=lanes_of(self.aims),
        )

        def run(part: slice) -> None:
            if self.ask.is_summary and self.ask.device == CPU:
                reached = self._summarised(mine, values, part)
            else:
                reached = self.code.run(self.ask.times, self.shared, mine, values, part)
            stop = min(part.stop, len(samples))
            samples[part.start : stop] = reached[: stop - part.start]

        if self.ask.device == CPU:
            in_threads(run, values.shape[-1], self.ask.threads)
        else:
            run(slice(0, values.shape[-1]))

    def _summarised(self, mine: LaneArrays, values: FloatArray, part: slice) -> NDArray[np.int64]:
        """Sweep a part of the variants, few at a time, and keep a summary of each."""
        reached = np.zeros(part.stop - part.start, dtype=np.int64)
        for begin in range(part.start, part.stop, SUMMARISED):
            here = slice(begin, min(part.stop, begin + SUMMARISED))
            own = mine.part(here)
            room = (*values.shape[:2], len(self.ask.times), own.q.shape[1])
            samples = aligned(room)
            found = self.code.run(self.ask.times, self.shared, own, samples)
            reached[here.start - part.start : here.stop - part.start] = found
            values[..., here] = summary_of(samples)
        return reached

    def _shared(self) -> LaneLimits:
        equations, start = self.prepared.equations, self.prepared.start
        tape = equations.program.tape
        equations.evaluate(start.q, start.t, start.turns)
        pivots = cast("core.TapeSystem", equations.program.system).pivots()
        signs = np.ones(max(1, len(tape.blocks)))
        for pivot, block in zip(pivots, tape.pivot_blocks, strict=True):
            signs[block] *= np.copysign(1.0, pivot)
        floors = PIVOT_FLOOR * self.prepared.pivots
        weights = np.ones(self.home.n_v)
        weights[self.home.coordinates.own_v] = [u.scale for _, u in self.home.own_unknowns]
        limits = np.array([START_LEASH, 1.0 / CONVERGED, 1.0 / WATCHED])
        return LaneLimits(signs, np.concatenate([floors, floors]), weights, limits)

    def _aims(self) -> FloatArray:
        """Near which whole turns (rad) angles start: as their drives say, else as at home."""
        told, count = self.group.numbers.part("told"), len(self.parameters)
        drives = driven(self.group.layout, self.readings, float(self.ask.times[0]))
        laws = {k: j for j, (k, _) in enumerate(drives)}
        places = places_of(self.readings, plane=self.home.model.plane)
        columns = []
        for k, (one, place) in enumerate(zip(self.readings, places, strict=True)):
            if self.tape.wrapped[place.start] and k in laws:
                columns.append(told[:, laws[k]])
            elif self.tape.wrapped[place.start]:
                columns.append(np.full(count, self._turns_at_home(one, place.start)))
        return np.column_stack(columns) if columns else np.zeros((count, 0))

    def _turns_at_home(self, one: Read, scalar: int) -> float:
        assert isinstance(one, Gauge)
        start = self.prepared.start
        numbers = self.ask.read.numbers(self.home).part("read")
        row = np.concatenate([start.q, np.zeros(2 * self.home.n_v), numbers])[None]
        found = native_tape(self.tape.tape).evaluate(row, self.tape.values[[scalar]])
        return whole_turns(self.home, start, one, float(found[0, 0]))


def in_threads(run: Callable[[slice], None], variants: int, threads: int) -> None:
    """Parts of the variants, in multiples of eight, by so many threads."""
    groups = variants // WIDTH
    many = min(groups, max(1, threads) * PARTS_A_THREAD)
    edges = [WIDTH * (groups * k // many) for k in range(many + 1)]
    parts = [slice(a, b) for a, b in itertools.pairwise(edges)]
    if threads <= 1:
        for part in parts:
            run(part)
        return
    pool = ThreadPoolExecutor(threads, thread_name_prefix="kempe-batch")
    try:
        for ended in [pool.submit(run, part) for part in parts]:
            ended.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def usable_cores() -> int:
    """How many threads this process may run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
