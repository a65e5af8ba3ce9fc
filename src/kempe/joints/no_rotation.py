"""A body that does not turn."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, SameOrientation
from kempe.geometry.axis import X, Z
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import SLIDES, AbstractMeasure


@final
@dataclass(frozen=True)
class NoRotation(AbstractJoint):
    """J does not turn against I, wherever it goes.

    phi = (x_I . y_J,  x_I . z_J,  y_I . z_J)

    Source: [OndselSolver] no-rotation joint.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (SameOrientation(),)
    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(X, X), SameWay(Z, Z))
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = SLIDES
    symbol: ClassVar[str] = "aligned"
