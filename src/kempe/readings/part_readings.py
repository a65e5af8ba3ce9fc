"""What is read off the parts of a mechanism: bodies, measures, joints, couplers, drives and forces.

body, body.point                                    m, a point with its velocity and acceleration
body.x, body.angle, joint.angle, ...                m or rad, measures
body.angular_velocity, body.angular_acceleration    rad/s and rad/s^2, world axes, in space
body.orientation                                    Euler parameters, scalar first, in space
body.force, body.torque                             N and N m that all of it together exerts
joint.force, joint.torque                           on the body of its second marker
measure.effort, measure.power, measure.work         N or N m of its drive, W and J that it puts in
drive.force or drive.torque, drive.power, .work     of a drive that has a name
coupler.effort                                      N or N m along its row
force.effort, force.force, force.torque             along its measure; on the marker it is felt at
force.length, force.angle                           m or rad, between its markers, or its measure
force.power, force.energy                           W that it does, J that it has stored
force.current, force.integral, ...                  the states that it has of its own
energy.kinetic, .potential, .dissipated, .driven, .total    J, of a simulation
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name, points_by_name
from kempe.drives import Drive
from kempe.dynamics.events.grips import grip_columns
from kempe.dynamics.events.modes import acting, held_measures
from kempe.dynamics.reactions import simulated_reactions
from kempe.errors import KempeError, ModelError, UnknownName, nearest_name
from kempe.forces import AbstractForce, JointFriction
from kempe.geometry import Marker
from kempe.kinematics.observe.observation import observe_gauge, observe_point
from kempe.kinematics.reactions.loads import applied_force, states_of
from kempe.kinematics.reactions.reactions import Reactions, reactions, resultant
from kempe.kinematics.stepping.preparation import prepare
from kempe.measures import Distance, Gauge
from kempe.model import Model
from kempe.readings.acting_loads import grip_wrench
from kempe.readings.channel import (
    AXES,
    Channel,
    ForceChannel,
    PointChannel,
    ScalarChannel,
    ValueChannel,
)
from kempe.readings.inverse_dynamics import work
from kempe.readings.reading import Reading
from kempe.results import Motion, energy_of
from kempe.results.event import PUT_ON_OR_OFF
from kempe.units import effort_unit, in_si

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


def measured_in_si(model: Model, gauge: Gauge, value: float | str) -> float:
    """A value of a measure in m or rad; a bare number is in the model's unit of length, or rad."""
    return in_si(value, gauge.unit, model.length_unit if gauge.unit == "m" else None)


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


def energy_readings() -> Iterator[Reading]:
    """Energies of a simulation."""
    for word in ENERGIES:
        yield Reading(f"energy.{word}", "value", "J", f"{word} energy", partial(_energy, word))


def _point(name: str, marker: Marker, source: "AbstractSource") -> Channel:
    orders = observe_point(source.layout, source.motion, marker)
    shown = source.layout.model.length_unit
    return PointChannel(name, source.motion.t, *orders, shown, source.still)


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


WORDS = (*VECTORS, "effort", "power", "work")


def has_loads(model: Model) -> bool:
    """Whether forces follow from a motion of the model: it has masses, springs or the like."""
    return bool(model.forces) or any(body.inertia is not None for body in model.moving)


def reaction_readings(model: Model) -> Iterator[Reading]:
    """What joints, couplers and drives exert; nothing where nothing weighs, pulls or pushes."""
    if not has_loads(model):
        return
    for joint in model.joints:
        for word, unit in VECTORS.items():
            says = f"{word} of joint {joint.name} on body {joint.J.body}"
            read, labels = partial(_of_joint, joint.name, word), vector_labels(model, word)
            yield Reading(f"{joint.name}.{word}", "force", unit, says, read, labels)
    for one in model.couplers:
        says, unit = f"what coupler {one.name} passes on", effort_unit(one.unit)
        yield Reading(
            f"{one.name}.effort", "effort", unit, says, partial(_of_coupler, one.name, unit)
        )
    for drive in model.drives:
        yield from _of_drive(drive, drive.gauge.name, "effort")


def drive_readings(model: Model) -> Iterator[Reading]:
    """What drives exert, by names of their own."""
    for drive in model.drives if has_loads(model) else ():
        if drive.name:
            word = "torque" if drive.gauge.unit == "rad" else "force"
            yield from _of_drive(drive, drive.name, word)


def _of_drive(drive: Drive, part: str, word: str) -> Iterator[Reading]:
    name, gauge, whose = f"{part}.{word}", drive.gauge, f"the drive on {drive.gauge.name}"
    unit = effort_unit(gauge.unit)
    read = partial(_effort, name, gauge, unit)
    yield Reading(name, "effort", unit, f"what {whose} exerts", read)
    name = f"{part}.power"
    yield Reading(name, "effort", "W", f"what {whose} puts in", partial(_power, name, gauge))
    name = f"{part}.work"
    says = f"what {whose} has put in since the start"
    yield Reading(name, "effort", "J", says, partial(_work_of_drive, name, part, gauge))


def applied_readings(model: Model) -> Iterator[Reading]:
    """What forces exert: an effort along their first measure, a force and torque on a marker."""
    for force in model.forces:
        name, whose = f"{force.name}.effort", f"force {force.name}"
        if force.acts_along:
            says, unit = f"what {whose} exerts along its measure", effort_unit(force.gauges[0].unit)
            yield Reading(name, "effort", unit, says, partial(_applied, force, name))
        for word, unit in VECTORS.items() if force.acts_on else ():
            name, says = f"{force.name}.{word}", f"{word} of {whose} where it is felt"
            read = partial(_applied, force, name)
            yield Reading(name, "force", unit, says, read, vector_labels(model, word))


def work_readings(model: Model) -> Iterator[Reading]:
    """How long forces are, what they do and what they have stored."""
    for force in model.forces:
        name, whose = force.name, f"force {force.name}"
        if len(force.acts_on) > 1 and not isinstance(force, JointFriction):  # a ball is no length
            span = Gauge(f"{name}.length", Distance(), force.acts_on[0], force.acts_on[-1])
            yield measured(span.name, span, f"length of {whose}")
        elif not force.acts_on:
            word = "angle" if force.gauges[0].unit == "rad" else "length"
            yield measured(f"{name}.{word}", force.gauges[0], f"{word} of {whose}")
        says = f"power that {whose} puts in"
        yield Reading(f"{name}.power", "value", "W", says, partial(_work, force, f"{name}.power"))
        if force.stores:
            says, own = f"energy that {whose} has stored", f"{name}.energy"
            yield Reading(own, "value", "J", says, partial(_stored, force, own))


def state_readings(model: Model) -> Iterator[Reading]:
    """The states that forces have of their own."""
    for force in model.forces:
        for k, (word, unit) in enumerate(zip(force.states, force.state_units, strict=True)):
            name, says = f"{force.name}.{word}", f"{word} of force {force.name}"
            yield Reading(name, "value", unit, says, partial(_state, force, k, name, unit))


def _state(force: AbstractForce, k: int, name: str, unit: str, source: "AbstractSource") -> Channel:
    values = states_of(source.layout.model, source.motion, force)[:, k].copy()
    return ValueChannel(name, source.motion.t, values, unit)


def held_readings(model: Model) -> Iterator[Reading]:
    """What stops and latches exert along their measures."""
    for k, (event, gauge) in enumerate(held_measures(model)):
        before = sum(1 for name, _ in held_measures(model)[:k] if name == event)
        name = f"{event}.effort{before + 1 if before else ''}"
        says, unit = f"what {event} exerts along {gauge.name}", effort_unit(gauge.unit)
        yield Reading(name, "effort", unit, says, partial(_held, name, k, unit))


def _held(name: str, k: int, unit: str, source: "AbstractSource") -> Channel:
    motion = source.motion
    values = motion.held[:, k].copy() if len(motion.held) else np.zeros(len(motion))
    return ForceChannel(name, motion.t, values, (True,), unit)


def _acting(source: "AbstractSource", force: AbstractForce) -> FloatArray:
    """1 at samples at which a force acts, 0 where an event has switched it off, (n,)."""
    return acting(source.layout.model, source.motion, force.name)


def reactions_of(layout: Layout, motion: Motion) -> Reactions:
    """The reactions along a motion; a ModelError where no body has a mass."""
    if not has_loads(layout.model):
        raise _no_loads(layout.model)
    if motion.is_simulated:
        return simulated_reactions(layout, motion)
    if not motion.is_caused:
        raise _not_caused(layout.model)
    executor = "vm" if motion.recipe.executor == "vm" else "auto"
    equations = prepare(layout, float(motion.t[0]), executor).equations
    return reactions(equations, motion, layout.model.gravity)


def following_names(model: Model) -> frozenset[str]:
    """Names of what follows from how bodies move: loads of joints and drives, and friction."""
    found = {one.name for one in (*reaction_readings(model), *drive_readings(model))}
    applied = [one.name for one in (*applied_readings(model), *work_readings(model))]
    rubbing = tuple(f"{f.name}." for f in model.forces if isinstance(f, JointFriction))
    return frozenset(found.union(name for name in applied if name.startswith(rubbing)))


def why_no_force(model: Model, name: str, *, is_caused: bool = True) -> KempeError | None:
    """Why a part of the model tells no such force; None where the name is none of a force."""
    if not is_caused and not following_names(model).isdisjoint({name, name.rpartition(".")[0]}):
        return _not_caused(model)
    part, _, word = name.rpartition(".")
    joints = {joint.name for joint in model.joints}
    driven = {one: d for d in model.drives for one in (d.gauge.name, d.name) if one}
    others = {one.name for one in model.couplers} | {gauge.name for gauge in model.gauges}
    if word not in WORDS or part not in joints | driven.keys() | others:
        return None
    if not has_loads(model):
        return _no_loads(model)
    if word in ("effort", "power", "work") and part not in driven:
        near = nearest_name(part, driven)
        return UnknownName(f"no drive acts on {part!r}.{near}", name=part)
    return None


def _not_caused(model: Model) -> ModelError:
    return ModelError(
        f"what joints and drives of {model.name!r} exert does not follow from a motion whose free"
        " parts move as little as they can: give every freedom a drive, or simulate it."
    )


def _no_loads(model: Model) -> ModelError:
    return ModelError(
        f"{model.name!r} has no masses and no forces, so none follow from its motion:"
        " give its bodies an inertia."
    )


def _of_joint(joint: str, word: str, source: "AbstractSource") -> Channel:
    forces = source.reactions.of_joint(joint)
    size = forces.force.shape[1]
    name, t = f"{joint}.{word}", source.motion.t
    if word == "force":
        return ForceChannel(name, t, forces.force, forces.unique[:size], "N")
    return ForceChannel(name, t, forces.torque, forces.unique[size:], "N m")


def _of_coupler(coupler: str, unit: str, source: "AbstractSource") -> Channel:
    values, is_unique = source.reactions.of_coupler(coupler)
    return ForceChannel(f"{coupler}.effort", source.motion.t, values, (is_unique,), unit)


def _effort(name: str, gauge: Gauge, unit: str, source: "AbstractSource") -> Channel:
    values, is_unique = source.reactions.of_drive(gauge.name)
    return ForceChannel(name, source.motion.t, values, (is_unique,), unit)


def _power(name: str, gauge: Gauge, source: "AbstractSource") -> Channel:
    values, is_unique = source.reactions.of_drive(gauge.name)
    _, rate, _ = observe_gauge(source.layout, source.motion, gauge)
    return ForceChannel(name, source.motion.t, values * rate, (is_unique,), "W")


def _work_of_drive(name: str, part: str, gauge: Gauge, source: "AbstractSource") -> Channel:
    power, t = source[f"{part}.power"], source.motion.t
    since = [e for e in source.motion.events if len(t) and t[0] <= e.t < t[-1]]
    jumps = sorted({e.t for e in since if e.works or e.kind in PUT_ON_OR_OFF})
    values = work(power.t, power.values, jumps)
    for event in since:
        values = values + np.where(t > event.t, dict(event.works).get(gauge.name, 0.0), 0.0)
    return ForceChannel(name, power.t, values, power.unique, "J")


def _applied(force: AbstractForce, name: str, source: "AbstractSource") -> Channel:
    motion, word = source.motion, name.rpartition(".")[2]
    found, on = applied_force(source.layout, motion, force), _acting(source, force)
    if word == "effort":
        values = on * found.efforts[0] if found.efforts else np.zeros(len(motion))
        if isinstance(force, JointFriction) and len(motion.gripped):
            values = values + motion.gripped[:, grip_columns(source.layout.model)[force.name]][:, 0]
        return ForceChannel(name, motion.t, values, (True,), effort_unit(force.gauges[0].unit))
    felt, plane = range(len(force.acts_on))[force.felt_at], source.layout.model.plane
    wrench = np.zeros((len(motion), 6))
    if found.wrenches:
        wrench = on[:, None] * found.wrenches[felt]
    if isinstance(force, JointFriction) and len(motion.gripped):
        wrench = wrench + grip_wrench(source.layout, motion, force)
    if word == "force":
        parts = wrench[:, : 2 if plane else 3]
    else:
        parts = wrench[:, 5:] if plane else wrench[:, 3:]
    return ForceChannel(name, motion.t, parts.copy(), (True,) * parts.shape[1], VECTORS[word])


def _work(force: AbstractForce, name: str, source: "AbstractSource") -> Channel:
    load = applied_force(source.layout, source.motion, force).load
    power = _acting(source, force) * (load * source.motion.v).sum(axis=1)
    return ValueChannel(name, source.motion.t, power, "W")


def _stored(force: AbstractForce, name: str, source: "AbstractSource") -> Channel:
    energy = applied_force(source.layout, source.motion, force).energy
    assert energy is not None
    return ValueChannel(name, source.motion.t, _acting(source, force) * energy, "J")
