"""A bar that keeps its distance from a curve."""

from dataclasses import dataclass
from typing import final

from kempe.constraints import AbstractConstraint, BarFromCurve, BarWithinFromCurve
from kempe.geometry.curves import AbstractCurve
from kempe.joints.numbered import AbstractBarJoint
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class BarOffCurve(AbstractBarJoint):
    """The line of the bar from J to K stays `length` from a curve in the frame of I.

    phi = ((|w|^2 / |u|^2 - length^2) / (2 length),  w . (C'(t) x u) / (length |u|^2 speed)),
    w = (C(t) - p_WJ) x u,  u = p_WK - p_WJ

    With `segment` the foot of the perpendicular lies on the bar, not beyond its ends.

    Source: [Barton] section 2.2.
    """

    curve: AbstractCurve
    length: Metres

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """What holds, as a constraint."""
        kind = BarWithinFromCurve if self.segment else BarFromCurve
        return (kind(self.curve, self.length, self.bar),)
