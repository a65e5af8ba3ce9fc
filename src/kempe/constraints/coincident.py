"""Two points are one."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.geometry.pose import Pose


@final
@dataclass(frozen=True, slots=True)
class Coincident(AbstractConstraint):
    """The origins of markers I and J are one point.

    phi = p_WI - p_WJ

    Source: [GeorgeGuenter] revolute joint, with its printed sign put right; [KohPark] eq. 25.
    """

    rows: ClassVar[tuple[str, ...]] = ("m", "m", "m")

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        return list(X_WI.position - X_WJ.position)
