"""A massless link with a sleeve and a ball."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceFromLine
from kempe.geometry import Pose, Rotation, Vector, X, Y, Z
from kempe.geometry.number import positive
from kempe.joints.abstract import AbstractJoint
from kempe.measures import AbstractMeasure, Bearing, Displacement, Turn
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class CylSph(AbstractJoint):
    """A massless link, square to the z axis of I, slides and turns on it and ends in a ball at J.

    phi = ((d . x_I)^2 + (d . y_I)^2 - length^2) / (2 length),  d = p_WJ - p_WI

    Source: [OndselSolver] cyl-sph joint.
    """

    length: Metres

    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (
        Bearing(),
        Displacement(Z),
        Turn(X),
        Turn(Y),
        Turn(Z),
    )
    symbol: ClassVar[str] = "sliding_rod"

    def __post_init__(self) -> None:
        super().__post_init__()
        length = positive(self.length, f"length of joint {self.called}", "m")
        object.__setattr__(self, "length", length)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance of the link's ends, and what its hinges keep parallel."""
        return (DistanceFromLine(Z, self.length),)

    @property
    def home(self) -> Pose:
        return Pose(Vector(self.length, 0.0, 0.0), Rotation.identity())
