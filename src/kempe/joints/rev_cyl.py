"""A massless link with a hinge and a sleeve."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceFromLine, Parallel
from kempe.geometry import Pose, Rotation, Vector, Z
from kempe.geometry.number import positive
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import AbstractMeasure, Bearing, Displacement, Turn
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class RevCyl(AbstractJoint):
    """A massless link between the z axes of I and J, which stay parallel: a hinge and a sleeve.

    phi = (((d . x_I)^2 + (d . y_I)^2 - length^2) / (2 length),  x_I . z_J,  y_I . z_J)

    Source: [OndselSolver] rev-cyl joint.
    """

    length: Metres

    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(Z, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Bearing(), Displacement(Z), Turn(Z))
    symbol: ClassVar[str] = "sliding_pinned_rod"

    def __post_init__(self) -> None:
        super().__post_init__()
        length = positive(self.length, f"length of joint {self.called}", "m")
        object.__setattr__(self, "length", length)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance of the link's ends, and what its hinges keep parallel."""
        return (DistanceFromLine(Z, self.length), Parallel(Z, Z))

    @property
    def home(self) -> Pose:
        return Pose(Vector(self.length, 0.0, 0.0), Rotation.identity())
