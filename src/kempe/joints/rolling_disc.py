"""A disc or wheel that rolls on a plane."""

from dataclasses import dataclass
from typing import final

from kempe.algebra.functions import sqrt
from kempe.errors import BadNumber
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.number import finite, keep, positive
from kempe.joints.rolling import AbstractRolling
from kempe.units import Metres

TINY = 1e-300  # beside the square of the smallest lean that counts: no division by zero, lying flat


@final
@dataclass(frozen=True, kw_only=True)
class RollingDisc(AbstractRolling):
    """A disc or wheel about z of J that rolls without slip on the plane z = 0 of I, leaning or not.

    f = -(radius - crown) u / |u| - crown z_I,  u = z_I - (z_I . z_J) z_J
    phi = z_I . (d + f),  d = p_WJ - p_WI
    psi = (x_I . s,  y_I . s),  s = v_J + w_J x f - v_I - w_I x (d + f)

    `crown` is the radius of the tyre's cross section: 0 is a disc with a sharp rim. Lying flat it
    touches everywhere, and the formula says nothing there.

    Source: [NeimarkFufaev]; [Meijaard] for the wheel of a vehicle.
    """

    radius: Metres
    crown: Metres = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, positive, f"joint {self.called}", {"radius": "m"})
        keep(self, finite, f"joint {self.called}", {"crown": "m"})
        if not 0.0 <= self.crown < self.radius:
            raise BadNumber(
                f"the crown of joint {self.called} is {self.crown:g} m: it must lie between 0 and"
                f" the radius, {self.radius:g} m. A ball is a RollingSphere."
            )

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, self.radius), Rotation.with_z((1.0, 0.0, 0.0)))

    def foot(self, up: Vector, R_WJ: Rotation) -> Vector:
        u = up - R_WJ.z * (up @ R_WJ.z)
        rim: Vector = u * ((self.crown - self.radius) / sqrt(u.square + TINY))
        return rim - up * self.crown
