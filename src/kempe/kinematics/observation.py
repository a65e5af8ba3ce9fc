"""Reading a motion: value, rate and acceleration of any scalar of marker frames.

The formula is traced with the same charts as everything else; rate and acceleration are its first
and second derivatives along the motion, evaluated over all samples in C++.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.compile.layout import GROUND_INDEX, Layout
from kempe.compile.numbers import marker_numbers, marker_pose
from kempe.compile.tracing import TURN, motion_along
from kempe.geometry import Marker, Pose
from kempe.measures import Gauge, Wrapped
from kempe.results import Motion

FloatArray = NDArray[np.float64]
Formula = Callable[[list[Pose]], Sequence[Any]]


def observe(
    layout: Layout, motion: Motion, markers: Sequence[Marker], formula: Formula
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Values, rates and accelerations (n, m) of m scalars of the markers' frames."""
    chart, graph = layout.chart, Graph()
    bodies = sorted({layout.body_index[m.body] for m in markers} - {GROUND_INDEX})

    def inputs(kind: str, size: int) -> list[Expression]:
        names = (f"{kind}{b}_{k}" for b in bodies for k in range(size))
        return [Expression(graph, graph.input(name)) for name in names]

    q, v, a = inputs("q", chart.n_q), inputs("v", chart.n_v), inputs("a", chart.n_v)
    frames = {GROUND_INDEX: Pose.identity()}
    seeds: dict[int, dict[int, Expression]] = {}
    for place, body in enumerate(bodies):
        own = q[place * chart.n_q : (place + 1) * chart.n_q]
        frame = chart.frame(own)
        frames[body] = chart.pose(frame)
        seeds |= chart.seeds(frame, place * chart.n_v)
    poses = []
    for marker in markers:
        X_WB = frames[layout.body_index[marker.body]]
        poses.append(X_WB @ marker_pose(marker, marker_numbers(marker)))
    zero = Expression(graph, graph.constant(0.0))
    values = [zero + e for e in formula(poses)]
    along = motion_along(seeds, v)
    rates = tangent(values, along)
    accelerations = tangent(rates, along | {v[k].node: a[k] for k in range(len(v))})
    outputs = [*values, *rates, *accelerations]
    if not bodies:
        constants = np.array([[e.constant for e in values]], dtype=float)
        still = np.zeros((len(motion), len(values)))
        return np.repeat(constants, len(motion), axis=0), still, still
    tape = record_formula([*q, *v, *a], outputs)
    samples = np.hstack(
        [
            _columns(motion.q, bodies, chart.n_q),
            _columns(motion.v, bodies, chart.n_v),
            _columns(motion.a, bodies, chart.n_v),
        ]
    )
    results = native_tape(tape).evaluate_lanes(np.ascontiguousarray(samples), tape.outputs)
    m = len(values)
    return results[:, :m], results[:, m : 2 * m], results[:, 2 * m :]


def observe_gauge(
    layout: Layout, motion: Motion, gauge: Gauge
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Value, rate and acceleration (n,) of a measure; turns are counted from sample to sample.

    Where an angle has no direction, as where the pointer of a turn stands along the axis it is read
    about, it is told as one that stands still.
    """
    wrapped = False

    def formula(poses: list[Pose]) -> list[Any]:
        nonlocal wrapped
        value = gauge.measure.value(poses[0], poses[1])
        wrapped = isinstance(value, Wrapped)
        return [value.angle if isinstance(value, Wrapped) else value]

    value, rate, acceleration = (
        x[:, 0] for x in observe(layout, motion, [gauge.I, gauge.J], formula)
    )
    if wrapped and len(value):
        has_direction = np.isfinite(rate) & np.isfinite(acceleration)
        rate, acceleration = (np.where(has_direction, x, 0.0) for x in (rate, acceleration))
        value = counted_turns(motion.t, value, rate) + _whole_turns(layout, motion, gauge, value[0])
    return value, rate, acceleration


def counted_turns(t: FloatArray, angle: FloatArray, rate: FloatArray) -> FloatArray:
    """An angle with its whole turns, from samples of it up to whole turns and of its rate.

    The number of turns between two samples is the one nearest to what the mean rate makes, so
    that samples may be more than half a turn apart.

    Own: the trapezoidal rule is off by a twelfth of h^2 times the change of the acceleration.
    """
    made = 0.5 * (rate[1:] + rate[:-1]) * np.diff(t)
    turns = np.rint((made - np.diff(angle)) / TURN)
    return angle + TURN * np.concatenate([[0.0], np.cumsum(turns)])


def _whole_turns(layout: Layout, motion: Motion, gauge: Gauge, first: float) -> float:
    """Whole turns that bring a driven gauge's first value to what its drive says."""
    for drive in layout.model.drives:
        if drive.gauge == gauge:
            return TURN * float(np.rint((float(drive.law.value(motion.t[0])) - first) / TURN))
    return 0.0


def observe_point(
    layout: Layout, motion: Motion, marker: Marker
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Position, velocity, acceleration of a marker's origin, (n, 2) in the plane, else (n, 3)."""
    size = 2 if layout.model.plane else 3
    return observe(layout, motion, [marker], lambda poses: list(poses[0].position)[:size])


def _columns(samples: FloatArray, bodies: Sequence[int], size: int) -> FloatArray:
    return np.hstack([samples[:, b * size : (b + 1) * size] for b in bodies])
