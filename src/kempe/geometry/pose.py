"""Poses: where a frame is and how it is turned, X_AB."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry.axis import Axis
from kempe.geometry.rotation import Rotation
from kempe.geometry.vector import Vector


@final
@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """X_AB: `position` (m) of B's origin in A, and `rotation` R_AB."""

    position: Vector
    rotation: Rotation

    @classmethod
    def identity(cls) -> "Pose":
        """A frame that coincides with its reference."""
        return cls(Vector(0.0, 0.0, 0.0), Rotation.identity())

    def axis(self, which: Axis) -> Vector:
        """That axis of B, in A."""
        return self.rotation.axis(which)

    def point(self, p: Vector) -> Vector:
        """A point (m) given in B, in A: r + R p."""
        return self.position + self.rotation.apply(p)

    def __matmul__(self, other: "Pose") -> "Pose":
        """X_AC = X_AB X_BC."""
        return Pose(self.point(other.position), self.rotation @ other.rotation)

    def inverse(self) -> "Pose":
        """X_BA, the pose of A in B."""
        back = self.rotation.inverse()
        return Pose(-back.apply(self.position), back)

    def matrix(self) -> NDArray[np.float64]:
        """X_AB as a homogeneous matrix (4, 4)."""
        m = np.eye(4)
        m[:3, :3] = self.rotation.matrix()
        m[:3, 3] = np.array(self.position, dtype=np.float64)
        return m
