"""A point stays on a curve."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows, Unknown
from kempe.geometry import Pose, Scalar
from kempe.geometry.curves import AbstractCurve


@final
@dataclass(frozen=True, slots=True)
class OnCurve(AbstractConstraint):
    """The origin of J stays on a curve that is given in the frame of I.

    phi = p_WJ - (p_WI + R_WI C(t)),  t an unknown of its own

    Source: [Barton] section 2.1, a point on a curve.
    """

    curve: AbstractCurve

    rows: ClassVar[tuple[str, ...]] = ("m", "m", "m")

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("t", self.curve.domain, self.curve.speed),)

    def phi(self, X_WI: Pose, X_WJ: Pose, t: Scalar) -> Rows:
        return list(X_WJ.position - X_WI.point(self.curve.point(t)))
