"""Two points keep their distance."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows, refuse_no_length
from kempe.geometry.pose import Pose
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class Distance(AbstractConstraint):
    """The origins of markers I and J stay `length` apart.

    phi = (|p_WJ - p_WI|^2 - length^2) / (2 length)

    Own: the division makes the row a length to first order; the square keeps it a polynomial.
    """

    length: Metres

    rows: ClassVar[tuple[str, ...]] = ("m",)

    def __post_init__(self) -> None:
        refuse_no_length(self.length, "a distance", "Two points that are one are Coincident.")

    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        d = X_WJ.position - X_WI.position
        return [(d.square - self.length * self.length) / (2.0 * self.length)]
