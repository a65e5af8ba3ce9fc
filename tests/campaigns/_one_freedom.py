"""One freedom under forces, between stops: what it does by SciPy, in units of its own."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

Array = NDArray[np.float64]
Law = Callable[[float, float, float], float]  # of t, x, v

STRICT = 1e-12
MOST_LEGS = 600
SLOW = 1e-5  # speeds of rebounds that are as those of a weight
SHARP = 1e-10  # how long the step is that meets a corner
OFF_CORNER = 1e-13  # a speed, where a force jumps at rest: its sign is that of the force
SCANNED = 400  # places where a force at rest is looked at


@dataclass(frozen=True)
class Load:
    """A force by its formula, what it stores, and where its formula changes over."""

    force: Law
    stored: Callable[[float], float] | None = None
    corners: tuple[Law, ...] = ()


WITHIN = np.linspace(0.0, 1.0, 9)[:-1]  # of a step
BEYOND = 1e-10  # a limit, of the machine's size


@dataclass(frozen=True)
class Limit:
    """A place that is not passed, and what is left of the speed there."""

    at: float
    side: int  # +1: it lies above, -1: below
    restitution: float


class Hit(NamedTuple):
    """An impact on limit `which`, a rest that begins there, or one that ends."""

    t: float
    kind: str
    which: int
    speed: float


@dataclass
class Told:
    """States (x, v) at the samples, what holds it there, and what happened."""

    states: Array
    held: Array  # effort of the limit that it rests on, (n,)
    resting: list[int | None]
    hits: list[Hit] = field(default_factory=list)


class TooFine(Exception):
    """Rounding decides what happens."""


@dataclass(frozen=True)
class Freedom:
    """mass x'' = sum of the loads, between limits."""

    mass: float
    loads: tuple[Load, ...]
    limits: tuple[Limit, ...] = ()

    def pushed(self, t: float, x: float, v: float) -> float:
        """All forces at an instant."""
        return sum(load.force(t, x, v) for load in self.loads)

    def moved(self, x: float, v: float, times: Array) -> Told:
        """From (x, v) at the first of the times to the last."""
        told = Told(np.full((len(times), 2), np.nan), np.zeros(len(times)), [None] * len(times))
        now, rests = float(times[0]), self._touched(float(times[0]), x, v)
        if rests is not None and self._leaves(now, rests, v):
            rests = None
        if rests is not None:
            limit = self.limits[rests]
            if limit.side * v > 0.0:
                told.hits.append(Hit(now, "impact", rests, abs(v)))
                v *= -limit.restitution
            if v == 0.0 and limit.side * self.pushed(now, x, 0.0) > 0.0:
                told.hits.append(Hit(now, "contact", rests, 0.0))
            else:
                rests = None
        told.states[0] = x, v
        for _ in range(MOST_LEGS):
            if rests is not None:
                x, v = self.limits[rests].at, 0.0
                now = self._rested(now, rests, times, told)
                if now < times[-1]:
                    told.hits.append(Hit(now, "departure", rests, 0.0))
                rests = None
            else:
                now, x, v, rests = self._flown(now, x, v, times, told)
            if now >= times[-1]:
                return told
        raise TooFine

    def _touched(self, t: float, x: float, v: float) -> int | None:
        for k, limit in enumerate(self.limits):
            if x == limit.at and limit.side * v >= 0.0:
                return k
        return None

    def _leaves(self, t: float, k: int, v: float) -> bool:
        limit = self.limits[k]
        return v == 0.0 and limit.side * self.pushed(t, limit.at, 0.0) <= 0.0

    def _rested(self, now: float, k: int, times: Array, told: Told) -> float:
        """Until the forces pull it off."""
        limit = self.limits[k]

        def into(t: float) -> float:
            return limit.side * self.pushed(t, limit.at, 0.0)

        end = float(times[-1])
        grid = np.linspace(now, end, SCANNED)
        values = np.array([into(float(t)) for t in grid])
        below = np.flatnonzero(values[1:] < 0.0)
        until = end
        if len(below):
            j = int(below[0])
            until = now if values[j] <= 0 else float(brentq(into, grid[j], grid[j + 1], xtol=1e-15))
        for j in np.flatnonzero((times >= now) & (times <= until)):
            told.states[j] = limit.at, 0.0
            told.held[j] = -limit.side * into(float(times[j]))
            told.resting[int(j)] = k
        return until

    def _flown(
        self, now: float, x: float, v: float, times: Array, told: Told
    ) -> tuple[float, float, float, int | None]:
        """Until it meets a limit, or a formula changes over."""
        corners = [corner for load in self.loads for corner in load.corners]
        events: list[Any] = []
        away = 1e-9 * max(1.0, abs(v))
        end = float(times[-1])
        limits = self.limits
        is_free = all(x != limit.at for limit in limits)
        if is_free and v == 0.0 and any(corner(now, x, v) == 0.0 for corner in corners):
            v = math.copysign(OFF_CORNER, self._turned(now, x, v))  # on neither side of a jump
        if any(x == limit.at for limit in limits):  # SciPy finds the zero at the start again
            end = min(end, now + self._hop(now, x, v))
            limits = ()
        for limit in limits:
            events.append(_passed(lambda _t, y, at=limit.at: y[0] - at, float(limit.side)))
        for corner in corners:
            here = corner(now, x, v)
            rate = (
                corner(now + away, x + away * v, v + away * self._turned(now, x, v)) - here
            ) / away
            side = math.copysign(1.0, here if abs(here) > 1e-9 else rate)
            events.append(_passed(lambda t, y, c=corner: c(t, y[0], y[1]), -side))
        leg = self._moved_on(now, end, x, v, events, 0.01 if corners else 0.05)
        while leg.status == 1 and not any(len(leg.t_events[k]) for k in range(len(limits))):
            # the last step has seen beyond a corner: it is taken again, in shorter ones
            before, last = float(leg.t[-2]), float(leg.t[-1])
            if last - before <= SHARP:
                break
            self._noted(leg, now, before, times, told)
            now, (x, v) = before, (float(y) for y in leg.y[:, -2])
            longest, until = 0.1 * (last - now), min(end, 3 * last - 2 * now)
            leg = self._moved_on(now, until, x, v, events, longest)
        self._noted(leg, now, float(leg.t[-1]), times, told)
        now, (x, v) = float(leg.t[-1]), (float(y) for y in leg.y[:, -1])
        for k, limit in enumerate(limits):
            if leg.status == 1 and len(leg.t_events[k]):
                told.hits.append(Hit(now, "impact", k, abs(v)))
                return self._thrown(now, -limit.restitution * v, k, times, told)
        return now, x, v, None

    def _moved_on(
        self, now: float, end: float, x: float, v: float, events: list[Any], longest: float
    ) -> Any:
        """From (x, v) to the end or to the first of the events, in steps of at most `longest`."""
        leg = self._solved(now, end, x, v, events, longest)
        turn = self._first_beyond(leg)
        if turn is not None:  # to where it turns there, so that the last step ends beyond
            leg = self._solved(now, turn, x, v, events, longest)
            if leg.status != 1:
                raise TooFine
        return leg

    def _solved(
        self, now: float, end: float, x: float, v: float, events: list[Any], longest: float
    ) -> Any:
        """By SciPy, which looks for events at the ends of its steps alone."""
        is_stiff = self._is_stiff(now, x, v)
        leg = solve_ivp(
            lambda t, y: [y[1], self.pushed(t, y[0], y[1]) / self.mass],
            (now, end),
            [x, v],
            method="Radau" if is_stiff else "DOP853",
            dense_output=True,
            events=events,
            rtol=1e-11 if is_stiff else STRICT,
            atol=STRICT / 10,
            max_step=longest,
        )
        if leg.status < 0:
            raise TooFine
        return leg

    def _first_beyond(self, leg: Any) -> float | None:
        """Where it first turns back beyond a limit that it had passed within one step."""
        grid = np.append((leg.t[:-1, None] + np.outer(np.diff(leg.t), WITHIN)).ravel(), leg.t[-1])
        v = leg.sol(grid)[1]
        for j in np.flatnonzero(v[:-1] * v[1:] < 0.0):
            turn = float(brentq(lambda t: leg.sol(t)[1], grid[j], grid[j + 1], xtol=1e-15))
            x = float(leg.sol(turn)[0])
            if any(limit.side * (x - limit.at) > BEYOND for limit in self.limits):
                return turn
        return None

    def _noted(self, leg: Any, after: float, until: float, times: Array, told: Told) -> None:
        """Puts down the samples of a leg between two times."""
        inside = (times > after) & (times <= until)
        if inside.any():
            told.states[inside] = leg.sol(times[inside]).T

    def _thrown(
        self, now: float, v: float, k: int, times: Array, told: Told
    ) -> tuple[float, float, float, int | None]:
        """After an impact: bounces too low to be told apart are over as a geometric series is."""
        limit = self.limits[k]
        into = limit.side * self._turned(now, limit.at, 0.0)
        if abs(v) > SLOW or into <= 0.0 or limit.restitution == 1.0:
            return now, limit.at, v, None
        if v and abs(v) > 1e-3 * into:
            raise TooFine
        over = now + 2.0 * abs(v) / (into * (1.0 - limit.restitution))
        for j in np.flatnonzero((times > now) & (times <= over)):
            told.states[j] = limit.at, 0.0
        if over < times[-1]:
            told.hits.append(Hit(over, "contact", k, 0.0))
        return over, limit.at, 0.0, k

    def _hop(self, now: float, x: float, v: float) -> float:
        """A time in which it comes back to no limit, and reaches no other."""
        gap = min([abs(x - limit.at) for limit in self.limits if limit.at != x], default=1.0)
        turned = abs(self._turned(now, x, v)) + 1e-9
        if v == 0.0:
            return min(1e-3, 0.1 * math.sqrt(gap / turned))
        return min(0.01, 0.5 * abs(v) / turned, 0.3 * gap / abs(v))

    def _turned(self, t: float, x: float, v: float) -> float:
        return self.pushed(t, x, v) / self.mass

    def _is_stiff(self, t: float, x: float, v: float) -> bool:
        d = 1e-6
        slope = (self.pushed(t, x, d) - self.pushed(t, x, -d)) / (2 * d) / self.mass
        return slope < -3e3


def _passed(of: Callable[[float, Array], float], direction: float) -> Any:
    def event(t: float, y: Array) -> float:
        return of(t, y)

    event.terminal = True  # type: ignore[attr-defined]
    event.direction = direction  # type: ignore[attr-defined]
    return event
