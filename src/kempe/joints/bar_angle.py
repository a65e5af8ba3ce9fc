"""Two bars that keep their angle."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, BarsAtAngle
from kempe.joints.numbered import AbstractDirectedBars
from kempe.units import Radians


@final
@dataclass(frozen=True, kw_only=True)
class BarAngle(AbstractDirectedBars):
    """The bars from I to K and from J to L, taken from start to end, enclose `angle`.

    phi = u . v / (|u| |v|) - cos(angle),  u = p_K - p_I,  v = p_L - p_J

    Source: [Barton] eq. 2.2 before squaring.
    """

    angle: Radians

    made_of: ClassVar[type[AbstractConstraint]] = BarsAtAngle
    symbol: ClassVar[str] = "angle"
