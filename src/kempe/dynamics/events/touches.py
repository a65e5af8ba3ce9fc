"""Touch and lift-off of surfaces: what the switches of contacts say, as events."""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import (
    DynamicLayout,
    to_origins,
    velocities_at_origins,
)
from kempe.compile.trace.force_tracing import Sight, sight_of
from kempe.compile.trace.shape import Told
from kempe.forces import AbstractForce
from kempe.results import Event

Change: TypeAlias = tuple[float, int, float, list[float], list[float]]  # t, told, side, q, v

TOUCH, LIFT_OFF = "touch", "lift-off"
SIGHTS = "sights of contacts"  # kept with a layout: they are traced once


def told_switches(told: tuple[Told, ...]) -> NDArray[np.int32]:
    """The switches whose changes the core lists."""
    return np.array([one.switch for one in told], dtype=np.int32)


def touches(
    layout: DynamicLayout, told: tuple[Told, ...], changes: Iterable[Change]
) -> tuple[Event, ...]:
    """The events of surfaces that met or parted, from how their switches changed.

    Places and velocities are those of the bodies' origins; a touch changes neither.
    """
    changes = tuple(changes)
    if not changes:
        return ()
    q, v = (np.array([change[k] for change in changes]) for k in (3, 4))
    origins = to_origins(layout.model, q).tolist()
    moving = velocities_at_origins(layout.model, q, v).tolist()
    flat, events = layout.layout, []
    sights: dict[int, Sight] = flat.prepared(SIGHTS, dict) or flat.keep(SIGHTS, {})  # by force
    for k, (t, place, side, *_) in enumerate(changes):
        one = told[place]
        if one.force not in sights:
            element = layout.forces[one.force]
            sights[one.force] = sight_of(flat.chart, element, flat.markers_of(element))
        sight = sights[one.force]
        force: AbstractForce = sight.force
        now = sight.instant(q[k], v[k], t, np.zeros(len(sight.turned)))  # rates know no whole turns
        velocity = tuple(moving[k])
        events.append(
            Event(
                t,
                force.name,
                TOUCH if side * one.sign > 0.0 else LIFT_OFF,
                f"place {one.overlap + 1}" if len(force.overlaps(now)) > 1 else "",
                tuple(origins[k]),
                velocity,
                velocity,
                speed=abs(float(force.closing_speed(now, one.overlap))),
                unit="m" if force.markers else force.gauges[0].unit,
            )
        )
    return tuple(events)
