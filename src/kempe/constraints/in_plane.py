"""A point stays in a plane."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.geometry.axis import Axis
from kempe.geometry.pose import Pose


@final
@dataclass(frozen=True, slots=True)
class InPlane(AbstractConstraint):
    """The origin of marker J stays in the plane through I square to axis n of I.

    phi = (p_WJ - p_WI) . n

    Source: [KohPark] eq. 26.
    """

    n: Axis  # of marker I

    rows: ClassVar[tuple[str, ...]] = ("m",)

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        return [(X_WJ.position - X_WI.position) @ X_WI.axis(self.n)]
