"""A coordinate of a body's origin in the world."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.geometry import Axis, Pose, Scalar
from kempe.measures.abstract import AbstractMeasure


@final
@dataclass(frozen=True, slots=True)
class Coordinate(AbstractMeasure):
    """World coordinate of marker J's origin along a world axis; marker I does not matter.

    s = p_WJ . e
    """

    axis: Axis

    word: ClassVar[str] = "coordinate"
    unit: ClassVar[str] = "m"

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar:
        return X_WJ.position[self.axis.value]
