"""The angle between two axes."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.geometry import Axis, Pose, Scalar, Z
from kempe.measures.abstract import AbstractMeasure


@final
@dataclass(frozen=True, slots=True)
class Inclination(AbstractMeasure):
    """Angle between axis a of marker I and axis b of marker J, from 0 to pi.

    a = atan2(|a x b|, a . b);  its rate is not defined where the axes are parallel

    Own: the arc tangent keeps all digits near 0 and pi, where the arc cosine loses half of them.
    """

    a: Axis = Z  # of marker I
    b: Axis = Z  # of marker J

    word: ClassVar[str] = "inclination"
    unit: ClassVar[str] = "rad"

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar:
        a, b = X_WI.axis(self.a), X_WJ.axis(self.b)
        return np.arctan2(a.cross(b).norm, a @ b)
