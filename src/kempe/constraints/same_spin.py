"""Two bent shafts turn at one speed."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.geometry import Pose, X, Y


@final
@dataclass(frozen=True, slots=True)
class SameSpin(AbstractConstraint):
    """Two shafts, whose z axes both point away from their coupling, spin by equal angles.

    phi = x_I . y_J + y_I . x_J

    The mirror M in the plane that bisects the shafts takes x_J to x_I and y_J to -y_I, whatever
    the bend, and is symmetric: x_I . y_J = M x_J . y_J = x_J . M y_J = -x_J . y_I. Where the z axes
    point the same way the row is zero for every spin and says nothing.

    Source: [OndselSolver] constant velocity joint; the derivation: Own.
    """

    rows: ClassVar[tuple[str, ...]] = ("1",)

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        return [X_WI.axis(X) @ X_WJ.axis(Y) + X_WI.axis(Y) @ X_WJ.axis(X)]
