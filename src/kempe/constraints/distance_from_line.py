"""A point keeps its distance from a line."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows, refuse_no_length
from kempe.geometry import Axis, Pose
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class DistanceFromLine(AbstractConstraint):
    """The origin of marker J stays `length` from the line through I along axis a of I.

    phi = ((d . b)^2 + (d . c)^2 - length^2) / (2 length),  d = p_WJ - p_WI, b and c across a

    Source: [OndselSolver] cyl-sph joint; scaled as Distance is.
    """

    a: Axis  # of marker I
    length: Metres

    rows: ClassVar[tuple[str, ...]] = ("m",)

    def __post_init__(self) -> None:
        said = "A point that stays on a line is OnLine."
        refuse_no_length(self.length, "a distance from a line", said)

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        d = X_WJ.position - X_WI.position
        u, v = (d @ X_WI.axis(across) for across in self.a.others)
        return [(u * u + v * v - self.length * self.length) / (2.0 * self.length)]
