"""Bodies that stand as one: welded, or held where they could turn or slide.

A *part* is a set of bodies that keep their places to each other; bodies of one *orientation* keep
their turns to each other, as those on both sides of a slide do.
"""

from collections.abc import Iterable, Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry import GROUND
from kempe.motion.equations.spatial_joints import HERE, Frame, SpatialJoint

FloatArray = NDArray[np.float64]


@final
class RigidParts:
    """The parts and orientations of a model: every body has its frame in those of its leaders."""

    def __init__(self, bodies: Iterable[str], joints: Sequence[SpatialJoint], size: float) -> None:
        names = [GROUND, *bodies]
        self._part = {name: (name, HERE) for name in names}
        self._orientation = {name: (name, HERE) for name in names}
        self.off: list[tuple[str, float]] = []  # joints between bodies of one part, and by how much
        left = []
        for joint in joints:
            if joint.is_rigid:
                self._weld(self._part, joint, joint.relative(), size)
            else:
                left.append(joint)
        for joint in joints:
            if joint.is_rigid or joint.turns_along:
                turn = Frame(np.zeros(3), joint.relative().R)
                self._weld(self._orientation, joint, turn, 1.0)
        self.joints = left

    def part(self, body: str) -> tuple[str, Frame]:
        """The leader of a body's part, and the body's frame in it."""
        return self._part[body]

    def orientation(self, body: str) -> tuple[str, FloatArray]:
        """The leader of a body's orientation, and how the body is turned against it."""
        leader, X = self._orientation[body]
        return leader, X.R

    def is_turned_alone(self, part: str) -> bool:
        """Whether no other part keeps its turn against this one."""
        leader = self._orientation[part][0]
        return all(
            self._part[body][0] == part
            for body, (own, _) in self._orientation.items()
            if own == leader
        )

    def _weld(
        self,
        leaders: dict[str, tuple[str, Frame]],
        joint: SpatialJoint,
        X_AB: Frame,
        size: float,
    ) -> None:
        """Let one body's leader lead the other's too; of those with one leader, see what is off."""
        (first, X_FA), (second, X_SB) = (leaders[body] for body in joint.bodies)
        X_FB = X_FA @ X_AB
        if first == second:
            gap = X_SB.inverse() @ X_FB
            turn = float(np.abs(gap.R - np.eye(3)).max())
            self.off.append((joint.name, max(float(np.abs(gap.p).max()) / size, turn)))
            return
        X_FS = X_FB @ X_SB.inverse()
        if second == GROUND:
            first, second, X_FS = second, first, X_FS.inverse()
        for body, (leader, X) in leaders.items():
            if leader == second:
                leaders[body] = (first, X_FS @ X)
