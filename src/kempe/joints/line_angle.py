"""Two lines that keep their angle."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, BarsAtUnorientedAngle
from kempe.joints.numbered import AbstractDirectedBars
from kempe.units import Radians


@final
@dataclass(frozen=True, kw_only=True)
class LineAngle(AbstractDirectedBars):
    """The lines of the bars from I to K and from J to L cross at `angle`, whichever way they run.

    phi = (u . v)^2 / (|u|^2 |v|^2) - cos^2(angle),  u = p_K - p_I,  v = p_L - p_J

    Source: [Barton] eq. 2.2.
    """

    angle: Radians

    made_of: ClassVar[type[AbstractConstraint]] = BarsAtUnorientedAngle
    symbol: ClassVar[str] = "angle"
