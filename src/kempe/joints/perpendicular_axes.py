"""Axes that stay square."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Perpendicular
from kempe.geometry import Pose, Z
from kempe.joints.abstract import CROSSED, AbstractJoint
from kempe.measures import CROSS, SLIDES, AbstractMeasure


@final
@dataclass(frozen=True)
class PerpendicularAxes(AbstractJoint):
    """The z axes of I and J stay square to each other, wherever J goes.

    phi = z_I . z_J

    Source: [OndselSolver] perpendicular joint.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (Perpendicular(Z, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (*SLIDES, *CROSS)
    symbol: ClassVar[str] = "square"
    home: ClassVar[Pose] = CROSSED
