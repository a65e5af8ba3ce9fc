"""What every measure is: one scalar formula of two marker frames."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.geometry import Pose, Scalar


@final
@dataclass(frozen=True, slots=True, eq=False)
class Wrapped:
    """An angle known up to whole turns; who reads it carries the turns on from step to step."""

    angle: Scalar


class AbstractMeasure(ABC):
    """A scalar read between two markers: drive it, couple it, limit it, plot it.

    A float field of the class is a number of the model and can change without recompiling.
    """

    __slots__ = ()

    word: ClassVar[str]  # what it is called in "joint.word"
    unit: ClassVar[str]  # "m" or "rad"

    @abstractmethod
    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar | Wrapped:
        """The value (m, rad), from the poses `X_WI` and `X_WJ` of markers I and J in the world."""

    def number(self, X_WI: Pose, X_WJ: Pose) -> float:
        """The value at poses `X_WI`, `X_WJ` of numbers; an angle up to turns lies in (-pi, pi]."""
        value = self.value(X_WI, X_WJ)
        return float(value.angle if isinstance(value, Wrapped) else value)
