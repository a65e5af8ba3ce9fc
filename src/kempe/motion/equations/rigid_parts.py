"""Bodies that stand as one: welded, or held where they could turn or slide.

A *part* is a set of bodies that keep their places to each other; bodies of one *orientation* keep
their turns to each other, as those on both sides of a slide do.
"""

from collections.abc import Iterable, Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry import GROUND
from kempe.motion.equations.exactness import HERE as EXACTLY_HERE
from kempe.motion.equations.exactness import ExactFrame, Numbers, given, places
from kempe.motion.equations.spatial_joints import HERE, Frame, SpatialJoint

FloatArray = NDArray[np.float64]


@final
class RigidParts:
    """The parts and orientations of a model: every body has its frame in those of its leaders."""

    def __init__(self, bodies: Iterable[str], joints: Sequence[SpatialJoint], size: float) -> None:
        names = [GROUND, *bodies]
        self._part = {name: (name, HERE) for name in names}
        self._orientation = {name: (name, HERE) for name in names}
        self._exact_part = dict.fromkeys(names, EXACTLY_HERE)
        self._exact_orientation = dict.fromkeys(names, EXACTLY_HERE)
        # joints between bodies of one part, by how much they are off, whether that is exactly zero
        self.off: list[tuple[str, float, bool]] = []
        left = []
        for joint in joints:
            if joint.is_rigid:
                exact = joint.exact_relative
                self._weld((self._part, self._exact_part), joint, (joint.relative(), exact), size)
            else:
                left.append(joint)
        for joint in joints:
            if joint.is_rigid or joint.turns_along:
                turn = Frame(np.zeros(3), joint.relative().R)
                exact = ExactFrame(EXACTLY_HERE.p, joint.exact_relative.R)
                leaders = self._orientation, self._exact_orientation
                self._weld(leaders, joint, (turn, exact), 1.0)
        self.joints = left

    def part(self, body: str) -> tuple[str, Frame]:
        """The leader of a body's part, and the body's frame in it."""
        return self._part[body]

    def orientation(self, body: str) -> tuple[str, FloatArray]:
        """The leader of a body's orientation, and how the body is turned against it."""
        leader, X = self._orientation[body]
        return leader, X.R

    def exact_point(self, body: str, p: FloatArray) -> Numbers:
        """A point of a body in the axes of its part's orientation, as far as it is known."""
        part, _ = self._part[body]
        inside = self._exact_part[body].point(places(p))
        return self._exact_orientation[part].turned(inside)

    def exact_direction(self, body: str, v: FloatArray) -> Numbers:
        """A vector of a body in its orientation, as far as it is known."""
        return self._exact_orientation[body].turned(given(v))

    @property
    def is_known(self) -> bool:
        """Whether all frames of bodies in their leaders are known exactly."""
        frames = (*self._exact_part.values(), *self._exact_orientation.values())
        return all(frame.is_known for frame in frames)

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
        led: tuple[dict[str, tuple[str, Frame]], dict[str, ExactFrame]],
        joint: SpatialJoint,
        between: tuple[Frame, ExactFrame],
        size: float,
    ) -> None:
        """Let one body's leader lead the other's too; of those with one leader, see what is off."""
        leaders, exact = led
        (first, X_FA), (second, X_SB) = (leaders[body] for body in joint.bodies)
        E_FA, E_SB = (exact[body] for body in joint.bodies)
        X_FB, E_FB = X_FA @ between[0], E_FA @ between[1]
        if first == second:
            gap = X_SB.inverse() @ X_FB
            turn = float(np.abs(gap.R - np.eye(3)).max())
            off = max(float(np.abs(gap.p).max()) / size, turn)
            self.off.append((joint.name, off, E_FB.is_known and E_FB == E_SB))
            return
        X_FS, E_FS = X_FB @ X_SB.inverse(), E_FB @ E_SB.inverse()
        if second == GROUND:
            first, second, X_FS, E_FS = second, first, X_FS.inverse(), E_FS.inverse()
        for body, (leader, X) in leaders.items():
            if leader == second:
                leaders[body] = (first, X_FS @ X)
                exact[body] = E_FS @ exact[body]
