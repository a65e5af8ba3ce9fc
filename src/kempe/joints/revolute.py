"""A hinge."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Coincident, Perpendicular
from kempe.geometry.axis import X, Y, Z
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import AbstractMeasure, Turn


@final
@dataclass(frozen=True)
class Revolute(AbstractJoint):
    """A hinge: two markers share a point and a z axis, and one turn is left free.

    phi = (p_WI - p_WJ,  x_I . z_J,  y_I . z_J)

    Source: [GeorgeGuenter], [KohPark] fig. 2.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (
        Coincident(),
        Perpendicular(X, Z),
        Perpendicular(Y, Z),
    )
    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(Z, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Turn(Z),)
    symbol: ClassVar[str] = "pin"
