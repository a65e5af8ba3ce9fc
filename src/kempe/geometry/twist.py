"""Twists: how a frame moves."""

from dataclasses import dataclass
from typing import final

from kempe.geometry.pose import Pose
from kempe.geometry.vector import Vector


@final
@dataclass(frozen=True, slots=True, eq=False)
class Twist:
    """Velocity `v` (m/s) of a frame's origin, angular velocity `w` (rad/s), in one set of axes."""

    v: Vector
    w: Vector

    def at(self, p: Vector) -> Vector:
        """Velocity (m/s) of the body's point that is at p (m) from the origin: v + w x p."""
        return self.v + self.w.cross(p)

    def seen_from(self, X_AB: Pose) -> "Twist":
        """This motion, given at B's origin in B's axes, at A's origin in A's axes.

        w_A = R w,  v_A = R v + r x (R w)

        Source: [Featherstone] eq. 2.24.
        """
        w = X_AB.rotation.apply(self.w)
        return Twist(X_AB.rotation.apply(self.v) + X_AB.position.cross(w), w)

    def power(self, force: Vector, torque: Vector) -> object:
        """Power (W) of a wrench at the same point in the same axes: f . v + m . w."""
        return force @ self.v + torque @ self.w
