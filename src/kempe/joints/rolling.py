"""What joints share that roll on a plane: the point that touches it does not slip."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from kempe.constraints.abstract import Rows
from kempe.geometry import Pose, Rotation, Twist, Vector, X, Y, Z
from kempe.joints.abstract import AbstractJoint
from kempe.measures import SLIDES, AbstractMeasure


@dataclass(frozen=True, kw_only=True)
class AbstractRolling(AbstractJoint):
    """A convex body at J that rolls without slip on the plane z = 0 of I.

    phi = z_I . (d + f),  d = p_WJ - p_WI
    psi = (x_I . s,  y_I . s),  s = v_J + w_J x f - v_I - w_I x (d + f)

    f is its `foot`: from the origin of J to its lowest point above the plane. The plane may move;
    turning on the spot, about z_I, is left free.
    """

    rows: ClassVar[tuple[str, ...]] = ("m",)
    velocity_rows: ClassVar[tuple[str, ...]] = ("m", "m")
    symbol: ClassVar[str] = "plate"

    @property
    def measures(self) -> tuple[AbstractMeasure, ...]:
        """Where on the plane the origin of J stands; no place of it is free by itself."""
        return SLIDES[:2]

    @abstractmethod
    def foot(self, up: Vector, R_WJ: Rotation) -> Vector:
        """From the origin of J to its lowest point (m), world axes.

        `up` is the plane's normal z_I, `R_WJ` how J is turned, both in world axes.
        """

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        up = X_WI.axis(Z)
        return [up @ (X_WJ.position - X_WI.position + self.foot(up, X_WJ.rotation))]

    def psi(self, X_WI: Pose, V_WI: Twist, X_WJ: Pose, V_WJ: Twist) -> Rows:
        foot = self.foot(X_WI.axis(Z), X_WJ.rotation)
        d = X_WJ.position - X_WI.position
        slip = V_WJ.at(foot) - V_WI.at(d + foot)
        return [X_WI.axis(X) @ slip, X_WI.axis(Y) @ slip]
