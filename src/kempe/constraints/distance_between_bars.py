"""Two skew bars keep their distance."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.constraints.bar import along
from kempe.geometry.number import positive
from kempe.geometry.pose import Pose
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class DistanceBetweenBars(AbstractConstraint):
    """The bars from I to K and from J to L stay `length` apart, along their common perpendicular.

    phi = (((p_J - p_I) . n)^2 / |n|^2 - length^2) / (2 length),  n = (p_K - p_I) x (p_L - p_J)

    In space only; parallel bars have no common perpendicular of their own: see ParallelBarsApart.

    Source: [Barton] section 2.2, bar-bar distance.
    """

    length: Metres

    rows: ClassVar[tuple[str, ...]] = ("m",)
    frames: ClassVar[int] = 4

    def __post_init__(self) -> None:
        positive(self.length, "a distance of bars")

    def phi(self, X_WI: Pose, X_WJ: Pose, X_WK: Pose, X_WL: Pose) -> Rows:
        n = along(X_WI, X_WK).cross(along(X_WJ, X_WL))
        across = (X_WJ.position - X_WI.position) @ n
        d2 = across * across / n.square
        return [(d2 - self.length * self.length) / (2.0 * self.length)]
