"""Tracing a force: what it sees, what it does along every velocity, and what it has stored.

A wrench at a marker becomes a load on the marker's body, an effort along a gauge becomes one on
every body that moves the gauge: by virtual power, Q_k = effort dm/dv_k. A callback is traced as far
as what it sees; the numbers that it answers come from outside.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, record_formula, sparse_jacobian, tangent
from kempe.algebra.derivative import reachable
from kempe.algebra.native import native_tape
from kempe.compile.layout.charts import SPATIAL, AbstractChart
from kempe.compile.layout.coordinates import Coordinates, Places
from kempe.compile.layout.elements import all_numbers
from kempe.compile.layout.force_elements import (
    ForceElement,
    action_of,
    energy_of,
    kinetic_of,
    rates_of,
)
from kempe.compile.layout.layout import GROUND_INDEX
from kempe.compile.layout.numbers import is_literal
from kempe.compile.trace.inputs import Inputs, motion_along
from kempe.compile.trace.moving_bodies import MovingBody, marker_motion
from kempe.forces import AbstractForce, Action, Instant, Observed
from kempe.geometry import Pose, Twist, Vector, Wrench

Load = dict[int, Expression]  # by velocity


def moving_bodies(at: Coordinates, inputs: Inputs) -> list[MovingBody]:
    """The bodies whose coordinates and velocities are the inputs, one after the other."""
    mine = [(at.q_of(k), at.v_of(k)) for k in range(at.n_bodies)]
    return [MovingBody(at.chart.frame(inputs.q[q]), inputs.v[v], v.start) for q, v in mine]


@final
@dataclass(frozen=True, slots=True)
class TracedForce:
    """Loads along velocities, the energy stored (None: none), turns that are counted, states."""

    action: Action
    load: Load
    energy: Expression | None
    turned: dict[int, Expression]
    damps: bool  # whatever its formulas know
    overlaps: list[Expression]  # of surfaces, told where they change their sign
    states: list[Expression]  # of its own, inputs of the graph
    rates: list[Expression]  # of those
    kinetic: Expression | None = None  # of mass that bodies have gained


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """A force with traced numbers, what it sees, and the turns that are counted."""

    force: AbstractForce
    now: Instant
    turned: dict[int, Expression]


@final
class ForceTracer:
    """Traces forces on the bodies of one graph."""

    def __init__(self, chart: AbstractChart, inputs: Inputs, bodies: Sequence[MovingBody]) -> None:
        self.chart = chart
        self.inputs = inputs
        self.zero = Expression(inputs.graph, inputs.graph.constant(0.0))
        self.seeds: dict[int, dict[int, Expression]] = {}
        for body in bodies:
            self.seeds |= chart.seeds(body.frame, body.first)
        velocities = {body.first + k: e for body in bodies for k, e in enumerate(body.v)}
        self.along = motion_along(self.seeds, velocities)

    def see(self, element: ForceElement, riding: Sequence[MovingBody | None]) -> Seen:
        """What a force sees whose markers ride on these bodies, None for the ground."""
        markers = [self.inputs.pose(marker) for marker in element.markers]
        pairs = zip(markers, riding, strict=True)
        moving = [marker_motion(self.chart, X_BM, body, self.zero) for X_BM, body in pairs]
        X, V = zip(*moving, strict=True)
        numbers = iter([self.inputs.number(x) for x in element.numbers])
        force, measures = element.with_numbers(numbers)
        turned: dict[int, Expression] = {}
        read = element.readings(measures, X, self.inputs.unwrapping(turned))
        values = [self.zero + value for value in read]
        rates = tangent(values, self.along)
        own = len(force.markers)
        seen = tuple(Observed(v, r) for v, r in zip(values, rates, strict=True))
        rest = tuple(numbers)
        states = rest[len(rest) - len(force.states) :]
        return Seen(force, Instant(self.inputs.t, X[:own], V[:own], seen, states), turned)

    def trace(self, element: ForceElement, riding: Sequence[MovingBody | None]) -> TracedForce:
        """What a force does whose markers ride on these bodies, None for the ground."""
        seen = self.see(element, riding)
        now, action = seen.now, action_of(seen.force, seen.now)
        load: Load = {}
        for wrench, body, pose in zip(action.wrenches, riding, now.X, strict=False):
            if body is not None:
                self._add(load, body.first, self._on_body(wrench, body, pose))
        values = [self.zero + one.value for one in now.gauges]
        for effort, row in zip(action.efforts, sparse_jacobian(values, self.seeds), strict=False):
            for column, entry in row.items():
                self._add(load, column, [entry * effort])
        energy = energy_of(seen.force, now)
        stored = None if energy is None else self.zero + energy
        load = {c: e for c, e in load.items() if not e.is_zero}
        overlaps = [self.zero + depth for depth in seen.force.overlaps(now)]
        more = (seen.turned, seen.force.damps, overlaps)
        rates = [self.zero + rate for rate in rates_of(seen.force, now)]
        states = list(now.states)
        moved = kinetic_of(seen.force, now)
        moving = None if moved is None else self.zero + moved
        return TracedForce(action, load, stored, *more, states, rates, moving)

    def only_stores(self, force: TracedForce) -> bool:
        """Whether a force has an energy and no damper, and nothing of it knows speeds or time."""
        if force.energy is None or force.damps:
            return False
        moving = {e.node for e in (*self.inputs.v, self.inputs.t, *force.states)}
        roots = [e.node for e in (*force.load.values(), force.energy)]
        return moving.isdisjoint(reachable(self.inputs.graph, roots))

    def energy_gradient(self, energy: Expression) -> Load:
        """dE/dv_k of a stored energy: minus the load it stands for."""
        return sparse_jacobian([energy], self.seeds)[0]

    def energy_rate(self, force: TracedForce) -> Expression:
        """dE/dt of what a force stores along the motion, time and its states included."""
        assert force.energy is not None
        one = Expression(self.inputs.graph, self.inputs.graph.constant(1.0))
        states = {z.node: rate for z, rate in zip(force.states, force.rates, strict=True)}
        return tangent([force.energy], self.along | {self.inputs.t.node: one} | states)[0]

    def carried(self, force: TracedForce) -> Expression:
        """Power of mass that comes as fast as its body is, or leaves it: of dE/dt the part by m."""
        if force.kinetic is None:
            return self.zero
        states = {z.node: rate for z, rate in zip(force.states, force.rates, strict=True)}
        return tangent([force.kinetic], states)[0]

    def _on_body(self, wrench: Wrench, body: MovingBody, X_WM: Pose) -> list[Expression]:
        arm = X_WM.position - self.chart.pose(body.frame).position
        there = Wrench(wrench.force, wrench.torque + arm.cross(wrench.force))
        return [self.zero + e for e in self.chart.load(body.frame, there)]

    def _add(self, load: Load, first: int, terms: Sequence[Expression]) -> None:
        for k, term in enumerate(terms, start=first):
            load[k] = load[k] + term if k in load else term


FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False)
class Sight:
    """What a callback or a sampled controller sees, as a native tape of coordinates and velocities.

    `q` and `v` say which coordinates and velocities of the whole system those are; `turned` which
    of its gauges count whole turns.
    """

    force: Any
    q: Places
    v: Places
    turned: tuple[int, ...]
    markers: int
    gauges: int
    numbers: FloatArray  # of its markers and measures
    tape: Any
    outputs: Any

    def instant(self, q: FloatArray, v: FloatArray, t: float, turns: FloatArray) -> Instant:
        """What it sees at one place and time of the whole system."""
        row = np.concatenate([q[self.q], v[self.v], [t], turns, self.numbers])
        return self._instant(t, self.tape.evaluate(row[None], self.outputs)[0].tolist())

    def instants(
        self, q: FloatArray, v: FloatArray, t: FloatArray, turns: FloatArray
    ) -> list[Instant]:
        """What it sees at samples (n, ...) of the whole system; turns (n, k) are its own."""
        n = len(t)
        rows = np.hstack(
            [q[:, self.q], v[:, self.v], t[:, None], turns, np.tile(self.numbers, (n, 1))]
        )
        values = self.tape.evaluate(np.ascontiguousarray(rows), self.outputs)
        return [self._instant(float(t[k]), values[k].tolist()) for k in range(n)]

    def _instant(self, t: float, values: list[float]) -> Instant:
        markers, gauges = self.markers, self.gauges
        parts = [values[18 * k : 18 * k + 18] for k in range(markers)]
        rest = values[18 * markers :]
        return Instant(
            t,
            tuple(SPATIAL.pose(part) for part in parts),
            tuple(Twist(Vector(*part[12:15]), Vector(*part[15:18])) for part in parts),
            tuple(Observed(*rest[2 * k : 2 * k + 2]) for k in range(gauges)),
        )


def sight_of(chart: AbstractChart, element: ForceElement, places: Sequence[int]) -> Sight:
    """The sight of a force whose markers ride on the bodies of these indices."""
    force = element.force
    bodies = sorted(set(places) - {GROUND_INDEX})
    mine = Coordinates(chart, len(bodies))
    inputs = Inputs.of_bodies(mine)
    moving = dict(zip(bodies, moving_bodies(mine, inputs), strict=True))
    tracer = ForceTracer(chart, inputs, list(moving.values()))
    seen = tracer.see(element, [moving.get(b) for b in places])
    outputs = [tracer.zero + x for x in _plain(seen.now)]
    ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *inputs.p]
    tape = record_formula(ins, outputs)
    return Sight(
        force,
        mine.all_q_of(bodies),
        mine.all_v_of(bodies),
        tuple(seen.turned),
        len(force.markers),
        len(force.gauges),
        np.array([x for x in all_numbers(element) if not is_literal(x)], dtype=np.float64),
        native_tape(tape),
        tape.outputs,
    )


def _plain(now: Instant) -> list[Expression | float]:
    """Position, axes and twist of every marker, value and rate of every gauge."""
    found: list[Any] = []
    for X, V in zip(now.X, now.V, strict=True):
        R = X.rotation
        found += [*X.position, *R.x, *R.y, *R.z, *V.v, *V.w]
    for one in now.gauges:
        found += [one.value, one.rate]
    return found
