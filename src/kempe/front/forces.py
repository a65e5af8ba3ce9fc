"""Forces of joints and drives along a trajectory, by name."""

import numpy as np

from kempe.compile.layout import Layout
from kempe.dynamics.reactions import simulated_reactions
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.forces import AbstractForce
from kempe.front.channel import ForceChannel
from kempe.kinematics.applied_forces import applied_force
from kempe.kinematics.preparation import prepare
from kempe.kinematics.reactions import Reactions, reactions
from kempe.model import Model
from kempe.results import Motion

WORDS = ("force", "torque", "effort")


def has_masses(model: Model) -> bool:
    """Whether forces follow from a motion of the model."""
    return any(body.inertia is not None for body in model.moving)


def force_names(model: Model) -> tuple[str, ...]:
    """The names of all forces; those of joints and drives only where a body has a mass."""
    applied = [f"{f.name}.{word}" for f in model.forces for word in _applied_words(f)]
    if not has_masses(model):
        return tuple(applied)
    joints = (f"{joint.name}.{word}" for joint in model.joints for word in ("force", "torque"))
    return (*joints, *(f"{drive.gauge.name}.effort" for drive in model.drives), *applied)


def _applied_words(force: AbstractForce) -> tuple[str, ...]:
    """What is read off a force: an effort along its measure, a force and torque on its marker."""
    return (("effort",) if force.gauges else ()) + (("force", "torque") if force.markers else ())


def applied_channel(layout: Layout, motion: Motion, name: str) -> ForceChannel | None:
    """ "spring.effort" along a force's first measure, or "load.force" and "load.torque" on its last
    marker; None where no force of the model has that name.
    """
    part, _, word = name.rpartition(".")
    force = next((f for f in layout.model.forces if f.name == part), None)
    if force is None or word not in _applied_words(force):
        return None
    found = applied_force(layout, motion, force)
    if word == "effort":
        unit = "N m" if force.gauges[0].unit == "rad" else "N"
        values = found.efforts[0] if found.efforts else np.zeros(len(motion))
        return ForceChannel(name, motion.t, values, (True,), unit)
    wrench = found.wrenches[-1] if found.wrenches else np.zeros((len(motion), 6))
    if word == "force":
        parts = wrench[:, : 2 if layout.model.plane else 3]
    else:
        parts = wrench[:, 5:] if layout.model.plane else wrench[:, 3:]
    unit = "N" if word == "force" else "N m"
    return ForceChannel(name, motion.t, parts.copy(), (True,) * parts.shape[1], unit)


def reactions_of(layout: Layout, motion: Motion) -> Reactions:
    """The reactions along a motion; a ModelError where no body has a mass."""
    if not has_masses(layout.model):
        raise ModelError(
            f"{layout.model.name!r} has no masses, so no forces follow from its motion: give its"
            " bodies an inertia."
        )
    if motion.is_simulated:
        return simulated_reactions(layout, motion)
    program = prepare(layout, float(motion.t[0])).program
    return reactions(layout, motion, program, layout.model.gravity)


def force_channel(layout: Layout, motion: Motion, found: Reactions, name: str) -> ForceChannel:
    """ "joint.force", "joint.torque", or "measure.effort" of a drive."""
    part, _, word = name.rpartition(".")
    if word == "effort":
        driven = {d.gauge.name: d.gauge.unit for d in layout.model.drives}
        if part not in driven:
            raise UnknownName(f"no drive acts on {part!r}.{nearest_name(part, driven)}")
        unit = "N m" if driven[part] == "rad" else "N"
        return ForceChannel(name, motion.t, found.of_drive(part), (True,), unit)
    joints = [j.name for j in layout.model.joints]
    if part not in joints:
        raise UnknownName(f"there is no joint {part!r}.{nearest_name(part, joints)}")
    forces = found.of_joint(part)
    size = forces.force.shape[1]
    if word == "force":
        return ForceChannel(name, motion.t, forces.force, forces.unique[:size], "N")
    return ForceChannel(name, motion.t, forces.torque, forces.unique[size:], "N m")
