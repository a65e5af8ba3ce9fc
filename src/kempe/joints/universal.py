"""A cross between two forks."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Coincident, Perpendicular
from kempe.geometry import Pose, Z
from kempe.joints.abstract import CROSSED, AbstractJoint
from kempe.measures import CROSS, AbstractMeasure


@final
@dataclass(frozen=True)
class Universal(AbstractJoint):
    """A cross between two forks: markers share a point, and their z axes, its arms, stay square.

    phi = (p_WI - p_WJ,  z_I . z_J)

    Its freedoms are the turn of the cross in the fork of I (`heading`) and in that of J
    (`back_heading`). In the plane a cross has no place: that is refused.

    Source: [KohPark] fig. 2.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (Coincident(), Perpendicular(Z, Z))
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = CROSS
    symbol: ClassVar[str] = "universal"
    home: ClassVar[Pose] = CROSSED
