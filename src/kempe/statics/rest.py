"""Finding where a mechanism rests, from any start.

*Downhill* (the default): steps of a trust region along the freedoms that the rows leave, with the
exact stiffness. Where the stiffness is indefinite its eigenvalues count by their size, so that a
step leads away from a saddle. Nothing but forces is asked for: a step is good where what pushes
along it does not turn round too far, which for forces with a potential says that it fell.
*Nearest*: damped Newton steps towards a place without push, stable or not.

Source: [NocedalWright] chapter 4 for the trust region, [Dauphin] for eigenvalues by
their size, [More] for the damping; slopes alone in place of a potential: Own.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import FormulaError
from kempe.outcome import DONE, Ending, Outcome
from kempe.results.state import State
from kempe.statics.stability import Stability, stability
from kempe.statics.system import Balance, StaticSystem

FloatArray = NDArray[np.float64]
Gaps = Callable[[State], FloatArray]

HALVINGS = 60  # of a step that passes a limit
SEEK = ("stable", "nearest")
BALANCED = 1e-10  # of the largest push: what may be left of it
FELT = 3e-5  # of the stiffness: a push that rounding of places makes (3e-15) is balanced
ROUNDED = 1e-15  # of it: nothing more can be had
FIRST_RADIUS, LEAST_RADIUS = 0.3, 1e-12  # sizes of the machine, or rad
LONGEST_TURN = 1.5  # rad a step: whole turns are counted from one to the next
FURTHEST = 1e8  # sizes of the machine: beyond that it falls for ever
MANY_TURNS = 60.0  # rad after which it is asked whether it will ever stop
MOST_STEPS = 2000
MOST_PUSHES = 20  # off balances that do not last
PUSH = 0.02  # sizes of the machine, or rad
TURNED_ROUND = 0.5  # of the push along a step at its start: more, backwards, at its end is too far
POLISHES = 6
TURN = 2.0 * np.pi


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """Where a search has ended, and why."""

    here: Balance
    outcome: Outcome
    steps: int
    pushes: int  # off balances that do not last
    met: tuple[int, ...] = ()  # limits that it was stopped by on the way
    is_nearest: bool = False  # where downhill came to no end: the balance nearest to the start


def rest(
    system: StaticSystem, start: State, seek: str = "stable", gaps: Gaps | None = None
) -> Rest:
    """A balance near a start: downhill, or whichever is nearest.

    `gaps` are those (k,) of limits at a state: where one falls below zero, the search ends there.
    """
    here = system.balance(start)
    if not np.isfinite(here.load).all():
        here = _beside(system, here)
    search = _Search(system, here, gaps)
    if seek != "stable":
        return search.nearest()
    found = search.downhill()
    endless = found.outcome.ending is Ending.LIMIT_REACHED and gaps is None
    return _lasting(system, here, found) if endless else found


def _lasting(system: StaticSystem, start: Balance, found: Rest) -> Rest:
    """The balance nearest to a start from which downhill has led nowhere, if it is stable.

    Forces of controllers and others that are no slope of an energy have no downhill.
    """
    near = _Search(system, start, None).nearest()
    if not near.outcome.is_done or stability(system, near.here).verdict != "stable":
        return found
    return replace(near, steps=found.steps + near.steps, is_nearest=True)


def _beside(system: StaticSystem, here: Balance) -> Balance:
    """A place beside a start at which a force has no value, as a spring of no length has none."""
    mix = np.cos(np.arange(1.0, here.N.shape[1] + 1.0))
    way = here.N @ (mix / max(float(np.linalg.norm(mix)), 1e-300))
    for share in (1.0, -1.0, 0.1, -0.1):
        at = system.moved(here, share * PUSH * way)
        there = None if at is None else system.balance(at)
        if there is not None and np.isfinite(there.load).all():
            return there
    raise FormulaError(
        f"the forces on {system.origins.model.name!r} have no finite value where it starts: look"
        " for a spring of no length, a gas spring beyond its stroke, or a formula that divides by 0"
        " there, or start elsewhere."
    )


@final
class _Search:
    """Steps from balance to balance, and how far they have led."""

    def __init__(self, system: StaticSystem, here: Balance, gaps: Gaps | None) -> None:
        self.system, self.here, self.first, self.gaps = system, here, here, gaps
        self.met: tuple[int, ...] = ()
        self.radius, self.steps, self.pushes = FIRST_RADIUS, 0, 0
        stiff = float(np.abs(system.stiffness(here)).max(initial=0.0))
        self.scale = max(here.scale, FELT * stiff if np.isfinite(stiff) else 0.0)
        at = system.layout.layout.coordinates
        self.is_angular = at.is_angular
        self.gone = np.zeros(system.n_v)  # by displacement, all steps added up

    # -- downhill ------------------------------------------------------------------------------

    def downhill(self) -> Rest:
        """Where it rests that it rolls down to."""
        while self.steps < MOST_STEPS:
            here = self.here
            self.scale = max(self.scale, here.scale)
            if not here.N.shape[1]:
                return self._done()
            if here.push <= BALANCED * self.scale:
                self._polish()
                held = self._stability()
                if not held.leads_away or self.pushes >= MOST_PUSHES:
                    return self._done()
                self._push_off(held)
                continue
            self.steps += 1
            H = self._reduced()
            y = self._step(H)
            if not self._take(y):
                self.radius = 0.25 * min(self.radius, float(np.linalg.norm(y)))
                if self.radius < LEAST_RADIUS:
                    return self._stuck()
                continue
            if self.met:
                return self._done()
            lost = self._lost()
            if lost is not None:
                return self._ended(lost)
        return self._ended(_too_long(self.here, self.scale, self.steps))

    def _reduced(self) -> FloatArray:
        N = self.here.N
        return np.asarray(N.T @ self.system.stiffness(self.here) @ N)

    def _step(self, H: FloatArray) -> FloatArray:
        """y (n_v,): Newton's where the stiffness is positive and it is short, else damped."""
        g, N = self.here.slope, self.here.N
        values, vectors = np.linalg.eigh(0.5 * (H + H.T))
        floor = 1e-14 * max(float(np.abs(values).max(initial=0.0)), self.scale, 1e-300)
        if values[0] > floor:
            y = N @ np.linalg.solve(H, -g)
            if self._length(y) <= self.radius:
                return np.asarray(y)
        along = vectors.T @ -g
        sizes = np.maximum(np.abs(values), floor)
        damping, y = 0.0, N @ (vectors @ (along / sizes))
        if self._length(y) > self.radius:
            low, high = 0.0, max(float(np.linalg.norm(g)) / self.radius, floor)
            while self._length(N @ (vectors @ (along / (sizes + high)))) > self.radius:
                high *= 4.0
            for _ in range(60):
                damping = 0.5 * (low + high)
                y = N @ (vectors @ (along / (sizes + damping)))
                length = self._length(y)
                if 0.8 * self.radius <= length <= self.radius:
                    break
                low, high = (damping, high) if length > self.radius else (low, damping)
        return np.asarray(y)

    def _length(self, y: FloatArray) -> float:
        """How long a step is beside the radius; turns are never longer than can be counted."""
        turn = float(np.abs(y[self.is_angular]).max(initial=0.0))
        return max(float(np.linalg.norm(y)), self.radius * turn / LONGEST_TURN)

    def _take(self, y: FloatArray) -> bool:
        """Whether the step was good; it is then made, and the radius fitted."""
        here, length = self.here, float(np.linalg.norm(y))
        if not length > 0.0 or not np.isfinite(y).all():
            return False
        at = self.system.moved(here, y)
        if at is None:
            return False
        there = self.system.balance(at)
        if not np.isfinite(there.load).all():
            return False
        before = float(here.load @ y) / length  # > 0: it goes downhill
        way = there.N @ (there.N.T @ y)
        after = float(there.load @ way) / max(float(np.linalg.norm(way)), 1e-300)
        is_better = there.push < 0.9 * here.push
        if after < -TURNED_ROUND * abs(before) and not (is_better and self._is_near(there)):
            return False
        if length > 0.5 * self.radius:
            # Along the step the push fell by as much as the stiffness says, or still pushes on.
            self.radius = 2.0 * self.radius if after > -0.25 * abs(before) else self.radius
        self._arrive(there, y)
        return True

    def _is_near(self, there: Balance) -> bool:
        return there.push < 1e-4 * self.scale

    def _arrive(self, there: Balance, y: FloatArray) -> None:
        """The step is made, up to the first limit in its way."""
        share = 1.0 if self._is_inside(there.state) else 0.0
        if not share:
            low, high = 0.0, 1.0
            for _ in range(HALVINGS):
                share = 0.5 * (low + high)
                at = self.system.moved(self.here, share * y)
                is_inside = at is not None and self._is_inside(at)
                low, high = (share, high) if is_inside else (low, share)
            share, past = low, self.system.moved(self.here, high * y)
            at = self.system.moved(self.here, low * y)
            there = self.here if at is None else self.system.balance(at)
            if past is not None and self.gaps is not None:
                self.met = tuple(int(k) for k in np.flatnonzero(self.gaps(past) < 0.0))
        self.here = there
        self.gone = self.gone + share * y

    def _is_inside(self, at: State) -> bool:
        """Whether no limit has been passed."""
        return self.gaps is None or bool((self.gaps(at) >= 0.0).all())

    def _lost(self) -> Outcome | None:
        """Why it will never rest, where that has become plain."""
        far = np.where(self.is_angular, 0.0, np.abs(self.gone))
        if far.max(initial=0.0) > FURTHEST:
            return _falls(self.system, self.here, int(far.argmax()))
        turned = np.where(self.is_angular, np.abs(self.gone), 0.0)
        if turned.max(initial=0.0) > MANY_TURNS and self._forgets_turns():
            return _spins(self.system, self.here, int(turned.argmax()))
        return None

    def _forgets_turns(self) -> bool:
        """Whether a whole turn back of all that has turned leaves every load as it is."""
        at = self.here.state
        q, layout = at.q.copy(), self.system.layout.layout
        if layout.model.plane:
            for k in range(layout.n_bodies):
                if abs(self.gone[layout.coordinates.spin_of(k)][0]) > TURN:
                    q[layout.coordinates.angle_of(k)] -= TURN
        back = replace(at, q=q, turns=at.turns - TURN)
        load = self.system.units * self.system.terms(back)[0]
        return bool(np.abs(load - self.here.load).max(initial=0.0) <= 1e-9 * self.scale)

    def _polish(self) -> None:
        """Newton steps as long as they make the push smaller."""
        for _ in range(POLISHES):
            here = self.here
            if here.push <= ROUNDED * self.scale:
                return
            H = self._reduced()
            y = here.N @ np.linalg.lstsq(H, -here.slope, rcond=1e-10)[0]
            if not np.linalg.norm(y) < 1e-2:
                return
            at = self.system.moved(here, y)
            if at is None or not self._is_inside(at):
                return
            there = self.system.balance(at)
            if not there.push < here.push:
                return
            self.here = there

    def _stability(self) -> Stability:
        return stability(self.system, self.here)

    def _push_off(self, held: Stability) -> None:
        """A little way along the direction in which it is least stable."""
        self.pushes += 1
        way = held.directions[:, 0]
        way = way * np.sign(way[int(np.abs(way).argmax())])
        for share in (1.0, -1.0, 0.1, -0.1, 0.01, -0.01):
            at = self.system.moved(self.here, share * PUSH * way)
            if at is not None and self._is_inside(at):
                self.here = self.system.balance(at)
                self.radius = FIRST_RADIUS
                return
        self.pushes = MOST_PUSHES

    # -- nearest -------------------------------------------------------------------------------

    def nearest(self) -> Rest:
        """The balance that damped Newton steps come to, stable or not."""
        damping, fell = 1e-6, self.here.push
        while self.steps < MOST_STEPS:
            here = self.here
            self.scale = max(self.scale, here.scale)
            if not here.N.shape[1] or here.push <= BALANCED * self.scale:
                self._polish()
                return self._done()
            self.steps += 1
            H = self._reduced()
            u, s, vt = np.linalg.svd(H)
            floor = max(float(s.max(initial=0.0)), 1e-14 * self.scale, 1e-300)
            while True:
                share = s / (s * s + damping * floor * floor)
                y = here.N @ (vt.T @ (share * (u.T @ -here.slope)))
                y = y * min(1.0, self.radius / max(self._length(y), 1e-300))
                at = self.system.moved(here, y)
                there = None if at is None else self.system.balance(at)
                if there is not None and there.push < here.push:
                    break
                damping *= 10.0
                if damping > 1e12:
                    return self._ended(_no_balance_nearby(here, self.scale))
            damping = max(0.1 * damping, 1e-15)
            self._arrive(there, y)
            if self.met:
                return self._done()
            lost = self._lost()
            if lost is not None:
                return self._ended(lost)
            if self.steps % 100 == 0:  # a valley without a bottom
                if here.push > 0.99 * fell:
                    return self._ended(_no_balance_nearby(here, self.scale))
                fell = here.push
        return self._ended(_too_long(self.here, self.scale, self.steps))

    # -- endings -------------------------------------------------------------------------------

    def _done(self) -> Rest:
        return self._ended(DONE)

    def _ended(self, outcome: Outcome) -> Rest:
        return Rest(self.here, outcome, self.steps, self.pushes, self.met)

    def _stuck(self) -> Rest:
        """Steps have become too short: at a corner of a law, or where forces jump."""
        here = self.here
        if here.push <= 1e-6 * self.scale:
            return self._done()
        share = here.push / max(self.scale, 1e-300)
        return self._ended(
            Outcome(
                Ending.STEP_TOO_SMALL,
                f"after {self.steps} steps {here.push:.3g} J per size of the machine still push it"
                f" ({share:.1e} of the largest), and no small step makes that less.",
                "Look for a force that jumps there, such as a sign or a step without a slope, or"
                " for a singular position; start elsewhere.",
                {"push": here.push, "steps": self.steps},
            )
        )


def _who(system: StaticSystem, column: int) -> tuple[str, str]:
    """The body that a displacement belongs to, and which of its displacements it is."""
    layout = system.layout.layout
    body, part = layout.coordinates.body_of(column)
    words = ("x", "y", "angle") if layout.model.plane else ("x", "y", "z", "x", "y", "z")
    return layout.model.moving[int(body)].name, words[int(part)]


def _falls(system: StaticSystem, here: Balance, column: int) -> Outcome:
    name, axis = _who(system, column)
    force = float(here.load[column] / system.units[column])
    return Outcome(
        Ending.DIVERGED,
        f"there is no equilibrium: {name!r} goes on for ever along {axis}, where {force:.3g} N push"
        " it and nothing stops it.",
        f"Hold {name!r} by a joint or a spring, or take away what pushes it.",
        {"body": name, "axis": axis, "force": force},
    )


def _spins(system: StaticSystem, here: Balance, column: int) -> Outcome:
    name, _ = _who(system, column)
    torque = float(here.load[column])
    return Outcome(
        Ending.DIVERGED,
        f"there is no equilibrium: {name!r} turns on for ever; {torque:.3g} N m push it where"
        " it was left, and no turn of it makes that less.",
        "Take the torque away, make it smaller than what weights and springs can hold, or simulate"
        " with a brake.",
        {"body": name, "torque": torque},
    )


def _no_balance_nearby(here: Balance, scale: float) -> Outcome:
    return Outcome(
        Ending.DIVERGED,
        f"there is no equilibrium near the start: what pushes it cannot be made less than"
        f" {here.push / max(scale, 1e-300):.1e} of the largest load.",
        'Start elsewhere, or take seek="stable", which goes downhill.',
        {"push": here.push},
    )


def _too_long(here: Balance, scale: float, steps: int) -> Outcome:
    return Outcome(
        Ending.LIMIT_REACHED,
        f"after {steps} steps it still does not rest: {here.push / max(scale, 1e-300):.1e} of the"
        " largest load push it.",
        'Forces that are no slope of an energy may drive it round for ever: take seek="nearest",'
        " start elsewhere, or simulate it with a damper and start from where that ends.",
        {"steps": steps, "push": here.push},
    )
