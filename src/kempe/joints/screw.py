"""A nut on a screw."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, OnLine, Parallel
from kempe.geometry import Pose, Rotation, Vector, Z
from kempe.geometry.number import finite, keep, not_zero
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import AbstractMeasure, Displacement, Held, Turn
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class Screw(AbstractJoint):
    """A nut on a screw: J slides along the z axis of I by `lead` for every turn about it.

    phi = (d . x_I,  d . y_I,  x_I . z_J,  y_I . z_J,  d . z_I - lead a / 2 pi - start)

    a is the turn, whole turns counted; `start` is the displacement at a = 0, and None takes it from
    where the bodies were first put. A positive lead is a right-hand thread.

    Source: [OndselSolver] screw joint.
    """

    lead: Metres  # a turn
    start: Metres | None = None

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (OnLine(Z), Parallel(Z, Z))
    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(Z, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Turn(Z),)
    symbol: ClassVar[str] = "screw"

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, not_zero, f"screw {self.called}", {"lead": "m"})
        if self.start is not None:
            keep(self, finite, f"screw {self.called}", {"start": "m"})

    @property
    def held(self) -> tuple[Held, ...]:
        """displacement - lead turn / 2 pi = start"""
        coefficients = (1.0, -self.lead / math.tau)
        return (Held((Displacement(Z), Turn(Z)), coefficients, self.start),)

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, self.start or 0.0), Rotation.identity())
