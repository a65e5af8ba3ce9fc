"""Two axes keep their angle."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.constraints.abstract import AbstractConstraint, Rows, refuse_flat_angle
from kempe.geometry import Axis, Pose
from kempe.units import Radians


@final
@dataclass(frozen=True, slots=True)
class AtAngle(AbstractConstraint):
    """Axis a of marker I and axis b of marker J keep the angle `angle` between them.

    phi = a . b - cos(angle),  0 < angle < pi

    Source: [OndselSolver] angle joint.
    """

    a: Axis  # of marker I
    b: Axis  # of marker J
    angle: Radians

    rows: ClassVar[tuple[str, ...]] = ("1",)

    def __post_init__(self) -> None:
        refuse_flat_angle(self.angle, "axes", "Parallel")

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        return [X_WI.axis(self.a) @ X_WJ.axis(self.b) - np.cos(self.angle)]
