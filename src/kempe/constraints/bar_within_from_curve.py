"""A bar keeps its distance from a curve, between its ends."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows
from kempe.constraints.bar import squared_length
from kempe.constraints.bar_and_curve import AbstractWithinBarAndCurve
from kempe.constraints.bar_from_curve import BarFromCurve
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.number import positive
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class BarWithinFromCurve(AbstractWithinBarAndCurve):
    """The bar from J to K stays `length` from a curve in the frame of I, at a foot within the bar.

    phi = (those of BarFromCurve,  (C(t) - p_WJ) . u / |u|^2 - share),  0 <= share <= 1

    Source: [Barton] section 2.2, bar-curve distance; that the foot keeps to the bar: own.
    """

    curve: AbstractCurve
    length: Metres
    bar: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("m", "1", "1")

    def __post_init__(self) -> None:
        positive(self.length, "a distance from a curve")

    @property
    def on_line(self) -> BarFromCurve:
        return BarFromCurve(self.curve, self.length, self.bar)

    def rows_along(
        self, bars: list[Vector], X_WI: Pose, X_WJ: Pose, _X_WK: Pose, t: Scalar, share: Scalar
    ) -> Rows:
        (u,) = bars
        size = squared_length(u, self.bar)
        arm = X_WI.point(self.curve.point(t)) - X_WJ.position
        w = arm.cross(u)
        turn = w @ X_WI.rotation.apply(self.curve.derivative(t, 1)).cross(u)
        return [
            (w.square / size - self.length * self.length) / (2.0 * self.length),
            turn / (size * (self.length * self.curve.speed)),
            (arm @ u) / size - share,
        ]
