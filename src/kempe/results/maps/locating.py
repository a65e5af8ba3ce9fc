"""On which component a position lies."""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.errors import BadNumber
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import MotionMap

FloatArray = NDArray[np.float64]

MARGIN = 1e-9  # of a chart's widths, and beyond a limit: what rounding may do to a position
NEWTON_STEPS = 30
PROBE = 1e-7  # of an unknown, for slopes; unknowns are of the size of 1
SETTLED = 1e-11  # a step of Newton's method after which nothing changes any more
FEW_STARTS, MANY_STARTS = 33, 1025  # along a chart; many where no unknown is told by the bodies
STARTS_TRIED = 16  # of a component, the nearest first
HALVINGS = 12  # of a step of Newton's method that leads away
CLOSES = 1e-6  # how far rows and bodies may be off at a position (lengths in those of the map)


def component_of(motions: MotionMap, q: FloatArray) -> int | None:
    """The number of the component on which the bodies stand at q; None if on none.

    q is x, y and angle of every body, in space its place and unit quaternion, scalar first.

    q must be a position that closes every joint, such as an assembly's: a chart holds nothing but
    its component's arc, so a position in a chart lies on that component. Not all unknowns can be
    told from q (a contact's parameter, the turn of a shaft): in every chart that q may lie in, the
    values are taken that make the rows vanish and put the bodies where they are. How a rod is
    turned about its own line does not matter, and the bodies at its ends tell where it is.
    """
    q = np.asarray(q, dtype=np.float64)
    if q.shape != (motions.readings.n_q,):
        raise BadNumber(
            f"a position of {motions.name!r} has {motions.readings.n_q} coordinates, and"
            f" {' x '.join(map(str, q.shape))} are given: take one of this very mechanism."
        )
    bodies = motions.readings.of_coordinates(q)
    given = _given_unknowns(motions, bodies)
    for component in motions.components:
        if _passes(component, bodies, given[list(component.block.places)]):
            return component.number
    return None


def _given_unknowns(motions: MotionMap, bodies: FloatArray) -> FloatArray:
    """Those unknowns that are themselves a body's reading; the others are NaN."""
    readings, names = motions.readings, motions.unknowns
    x = np.full(len(names), np.nan)
    if not readings.plane:
        return x  # unknowns in space are no readings
    own = {name: k for k, name in enumerate(readings.names[: len(bodies)])}
    for k, name in enumerate(names):
        if name in own:
            unit = np.zeros((1, len(names)))
            unit[0, k] = 1.0
            values, _ = readings.of(unit, np.zeros_like(unit))
            x[k] = bodies[own[name]] / values[0, own[name]]
    return x


def _passes(component: Component, bodies: FloatArray, given: FloatArray) -> bool:
    """Whether the bodies' position lies in one of the charts, and within the limits."""
    charts, n = component.charts, len(given)
    p, h = np.asarray(charts["p"]), np.asarray(charts["h"])
    frames = np.asarray(charts["A"]).reshape(-1, n, n)  # by columns
    sizes = np.concatenate([np.repeat(charts["w"][:, None], n - 1, 1), h[:, None]], axis=1)
    is_given = ~np.isnan(given)
    off = np.where(is_given, given - p, 0.0)
    reach = np.einsum("kcj,kc->kj", np.abs(frames), sizes) + CLOSES
    units = _units(component, p, bodies)
    near = np.flatnonzero((np.abs(off) <= reach).all(axis=1))
    shares = np.linspace(-1.0, 1.0, FEW_STARTS if is_given.any() else MANY_STARTS)
    starts = p[near, None, :] + frames[near, None, -1] * (h[near, None] * shares)[:, :, None]
    read = _read(component, starts.reshape(-1, n), len(bodies))
    far = (np.abs(read - bodies) / units).max(axis=1).reshape(len(near), len(shares))
    for i, share in _nearest_first(far)[:STARTS_TRIED]:
        x = _solved(component, np.where(is_given, given, starts[i, share]), bodies, units)
        if x is None or not _is_within_limits(component, x):
            continue
        z = np.einsum("kcj,kj->kc", frames, _nearest_turns(component, x - p))
        if (np.abs(z) <= (1.0 - MARGIN) * sizes).all(axis=1).any():
            return True  # in whichever chart: steps may lead from one into the next
    return False


def _nearest_first(far: FloatArray) -> list[tuple[int, int]]:
    """(chart, share) wherever no neighbour in the chart is nearer (charts, shares), in order.

    One start per chart is too few: beside a sharp bend, both its legs pass near a position.
    """
    around = np.pad(far, ((0, 0), (1, 1)), constant_values=np.inf)
    charts, shares = np.nonzero((far <= around[:, :-2]) & (far < around[:, 2:]))
    order = np.argsort(far[charts, shares], kind="stable")
    return list(zip(charts[order].tolist(), shares[order].tolist(), strict=True))


def _units(component: Component, p: FloatArray, bodies: FloatArray) -> FloatArray:
    """What the bodies' readings are measured in: the size of their coordinates, and 1."""
    values = _read(component, p, len(bodies))
    each = component.readings.of_body
    linear = component.readings.at.chart.n_linear
    places = np.concatenate([values, bodies[None, :]]).reshape(-1, each)[:, :linear]
    length = float(np.abs(places).max(initial=0.0)) or 1.0
    units = np.ones((len(component.readings.bodies), each))
    units[:, :linear] = length
    for k, body in enumerate(component.readings.bodies):
        if body in component.readings.loose:
            units[k] = np.inf  # what it is off by counts for nothing
    return units.reshape(-1)


def _read(component: Component, x: FloatArray, count: int) -> FloatArray:
    """The first readings (k, count), those of bodies, where the unknowns that move are x (k, n)."""
    everything = np.repeat(component.x[None, :], len(x), axis=0)
    everything[:, list(component.block.places)] = x
    return component.readings.values(everything)[:, :count]


def _solved(
    component: Component, x: FloatArray, bodies: FloatArray, units: FloatArray
) -> FloatArray | None:
    """The unknowns near x at which rows vanish and bodies stand so, by damped Newton steps."""
    block = component.block
    rows = block.tape.outputs[: block.n_equations]
    evaluate = native_tape(block.tape).evaluate

    def off(points: FloatArray) -> FloatArray:
        stand = (_read(component, points, len(bodies)) - bodies) / units
        held = [evaluate(points, rows)] if block.n_equations else []
        return np.concatenate([*held, stand], axis=1)

    for _ in range(NEWTON_STEPS):
        values = off(np.concatenate([x[None, :], x + PROBE * np.eye(len(x))]))
        if not np.isfinite(values).all():
            return None
        slopes = (values[1:] - values[0]).T / PROBE
        step = np.linalg.lstsq(slopes, values[0], rcond=None)[0]
        if np.abs(step).max() < SETTLED:
            return x if bool((np.abs(values[0]) <= CLOSES).all()) else None
        tries = x - step * 0.5 ** np.arange(HALVINGS)[:, None]  # whole, halved and halved again
        left = (off(tries) ** 2).sum(axis=1)
        nearer = np.flatnonzero(left < (values[0] ** 2).sum())  # not so where it is no number
        if not len(nearer):
            break
        x = tries[nearer[0]]
    return x if bool((np.abs(off(x[None, :])) <= CLOSES).all()) else None


def _is_within_limits(component: Component, x: FloatArray) -> bool:
    block = component.block
    ends = (block.limited > 0) & (block.period == 0.0)
    room = MARGIN * np.maximum(1.0, np.abs(x))
    return bool(((x >= block.low - room) & (x <= block.high + room))[ends].all())


def _nearest_turns(component: Component, d: FloatArray) -> FloatArray:
    """Displacements (k, n) of the unknowns, the nearest way round."""
    period = component.block.period
    wraps = period > 0.0
    d[:, wraps] -= np.round(d[:, wraps] / period[wraps]) * period[wraps]
    return d
