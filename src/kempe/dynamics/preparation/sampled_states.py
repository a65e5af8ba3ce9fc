"""Controllers that are asked at certain times, and hold what they answered in between."""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.elements import asking
from kempe.compile.trace.force_tracing import Sight, sight_of
from kempe.dynamics.preparation.user_functions import AbstractAsker
from kempe.equations.equations import DynamicEquations
from kempe.errors import FormulaError
from kempe.forces import AbstractForce, Instant

FloatArray = NDArray[np.float64]

ROUNDED = 1e-9  # of a period: times that are one but for rounding
LAST_DIGITS = 1e-15  # of a time: k period + delay and m period may be one but for these


@final
@dataclass(frozen=True, slots=True, eq=False)
class Clocked:
    """One controller with a clock: what it sees, which turns and which states are its own."""

    sight: Sight
    turns: list[int]  # among those of the program
    first: int  # of its states, among all of the program

    @property
    def force(self) -> AbstractForce:
        """The controller."""
        force: AbstractForce = self.sight.force
        return force

    @property
    def own(self) -> slice:
        """Its states among all."""
        return slice(self.first, self.first + len(self.force.states))

    def answers(
        self, q: FloatArray, v: FloatArray, t: float, last: FloatArray, z: FloatArray
    ) -> list[float]:
        """Its states after it was asked at time t; a FormulaError where it gives none."""
        seen = self.sight.instant(q, v, t, last[self.turns])
        now = Instant(t, seen.X, seen.V, seen.gauges, tuple(z[self.own].tolist()))
        force, who = self.force, f"the function of force {self.force.name!r}"
        with asking(who):
            found = list(force.sampled(now))
        if len(found) != len(force.states):
            raise FormulaError(f"{who} gave {len(found)} states instead of {len(force.states)}.")
        for word, value in zip(force.states, found, strict=True):
            if not math.isfinite(value):
                raise FormulaError(f"{who} returned {value} for {word!r} at t = {t:.9g} s.")
        return found


@final
@dataclass(eq=False)
class Sampling(AbstractAsker):
    """The clocks of all controllers along one run: who is asked when, and what waits for its time.

    `told` are the controllers of the present program, by name; a run with events has several.
    """

    start: float  # s: clocks begin here
    asked: dict[str, int] = field(default_factory=dict)  # how often, by name
    waiting: list[tuple[float, int, str, float]] = field(default_factory=list)  # when, whose, what
    told: tuple[Clocked, ...] = field(default=(), init=False)

    def begin(self, told: tuple[Clocked, ...], times: FloatArray, stops: FloatArray) -> FloatArray:
        """The stops of a leg of these controllers: those of drives, and when clocks strike."""
        self.told = told
        pairs = stops.reshape(-1, 2)
        own = np.array(self._strikes(float(times[0]), float(times[-1])), dtype=np.float64)
        if len(pairs):  # a drive that changes at the same time stops it there already
            place = np.searchsorted(pairs[:, 1], own).clip(max=len(pairs) - 1)
            own = own[(own < pairs[place, 0]) | (own > pairs[place, 1])]
        both = np.concatenate([pairs, np.stack([own, own], axis=1)])
        return np.ascontiguousarray(both[np.argsort(both[:, 0], kind="stable")].reshape(-1))

    def _strikes(self, after: float, end: float) -> list[float]:
        """The times (s) in (after, end) at which anything is asked or takes effect.

        Of those that are one but for their last digits the latest: then all of them have come.
        """
        times: set[float] = {when for when, *_ in self.waiting}
        for one in self.told:
            assert one.force.clock is not None
            period, delay = one.force.clock
            first = max(0, math.floor((after - self.start - delay) / period) - 1)
            for k in range(first, math.ceil((end - self.start) / period) + 1):
                t = self.start + k * period
                times |= {t, t + delay}
        ordered = sorted({*times, end})
        latest = [a for a, b in pairwise(ordered) if b - a > LAST_DIGITS * abs(b)]
        return [t for t in latest if after < t < end]

    def states(
        self, q: FloatArray, v: FloatArray, t: float, last: FloatArray, z: FloatArray
    ) -> FloatArray:
        """All states once every controller whose time has come was asked."""
        states = np.array(z)
        for one in self.told:
            assert one.force.clock is not None
            (period, delay), name = one.force.clock, one.force.name
            count = self.asked.get(name, 0)
            due = math.floor((t - self.start) / period + ROUNDED) + 1
            if due > count:
                exact = self.start + (due - 1) * period  # what the function is told of the time
                answer = one.answers(q, v, exact, last, states)
                self.asked[name] = due
                states[one.first + 1 : one.own.stop] = answer[1:]
                heapq.heappush(self.waiting, (exact + delay, due, name, answer[0]))
        places = {one.force.name: one.first for one in self.told}
        while self.waiting and self.waiting[0][0] <= t:
            _, _, name, value = heapq.heappop(self.waiting)
            if name in places:
                states[places[name]] = value
        return states

    def __call__(
        self, q: FloatArray, v: FloatArray, t: float, last: FloatArray, z: FloatArray
    ) -> Any:
        """The states for the integrator, which stops where it gets None."""
        return self.attempt(self.states, q, v, t, last, z)


def clocked_of(equations: DynamicEquations) -> tuple[Clocked, ...]:
    """The controllers of a model that are asked by a clock."""
    layout, counted = equations.layout, equations.program.shape.force_counted
    first_turn = equations.program.shape.n_turns - len(counted)
    found, first = [], 0
    for number, element in enumerate(layout.forces):
        if element.force.clock is not None:
            places: Sequence[int] = layout.layout.markers_of(element)
            sight = sight_of(layout.layout.chart, element, places)
            turns = [first_turn + counted.index((number, reading)) for reading in sight.turned]
            found.append(Clocked(sight, turns, first))
        first += len(element.force.states)
    return tuple(found)
