"""Euler parameters: a unit quaternion's four components as coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.geometry import Rotation, Scalar, Vector
from kempe.geometry.rotations.quaternion import Quaternion
from kempe.geometry.specific.abstract import AbstractOrientator


@final
@dataclass(frozen=True, slots=True)
class EulerParameters(AbstractOrientator):
    """(e0, e1, e2, e3) with e . e = 1, scalar first; nowhere singular.

    A = ((e0^2 - u.u) 1 + 2 u u^T + 2 e0 skew(u)) / e.e,  e = (e0, u)

    Source: [Pissanetzky] sec. 5.2. Divided by e.e, so that a drifting e still gives a rotation;
    on e.e = 1 the G matrices are those of eq. 5.29 and 5.30.
    """

    names: ClassVar = ("e0", "e1", "e2", "e3")
    representation: ClassVar = Quaternion()

    def A(self, s: Sequence[Scalar]) -> Rotation:
        """Quadratic in e over e.e."""
        e0, a, b, c = s
        aa, bb, cc, ee = a * a, b * b, c * c, e0 * e0
        n = ee + aa + bb + cc
        ab, ac, bc = 2 * (a * b), 2 * (a * c), 2 * (b * c)
        ea, eb, ec = 2 * (e0 * a), 2 * (e0 * b), 2 * (e0 * c)
        x = Vector(ee + aa - bb - cc, ab + ec, ac - eb)
        y = Vector(ab - ec, ee - aa + bb - cc, bc + ea)
        z = Vector(ac + eb, bc - ea, ee - aa - bb + cc)
        return Rotation(x / n, y / n, z / n)

    def constraint(self, s: Sequence[Scalar]) -> list[Scalar]:
        """e . e - 1."""
        e0, a, b, c = s
        return [e0 * e0 + a * a + b * b + c * c - 1]
