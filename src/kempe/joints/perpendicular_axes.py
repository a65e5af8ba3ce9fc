"""Axes that stay square."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Perpendicular
from kempe.geometry import Pose, Rotation, Vector, Z
from kempe.joints.abstract import AbstractJoint
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

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, 0.0), Rotation.with_z((1.0, 0.0, 0.0)))
