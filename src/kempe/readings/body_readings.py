"""More that can be read off a motion: how bodies turn, what forces store and do, energies.

body.angular_velocity, body.angular_acceleration   rad/s and rad/s^2, world axes, in space
body.orientation                                    Euler parameters, scalar first, in space
body.force, body.torque                             N and N m that all of it together exerts
force.length, force.angle                           m or rad, between its markers, or its measure
force.power, force.energy                           W that it does, J that it has stored
drive.force or drive.torque, drive.power            of a drive that has a name
energy.kinetic, .potential, .dissipated, .driven, .total    J, of a simulation
"""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.drives import Drive
from kempe.forces import AbstractForce
from kempe.kinematics.observe.observation import observe_gauge
from kempe.kinematics.reactions.applied_forces import applied_force
from kempe.kinematics.reactions.reactions import resultant
from kempe.measures import Distance, Gauge
from kempe.model import Model
from kempe.readings.channel import Channel, ForceChannel, ScalarChannel, ValueChannel
from kempe.results import Motion, energy_of

FloatArray = NDArray[np.float64]

RESULTANTS = ("force", "torque")
TURNING = ("angular_velocity", "angular_acceleration", "orientation")
ENERGIES = ("kinetic", "potential", "dissipated", "driven", "total")
PARAMETERS = ("e0", "e1", "e2", "e3")


def reading_names(model: Model, *, is_simulated: bool) -> tuple[str, ...]:
    """The names of all of these."""
    names: list[str] = []
    if not model.plane:
        names += [f"{body.name}.{word}" for body in model.moving for word in TURNING]
    heavy = [body.name for body in model.moving if body.inertia is not None]
    names += [f"{body}.{word}" for body in heavy for word in RESULTANTS]
    names += [f"{force.name}.{word}" for force in model.forces for word in _force_words(force)]
    names += [f"{d.name}.{word}" for d in model.drives if d.name for word in drive_words(d)]
    if is_simulated and not any(body.name == "energy" for body in model.bodies):
        names += [f"energy.{word}" for word in ENERGIES]
    return tuple(names)


def drive_words(drive: Drive) -> tuple[str, str]:
    """What is read off a drive by its own name."""
    return ("torque" if drive.gauge.unit == "rad" else "force", "power")


def reading(layout: Layout, motion: Motion, name: str) -> Channel | None:
    """The channel of one of these names, drives apart; None where it is none of them."""
    part, _, word = name.rpartition(".")
    model = layout.model
    if word in TURNING and part in layout.body_index and not model.plane:
        return _turning(layout, motion, part, word)
    if word in RESULTANTS and part in layout.body_index and model.body(part).inertia is not None:
        return _resultant(layout, motion, part, word)
    force = next((f for f in model.forces if f.name == part), None)
    if force is not None and word in _force_words(force):
        return _of_force(layout, motion, force, word)
    if part == "energy" and word in ENERGIES and motion.is_simulated:
        values: FloatArray = getattr(energy_of(motion), word)
        return ValueChannel(name, motion.t, np.array(values), "J")
    return None


def _resultant(layout: Layout, motion: Motion, body: str, word: str) -> ForceChannel:
    """What everything that acts on a body comes to: m a_C, or I alpha + w x I w about its centre.

    World axes; weights, springs, joints and drives included.
    """
    force, torque = resultant(layout, motion, body)
    values, unit = (force, "N") if word == "force" else (torque, "N m")
    return ForceChannel(f"{body}.{word}", motion.t, values, (True,) * values.shape[1], unit)


def _force_words(force: AbstractForce) -> tuple[str, ...]:
    length: tuple[str, ...] = ("length",) if len(force.acts_on) > 1 else ()
    if not force.acts_on:
        length = ("angle",) if force.gauges[0].unit == "rad" else ("length",)
    stored = ("energy",) if force.stores else ()
    return (*length, "power", *stored)


def _of_force(layout: Layout, motion: Motion, force: AbstractForce, word: str) -> Channel:
    name = f"{force.name}.{word}"
    if word in ("length", "angle"):
        gauge = _span(force) if force.acts_on else force.gauges[0]
        values = observe_gauge(layout, motion, gauge)
        shown = "rad" if word == "angle" else layout.model.length_unit
        return ScalarChannel(name, motion.t, *values, unit=gauge.unit, shown=shown)
    found = applied_force(layout, motion, force)
    if word == "energy":
        assert found.energy is not None
        return ValueChannel(name, motion.t, found.energy.copy(), "J")
    return ValueChannel(name, motion.t, (found.load * motion.v).sum(axis=1), "W")


def _span(force: AbstractForce) -> Gauge:
    return Gauge(f"{force.name}.length", Distance(), force.acts_on[0], force.acts_on[-1])


def _turning(layout: Layout, motion: Motion, body: str, word: str) -> ValueChannel:
    k, at = layout.body_index[body], layout.coordinates
    name, turns = f"{body}.{word}", motion.q[:, at.turn_of(k)]
    if word == "orientation":
        return ValueChannel(name, motion.t, turns.copy(), "", PARAMETERS)
    samples = motion.v if word == "angular_velocity" else motion.a
    own = samples[:, at.spin_of(k)]  # body axes; dw/dt is the same in both
    unit = "rad/s" if word == "angular_velocity" else "rad/s**2"
    return ValueChannel(name, motion.t, _rotated(turns, own), unit, ("x", "y", "z"))


def _rotated(e: FloatArray, x: FloatArray) -> FloatArray:
    """R(e) x, sample by sample."""
    u, scalar = e[:, 1:], e[:, :1]
    across = 2.0 * np.cross(u, x)
    rotated: FloatArray = x + scalar * across + np.cross(u, across)
    return rotated
