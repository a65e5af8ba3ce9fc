"""How large a machine is whose joints have no offsets: what its bodies and forces say."""

import dataclasses
import math
import typing
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from kempe.events import Stop
from kempe.forces import AbstractForce
from kempe.geometry import GROUND
from kempe.model import Model
from kempe.units import Unit

REACH_SHARE = (
    0.01  # of how far it reaches: a machine counts as no smaller, or rounding would be seen
)


def size_of_bodies(model: Model) -> float:
    """Characteristic length (m) of a model whose joints all sit at the origins of bodies.

    It is the largest point, centre of mass or place of a force on a moving body; where there is
    none, the lesser of the largest radius of gyration and of how far it reaches. That is how far
    places of bodies and of forces on the ground lie apart, free lengths and radii of forces, and
    limits of stops: no size is below a hundredth of it. 1 where nothing of all that is known.
    """
    own = _largest(_on_bodies(model))
    reach = _reach(model)
    if not own > 0.0:
        gyration = _largest(_gyrations(model))
        own = min(gyration, reach) if gyration > 0.0 and reach > 0.0 else gyration
    return max(own, REACH_SHARE * reach if own > 0.0 else reach) or 1.0


def _largest(numbers: Iterable[float]) -> float:
    return max((abs(x) for x in numbers if math.isfinite(x)), default=0.0)


def _on_bodies(model: Model) -> Iterator[float]:
    for body in model.moving:
        for point in body.points.values():
            yield from point
        if body.inertia is not None:
            yield from map(float, body.inertia.centre)
    for force in model.forces:
        for marker in (*force.markers, *(m for g in force.gauges for m in (g.I, g.J))):
            if marker.body != GROUND:
                yield from marker.position


def _gyrations(model: Model) -> Iterator[float]:
    """sqrt(I / m) about the axis in which it is largest, in the plane about z."""
    for body in model.moving:
        if body.inertia is not None and body.inertia.mass > 0.0:
            moments = [float(x) for x in np.diagonal(body.inertia.tensor)]
            yield math.sqrt(
                max(moments[2] if model.plane else max(moments), 0.0) / body.inertia.mass
            )


def _reach(model: Model) -> float:
    bodies = [b.guess.position for b in model.moving if b.guess is not None and not b.anywhere]
    grounded = [m for joint in model.joints for m in joint.markers]
    for force in model.forces:
        grounded += [*force.markers, *(m for g in force.gauges for m in (g.I, g.J))]
    places = [[float(c) for c in r] for r in bodies]
    places += [list(m.position) for m in grounded if m.body == GROUND]
    apart = np.ptp(np.array(places), axis=0) if places else np.zeros(3)
    parts: list[AbstractForce | Stop] = [*model.forces]
    parts += [event for event in model.events if isinstance(event, Stop)]
    held = (x for part in parts for x in _lengths(part))
    return max(float(np.max(apart)), _largest(held))


def _lengths(part: AbstractForce | Stop) -> Iterator[float]:
    """Its numbers in metres, and those that its measure reads, where that is a length."""
    gauges = part.gauges if isinstance(part, AbstractForce) else (part.gauge,)
    units = {"m", "u"} if gauges and gauges[0].unit == "m" else {"m"}
    for name, unit in _units(type(part)).items():
        value = getattr(part, name)
        if unit in units and isinstance(value, float | int):
            yield float(value)


@lru_cache(maxsize=256)
def _units(kind: type) -> dict[str, str]:
    """The units of a class's numbers, by the names of its fields."""
    hints = typing.get_type_hints(kind, include_extras=True)
    found: dict[str, str] = {}
    for one in dataclasses.fields(kind):
        notes = [note for hint in _each(hints[one.name]) for note in _notes(hint)]
        units = [note.text for note in notes if isinstance(note, Unit)]
        if units:
            found[one.name] = units[0]
    return found


def _each(hint: Any) -> tuple[Any, ...]:
    return (hint,) if _notes(hint) else (hint, *typing.get_args(hint))


def _notes(hint: Any) -> tuple[Any, ...]:
    notes: tuple[Any, ...] = getattr(hint, "__metadata__", ())
    return notes
