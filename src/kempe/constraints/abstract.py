"""What every constraint is: one formula of its marker frames, zero where it holds."""

from abc import ABC, abstractmethod
from typing import ClassVar

from kempe.geometry.pose import Pose
from kempe.geometry.vector import Scalar

Rows = list[Scalar]


class AbstractConstraint(ABC):
    """A formula phi(X_WI, X_WJ) of marker frames that is zero where the constraint holds.

    `rows` names the unit of every row, "m" or "1", in space. A float field of the class is a
    number of the model: it reaches `phi` as a traced value and can change without recompiling.
    A constraint sees no time, no body and no index, and keeps no memory.
    """

    __slots__ = ()

    rows: ClassVar[tuple[str, ...]]

    @abstractmethod
    def phi(self, X_WI: Pose, X_WJ: Pose) -> Rows:
        """The rows, from the poses of markers I and J in the world."""
