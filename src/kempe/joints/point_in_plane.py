"""A point on a plane."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, InPlane
from kempe.geometry import Pose, Rotation, Vector, X, Y, Z
from kempe.geometry.number import finite
from kempe.joints.abstract import AbstractJoint
from kempe.measures import AbstractMeasure, Displacement, Turn
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class PointInPlane(AbstractJoint):
    """A point on a plane: the origin of J stays in the plane z = `offset` of I.

    phi = d . z_I - offset,  d = p_WJ - p_WI

    Source: [KohPark] eq. 26, with an offset.
    """

    offset: Metres = 0.0  # along z of I

    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (
        Displacement(X),
        Displacement(Y),
        Turn(X),
        Turn(Y),
        Turn(Z),
    )
    symbol: ClassVar[str] = "plate"

    def __post_init__(self) -> None:
        super().__post_init__()
        offset = finite(self.offset, f"offset of joint {self.called}", "m")
        object.__setattr__(self, "offset", offset)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The plane."""
        return (InPlane(Z, self.offset),)

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, self.offset), Rotation.identity())
