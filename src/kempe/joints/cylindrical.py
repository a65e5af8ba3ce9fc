"""A sleeve on a rod."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, OnLine, Parallel
from kempe.geometry.axis import Z
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import AbstractMeasure, Displacement, Turn


@final
@dataclass(frozen=True)
class Cylindrical(AbstractJoint):
    """A sleeve on a rod: J slides along the z axis of I and turns about it.

    phi = (d . x_I,  d . y_I,  x_I . z_J,  y_I . z_J),  d = p_WJ - p_WI

    Source: [KohPark] fig. 2.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (OnLine(Z), Parallel(Z, Z))
    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(Z, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Displacement(Z), Turn(Z))
    symbol: ClassVar[str] = "sleeve"
