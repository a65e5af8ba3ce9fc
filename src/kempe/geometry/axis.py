"""The three axes of a marker, by name."""

from enum import Enum
from typing import final


@final
class Axis(Enum):
    """An axis of a marker frame."""

    X = 0
    Y = 1
    Z = 2

    def __repr__(self) -> str:
        return self.name


X, Y, Z = Axis.X, Axis.Y, Axis.Z
