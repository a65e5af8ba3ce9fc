"""A bar that touches a curve."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, TangentToCurve, TangentWithinBar
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.marker import Marker
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres


@final
@dataclass(frozen=True)
class BarOnCurve(AbstractJoint):
    """The line of the bar from J to K touches a curve in the frame of I.

    phi = ((C(t) - p_WJ) x u / size,  C'(t) x u / (size speed)),  u = p_WK - p_WJ

    With `segment` the contact lies on the bar, not beyond its ends.

    Source: [Barton] fig. 3a.
    """

    K: Marker = field(kw_only=True)  # end of the bar
    curve: AbstractCurve = field(kw_only=True)
    bar: Metres | None = field(default=None, kw_only=True)  # its length, where that is fixed
    segment: bool = field(default=False, kw_only=True)  # whether the contact keeps to the bar

    symbol: ClassVar[str] = "contact"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.constraints  # refuses numbers that mean nothing

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """What holds, as a constraint."""
        kind = TangentWithinBar if self.segment else TangentToCurve
        return (kind(self.curve, self.bar),)
