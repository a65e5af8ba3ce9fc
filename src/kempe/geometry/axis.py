"""The three axes of a marker, by name."""

from enum import Enum
from typing import final


@final
class Axis(Enum):
    """An axis of a marker frame."""

    X = 0
    Y = 1
    Z = 2

    @property
    def others(self) -> tuple["Axis", "Axis"]:
        """The other two, in the order that makes a right-handed frame with this one."""
        first, second = (self.value + 1) % 3, (self.value + 2) % 3
        return Axis(first), Axis(second)

    def __repr__(self) -> str:
        return self.name


X, Y, Z = Axis.X, Axis.Y, Axis.Z
