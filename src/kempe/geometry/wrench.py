"""Wrenches: a force and a torque at a point."""

from dataclasses import dataclass
from typing import final

from kempe.geometry.pose import Pose
from kempe.geometry.vector import Vector


@final
@dataclass(frozen=True, slots=True, eq=False)
class Wrench:
    """Force (N) and torque (N m) at a frame's origin, in one set of axes."""

    force: Vector
    torque: Vector

    def at(self, p: Vector) -> "Wrench":
        """This wrench with its torque about the point p from the origin: m_p = m - p x f."""
        return Wrench(self.force, self.torque - p.cross(self.force))

    def seen_from(self, X_AB: Pose) -> "Wrench":
        """The wrench, given at B's origin in B's axes, at A's origin in A's axes.

        f_A = R f,  m_A = R m + r x (R f)

        Source: [Featherstone] eq. 2.25.
        """
        force = X_AB.rotation.apply(self.force)
        return Wrench(force, X_AB.rotation.apply(self.torque) + X_AB.position.cross(force))
