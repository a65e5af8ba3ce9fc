"""A bar that keeps its angle to a plane."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, BarAtPlane
from kempe.geometry import Marker
from kempe.joints.numbered import AbstractCheckedJoint
from kempe.units import Metres, Radians


@final
@dataclass(frozen=True, kw_only=True)
class BarPlaneAngle(AbstractCheckedJoint):
    """The bar from J to K, taken from start to end, rises at `angle` from the x-y plane of I.

    phi = u . z_I / |u| - sin(angle),  u = p_WK - p_WJ

    Source: [Barton] section 2.2, bar-plane angle.
    """

    K: Marker  # end of the bar
    angle: Radians
    bar: Metres | None = None  # its length, where that is fixed

    made_of: ClassVar[type[AbstractConstraint]] = BarAtPlane
    symbol: ClassVar[str] = "angle"

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K)
