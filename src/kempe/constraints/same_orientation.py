"""Two frames stay turned the same way."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.geometry import Pose, X, Y, Z


@final
@dataclass(frozen=True, slots=True)
class SameOrientation(AbstractConstraint):
    """The axes of markers I and J stay parallel, each to its namesake.

    phi = (x_I . y_J,  x_I . z_J,  y_I . z_J)

    Source: [KohPark] translational joint. The rows also vanish after a half turn about any axis:
    a joint that uses them declares two sides.
    """

    rows: ClassVar[tuple[str, ...]] = ("1", "1", "1")

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        return [X_WI.axis(a) @ X_WJ.axis(b) for a, b in ((X, Y), (X, Z), (Y, Z))]
