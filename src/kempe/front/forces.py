"""Forces of joints and drives along a trajectory, by name."""

from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.front.channel import ForceChannel
from kempe.front.trajectory import Trajectory
from kempe.kinematics.preparation import prepare
from kempe.kinematics.reactions import Reactions, reactions

WORDS = ("force", "torque", "effort")


def reactions_of(trajectory: Trajectory) -> Reactions:
    """The reactions along a trajectory; a ModelError where no body has a mass."""
    layout = trajectory.layout
    if all(body.inertia is None for body in layout.model.moving):
        raise ModelError(
            f"{layout.model.name!r} has no masses, so no forces follow from its motion: give its"
            " bodies an inertia."
        )
    program = prepare(layout, float(trajectory.t[0])).program
    return reactions(layout, trajectory.motion, program, layout.model.gravity)


def force_channel(trajectory: Trajectory, found: Reactions, name: str) -> ForceChannel:
    """ "joint.force", "joint.torque", or "measure.effort" of a drive."""
    part, _, word = name.rpartition(".")
    model = trajectory.layout.model
    if word == "effort":
        driven = {d.gauge.name: d.gauge.unit for d in model.drives}
        if part not in driven:
            raise UnknownName(f"no drive acts on {part!r}.{nearest_name(part, driven)}")
        unit = "N m" if driven[part] == "rad" else "N"
        return ForceChannel(name, trajectory.t, found.of_drive(part), (True,), unit)
    joints = [j.name for j in model.joints]
    if part not in joints:
        raise UnknownName(f"there is no joint {part!r}.{nearest_name(part, joints)}")
    forces = found.of_joint(part)
    size = forces.force.shape[1]
    if word == "force":
        return ForceChannel(name, trajectory.t, forces.force, forces.unique[:size], "N")
    return ForceChannel(name, trajectory.t, forces.torque, forces.unique[size:], "N m")
