"""What is read off bodies and between markers, and the energies of a simulation.

body, body.point                                    m, a point with its velocity and acceleration
body.x, body.angle, joint.angle, ...                m or rad, measures
body.angular_velocity, body.angular_acceleration   rad/s and rad/s^2, world axes, in space
body.orientation                                    Euler parameters, scalar first, in space
body.force, body.torque                             N and N m that all of it together exerts
energy.kinetic, .potential, .dissipated, .driven, .total    J, of a simulation
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.compile.trace.part_names import gauges_by_name, points_by_name
from kempe.geometry import Marker
from kempe.kinematics.observe.observation import observe_gauge, observe_point
from kempe.kinematics.reactions.reactions import resultant
from kempe.measures import Gauge
from kempe.model import Model
from kempe.readings.channel import (
    AXES,
    Channel,
    ForceChannel,
    PointChannel,
    ScalarChannel,
    ValueChannel,
)
from kempe.readings.reading import Reading
from kempe.results import energy_of

if TYPE_CHECKING:
    from kempe.readings.source import AbstractSource

FloatArray = NDArray[np.float64]

VECTORS = {"force": "N", "torque": "N m"}
PARAMETERS = ("e0", "e1", "e2", "e3")
TURNING = {
    "angular_velocity": ("rad/s", AXES),
    "angular_acceleration": ("rad/s**2", AXES),
    "orientation": ("", PARAMETERS),
}
ENERGIES = ("kinetic", "potential", "dissipated", "driven", "total")


def vector_labels(model: Model, word: str) -> tuple[str, ...]:
    """The axes of a force or a torque, in the plane or in space."""
    if not model.plane:
        return AXES
    return AXES[:2] if word == "force" else AXES[2:]


def place_readings(model: Model) -> Iterator[Reading]:
    """Points, then measures."""
    axes = AXES[:2] if model.plane else AXES
    points, joints = points_by_name(model), {joint.name for joint in model.joints}
    for name, marker in points.items():
        says = f"the origin of body {name}"
        if name != marker.body:
            says = f"point {name.removeprefix(f'{marker.body}.')} of body {marker.body}"
        yield Reading(name, "point", "m", says, partial(_point, name, marker), axes)
    for name, gauge in gauges_by_name(model).items():
        part, _, word = name.rpartition(".")
        whose = f"body {part}" if part in points else f"joint {part}" if part in joints else part
        yield measured(name, gauge, f"{word} of {whose}" if part else f"measure {name}")


def measured(name: str, gauge: Gauge, description: str) -> Reading:
    """A measure with its rate and acceleration."""
    return Reading(name, "scalar", gauge.unit, description, partial(_scalar, name, gauge))


def body_readings(model: Model) -> Iterator[Reading]:
    """How bodies turn in space, and what everything that acts on one comes to."""
    for body in () if model.plane else model.moving:
        for word, (unit, labels) in TURNING.items():
            says, read = (
                f"{word.replace('_', ' ')} of body {body.name}",
                partial(_turning, body.name, word),
            )
            yield Reading(f"{body.name}.{word}", "values", unit, says, read, labels)
    for body in (body for body in model.moving if body.inertia is not None):
        for word, unit in VECTORS.items():
            says, read = (
                f"{word} of all that acts on body {body.name}",
                partial(_resultant, body.name, word),
            )
            labels = vector_labels(model, word)
            yield Reading(f"{body.name}.{word}", "force", unit, says, read, labels)


def energy_readings(model: Model) -> Iterator[Reading]:
    """Energies of a simulation; none where a body is called so."""
    for word in () if any(body.name == "energy" for body in model.bodies) else ENERGIES:
        yield Reading(f"energy.{word}", "value", "J", f"{word} energy", partial(_energy, word))


def _point(name: str, marker: Marker, source: "AbstractSource") -> Channel:
    orders = observe_point(source.layout, source.motion, marker)
    shown = source.layout.model.length_unit
    return PointChannel(name, source.motion.t, *orders, shown=shown)


def _scalar(name: str, gauge: Gauge, source: "AbstractSource") -> Channel:
    shown = "rad" if gauge.unit == "rad" else source.layout.model.length_unit
    values = observe_gauge(source.layout, source.motion, gauge)
    return ScalarChannel(name, source.motion.t, *values, unit=gauge.unit, shown=shown)


def _energy(word: str, source: "AbstractSource") -> Channel:
    values: FloatArray = getattr(energy_of(source.motion), word)
    return ValueChannel(f"energy.{word}", source.motion.t, np.array(values), "J")


def _resultant(body: str, word: str, source: "AbstractSource") -> Channel:
    """What everything that acts on a body comes to: m a_C, or I alpha + w x I w about its centre.

    World axes; weights, springs, joints and drives included.
    """
    force, torque = resultant(source.layout, source.motion, body)
    values = force if word == "force" else torque
    unique = (True,) * values.shape[1]
    return ForceChannel(f"{body}.{word}", source.motion.t, values, unique, VECTORS[word])


def _turning(body: str, word: str, source: "AbstractSource") -> Channel:
    layout, motion = source.layout, source.motion
    k, at = layout.body_index[body], layout.coordinates
    name, turns = f"{body}.{word}", motion.q[:, at.turn_of(k)]
    if word == "orientation":
        return ValueChannel(name, motion.t, turns.copy(), "", PARAMETERS)
    samples = motion.v if word == "angular_velocity" else motion.a
    own = samples[:, at.spin_of(k)]  # body axes; dw/dt is the same in both
    return ValueChannel(name, motion.t, _rotated(turns, own), TURNING[word][0], AXES)


def _rotated(e: FloatArray, x: FloatArray) -> FloatArray:
    """R(e) x, sample by sample."""
    u, scalar = e[:, 1:], e[:, :1]
    across = 2.0 * np.cross(u, x)
    rotated: FloatArray = x + scalar * across + np.cross(u, across)
    return rotated
