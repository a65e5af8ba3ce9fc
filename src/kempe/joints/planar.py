"""A foot that slides on a plane."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, InPlane, Parallel
from kempe.geometry import Pose, Rotation, Vector, X, Y, Z
from kempe.geometry.number import finite
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import AbstractMeasure, Displacement, Turn
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class Planar(AbstractJoint):
    """A foot on a plane: J slides in the plane z = `offset` of I and turns about its normal.

    phi = (d . z_I - offset,  x_I . z_J,  y_I . z_J),  d = p_WJ - p_WI

    Source: [KohPark] fig. 2, with an offset.
    """

    offset: Metres = 0.0  # along z of I

    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(Z, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Displacement(X), Displacement(Y), Turn(Z))
    symbol: ClassVar[str] = "foot"

    def __post_init__(self) -> None:
        super().__post_init__()
        offset = finite(self.offset, f"offset of joint {self.called}", "m")
        object.__setattr__(self, "offset", offset)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The plane and the normal."""
        return (InPlane(Z, self.offset), Parallel(Z, Z))

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, self.offset), Rotation.identity())
