"""Two axes of the body as coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.geometry import Rotation, Scalar, Vector
from kempe.geometry.rotations.six_d import SixD
from kempe.geometry.specific.abstract import AbstractOrientator


@final
@dataclass(frozen=True, slots=True)
class TwoAxes(AbstractOrientator):
    """(x, y), the first two axes of S in F, with x.x = y.y = 1 and x.y = 0; nowhere singular.

    A = (u, w x u, w),  u = x / |x|,  w = x x y / |x x y|

    Source: [Zhou2019] sec. 4: made orthonormal, so that drifting axes still give a rotation.
    """

    names: ClassVar = ("x1", "x2", "x3", "y1", "y2", "y3")
    representation: ClassVar = SixD()

    def A(self, s: Sequence[Scalar]) -> Rotation:
        """Gram and Schmidt, x first."""
        x, y = Vector(*s[:3]), Vector(*s[3:])
        first, third = x / x.norm, x.cross(y)
        third = third / third.norm
        return Rotation(first, third.cross(first), third)

    def constraint(self, s: Sequence[Scalar]) -> list[Scalar]:
        """x.x - 1, y.y - 1, x.y."""
        x, y = Vector(*s[:3]), Vector(*s[3:])
        return [x.square - 1.0, y.square - 1.0, x @ y]
