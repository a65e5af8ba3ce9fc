"""Two balls, two discs."""

from dataclasses import dataclass
from typing import final

from kempe.forces.contact import AbstractContact, Touch
from kempe.geometry import Pose, Scalar, Vector
from kempe.units import Metres


@final
@dataclass(frozen=True)
class SphereOnSphere(AbstractContact):
    """A ball about the origin of I and one about the origin of J; in the plane, discs.

    gap = |p_WJ - p_WI| - r_I - r_J

    Laws of the contact: `AbstractContact`. Where both centres are one point there is no normal.

    Own.
    """

    radius_I: Metres
    radius_J: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"radius_I": "m", "radius_J": "m"})

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        return [two_balls(X_WI.position, X_WJ.position, self.radius_I, self.radius_J)]


def two_balls(a: Vector, b: Vector, radius_a: Scalar, radius_b: Scalar) -> Touch:
    """Where balls about `a` and `b` (m, world) of `radius_a` and `radius_b` (m) are nearest."""
    line = b - a
    length = line.norm
    n, gap = line / length, length - radius_a - radius_b
    return Touch(gap, n, a + n * (radius_a + 0.5 * gap))
