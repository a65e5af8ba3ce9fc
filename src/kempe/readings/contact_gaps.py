"""How far the surfaces of a contact are apart along a motion, and where they start deep inside."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.dynamics.events.modes import acting
from kempe.forces import AbstractContact
from kempe.kinematics.observe.observation import observe
from kempe.model import Model
from kempe.readings.channel import Channel, ScalarChannel
from kempe.readings.reading import Reading
from kempe.results import Motion

if TYPE_CHECKING:
    from kempe.readings.source import AbstractSource

FloatArray = NDArray[np.float64]

DEEP = 1e-3  # of the machine's size


def contact_gap(
    layout: Layout, motion: Motion, contact: AbstractContact
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The gap (n,) of a contact in m, negative where surfaces overlap, its rate and acceleration.

    Of several places that of the least gap counts, sample by sample.
    """
    orders = observe(
        layout,
        motion,
        [contact.I, contact.J],
        lambda X: [touch.gap for touch in contact.touches(X[0], X[1])],
    )
    rows, least = np.arange(len(motion)), orders[0].argmin(axis=1)
    value, rate, second = (x[rows, least] for x in orders)
    return value, rate, second


def contact_readings(model: Model) -> Iterator[Reading]:
    """How far the surfaces of contacts are apart."""
    for force in model.forces:
        if isinstance(force, AbstractContact):
            name = f"{force.name}.gap"
            says = f"gap between the surfaces of contact {force.name}, negative where they overlap"
            yield Reading(name, "scalar", "m", says, partial(_gap, name, force))


def _gap(name: str, contact: AbstractContact, source: "AbstractSource") -> Channel:
    shown = source.layout.model.length_unit
    orders = contact_gap(source.layout, source.motion, contact)
    return ScalarChannel(name, source.motion.t, *orders, unit="m", shown=shown)


def deep_starts(layout: Layout, motion: Motion) -> tuple[str, ...]:
    """Contacts whose surfaces overlap deeply at the first sample of a run, in words.

    They do where they are thrown apart by more than gravity: what rests on a soft floor is not.
    """
    gravity = float(np.linalg.norm(layout.model.gravity))
    first, found = motion.cut(slice(0, 1)), []
    for force in layout.model.forces if len(first) else ():
        if not isinstance(force, AbstractContact) or not acting(layout.model, first, force.name)[0]:
            continue
        gap, _, thrown = (float(x[0]) for x in contact_gap(layout, first, force))
        if -gap > DEEP * layout.size and thrown > gravity:
            found.append(
                f"contact {force.name!r} starts with {force.I.body!r} and {force.J.body!r}"
                f" {-gap:.4g} m deep in each other and pushes them apart: put them where they do"
                " not overlap, unless that is meant"
            )
    return tuple(found)
