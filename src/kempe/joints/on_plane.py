"""Joints that keep a point on a plane."""

from dataclasses import dataclass

from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.number import finite
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres


@dataclass(frozen=True, kw_only=True)
class AbstractOnPlane(AbstractJoint):
    """A joint that keeps the origin of J in the plane z = `offset` of I."""

    offset: Metres = 0.0  # along z of I

    def __post_init__(self) -> None:
        super().__post_init__()
        offset = finite(self.offset, f"offset of joint {self.called}", "m")
        object.__setattr__(self, "offset", offset)

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, self.offset), Rotation.identity())
