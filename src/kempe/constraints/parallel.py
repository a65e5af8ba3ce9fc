"""Two axes stay parallel."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.geometry import Axis, Pose


@final
@dataclass(frozen=True, slots=True)
class Parallel(AbstractConstraint):
    """Axis a of marker I stays parallel to axis b of marker J, the same way or the other.

    phi = (u . b, v . b),  u and v the other two axes of I

    Source: [KohPark] fig. 2, its two perpendicular rows as one word.
    """

    a: Axis  # of marker I
    b: Axis  # of marker J

    rows: ClassVar[tuple[str, ...]] = ("1", "1")

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        b = X_WJ.axis(self.b)
        return [X_WI.axis(across) @ b for across in self.a.others]
