"""An ellipsoid that rolls on a plane."""

from dataclasses import dataclass
from typing import final

from kempe.algebra.functions import sqrt
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.number import positive
from kempe.joints.rolling import AbstractRolling
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class RollingEllipsoid(AbstractRolling):
    """An ellipsoid about the origin of J that rolls without slip on the plane z = 0 of I.

    n = (z_I . x_J,  z_I . y_J,  z_I . z_J),  h = sqrt(a^2 n_x^2 + b^2 n_y^2 + c^2 n_z^2)
    f = -(a^2 n_x x_J + b^2 n_y y_J + c^2 n_z z_J) / h
    phi = z_I . d - h,  d = p_WJ - p_WI
    psi = (x_I . s,  y_I . s),  s = v_J + w_J x f - v_I - w_I x (d + f)

    Its semi-axes `a`, `b` and `c` lie along x, y and z of J: a rattleback's hull is half of one.

    Source: [KaneLevinson], the rattleback as an ellipsoid.
    """

    a: Metres
    b: Metres
    c: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        for axis in ("a", "b", "c"):
            what = f"semi-axis {axis} of joint {self.called}"
            object.__setattr__(self, axis, positive(getattr(self, axis), what, "m"))

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, self.c), Rotation.identity())

    def foot(self, up: Vector, R_WJ: Rotation) -> Vector:
        axes, sizes = (R_WJ.x, R_WJ.y, R_WJ.z), (self.a, self.b, self.c)
        reach = [size * size * (up @ axis) for axis, size in zip(axes, sizes, strict=True)]
        h = sqrt(sum(r * (up @ axis) for r, axis in zip(reach, axes, strict=True)))
        x, y, z = (axis * (r / h) for r, axis in zip(reach, axes, strict=True))
        foot: Vector = -(x + y + z)
        return foot
