"""A point that keeps its distance from a surface, as the centre of a ball on it does."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceFromSurface
from kempe.joints.of_surface import AbstractSurfaceJoint
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class PointFromSurface(AbstractSurfaceJoint):
    """The origin of J stays `length` from a surface in the frame of I: a ball that slides on it.

    phi = distance(p_IJ) - length,  or  p_WJ - (p_WI + R_WI (S + length n)) with unknowns u, v

    n is the unit normal along S_u x S_v, out of closed surfaces; with a negative `length` the point
    is on the other side, as a ball in a bowl. The ball turns as it likes, and never lifts off.

    Source: [Barton] eq. 2.3, for a surface; here with the side.
    """

    length: Metres

    made_of: ClassVar[type[AbstractConstraint]] = DistanceFromSurface
