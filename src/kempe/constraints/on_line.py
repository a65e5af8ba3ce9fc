"""A point stays on a line."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.geometry import Axis, Pose


@final
@dataclass(frozen=True, slots=True)
class OnLine(AbstractConstraint):
    """The origin of marker J stays on the line through I along axis a of I.

    phi = (d . b, d . c),  d = p_WJ - p_WI,  b and c the other two axes of I

    Own: two planes that meet in the line, as one word.
    """

    a: Axis  # of marker I

    rows: ClassVar[tuple[str, ...]] = ("m", "m")

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        d = X_WJ.position - X_WI.position
        return [d @ X_WI.axis(across) for across in self.a.others]
