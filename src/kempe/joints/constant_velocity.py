"""A coupling of bent shafts that keeps the speed."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Coincident, SameSpin
from kempe.geometry import Pose, Rotation, Vector, X, Y, Z
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide, Opposed, SameWay
from kempe.measures import AbstractMeasure, Turn


@final
@dataclass(frozen=True)
class ConstantVelocity(AbstractJoint):
    """A coupling of two bent shafts that turn at one speed; the z axis of each points away from it.

    phi = (p_WI - p_WJ,  x_I . y_J + y_I . x_J)

    In line, z_J is opposed to z_I. Markers whose z axes both run from one shaft to the other are
    joined with flip=True.

    Source: [OndselSolver] constant velocity joint.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (Coincident(), SameSpin())
    sides: ClassVar[tuple[AbstractSide, ...]] = (Opposed(Z, Z), SameWay(X, X))
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Turn(X), Turn(Y))
    symbol: ClassVar[str] = "constant_velocity"

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, 0.0), Rotation.about((1.0, 0.0, 0.0), math.pi))
