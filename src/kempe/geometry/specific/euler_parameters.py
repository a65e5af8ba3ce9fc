"""Euler parameters: a unit quaternion's four components as coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.geometry import Rotation, Scalar, Vector
from kempe.geometry.number import Floats, floats
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

    def B(self, s: ArrayLike, *, axes: Literal["body", "reference"] = "body") -> Floats:
        """e and half of G below it, (..., 4, 4): (e.e', w / 2) = B e', and B B^T = 1 on e.e = 1.

        With both, B_reference B_body^T = [[1, 0], [0, A]].

        Source: [Pissanetzky] eq. 5.33 and the one after it.
        """
        e = floats(s)
        if e.shape[-1:] != (4,):
            raise BadNumber(f"Euler parameters are four numbers, not {e.shape}.")
        e0, a, b, c = np.moveaxis(e, -1, 0)
        if axes not in ("body", "reference"):
            raise BadNumber(f"axes are 'body' or 'reference', not {axes!r}.")
        x, y, z = (a, b, c) if axes == "body" else (-a, -b, -c)
        rows = [[e0, a, b, c], [-a, e0, z, -y], [-b, -z, e0, x], [-c, y, -x, e0]]
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
