"""A bar keeps its distance from a curve."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows
from kempe.constraints.bar import squared_length
from kempe.constraints.bar_and_curve import AbstractBarAndCurve
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.number import positive
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class BarFromCurve(AbstractBarAndCurve):
    """The bar from J to K stays `length` from a curve in the frame of I.

    phi = ((|w|^2 / |u|^2 - length^2) / (2 length),  w . (C'(t) x u) / (length |u|^2 speed)),
    w = (C(t) - p_WJ) x u,  u = p_WK - p_WJ

    The distance of C(t) from the bar's line is stationary in t. `bar` is the bar's length where it
    is fixed.

    Source: [Barton] section 2.2, bar-curve distance.
    """

    curve: AbstractCurve
    length: Metres
    bar: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("m", "1")

    def __post_init__(self) -> None:
        positive(self.length, "a distance from a curve")

    def rows_along(
        self, bars: list[Vector], X_WI: Pose, X_WJ: Pose, _X_WK: Pose, t: Scalar
    ) -> Rows:
        (u,) = bars
        size = squared_length(u, self.bar)
        w = (X_WI.point(self.curve.point(t)) - X_WJ.position).cross(u)
        turn = w @ X_WI.rotation.apply(self.curve.derivative(t, 1)).cross(u)
        return [
            (w.square / size - self.length * self.length) / (2.0 * self.length),
            turn / (size * (self.length * self.curve.speed)),
        ]
