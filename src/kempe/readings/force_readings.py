"""Forces of joints and drives along a trajectory, by name."""

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.dynamics.reactions import simulated_reactions
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.forces import AbstractForce
from kempe.kinematics.observe.observation import observe_gauge
from kempe.kinematics.reactions.applied_forces import applied_force
from kempe.kinematics.reactions.reactions import Reactions, reactions
from kempe.kinematics.stepping.preparation import prepare
from kempe.model import Model
from kempe.readings.channel import ForceChannel
from kempe.results import Motion

WORDS = ("force", "torque", "effort", "power")


def has_loads(model: Model) -> bool:
    """Whether forces follow from a motion of the model: it has masses, springs or the like."""
    return bool(model.forces) or any(body.inertia is not None for body in model.moving)


def force_names(model: Model) -> tuple[str, ...]:
    """The names of all forces; none where nothing weighs, pulls or pushes."""
    if not has_loads(model):
        return ()
    joints = (f"{joint.name}.{word}" for joint in model.joints for word in ("force", "torque"))
    couplers = (f"{coupler.name}.effort" for coupler in model.couplers)
    drives = (
        f"{drive.gauge.name}.{word}" for drive in model.drives for word in ("effort", "power")
    )
    applied = (f"{f.name}.{word}" for f in model.forces for word in _applied_words(f))
    return (*joints, *couplers, *drives, *applied)


def _applied_words(force: AbstractForce) -> tuple[str, ...]:
    """What is read off a force: an effort along its measure, a force and torque on its marker."""
    along = ("effort",) if force.acts_along else ()
    return along + (("force", "torque") if force.acts_on else ())


def applied_channel(layout: Layout, motion: Motion, name: str) -> ForceChannel | None:
    """ "spring.effort" along a force's first measure, "load.force" and "load.torque" on the marker
    where it is felt: a spring's second, a load's own. None where no force has that name.
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
    felt = range(len(force.acts_on))[force.felt_at]
    wrench = found.wrenches[felt] if found.wrenches else np.zeros((len(motion), 6))
    if word == "force":
        parts = wrench[:, : 2 if layout.model.plane else 3]
    else:
        parts = wrench[:, 5:] if layout.model.plane else wrench[:, 3:]
    unit = "N" if word == "force" else "N m"
    return ForceChannel(name, motion.t, parts.copy(), (True,) * parts.shape[1], unit)


def reactions_of(layout: Layout, motion: Motion) -> Reactions:
    """The reactions along a motion; a ModelError where no body has a mass."""
    if not has_loads(layout.model):
        raise ModelError(
            f"{layout.model.name!r} has no masses and no forces, so none follow from its motion:"
            " give its bodies an inertia."
        )
    if motion.is_simulated:
        return simulated_reactions(layout, motion)
    executor = "vm" if motion.recipe.executor == "vm" else "auto"
    equations = prepare(layout, float(motion.t[0]), executor).equations
    return reactions(equations, motion, layout.model.gravity)


def force_channel(layout: Layout, motion: Motion, found: Reactions, name: str) -> ForceChannel:
    """ "joint.force", "joint.torque", "measure.effort" or "measure.power" of a drive.

    "coupler.effort" is what acts along the row of a coupler.
    """
    part, _, word = name.rpartition(".")
    if word in ("effort", "power"):
        return _effort(layout, motion, found, part, word)
    joints = [j.name for j in layout.model.joints]
    if part not in joints:
        raise UnknownName(f"there is no joint {part!r}.{nearest_name(part, joints)}")
    forces = found.of_joint(part)
    size = forces.force.shape[1]
    if word == "force":
        return ForceChannel(name, motion.t, forces.force, forces.unique[:size], "N")
    return ForceChannel(name, motion.t, forces.torque, forces.unique[size:], "N m")


def _effort(layout: Layout, motion: Motion, found: Reactions, part: str, word: str) -> ForceChannel:
    """What a drive exerts or puts in, or what a coupler passes on."""
    drives = {d.gauge.name: d.gauge for d in layout.model.drives}
    couplers = {c.name: c for c in layout.model.couplers}
    name = f"{part}.{word}"
    if word == "power" and part in drives:
        _, rate, _ = observe_gauge(layout, motion, drives[part])
        values, is_unique = found.of_drive(part)
        return ForceChannel(name, motion.t, values * rate, (is_unique,), "W")
    if word == "effort" and part in drives:
        values, is_unique = found.of_drive(part)
        return ForceChannel(name, motion.t, values, (is_unique,), _unit(drives[part].unit))
    if word == "effort" and part in couplers:
        values, is_unique = found.of_coupler(part)
        return ForceChannel(name, motion.t, values, (is_unique,), _unit(couplers[part].unit))
    known = drives if word == "power" else [*drives, *couplers]
    raise UnknownName(f"no drive acts on {part!r}.{nearest_name(part, known)}", name=part)


def _unit(measured: str) -> str:
    return "N m" if measured == "rad" else "N"
