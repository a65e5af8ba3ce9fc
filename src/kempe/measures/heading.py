"""In which direction an axis of J points, seen from I."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.geometry import Axis, Pose, Z
from kempe.measures.abstract import AbstractMeasure, Wrapped


@final
@dataclass(frozen=True, slots=True)
class Heading(AbstractMeasure):
    """Direction in which axis b of marker J points, about an axis of I, whole turns counted.

    a = atan2(b . y_I, b . x_I)  about z

    The two angles of a universal joint's cross are the heading of z_J seen from I and that of z_I
    seen from J.
    """

    axis: Axis = Z  # of marker I, about which it is read
    b: Axis = Z  # of marker J, whose direction is read

    word: ClassVar[str] = "heading"
    unit: ClassVar[str] = "rad"

    def value(self, X_WI: Pose, X_WJ: Pose) -> Wrapped:
        b = X_WJ.axis(self.b)
        first, second = (X_WI.axis(across) for across in self.axis.others)
        return Wrapped(np.arctan2(b @ second, b @ first))
