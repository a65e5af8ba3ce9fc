"""A bar touches a curve."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows
from kempe.constraints.bar import Parted
from kempe.constraints.bar_and_curve import AbstractBarAndCurve
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class TangentToCurve(AbstractBarAndCurve):
    """The line of the bar from J to K touches a curve in the frame of I.

    phi = ((C(t) - p_WJ) x u / size,  C'(t) x u / (size speed)),  u = p_WK - p_WJ

    The contact C(t) lies on the bar's line, which runs along the curve there. `bar` is the bar's
    length where it is fixed; else `size` is that of the curve. In space some rows follow from
    others.

    Source: [Barton] section 2.2 and fig. 3a.
    """

    curve: AbstractCurve
    bar: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("m", "m", "m", "1", "1", "1")
    implied: ClassVar[int] = 2

    def rows_along(self, bars: list[Vector], X_WI: Pose, X_WJ: Pose, X_WK: Pose, t: Scalar) -> Rows:
        size = self.curve.size if self.bar is None else self.bar
        u = bars[0] / size
        (arm, _), (slope, _) = self.parted(bars, X_WI, X_WJ, X_WK, t).along
        return [*arm.cross(u), *slope.cross(u)]

    def parted(self, _bars: list[Vector], X_WI: Pose, X_WJ: Pose, _X_WK: Pose, t: Scalar) -> Parted:
        arm = X_WI.point(self.curve.point(t)) - X_WJ.position
        slope = X_WI.rotation.apply(self.curve.derivative(t, 1)) * (1.0 / self.curve.speed)
        return Parted(((arm, "m"), (slope, "1")))
