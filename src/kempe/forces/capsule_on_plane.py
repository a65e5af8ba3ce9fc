"""A capsule on a floor."""

from dataclasses import dataclass
from typing import final

from kempe.forces.contact import AbstractContact, Touch
from kempe.forces.sphere_on_plane import ball_on_plane
from kempe.geometry import Axis, Pose
from kempe.units import Metres


@final
@dataclass(frozen=True)
class CapsuleOnPlane(AbstractContact):
    """A bar with round ends, its middle at the origin of J, on the plane through I.

    gap_k = (p_k - p_WI) . n - r,  p_k = p_WJ -+ l/2 a,  k = 1, 2

    `normal` is the axis of I that points out of the ground, `along` the axis of J that the bar lies
    along, `length` l that between the centres of its ends. It lies on both ends or stands on one:
    either has a force of its own. Laws of the contact: `AbstractContact`.

    Own.
    """

    normal: Axis
    along: Axis
    radius: Metres
    length: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"radius": "m", "length": "m"})

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        half = X_WJ.axis(self.along) * (0.5 * self.length)
        ends = (X_WJ.position - half, X_WJ.position + half)
        return [ball_on_plane(X_WI, self.normal, end, self.radius) for end in ends]
