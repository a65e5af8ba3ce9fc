"""A line on a plane."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, InPlane, Perpendicular
from kempe.geometry import Pose, Rotation, Vector, Z
from kempe.joints.numbered import AbstractOnPlane
from kempe.measures import CROSS, SLIDES, AbstractMeasure


@final
@dataclass(frozen=True, kw_only=True)
class LineInPlane(AbstractOnPlane):
    """A line on a plane: the z axis of J lies in the plane z = `offset` of I.

    phi = (d . z_I - offset,  z_I . z_J),  d = p_WJ - p_WI

    Source: [OndselSolver] line-in-plane joint.
    """

    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (*SLIDES[:2], *CROSS)
    symbol: ClassVar[str] = "line_on_plate"

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The point in the plane and the direction along it."""
        return (InPlane(Z, self.offset), Perpendicular(Z, Z))

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, self.offset), Rotation.with_z((1.0, 0.0, 0.0)))
