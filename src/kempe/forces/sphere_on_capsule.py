"""A ball on a capsule."""

from dataclasses import dataclass
from typing import final

from kempe.forces.contact import AbstractContact, Touch, within
from kempe.forces.sphere_on_sphere import two_balls
from kempe.geometry import Axis, Pose
from kempe.units import Metres


@final
@dataclass(frozen=True)
class SphereOnCapsule(AbstractContact):
    """A ball about the origin of J on a bar with round ends, its middle at the origin of I.

    gap = |p_WJ - c| - r_I - r_J,  c = p_WI + s a,  s = clamp((p_WJ - p_WI) . a, -l/2, l/2)

    `along` is the axis of I that the bar lies along, `length` l that between the centres of its
    ends. Laws of the contact: `AbstractContact`.

    Own.
    """

    along: Axis
    radius_I: Metres
    length: Metres
    radius_J: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"radius_I": "m", "length": "m", "radius_J": "m"})

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        a, centre = X_WI.axis(self.along), X_WJ.position
        s = within((centre - X_WI.position) @ a, 0.5 * self.length)
        return [two_balls(X_WI.position + a * s, centre, self.radius_I, self.radius_J)]
