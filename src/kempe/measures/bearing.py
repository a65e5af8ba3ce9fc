"""In which direction J lies, seen from I."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.geometry import Axis, Pose, Z
from kempe.measures.abstract import AbstractMeasure, Wrapped


@final
@dataclass(frozen=True, slots=True)
class Bearing(AbstractMeasure):
    """Direction of marker J's origin, seen from I about an axis of I, whole turns counted.

    a = atan2(d . y_I, d . x_I)  about z,  d = p_WJ - p_WI

    Source: [OndselSolver] gear joint, its orbit angle.
    """

    axis: Axis = Z  # of marker I

    unit: ClassVar[str] = "rad"

    @property
    def word(self) -> str:  # type: ignore[override]
        """ "bearing" about z; else "bearing_about_x" or "bearing_about_y"."""
        return "bearing" if self.axis is Z else f"bearing_about_{self.axis.name.lower()}"

    def value(self, X_WI: Pose, X_WJ: Pose) -> Wrapped:
        d = X_WJ.position - X_WI.position
        first, second = (X_WI.axis(across) for across in self.axis.others)
        return Wrapped(np.arctan2(d @ second, d @ first))
