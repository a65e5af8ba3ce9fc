"""A blade that may glide along itself and turn, and not move sideways."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows
from kempe.geometry import Pose, Twist, X, Z
from kempe.joints.abstract import AbstractJoint
from kempe.measures import SLIDES, AbstractMeasure, Turn


@final
@dataclass(frozen=True)
class KnifeEdge(AbstractJoint):
    """A blade, skate or light wheel: the origin of J stays on a plane, and moves along x of J only.

    phi = z_I . d,  d = p_WJ - p_WI
    psi = (z_I x x_J) . (v_J - v_I - w_I x d)

    The plane is z = 0 of I, and may move. The second row holds a velocity and no place: a body on
    such a blade can still get anywhere. It may lean; standing on its tip, x of J square to the
    plane, it has no direction to glide in.

    Source: [NeimarkFufaev], the skate and Chaplygin's sleigh.
    """

    rows: ClassVar[tuple[str, ...]] = ("m",)
    velocity_rows: ClassVar[tuple[str, ...]] = ("m",)
    symbol: ClassVar[str] = "plate"

    @property
    def measures(self) -> tuple[AbstractMeasure, ...]:
        """Where on the plane it stands, and which way it points; none of them is free by itself."""
        return (*SLIDES[:2], Turn(Z))

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        return [X_WI.axis(Z) @ (X_WJ.position - X_WI.position)]

    def psi(self, X_WI: Pose, V_WI: Twist, X_WJ: Pose, V_WJ: Twist) -> Rows:
        slip = V_WJ.v - V_WI.at(X_WJ.position - X_WI.position)
        return [X_WI.axis(Z).cross(X_WJ.axis(X)) @ slip]
