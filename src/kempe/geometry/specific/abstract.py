"""Specific coordinates: what a user's own angles or parameters have to tell of themselves."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from kempe.geometry import Rotation, Scalar, Vector
from kempe.geometry.number import Floats
from kempe.geometry.rotations.abstract import AbstractRepresentation


class AbstractOrientator(ABC):
    """Coordinates s of an orientation, by the formula A(s). All else is derived from it.

    Source: [Pissanetzky] sec. 3.6 and ch. 5, where an orientator brings all its derivatives along.
    """

    names: ClassVar[tuple[str, ...]]  # of the coordinates
    period: ClassVar[float | None] = None  # of every coordinate, where they are angles

    @abstractmethod
    def A(self, s: Sequence[Scalar]) -> Rotation:
        """The rotation R_FS of the frame S in the frame F, of numbers or of traced values."""

    @property
    @abstractmethod
    def representation(self) -> AbstractRepresentation:
        """How these coordinates are written as arrays, for the way back from a rotation."""

    @property
    def partner(self) -> "AbstractOrientator":
        """Coordinates to change to where these become singular; by default the same, read anew."""
        return self

    def constraint(self, s: Sequence[Scalar]) -> list[Scalar]:
        """What must be zero where there are more coordinates than freedoms."""
        return []


class AbstractTranslator(ABC):
    """Coordinates s of a place, by the formula r(s). All else is derived from it.

    Source: [Pissanetzky] sec. 3.6: a translator.
    """

    names: ClassVar[tuple[str, ...]]  # of the coordinates

    @abstractmethod
    def position(self, s: Sequence[Scalar]) -> Vector:
        """The position vector in Cartesian axes, of numbers or of traced values."""

    @abstractmethod
    def coordinates(self, positions: Floats) -> Floats:
        """The coordinates (..., 3) of positions (..., 3)."""


def rodrigues_rotation(a: Vector, first: Scalar, second: Scalar) -> Rotation:
    """1 + first skew(a) + second skew(a)^2, column by column."""

    def turned(axis: Vector) -> Vector:
        once = a.cross(axis)
        image: Vector = axis + once * first + a.cross(once) * second
        return image

    x, y, z = (Vector(*row) for row in np.eye(3).tolist())
    return Rotation(turned(x), turned(y), turned(z))
