"""A slider."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, InPlane, Perpendicular
from kempe.geometry.axis import X, Y, Z
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import AbstractMeasure, Displacement


@final
@dataclass(frozen=True)
class Prismatic(AbstractJoint):
    """A slider: J moves along the z axis of I and does not turn against it.

    phi = (d . x_I,  d . y_I,  x_I . y_J,  x_I . z_J,  y_I . z_J),  d = p_WJ - p_WI

    Source: [GeorgeGuenter] translational joint, [KohPark] fig. 2.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (
        InPlane(X),
        InPlane(Y),
        Perpendicular(X, Y),
        Perpendicular(X, Z),
        Perpendicular(Y, Z),
    )
    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(X, X), SameWay(Z, Z))
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Displacement(Z),)
    symbol: ClassVar[str] = "slider"
