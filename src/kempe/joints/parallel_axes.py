"""Axes that stay parallel."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Parallel
from kempe.geometry.axis import Z
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import SLIDES, AbstractMeasure, Turn


@final
@dataclass(frozen=True)
class ParallelAxes(AbstractJoint):
    """The z axes of I and J stay parallel, wherever J goes.

    phi = (x_I . z_J,  y_I . z_J)

    Source: [OndselSolver] parallel-axes joint.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (Parallel(Z, Z),)
    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(Z, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (*SLIDES, Turn(Z))
    symbol: ClassVar[str] = "parallel"
