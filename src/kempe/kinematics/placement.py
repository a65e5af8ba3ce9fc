"""A first guess for bodies nobody placed: hang every body on a placed one, joint by joint.

A joint's home position is opened along its freedoms. The drives' start values are used where they
fix a freedom; other freedoms open by deterministic amounts, a different set for every attempt.
"""

import math
from collections import deque
from collections.abc import Mapping
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.geometry import GROUND, Axis, Pose, Rotation, Vector, Z
from kempe.joints import AbstractJoint
from kempe.measures import AbstractMeasure, Bearing, Displacement, Turn

GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
AXES = {
    Axis.X: Vector(1.0, 0.0, 0.0),
    Axis.Y: Vector(0.0, 1.0, 0.0),
    Axis.Z: Vector(0.0, 0.0, 1.0),
}


def first_guess(
    layout: Layout, attempt: int, t: float, *, anew: bool = False
) -> NDArray[np.float64]:
    """Coordinates of all bodies: given guesses, and placed ones for the rest; `anew` for all."""
    model = layout.model
    poses = {b.name: b.guess for b in model.moving if b.guess is not None and not anew}
    if len(poses) < len(model.moving):
        poses = _Placement(layout, attempt, t).all_from({GROUND: Pose.identity()} | poses)
    return coordinates(layout, poses)


def coordinates(layout: Layout, poses: Mapping[str, Pose]) -> NDArray[np.float64]:
    """Coordinates of all bodies at these poses, and first values of the own unknowns."""
    bodies = [layout.chart.coordinates(poses[b.name]) for b in layout.model.moving]
    return np.concatenate([*bodies, layout.own_guess(poses)])


@final
class _Placement:
    """One attempt to place every body."""

    def __init__(self, layout: Layout, attempt: int, t: float) -> None:
        self.layout = layout
        self.attempt = attempt
        self.joints_of: dict[str, list[AbstractJoint]] = {}
        for joint in layout.model.joints:
            for marker in (joint.I, joint.J):
                self.joints_of.setdefault(marker.body, []).append(joint)
        # (body I, body J, measure) -> value of every drive at the start
        self.driven: dict[tuple[str, str, AbstractMeasure], float] = {}
        for drive in layout.model.drives:
            pair = (drive.gauge.I.body, drive.gauge.J.body)
            self.driven[*pair, drive.gauge.measure] = float(drive.law.value(t))

    def all_from(self, poses: dict[str, Pose]) -> dict[str, Pose]:
        """Poses of all bodies, breadth first from the placed ones."""
        queue = deque(poses)
        while queue:
            placed = queue.popleft()
            for joint in self.joints_of.get(placed, ()):
                new = joint.J.body if joint.I.body == placed else joint.I.body
                if new not in poses:
                    poses[new] = self._hang(joint, placed, poses[placed])
                    queue.append(new)
        for k, body in enumerate(self.layout.model.moving):  # not connected to anything placed
            step = 0.1 * k * self.layout.size
            poses.setdefault(body.name, Pose(Vector(step, step, 0.0), Rotation.identity()))
        return poses

    def _hang(self, joint: AbstractJoint, placed: str, X_WB: Pose) -> Pose:
        """X_WB of the body at the joint's other end."""
        new = joint.J.body if joint.I.body == placed else joint.I.body
        k = self.layout.body_index[new]
        X_IJ = joint.home
        for number, measure in enumerate(joint.freedom):
            value = self.driven.get((joint.I.body, joint.J.body, measure))
            if value is not None:
                change = value - measure.number(Pose.identity(), X_IJ)
            elif self.layout.model.plane and measure == Turn(Z):
                change = self._level(joint, placed, X_WB, X_IJ, k)
            elif measure == Turn(Z):
                change = _opening(self.attempt, k)
            else:
                change = _opening(self.attempt, k + number) - math.pi / 3
                change *= self.layout.size if measure.unit == "m" else 1.0
            X_IJ = _opened(X_IJ, measure, change)
        return _across(joint, placed, X_WB, X_IJ)

    def _level(self, joint: AbstractJoint, placed: str, X_WB: Pose, X_IJ: Pose, k: int) -> float:
        """The turn that brings a planar body to the angle it is driven at, or opens it."""
        forward = joint.I.body == placed
        new = joint.J.body if forward else joint.I.body
        wanted = self.driven.get((GROUND, new, Turn(Z)), _opening(self.attempt, k))
        x = _across(joint, placed, X_WB, X_IJ).rotation.x
        marker = joint.I if forward else joint.J
        up = (X_WB @ marker.pose).rotation.z.z > 0
        return (wanted - math.atan2(x.y, x.x)) * (1.0 if up is forward else -1.0)


def _opened(X_IJ: Pose, measure: AbstractMeasure, change: float) -> Pose:
    """The pose moved along one freedom of its joint, where the freedom is of a kind known here."""
    p, R = X_IJ.position, X_IJ.rotation
    if isinstance(measure, Displacement):
        return Pose(p + AXES[measure.axis] * change, R)
    if isinstance(measure, Turn):
        return Pose(p, _about(measure.axis, change) @ R)
    if isinstance(measure, Bearing):
        return Pose(_about(measure.axis, change).apply(p), R)
    return X_IJ


def _about(axis: Axis, angle: float) -> Rotation:
    return Rotation.planar(angle) if axis is Z else Rotation.about(list(AXES[axis]), angle)


def _across(joint: AbstractJoint, placed: str, X_WB: Pose, X_IJ: Pose) -> Pose:
    """X_WB of the body at the joint's other end, J being at X_IJ of I."""
    if joint.I.body == placed:
        return X_WB @ joint.I.pose @ X_IJ @ joint.J.pose.inverse()
    return X_WB @ joint.J.pose @ X_IJ.inverse() @ joint.I.pose.inverse()


def _opening(attempt: int, k: int) -> float:
    """60 degrees at first; later attempts spread over the circle, differently for each body."""
    spread = (attempt * GOLDEN * (1 + 0.37 * k)) % 1.0
    return math.pi / 3 + 0.05 * k + 2.0 * math.pi * spread
