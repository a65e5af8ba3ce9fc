"""A ball that rolls on a ball or in a bowl."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows
from kempe.errors import BadNumber
from kempe.geometry import Pose, Rotation, Twist, Vector, Z
from kempe.geometry.number import keep, positive
from kempe.joints.abstract import AbstractJoint
from kempe.measures import SLIDES, AbstractMeasure
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class RollingOnSphere(AbstractJoint):
    """A ball about the origin of J that rolls without slip on a ball about that of I, or inside it.

    phi = |d| - (sphere + radius),  d = p_WJ - p_WI;  `inside`: |d| - (sphere - radius)
    psi = (t . s,  (n x t) . s),  n = d / |d|,  t = z_I x n,  f = -radius n;  `inside`: radius n
    s = v_J + w_J x f - v_I - w_I x (d + f)

    In the plane it is a round disc on a circle or in a bowl, and a point of its rim draws a
    hypocycloid or an epicycloid. I may move. In space the ball must not come to where z of I
    pierces the sphere, where t has no direction: let z of I lie across the motion.

    Own: by the same reasoning as [NeimarkFufaev] for a plane.
    """

    sphere: Metres  # radius of the ball or bowl about the origin of I
    radius: Metres  # of what rolls
    inside: bool = False

    rows: ClassVar[tuple[str, ...]] = ("m",)
    velocity_rows: ClassVar[tuple[str, ...]] = ("m", "m")
    symbol: ClassVar[str] = "plate"

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, positive, f"joint {self.called}", {"sphere": "m", "radius": "m"})
        if self.inside and not self.radius < self.sphere:
            raise BadNumber(
                f"joint {self.called} has a ball of {self.radius:g} m in a bowl of"
                f" {self.sphere:g} m: give the ball a smaller radius, or let it roll outside."
            )

    @property
    def measures(self) -> tuple[AbstractMeasure, ...]:
        """Where the origin of J stands, seen from I; no place of it is free by itself."""
        return SLIDES[:2]

    @property
    def home(self) -> Pose:
        return Pose(Vector(self._apart, 0.0, 0.0), Rotation.identity())

    @property
    def _apart(self) -> float:
        """The distance of both centres."""
        return self.sphere - self.radius if self.inside else self.sphere + self.radius

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        return [(X_WJ.position - X_WI.position).norm - self._apart]

    def psi(self, X_WI: Pose, V_WI: Twist, X_WJ: Pose, V_WJ: Twist) -> Rows:
        d = X_WJ.position - X_WI.position
        n = d / d.norm
        foot = n * (self.radius if self.inside else -self.radius)
        slip = V_WJ.at(foot) - V_WI.at(d + foot)
        across = X_WI.axis(Z).cross(n)
        return [across @ slip, n.cross(across) @ slip]
