"""A cylinder on a floor: a roll, a disc, a can."""

from dataclasses import dataclass
from typing import final

from kempe.algebra.functions import sqrt
from kempe.forces.contact import AbstractContact, Touch
from kempe.geometry import Axis, Pose
from kempe.units import Metres, Radians


@final
@dataclass(frozen=True)
class CylinderOnPlane(AbstractContact):
    """A round bar or a disc, its middle at the origin of J, on the plane through I.

    gap_k = (p_k - p_WI) . n - r (S - e) / (sqrt(1 + e^2) - e),  S = sqrt(1 - (n . a)^2 + e^2)

    `normal` is the axis of I that points out of the ground, `along` the axis of J that the cylinder
    turns about, with ends p_k = p_WJ -+ l/2 a. Either end touches with the lowest point of its rim.
    Where the cylinder stands on an end every point is the lowest: there, below a tilt of about
    `rounding` e, it moves across the end from one side to the other. Lying and standing the gap is
    exact, between it is up to r e too large. Laws of the contact: `AbstractContact`.

    Own.
    """

    normal: Axis
    along: Axis
    radius: Metres
    length: Metres
    rounding: Radians = 1e-3

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"radius": "m", "length": "m", "rounding": "rad"})

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        n, a = X_WI.axis(self.normal), X_WJ.axis(self.along)
        upright = n @ a
        across = n - a * upright
        e = self.rounding
        S = sqrt(across.square + e * e)
        r = self.radius / (sqrt(1.0 + e * e) - e)
        found = []
        for side in (-0.5, 0.5):
            end = X_WJ.position + a * (side * self.length)
            gap = (end - X_WI.position) @ n - r * (S - e)
            low = end - across * (r / S)
            height = (low - X_WI.position) @ n
            found.append(Touch(gap, n, low + n * (0.5 * gap - height)))
        return found
