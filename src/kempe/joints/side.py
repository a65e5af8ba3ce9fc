"""Sides: what tells an assembly from its mirror image."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

from kempe.geometry import Axis, Pose, Scalar


class AbstractSide(ABC):
    """A scalar of two marker frames that is positive in the assembly that is meant."""

    __slots__ = ()

    @abstractmethod
    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar:
        """Positive where the markers at `X_WI` and `X_WJ` are on the right side, else negative."""

    @property
    @abstractmethod
    def wrong(self) -> str:
        """What is the case on the wrong side: '... its markers'."""


@dataclass(frozen=True, slots=True)
class AbstractPairOfAxes(AbstractSide):
    """Which way axis a of marker I and axis b of marker J point."""

    a: Axis
    b: Axis

    @property
    def _pair(self) -> str:
        a, b = (axis.name.lower() for axis in (self.a, self.b))
        if a == b:
            return f"the {a} axes of its markers"
        return f"the {a} axis of marker I and the {b} axis of marker J"


@final
@dataclass(frozen=True, slots=True)
class SameWay(AbstractPairOfAxes):
    """Axis a of marker I and axis b of marker J point the same way: a . b > 0."""

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar:
        return X_WI.axis(self.a) @ X_WJ.axis(self.b)

    @property
    def wrong(self) -> str:
        return f"{self._pair} oppose each other"


@final
@dataclass(frozen=True, slots=True)
class Opposed(AbstractPairOfAxes):
    """Axis a of marker I and axis b of marker J oppose each other: a . b < 0."""

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar:
        return -(X_WI.axis(self.a) @ X_WJ.axis(self.b))

    @property
    def wrong(self) -> str:
        return f"{self._pair} point the same way"
