"""The frames of a mechanism that moved: its bodies, points and joints' markers as one graph."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import points_by_name
from kempe.errors import BadNumber
from kempe.frames import FrameGraph, KinematicState, Rigid, Sampled
from kempe.frames.states.arrays import turned
from kempe.geometry import GROUND
from kempe.geometry.rotations import Matrix, Quaternion, converted
from kempe.results import Motion

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]


def frames_of(trajectory: "Trajectory") -> FrameGraph:
    """A frame for every body, hung on the ground by its samples, and on it what is fixed to it.

    Points are called "body.point", the markers of a joint "joint.I" and "joint.J". Between the
    samples states are interpolated by quintics that meet positions, velocities and accelerations.
    """
    layout, motion = trajectory.layout, trajectory.motion
    if not len(motion):
        raise BadNumber("a trajectory without samples has no frames: see its outcome.")
    graph = FrameGraph(GROUND)
    for body in layout.model.moving:
        graph.add(body.name, GROUND, Sampled(motion.t, body_states(layout, motion, body.name)))
    for name, marker in points_by_name(layout.model).items():
        if name not in graph:
            graph.add(name, marker.body, Rigid(marker.position, marker.rotation))
    for joint in layout.model.joints:
        for word, marker in (("I", joint.I), ("J", joint.J)):
            if (name := f"{joint.name}.{word}") not in graph:
                graph.add(name, marker.body, Rigid(marker.position, marker.rotation))
    return graph


def body_states(layout: Layout, motion: Motion, body: str) -> KinematicState:
    """The states of a moving body seen from the ground, at all samples.

    Angular rates are kept in body axes: w = R w_B and alpha = R w_B', since w x w is zero.
    """
    k, at = layout.body_index[body], layout.coordinates
    turn = motion.q[:, at.turn_of(k)]
    R = _planar(turn[:, 0]) if layout.model.plane else converted(turn, Quaternion(), Matrix())
    position = _in_space(motion.q[:, at.place_of(k)])
    velocity, acceleration = (_in_space(x[:, at.way_of(k)]) for x in (motion.v, motion.a))
    w, alpha = (_about(x[:, at.spin_of(k)], R) for x in (motion.v, motion.a))
    return KinematicState(
        body,
        GROUND,
        position,
        R,
        velocity=velocity,
        angular_velocity=w,
        acceleration=acceleration,
        angular_acceleration=alpha,
    )


def _planar(angle: FloatArray) -> FloatArray:
    R = np.zeros((len(angle), 3, 3))
    R[:, 0, 0] = R[:, 1, 1] = np.cos(angle)
    R[:, 1, 0] = np.sin(angle)
    R[:, 0, 1] = -R[:, 1, 0]
    R[:, 2, 2] = 1.0
    return R


def _about(rates: FloatArray, R: FloatArray) -> FloatArray:
    if rates.shape[1] == 3:
        return turned(R, rates)
    return np.concatenate([np.zeros((len(rates), 2)), rates], axis=1)


def _in_space(x: FloatArray) -> FloatArray:
    return np.concatenate([x, np.zeros((len(x), 3 - x.shape[1]))], axis=1)
