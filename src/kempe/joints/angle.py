"""Axes that keep their angle."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, AtAngle
from kempe.geometry import Pose, Rotation, Vector, Z
from kempe.geometry.number import finite, keep
from kempe.joints.abstract import AbstractJoint
from kempe.measures import CROSS, SLIDES, AbstractMeasure
from kempe.units import Radians


@final
@dataclass(frozen=True, kw_only=True)
class Angle(AbstractJoint):
    """The z axes of I and J keep the angle `angle` between them, wherever J goes.

    phi = z_I . z_J - cos(angle)

    Source: [OndselSolver] angle joint.
    """

    angle: Radians  # between 0 and pi

    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (*SLIDES, *CROSS)
    symbol: ClassVar[str] = "angle"

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, finite, f"joint {self.called}", {"angle": "rad"})
        AtAngle(Z, Z, self.angle)  # refuses 0 and pi

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The angle, as a constraint."""
        return (AtAngle(Z, Z, self.angle),)

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, 0.0), Rotation.about((1.0, 0.0, 0.0), self.angle))
