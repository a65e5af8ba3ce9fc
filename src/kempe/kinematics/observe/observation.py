"""Reading a motion: value, rate and acceleration of any scalar of marker frames.

The formula is traced with the same charts as everything else; rate and acceleration are its first
and second derivatives along the motion, evaluated over all samples in C++.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, record_formula, sparse_jacobian, tangent
from kempe.algebra.native import native_tape
from kempe.algebra.operations import Op
from kempe.compile.layout.charts import AbstractChart
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.compile.layout.numbers import marker_numbers, marker_pose
from kempe.compile.trace.inputs import TURN, motion_along
from kempe.compile.trace.part_names import gauges_by_name
from kempe.equations import equations_of
from kempe.geometry import Marker, Pose
from kempe.geometry.axis import Z
from kempe.kinematics.closing.placement import gauge_reading
from kempe.kinematics.closing.winding import Winding, has_sums, turning_alike
from kempe.kinematics.observe.pointers import Pointer
from kempe.kinematics.observe.turn_counting import Angle, counted
from kempe.measures import Gauge, Turn, Wrapped
from kempe.results import Motion
from kempe.results.state import State

FloatArray = NDArray[np.float64]
# How far coordinates may be off, of the size of the motion (of 1 where they are those of a turn): a
# thousand times what a sweep leaves, so that a direction that is told is right to about 1e-3 rad.
BLUR = 1e-9
Formula = Callable[[list[Pose]], Sequence[Any]]


class _Traced(NamedTuple):
    """Poses of markers as formulas of the coordinates of their bodies."""

    graph: Graph
    bodies: list[int]  # that the markers ride on, the ground left out
    q: list[Expression]
    poses: list[Pose]
    seeds: dict[int, dict[int, Expression]]

    def rates(self, chart: AbstractChart, kind: str) -> list[Expression]:
        """New inputs: velocities, or their rates, of every body."""
        return [e for b in self.bodies for e in chart.v_inputs(self.graph, f"{kind}{b}_")]


def _traced(layout: Layout, markers: Sequence[Marker]) -> _Traced:
    chart = layout.chart
    bodies = sorted({layout.body_index[m.body] for m in markers} - {GROUND_INDEX})
    traced = _Traced(Graph(), bodies, [], [], {})
    each = [chart.q_inputs(traced.graph, f"q{b}_") for b in bodies]
    frames = {GROUND_INDEX: Pose.identity()}
    for place, (body, q) in enumerate(zip(bodies, each, strict=True)):
        traced.q.extend(q)
        frame = chart.frame(q)
        frames[body] = chart.pose(frame)
        traced.seeds.update(chart.seeds(frame, layout.coordinates.v_of(place).start))
    for marker in markers:
        X_WB = frames[layout.body_index[marker.body]]
        traced.poses.append(X_WB @ marker_pose(marker, marker_numbers(marker)))
    return traced


def observe(
    layout: Layout, motion: Motion, markers: Sequence[Marker], formula: Formula
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Values, rates and accelerations (n, m) of m scalars of the markers' frames."""
    chart, traced = layout.chart, _traced(layout, markers)
    graph, bodies, q = traced.graph, traced.bodies, traced.q
    v, a = traced.rates(chart, "v"), traced.rates(chart, "a")
    zero = Expression(graph, graph.constant(0.0))
    values = [zero + e for e in formula(traced.poses)]
    along = motion_along(traced.seeds, v)
    rates = tangent(values, along)
    accelerations = tangent(rates, along | {v[k].node: a[k] for k in range(len(v))})
    outputs = [*values, *rates, *accelerations]
    if not bodies:
        constants = np.array([[e.constant for e in values]], dtype=float)
        still = np.zeros((len(motion), len(values)))
        return np.repeat(constants, len(motion), axis=0), still, still
    tape = record_formula([*q, *v, *a], outputs)
    mine, own = layout.coordinates.all_q_of(bodies), layout.coordinates.all_v_of(bodies)
    samples = np.hstack([motion.q[:, mine], motion.v[:, own], motion.a[:, own]])
    results = native_tape(tape).evaluate_lanes(np.ascontiguousarray(samples), tape.outputs)
    m = len(values)
    return results[:, :m], results[:, m : 2 * m], results[:, 2 * m :]


def observe_gauge(
    layout: Layout, motion: Motion, gauge: Gauge
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Value, rate and acceleration (n,) of a measure; turns are counted, also between samples.

    Where an angle has no direction, as where the pointer of a turn stands along the axis it is read
    about, all three are NaN.
    """
    wrapped = False

    def formula(poses: list[Pose]) -> list[Any]:
        nonlocal wrapped
        value = gauge.measure.value(poses[0], poses[1])
        wrapped = isinstance(value, Wrapped)
        angle = value.angle if isinstance(value, Wrapped) else value
        return [angle, *_pointer_of(angle)] if wrapped else [angle]

    def read(motion: Motion) -> Angle:
        seen = observe(layout, motion, [gauge.I, gauge.J], formula)
        value, rate, second = (x[:, 0] for x in seen)
        if not wrapped:
            return Angle(value, rate, second)
        told = has_direction(layout, motion, gauge) & np.isfinite(rate) & np.isfinite(second)
        value, rate, second = (np.where(told, x, np.nan) for x in (value, rate, second))
        pointer = Pointer(*(x[:, 1:] for x in seen)) if seen[0].shape[1] == 3 else None
        return Angle(value, rate, second, pointer)

    value, rate, acceleration, _ = read(motion)
    if wrapped and np.isfinite(value).any():
        first = float(value[np.isfinite(value)][0])
        whole = whole_turns(layout, motion.state(0), gauge, first)
        value = counted(layout, motion, read) + whole
    return value, rate, acceleration


def _pointer_of(angle: Any) -> list[Expression]:
    """x and y of the one vector whose direction an angle is, atan2(y, x); else nothing."""
    if not isinstance(angle, Expression) or angle.graph.ops[angle.node] != Op.ATAN2:
        return []
    y, x = angle.graph.args[angle.node]
    return [Expression(angle.graph, x), Expression(angle.graph, y)]


def has_direction(layout: Layout, motion: Motion, gauge: Gauge) -> NDArray[np.bool_]:
    """At which samples (n,) an angle is defined: no atan2(y, x) in it has y = x = 0.

    Both are enclosed over coordinates that are off by BLUR: what is smaller than that is rounding,
    and the direction it seems to have is none of the mechanism's.
    """
    traced = _traced(layout, [gauge.I, gauge.J])
    reading = gauge.measure.value(traced.poses[0], traced.poses[1])
    if isinstance(reading, Wrapped):
        reading = reading.angle
    if not isinstance(reading, Expression):
        return np.ones(len(motion), dtype=bool)
    graph = traced.graph
    pairs = [graph.args[node] for node, op in enumerate(graph.ops) if op == Op.ATAN2]
    sides = [Expression(graph, node) for pair in pairs for node in pair]
    if not sides or not traced.bodies:
        return np.ones(len(motion), dtype=bool)
    tape = record_formula(traced.q, sides)
    q = np.ascontiguousarray(motion.q[:, layout.coordinates.all_q_of(traced.bodies)])
    is_turn = Coordinates(layout.chart, len(traced.bodies)).is_turn
    size = np.abs(q[:, ~is_turn]).max(initial=0.0)
    blur = BLUR * np.where(is_turn, 1.0, size)
    low, high = native_tape(tape).evaluate_intervals(q - blur, q + blur, tape.outputs)
    holds_zero = (low <= 0.0) & (high >= 0.0)
    both: NDArray[np.bool_] = holds_zero[:, 0::2] & holds_zero[:, 1::2]
    return np.asarray(~both.any(axis=1), dtype=bool)


def whole_turns(layout: Layout, at: State, gauge: Gauge, first: float) -> float:
    """Whole turns (rad) by which a gauge at a state reads more than its first value.

    Those that it has made in the state, or that its drive says; else those of another about
    the same axis, or of drives and couplers.
    """
    gauges = gauges_by_name(layout.model)
    own = at.angles.get(gauge.name) if gauges.get(gauge.name) == gauge else None
    if own is not None:
        return TURN * float(np.rint((own - first) / TURN))
    for drive in layout.model.drives:
        if drive.gauge == gauge:
            return TURN * float(np.rint((float(drive.law.value(at.t)) - first) / TURN))
    for name, angle in at.angles.items():
        other = gauges[name]
        is_turn = gauge.measure == other.measure == Turn(Z)
        way = turning_alike(layout, at.q, other, gauge) if is_turn else 0.0
        if way:
            shown = gauge_reading(layout, at.q, other)
            return way * TURN * float(np.rint((angle - shown) / TURN))
    if layout.model.plane and gauge.measure != Turn(Z):
        return 0.0
    is_counted = layout.model.drives or layout.model.couplers or has_sums(layout)
    return Winding(equations_of(layout)).of_reading(at.q, at.t, gauge) if is_counted else 0.0


def observe_point(
    layout: Layout, motion: Motion, marker: Marker
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Position, velocity, acceleration of a marker's origin, (n, 2) in the plane, else (n, 3)."""
    size = 2 if layout.model.plane else 3
    return observe(layout, motion, [marker], lambda poses: list(poses[0].position)[:size])


@final
class Gradient:
    """m scalars of the markers' frames, traced once: value and derivative at any configuration.

    ds = G d, d the displacement of all bodies in the chart's velocities.
    """

    def __init__(self, layout: Layout, markers: Sequence[Marker], formula: Formula) -> None:
        traced = _traced(layout, markers)
        zero = Expression(traced.graph, traced.graph.constant(0.0))
        values = [zero + e for e in formula(traced.poses)]
        rows = sparse_jacobian(values, traced.seeds)
        places = [(k, column) for k, row in enumerate(rows) for column in row]
        tape = record_formula(traced.q, [*values, *(e for row in rows for e in row.values())])
        self._tape, self._outputs = native_tape(tape), tape.outputs
        self._inputs = layout.coordinates.all_q_of(traced.bodies)
        self._rows, columns = np.array(places, dtype=np.intp).reshape(-1, 2).T
        self._columns = layout.coordinates.all_v_of(traced.bodies)[columns]
        self._shape = (len(values), layout.n_v)

    def __call__(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Values (m,) and G (m, n_v) at the configuration q."""
        m = self._shape[0]
        numbers = self._tape.evaluate(q[None, self._inputs], self._outputs)[0]
        G = np.zeros(self._shape)
        G[self._rows, self._columns] = numbers[m:]
        return numbers[:m], G
