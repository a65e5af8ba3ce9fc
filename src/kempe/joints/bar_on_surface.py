"""A bar that touches a surface."""

from dataclasses import dataclass
from typing import final

from kempe.constraints import AbstractConstraint, BarFromSurface, BarWithinFromSurface
from kempe.geometry.surfaces import AbstractSurface
from kempe.joints.numbered import AbstractBarJoint
from kempe.joints.of_surface import refuse_flat, refuse_no_surface


@final
@dataclass(frozen=True, kw_only=True)
class BarOnSurface(AbstractBarJoint):
    """The line of the bar from J to K touches a surface in the frame of I.

    phi = (d . n,  d . (n x w),  n . w),  d = S(u, v) - p_WJ,  w = (p_WK - p_WJ) / size

    With `segment` the contact lies on the bar, not beyond its ends.

    Source: [Barton] section 2.2, bar-surface tangency.
    """

    surface: AbstractSurface

    def __post_init__(self) -> None:
        refuse_no_surface(self.called, self.surface)
        refuse_flat(self.called, self.surface, "bar", "PointInPlane at both of its ends")
        super().__post_init__()

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """What holds, as a constraint."""
        kind = BarWithinFromSurface if self.segment else BarFromSurface
        return (kind(self.surface, 0.0, self.bar),)
