"""On which component a position lies."""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.results.component import Component, Readings
from kempe.results.motion_map import MotionMap

FloatArray = NDArray[np.float64]

MARGIN = 1e-9  # of a chart's widths: what rounding may do to a position
NEWTON_STEPS = 30
PROBE = 1e-7
STANDS = 1e-7  # how far unknowns that stand still may be from where they stand


def component_of(motions: MotionMap, q: FloatArray) -> int | None:
    """The number of the component on which the bodies stand at q (x, y, angle); None if on none.

    q must be a position that closes every joint, such as an assembly's: a chart holds nothing but
    its component's arc, so a position in a chart lies on that component.
    """
    x = _unknowns(motions, np.asarray(q, dtype=np.float64))
    for component in motions.components:
        if _stands(component, x) and _is_in_a_chart(component, x[list(component.block.places)]):
            return component.number
    return None


def _unknowns(motions: MotionMap, q: FloatArray) -> FloatArray:
    """All unknowns at q; those that q does not give are NaN, then solved for."""
    readings, names = motions.readings, motions.unknowns
    read = _body_readings(readings, q)
    x = np.full(len(names), np.nan)
    for k, name in enumerate(names):
        if name in read:
            unit = np.zeros((1, len(names)))
            unit[0, k] = 1.0
            values, _ = readings.of(unit, np.zeros_like(unit))
            x[k] = read[name] / values[0, readings.names.index(name)]
    for block in motions.blocks:
        missing = [k for k, place in enumerate(block.places) if np.isnan(x[place])]
        if missing:
            own = x[list(block.places)]
            own[missing] = 0.5 * (block.low + block.high)[missing]
            rows = block.tape.outputs[: block.n_equations]
            x[list(block.places)] = _solved(native_tape(block.tape).evaluate, rows, own, missing)
    return x


def _body_readings(readings: Readings, q: FloatArray) -> dict[str, float]:
    read: dict[str, float] = {}
    for body, (x, y, angle) in zip(readings.bodies, q.reshape(-1, 3), strict=True):
        values = {"x": x, "y": y, "c": np.cos(angle), "s": np.sin(angle)}
        read |= {f"{body}.{part}": float(value) for part, value in values.items()}
    return read


def _solved(evaluate: object, rows: object, x: FloatArray, missing: list[int]) -> FloatArray:
    """x with the missing unknowns such that the rows vanish, by Newton's method."""
    for _ in range(NEWTON_STEPS):
        probes = np.repeat(x[None, :], 1 + len(missing), axis=0)
        for row, k in enumerate(missing):
            probes[1 + row, k] += PROBE
        values: FloatArray = evaluate(probes, rows)  # type: ignore[operator]
        slopes = (values[1:] - values[0]).T / PROBE
        step = np.linalg.lstsq(slopes, values[0], rcond=None)[0]
        x[missing] -= step
        if np.abs(step).max() < MARGIN:
            break
    return x


def _stands(component: Component, x: FloatArray) -> bool:
    still = [k for k in range(len(x)) if k not in component.block.places]
    return bool((np.abs(x[still] - component.x[still]) <= STANDS).all())


def _is_in_a_chart(component: Component, x: FloatArray) -> bool:
    charts, n, period = component.charts, len(x), component.block.period
    d = x - np.asarray(charts["p"])
    wraps = period > 0.0
    d[:, wraps] -= np.round(d[:, wraps] / period[wraps]) * period[wraps]
    z = np.einsum("kcj,kj->kc", np.asarray(charts["A"]).reshape(-1, n, n), d)
    across = (np.abs(z[:, :-1]) <= (1.0 - MARGIN) * charts["w"][:, None]).all(axis=1)
    return bool((across & (np.abs(z[:, -1]) <= (1.0 - MARGIN) * charts["h"])).any())
