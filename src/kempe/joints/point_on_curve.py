"""A point that runs along a curve."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, OnCurve
from kempe.geometry.curves import AbstractCurve
from kempe.joints.numbered import AbstractCheckedJoint


@final
@dataclass(frozen=True, kw_only=True)
class PointOnCurve(AbstractCheckedJoint):
    """The origin of J runs along a curve that is fixed in the frame of I.

    phi = p_WJ - (p_WI + R_WI C(t)),  t an unknown of its own

    Source: [Barton] section 2.1.
    """

    curve: AbstractCurve

    made_of: ClassVar[type[AbstractConstraint]] = OnCurve
    symbol: ClassVar[str] = "rider"
