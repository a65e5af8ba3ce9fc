"""Two axes keep their angle."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.errors import BadNumber
from kempe.geometry import Axis, Pose
from kempe.units import Radians

# A cosine is flat where the angle is 0 or pi: within this of them the row says next to nothing.
LEAST_SINE = 1e-6


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
        if not (0.0 < self.angle < math.pi and math.sin(self.angle) > LEAST_SINE):
            raise BadNumber(
                f"two axes cannot be kept at an angle of {self.angle:.9g} rad by one row: it must"
                " lie between 0 and pi. Axes that stay parallel are Parallel."
            )

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        return [X_WI.axis(self.a) @ X_WJ.axis(self.b) - np.cos(self.angle)]
