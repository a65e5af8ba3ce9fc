"""A bar that touches a curve."""

from dataclasses import dataclass
from typing import final

from kempe.constraints import AbstractConstraint, TangentToCurve, TangentWithinBar
from kempe.geometry.curves import AbstractCurve
from kempe.joints.numbered import AbstractBarJoint


@final
@dataclass(frozen=True, kw_only=True)
class BarOnCurve(AbstractBarJoint):
    """The line of the bar from J to K touches a curve in the frame of I.

    phi = ((C(t) - p_WJ) x u / size,  C'(t) x u / (size speed)),  u = p_WK - p_WJ

    With `segment` the contact lies on the bar, not beyond its ends.

    Source: [Barton] fig. 3a.
    """

    curve: AbstractCurve

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """What holds, as a constraint."""
        kind = TangentWithinBar if self.segment else TangentToCurve
        return (kind(self.curve, self.bar),)
