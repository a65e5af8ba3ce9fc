"""Vectors of three scalars, plain numbers or traced values alike."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Scalar = Any  # float or kempe.algebra.Expression: every formula runs on both


@final
@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """Three components; `a @ b` is the dot product, `a.cross(b)` the vector product."""

    x: Scalar
    y: Scalar
    z: Scalar

    def __add__(self, other: "Vector") -> "Vector":
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: "Vector") -> "Vector":
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> "Vector":
        return Vector(-self.x, -self.y, -self.z)

    def __mul__(self, factor: Scalar) -> "Vector":
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Scalar) -> "Vector":
        return Vector(self.x / divisor, self.y / divisor, self.z / divisor)

    def __matmul__(self, other: "Vector") -> Scalar:
        return self.x * other.x + self.y * other.y + self.z * other.z

    def __iter__(self) -> Iterator[Scalar]:
        return iter((self.x, self.y, self.z))

    def __getitem__(self, index: int) -> Scalar:
        return (self.x, self.y, self.z)[index]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array([self.x, self.y, self.z], dtype=dtype)

    def cross(self, other: "Vector") -> "Vector":
        """The vector product self x other."""
        return Vector(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    @property
    def square(self) -> Scalar:
        """The squared length, self . self."""
        return self @ self

    @property
    def norm(self) -> Scalar:
        """The length."""
        return np.sqrt(self.square)
