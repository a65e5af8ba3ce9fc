"""A bar that keeps its distance from a curve."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, BarFromCurve, BarWithinFromCurve
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.marker import Marker
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres


@final
@dataclass(frozen=True)
class BarOffCurve(AbstractJoint):
    """The line of the bar from J to K stays `length` from a curve in the frame of I.

    phi = ((|w|^2 / |u|^2 - length^2) / (2 length),  w . (C'(t) x u) / (length |u|^2 speed)),
    w = (C(t) - p_WJ) x u,  u = p_WK - p_WJ

    With `segment` the foot of the perpendicular lies on the bar, not beyond its ends.

    Source: [Barton] section 2.2.
    """

    K: Marker = field(kw_only=True)  # end of the bar
    curve: AbstractCurve = field(kw_only=True)
    length: Metres = field(kw_only=True)
    bar: Metres | None = field(default=None, kw_only=True)  # its length, where that is fixed
    segment: bool = field(default=False, kw_only=True)  # whether the foot keeps to the bar

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
        kind = BarWithinFromCurve if self.segment else BarFromCurve
        return (kind(self.curve, self.length, self.bar),)
