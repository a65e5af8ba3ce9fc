"""A bar that keeps its distance from a surface."""

from dataclasses import dataclass
from typing import final

from kempe.constraints import AbstractConstraint, BarFromSurface, BarWithinFromSurface
from kempe.geometry.surfaces import AbstractSurface
from kempe.joints.numbered import AbstractBarJoint
from kempe.joints.of_surface import refuse_flat, refuse_no_surface
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class BarOffSurface(AbstractBarJoint):
    """The line of the bar from J to K stays `length` from a surface in the frame of I: a round rod.

    phi = (d . n,  d . (n x w),  n . w),  d = S(u, v) + length n - p_WJ,  w = (p_WK - p_WJ) / size

    n is the unit normal along S_u x S_v, out of closed surfaces; a negative `length` is on the
    other side. With `segment` the foot of the perpendicular lies on the bar, not beyond its ends.

    Source: [Barton] section 2.2, bar-surface distance; here with the side.
    """

    surface: AbstractSurface
    length: Metres

    def __post_init__(self) -> None:
        refuse_no_surface(self.called, self.surface)
        refuse_flat(self.called, self.surface, "bar", "PointInPlane at both of its ends")
        super().__post_init__()

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """What holds, as a constraint."""
        kind = BarWithinFromSurface if self.segment else BarFromSurface
        return (kind(self.surface, self.length, self.bar),)
