"""A point that keeps its distance from a curve."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceFromCurve
from kempe.geometry.curves import AbstractCurve
from kempe.joints.numbered import AbstractCheckedJoint
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class PointFromCurve(AbstractCheckedJoint):
    """The origin of J stays `length` from a curve in the frame of I, along a perpendicular of it.

    phi = ((|d|^2 - length^2) / (2 length),  d . C'(t) / speed),  d = p_WJ - C(t)

    With `nearest` the lists of all assemblies and motions keep those alone in which no other point
    of the curve is nearer.

    Source: [Barton] eq. 2.3, for a curve.
    """

    curve: AbstractCurve
    length: Metres
    nearest: bool = False  # whether no point of it may be nearer

    made_of: ClassVar[type[AbstractConstraint]] = DistanceFromCurve
