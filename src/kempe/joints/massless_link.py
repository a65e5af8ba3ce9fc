"""Joints that are a massless link."""

from dataclasses import dataclass

from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.number import positive
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres


@dataclass(frozen=True, kw_only=True)
class AbstractMasslessLink(AbstractJoint):
    """A massless link, square to the z axis of I, that keeps J `length` from it."""

    length: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        length = positive(self.length, f"length of joint {self.called}", "m")
        object.__setattr__(self, "length", length)

    @property
    def home(self) -> Pose:
        return Pose(Vector(self.length, 0.0, 0.0), Rotation.identity())
