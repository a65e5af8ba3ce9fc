"""Sweeping variants: in lanes and threads, and those that end early one by one.

A variant that misses a requirement in its lane is swept again by itself, with steps of its own: it
may get past the place all the same. Where it does not, the ending tells why.
"""

from typing import final

import numpy as np

from kempe.batch.alone import ended_alone, swept_alone
from kempe.batch.asking import NOT_REACHED, REFUSED, WORDS, Ask, FloatArray, Swept, places_of
from kempe.batch.devices import CPU
from kempe.batch.lanes import Lanes
from kempe.batch.starts import padded, started
from kempe.batch.summary import ROWS, as_means, summary_of
from kempe.batch.variants import Build, Group, Variants
from kempe.compile.layout.layout import Layout
from kempe.compile.llvm.lane_sweep import LaneSweep, aligned
from kempe.compile.llvm.machine_code import llvm_available
from kempe.errors import KempeError
from kempe.interruption import put_off
from kempe.outcome import Ending, Outcome


def all_swept(home: Layout, build: Build, found: Variants, ask: Ask) -> Swept:
    """Sweep all variants, each from the assembly that the mechanism at `home` leads to."""
    run = _Run(home, build, found, ask)
    run.sweep()
    return run.result()


@final
class _Run:
    """Variants while they are swept."""

    def __init__(self, home: Layout, build: Build, found: Variants, ask: Ask) -> None:
        self.home, self.build, self.found, self.ask = home, build, found, ask
        places = places_of(ask.read.found(home), plane=home.model.plane)
        rows = ROWS if ask.is_summary else len(ask.times)
        self.values = aligned((ask.orders, places[-1].stop, rows, padded(found.count)))
        self.device_seconds, self.parts = 0.0, 1
        self.starts = np.full((found.count, home.n_q), np.nan) if ask.has_starts else None
        self.samples = np.zeros(found.count, dtype=np.int64)
        self.endings = np.full(found.count, WORDS.index(Ending.INTERRUPTED.value), dtype=np.int8)
        self.reasons = dict(found.refused)
        self.endings[list(found.refused)] = WORDS.index(REFUSED)

    def sweep(self) -> None:
        """All of them; on Ctrl-C those that are done stay."""
        try:
            for group in self.found.groups:
                self._group(group)
        except KeyboardInterrupt as stop:
            put_off(stop)

    def result(self) -> Swept:
        """What was found, NaN where a variant had ended."""
        values = self.values[..., : self.found.count]
        is_summary = self.ask.is_summary
        early = np.flatnonzero(self.samples < len(self.ask.times))
        if is_summary:
            as_means(values, len(self.ask.times))
        for k in early.tolist():
            values[:, :, 0 if is_summary else self.samples[k] :, k] = np.nan
        how = (is_summary, self.device_seconds, self.parts, self.starts)
        return Swept(values, self.samples, self.endings, self.reasons, *how)

    def _group(self, group: Group) -> None:
        can_compile = self.ask.device != CPU or llvm_available()
        prepared = started(self.home, group, self.ask.read) if can_compile else None
        if prepared is None or prepared.equations.program.plan != "small":
            for k in group.which.tolist():
                self._by_itself(k)
            return
        self._in_lanes(Lanes(prepared, group, self.ask), group)

    def _in_lanes(self, lanes: Lanes, group: Group) -> None:
        q, turns, is_reached = lanes.starts()
        whole_batch = len(group.which) == self.found.count
        values = self.values
        if not whole_batch:
            values = aligned((*self.values.shape[:-1], padded(len(group.which))))
        samples = np.zeros(len(group.which), dtype=np.int64)
        lanes.run(q, turns, values, samples)
        samples[~is_reached] = 0
        if not isinstance(lanes.code, LaneSweep):
            self.device_seconds += lanes.code.device_seconds
            self.parts = max(self.parts, lanes.code.parts)
        if not whole_batch:
            self.values[..., group.which] = values[..., : len(group.which)]
        self.samples[group.which] = samples
        if self.starts is not None and self.starts.shape[1] == q.shape[1]:
            self.starts[group.which] = np.where(is_reached[:, None], q, np.nan)
        is_done = is_reached & (samples == len(self.ask.times))
        self.endings[group.which[is_done]] = WORDS.index(Ending.DONE.value)
        self.endings[group.which[~is_reached]] = WORDS.index(NOT_REACHED)
        has_spare = lanes.prepared.equations.program.shape.n_spare > 0
        for j in np.flatnonzero(is_reached & ~is_done).tolist():
            k = int(group.which[j])
            if has_spare:
                self._by_itself(k, q[j])
            else:
                self._put(k, *ended_alone(lanes, j, q[j], turns[j]))

    def _by_itself(self, k: int, q: FloatArray | None = None) -> None:
        try:
            self._put(k, *swept_alone(self.build(self.found.parameters(k)), self.ask, q))
        except KempeError as mistake:
            self.samples[k], self.reasons[k] = 0, str(mistake)
            self.endings[k] = WORDS.index(NOT_REACHED)

    def _put(self, k: int, read: FloatArray, outcome: Outcome) -> None:
        self.endings[k] = WORDS.index(outcome.name)
        self.samples[k] = n = read.shape[-1]
        if not self.ask.is_summary:
            self.values[..., :n, k] = read
        elif n == len(self.ask.times):
            self.values[..., k] = summary_of(read)
