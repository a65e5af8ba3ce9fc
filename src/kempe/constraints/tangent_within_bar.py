"""A bar touches a curve between its ends."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows
from kempe.constraints.bar import Parted
from kempe.constraints.bar_and_curve import AbstractWithinBarAndCurve
from kempe.constraints.tangent_to_curve import TangentToCurve
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class TangentWithinBar(AbstractWithinBarAndCurve):
    """The bar from J to K, between its ends, touches a curve in the frame of I.

    phi = (C(t) - p_WJ - share u,  C'(t) x u / (size speed)),  u = p_WK - p_WJ,  0 <= share <= 1

    As TangentToCurve, with the contact on the bar itself. In space one row follows from others.

    Source: [Barton] section 2.2 and fig. 3a; that the contact keeps to the bar: own.
    """

    curve: AbstractCurve
    bar: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("m", "m", "m", "1", "1", "1")
    implied: ClassVar[int] = 1

    @property
    def on_line(self) -> TangentToCurve:
        return TangentToCurve(self.curve, self.bar)

    def rows_along(
        self, bars: list[Vector], X_WI: Pose, X_WJ: Pose, X_WK: Pose, t: Scalar, share: Scalar
    ) -> Rows:
        size = self.curve.size if self.bar is None else self.bar
        along, arm = self.parted(bars, X_WI, X_WJ, X_WK, t, share)
        ((slope, _),) = along
        return [*(row for row, _ in arm), *slope.cross(bars[0] / size)]

    def parted(
        self, bars: list[Vector], X_WI: Pose, X_WJ: Pose, _X_WK: Pose, t: Scalar, share: Scalar
    ) -> Parted:
        arm = X_WI.point(self.curve.point(t)) - X_WJ.position - bars[0] * share
        slope = X_WI.rotation.apply(self.curve.derivative(t, 1)) * (1.0 / self.curve.speed)
        x, y, z = arm
        return Parted(((slope, "1"),), ((x, "m"), (y, "m"), (z, "m")))
