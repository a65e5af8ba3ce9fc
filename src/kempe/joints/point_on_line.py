"""A bead on a wire."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, OnLine
from kempe.geometry.axis import Z
from kempe.joints.abstract import AbstractJoint
from kempe.measures import TURNS, AbstractMeasure, Displacement


@final
@dataclass(frozen=True)
class PointOnLine(AbstractJoint):
    """A bead on a wire: the origin of J stays on the z axis of I.

    phi = (d . x_I,  d . y_I),  d = p_WJ - p_WI

    Source: [OndselSolver] point-in-line joint.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (OnLine(Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Displacement(Z), *TURNS)
    symbol: ClassVar[str] = "bead"
