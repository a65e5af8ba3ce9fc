"""The nine direction cosines as coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import ClassVar, final

from numpy.typing import ArrayLike

from kempe.geometry import Rotation, Scalar, Vector
from kempe.geometry.number import Floats, floats
from kempe.geometry.rotations.abstract import AbstractRepresentation
from kempe.geometry.rotations.matrix import Matrix
from kempe.geometry.specific.abstract import AbstractOrientator


@final
@dataclass(frozen=True, slots=True)
class _Rows(AbstractRepresentation):
    """Matrices as nine numbers, by rows."""

    shape: ClassVar = (9,)

    def quaternions(self, numbers: ArrayLike) -> Floats:
        m = floats(numbers)
        return Matrix().quaternions(m.reshape(*m.shape[:-1], 3, 3))

    def of_quaternions(self, q: Floats) -> Floats:
        m = Matrix().of_quaternions(q)
        return m.reshape(*m.shape[:-2], 9)


@final
@dataclass(frozen=True, slots=True)
class DirectionCosines(AbstractOrientator):
    """The entries of A by rows, with A^T A = 1; nowhere singular, and six rows of constraint.

    Source: [Pissanetzky] eq. 1.33.
    """

    names: ClassVar = ("A11", "A12", "A13", "A21", "A22", "A23", "A31", "A32", "A33")
    representation: ClassVar = _Rows()

    def A(self, s: Sequence[Scalar]) -> Rotation:
        """The coordinates themselves."""
        return Rotation(*(Vector(s[k], s[3 + k], s[6 + k]) for k in range(3)))

    def constraint(self, s: Sequence[Scalar]) -> list[Scalar]:
        """The upper triangle of A^T A - 1."""
        axes = [Vector(s[k], s[3 + k], s[6 + k]) for k in range(3)]
        pairs = combinations_with_replacement(axes, 2)
        return [a @ b - 1.0 if a is b else a @ b for a, b in pairs]
