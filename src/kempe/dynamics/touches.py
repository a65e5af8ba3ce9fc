"""Touch and lift-off of surfaces: what the switches of contacts say, as events."""

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.layout import GROUND_INDEX
from kempe.compile.trace.tracing import Told
from kempe.dynamics.legs import LegStart
from kempe.forces import AbstractContact, Instant
from kempe.geometry import Marker, Pose, Twist, Vector
from kempe.results import Event

FloatArray = NDArray[np.float64]
Change: TypeAlias = tuple[float, int, float, list[float], list[float]]  # t, told, side, q, v

TOUCH, LIFT_OFF = "touch", "lift-off"


def told_switches(told: tuple[Told, ...]) -> NDArray[np.int32]:
    """The switches whose changes the core lists."""
    return np.array([one.switch for one in told], dtype=np.int32)


def touches(
    layout: DynamicLayout, told: tuple[Told, ...], changes: Iterable[Change]
) -> tuple[Event, ...]:
    """The events of surfaces that met or parted, from how their switches changed."""
    return tuple(
        _event(layout, told[place], t, side, np.array(q), np.array(v))
        for t, place, side, q, v in changes
    )


def _event(
    layout: DynamicLayout, one: Told, t: float, side: float, q: FloatArray, v: FloatArray
) -> Event:
    force = layout.forces[one.force].force
    speed, places = 0.0, 1
    if isinstance(force, AbstractContact):
        now = _instant(layout, force, t, q, v)
        speed = abs(float(force.closing_speed(now, one.overlap)))
        places = len(force.overlaps(now))
    kind = TOUCH if side * one.sign > 0.0 else LIFT_OFF
    which = f"place {one.overlap + 1}" if places > 1 else ""
    here = LegStart(t, q, v, {}, np.zeros(0), np.zeros(0))
    return here.event(layout.model, v, force.name, kind, which, speed=speed)


def _instant(
    layout: DynamicLayout, force: AbstractContact, t: float, q: FloatArray, v: FloatArray
) -> Instant:
    """What a contact sees, in numbers, where the centres of mass are at q and move with v."""
    X, V = zip(*(_marker(layout, marker, q, v) for marker in force.markers), strict=True)
    return Instant(t, X, V)


def _marker(
    layout: DynamicLayout, marker: Marker, q: FloatArray, v: FloatArray
) -> tuple[Pose, Twist]:
    at, chart = layout.layout.coordinates, layout.layout.chart
    body = layout.layout.body_index[marker.body]
    if body == GROUND_INDEX:
        still = Vector(0.0, 0.0, 0.0)
        return marker.pose, Twist(still, still)
    X_WB = chart.placed(q[at.q_of(body)])
    R = X_WB.rotation
    frame: list[Any] = [*X_WB.position, *R.x, *R.y, *R.z]
    V = chart.twist(frame, v[at.v_of(body)].tolist())
    X_WM = X_WB @ marker.pose
    return X_WM, Twist(V.at(X_WM.position - X_WB.position), V.w)
