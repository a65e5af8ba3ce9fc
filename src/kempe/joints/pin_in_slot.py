"""A pin in a slot."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, OnLine, Parallel
from kempe.geometry import Pose, X, Z
from kempe.joints.abstract import CROSSED, AbstractJoint
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import AbstractMeasure, Displacement, Turn


@final
@dataclass(frozen=True)
class PinInSlot(AbstractJoint):
    """A pin in a slot: the slot runs along z of I, the pin along z of J, parallel to x of I.

    phi = (d . x_I,  d . y_I,  y_I . z_J,  z_I . z_J),  d = p_WJ - p_WI

    In the plane one row is left, d . y_I.

    Own: a slot's direction and a pin's axis are what the two parts themselves call their axis.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (OnLine(Z), Parallel(X, Z))
    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(X, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Displacement(Z), Turn(X))
    symbol: ClassVar[str] = "slot"
    home: ClassVar[Pose] = CROSSED
