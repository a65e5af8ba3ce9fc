"""How far J has turned against I about an axis."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.geometry import Axis, Pose, Scalar, X, Y, Z
from kempe.measures.abstract import AbstractMeasure, Wrapped


@final
@dataclass(frozen=True, slots=True)
class Turn(AbstractMeasure):
    """Angle by which marker J is turned against marker I about an axis of I, whole turns counted.

    a = atan2(x_J . y_I, x_J . x_I)  about z; in the plane simply a_J - a_I. About another axis
    the letters move on in their circle: about x, y_J is read against y_I and z_I.
    """

    axis: Axis = Z  # of marker I

    unit: ClassVar[str] = "rad"

    @property
    def word(self) -> str:  # type: ignore[override]
        """ "angle" about the joint's axis, which is z; else "about_x" or "about_y"."""
        return "angle" if self.axis is Z else f"about_{self.axis.name.lower()}"

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar | Wrapped:
        I, J = X_WI.rotation, X_WJ.rotation
        if self.axis is Z and I.angle is not None and J.angle is not None:
            return J.angle - I.angle
        first, second = self.axis.others
        pointer = J.axis(first)
        return Wrapped(np.arctan2(pointer @ I.axis(second), pointer @ I.axis(first)))


TURNS = (Turn(X), Turn(Y), Turn(Z))  # about all axes of marker I
