"""A point stays in a plane."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.errors import BadNumber
from kempe.geometry import Axis, Pose
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class InPlane(AbstractConstraint):
    """The origin of marker J stays in the plane square to axis n of I, `offset` away from I.

    phi = (p_WJ - p_WI) . n - offset

    Source: [KohPark] eq. 26, with an offset.
    """

    n: Axis  # of marker I
    offset: Metres = 0.0  # along n

    rows: ClassVar[tuple[str, ...]] = ("m",)

    def __post_init__(self) -> None:
        if not math.isfinite(self.offset):
            raise BadNumber(f"a plane's offset must be finite, this one is {self.offset} m.")

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        return [(X_WJ.position - X_WI.position) @ X_WI.axis(self.n) - self.offset]
