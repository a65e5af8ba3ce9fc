"""Two bars that keep their angle."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, BarsAtAngle
from kempe.geometry.marker import Marker
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres, Radians


@final
@dataclass(frozen=True)
class BarAngle(AbstractJoint):
    """The bars from I to K and from J to L, taken from start to end, enclose `angle`.

    phi = u . v / (|u| |v|) - cos(angle),  u = p_K - p_I,  v = p_L - p_J

    Source: [Barton] eq. 2.2 before squaring.
    """

    K: Marker = field(kw_only=True)  # end of the first bar
    L: Marker = field(kw_only=True)  # end of the second
    angle: Radians = field(kw_only=True)
    first: Metres | None = field(default=None, kw_only=True)  # its length, where fixed
    second: Metres | None = field(default=None, kw_only=True)  # of the second

    symbol: ClassVar[str] = "angle"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.constraints  # refuses numbers that mean nothing

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K, self.L)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """What holds, as a constraint."""
        return (BarsAtAngle(self.angle, self.first, self.second),)
