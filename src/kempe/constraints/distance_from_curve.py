"""A point keeps its distance from a curve."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows, Unknown
from kempe.geometry import Pose, Scalar
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.number import positive
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class DistanceFromCurve(AbstractConstraint):
    """The origin of J stays `length` from a curve in the frame of I, along a perpendicular of it.

    phi = ((|d|^2 - length^2) / (2 length),  d . C'(t) / speed),  d = p_WJ - C(t)

    The distance is stationary in t: the nearest point of the curve, or the farthest of a stretch.

    Source: [Barton] eq. 2.3, for a curve.
    """

    curve: AbstractCurve
    length: Metres

    rows: ClassVar[tuple[str, ...]] = ("m", "m")

    def __post_init__(self) -> None:
        positive(self.length, "a distance from a curve")

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("t", self.curve.domain, self.curve.speed),)

    def phi(self, X_WI: Pose, X_WJ: Pose, t: Scalar) -> Rows:
        d = X_WJ.position - X_WI.point(self.curve.point(t))
        slope = X_WI.rotation.apply(self.curve.derivative(t, 1))
        return [
            (d.square - self.length * self.length) / (2.0 * self.length),
            (d @ slope) * (1.0 / self.curve.speed),
        ]
