"""Two axes stay square to each other."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.geometry import Axis, Pose


@final
@dataclass(frozen=True, slots=True)
class Perpendicular(AbstractConstraint):
    """Axis a of marker I stays square to axis b of marker J.

    phi = a . b

    Source: [KohPark] eq. 27.
    """

    a: Axis  # of marker I
    b: Axis  # of marker J

    rows: ClassVar[tuple[str, ...]] = ("1",)

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        return [X_WI.axis(self.a) @ X_WJ.axis(self.b)]
