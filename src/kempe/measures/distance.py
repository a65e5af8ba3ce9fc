"""How far J is from I."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.geometry import Pose, Scalar
from kempe.measures.abstract import AbstractMeasure


@final
@dataclass(frozen=True, slots=True)
class Distance(AbstractMeasure):
    """Distance between the origins of markers I and J; its rate is not defined where it is 0.

    s = |p_WJ - p_WI|
    """

    word: ClassVar[str] = "distance"
    unit: ClassVar[str] = "m"

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar:
        return (X_WJ.position - X_WI.position).norm
