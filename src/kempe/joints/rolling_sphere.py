"""A ball that rolls on a plane."""

from dataclasses import dataclass
from typing import final

from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.number import keep, positive
from kempe.joints.rolling import AbstractRolling
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class RollingSphere(AbstractRolling):
    """A ball about the origin of J that rolls without slip on the plane z = 0 of I.

    phi = z_I . d - radius,  d = p_WJ - p_WI
    psi = (x_I . s,  y_I . s),  s = v_J - v_I - w_I x d - radius (w_J - w_I) x z_I

    In the plane it is a round disc on a straight line: let the normal of the line be z of I.

    Source: [NeimarkFufaev], with a plane that may move.
    """

    radius: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, positive, f"joint {self.called}", {"radius": "m"})

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, self.radius), Rotation.identity())

    def foot(self, up: Vector, R_WJ: Rotation) -> Vector:
        return up * (-self.radius)
