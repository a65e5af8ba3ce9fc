"""How far J has moved from I along an axis."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.geometry import Axis, Pose, Scalar, X, Y, Z
from kempe.measures.abstract import AbstractMeasure


@final
@dataclass(frozen=True, slots=True)
class Displacement(AbstractMeasure):
    """Displacement of marker J from marker I along an axis of I.

    s = (p_WJ - p_WI) . a
    """

    axis: Axis = Z  # of marker I

    unit: ClassVar[str] = "m"

    @property
    def word(self) -> str:  # type: ignore[override]
        """ "displacement" along the joint's axis, which is z; else "x" or "y"."""
        return "displacement" if self.axis is Z else self.axis.name.lower()

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar:
        return (X_WJ.position - X_WI.position) @ X_WI.axis(self.axis)


SLIDES = (Displacement(X), Displacement(Y), Displacement(Z))  # along all axes of marker I
