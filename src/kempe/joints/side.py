"""Sides: what tells an assembly from its mirror image."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

from kempe.geometry.axis import Axis
from kempe.geometry.pose import Pose
from kempe.geometry.vector import Scalar


class AbstractSide(ABC):
    """A scalar of two marker frames that is positive in the assembly that is meant."""

    __slots__ = ()

    @abstractmethod
    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar:
        """Positive on the right side, negative on the wrong one."""

    @property
    @abstractmethod
    def wrong(self) -> str:
        """What is the case on the wrong side: '... its markers'."""


@final
@dataclass(frozen=True, slots=True)
class SameWay(AbstractSide):
    """Axis a of marker I and axis b of marker J point the same way: a . b > 0."""

    a: Axis
    b: Axis

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar:
        return X_WI.axis(self.a) @ X_WJ.axis(self.b)

    @property
    def wrong(self) -> str:
        return f"{_pair(self.a, self.b)} oppose each other"


@final
@dataclass(frozen=True, slots=True)
class Opposed(AbstractSide):
    """Axis a of marker I and axis b of marker J oppose each other: a . b < 0."""

    a: Axis
    b: Axis

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar:
        return -(X_WI.axis(self.a) @ X_WJ.axis(self.b))

    @property
    def wrong(self) -> str:
        return f"{_pair(self.a, self.b)} point the same way"


def _pair(a: Axis, b: Axis) -> str:
    if a is b:
        return f"the {a.name.lower()} axes of its markers"
    return f"the {a.name.lower()} axis of marker I and the {b.name.lower()} axis of marker J"
