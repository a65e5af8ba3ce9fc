"""One variant by itself: with steps of its own, or built and swept as any mechanism is."""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.batch.asking import Ask
from kempe.batch.lanes import Lanes
from kempe.compile.layout.layout import Layout
from kempe.compile.small.reading_tape import ORDERS
from kempe.geometry import Marker
from kempe.interruption import put_off
from kempe.kinematics.closing.placement import Given, Guesses, given_of
from kempe.kinematics.observe.observation import observe_gauge, observe_point
from kempe.kinematics.observe.turn_counting import counted_turns
from kempe.kinematics.stepping.ending import SweepEnd, ending
from kempe.kinematics.stepping.newton import CONVERGED, ITERATIONS
from kempe.kinematics.stepping.stretch import PIVOT_FLOOR, WATCHED
from kempe.kinematics.sweep.sweep import sweep
from kempe.outcome import Outcome
from kempe.results import Motion

FloatArray = NDArray[np.float64]
TURN = 2.0 * np.pi


def ended_alone(
    lanes: Lanes, k: int, q: FloatArray, turns: FloatArray
) -> tuple[FloatArray, Outcome]:
    """Variant k from its start, with steps of its own: what is read (orders, scalars, n)."""
    prepared, home, ask = lanes.prepared, lanes.home, lanes.ask
    program, size = prepared.equations.program, float(lanes.sizes[k])
    n, shape = len(ask.times), program.shape
    at, rate, second = (np.empty((n, width)) for width in (shape.n_q, shape.n_v, shape.n_v))
    weights = shape.row_weights(size)
    is_length = np.ones(home.n_v, dtype=bool)
    is_length[home.coordinates.bodies_v] = ~np.asarray(home.coordinates.is_angular, dtype=bool)
    found = core.Sweeper(program.prototype.clone()).run(
        np.ascontiguousarray(lanes.parameters[k]),
        np.ascontiguousarray(q),
        np.ascontiguousarray(turns),
        ask.times,
        at,
        rate,
        second,
        weights[: shape.n_rows] / CONVERGED,
        weights[shape.n_rows :] / WATCHED,
        home.step_weights * np.where(is_length, home.size / size, 1.0),
        PIVOT_FLOOR * prepared.pivots,
        ITERATIONS,
        program.fused_address,
        put_off,
    )
    end = SweepEnd.of(found)
    outcome = ending(end, n, home.model.drives, size, "t = {t:.9g} s")
    return _read(lanes, k, np.hstack([at, rate, second])[: end.samples]), outcome


def _read(lanes: Lanes, k: int, samples: FloatArray) -> FloatArray:
    """What is read (orders, scalars, n) at samples (n, q and v and a) of variant k."""
    numbers, of, ask = lanes.read[k], lanes.tape, lanes.ask
    rows = np.hstack([samples, np.tile(numbers, (len(samples), 1))])
    if not len(rows):
        return np.zeros((ask.orders, len(of.wrapped), 0))
    tape = native_tape(of.tape)
    orders = np.array([tape.evaluate_lanes(rows, getattr(of, name)).T for name in ORDERS])
    aims = iter(lanes.aims[k].tolist())
    for j in np.flatnonzero(of.wrapped):
        angle, t = orders[0, j], ask.times[: len(rows)]
        whole = TURN * np.rint((next(aims) - angle[0]) / TURN)
        orders[0, j] = whole + counted_turns(t, angle, orders[1, j])
    return orders[: ask.orders]


def swept_alone(
    layout: Layout, ask: Ask, q: FloatArray | None = None
) -> tuple[FloatArray, Outcome]:
    """A variant swept as any mechanism, from near a configuration or from its own start."""
    motion = from_start(layout, ask.times, q)
    parts: list[list[FloatArray]] = [[], [], []]
    for one in ask.read.found(layout):
        if isinstance(one, Marker):
            seen = tuple(x.T for x in observe_point(layout, motion, one))
        else:
            seen = tuple(x[None] for x in observe_gauge(layout, motion, one))
        for order, values in zip(parts, seen, strict=True):
            order.append(values)
    return np.array([np.concatenate(order) for order in parts[: ask.orders]]), motion.outcome


def from_start(layout: Layout, times: FloatArray, q: FloatArray | None) -> Motion:
    """The sweep of a variant from near a configuration, or from its own start where none is known.

    A configuration with a NaN in it is not known.
    """
    given = None if q is None or not np.isfinite(q).all() else _given(layout, q)
    return sweep(layout, times, ways_on=False, given=given)


def _given(layout: Layout, q: FloatArray) -> Given:
    """Poses of all bodies at a configuration, to start from."""
    bodies = layout.coordinates.q_by_body(q)
    names = [body.name for body in layout.model.moving]
    poses = {name: layout.chart.placed(bodies[k]) for k, name in enumerate(names)}
    return given_of(layout, Guesses(poses))
