"""A point stays on a surface."""

from dataclasses import dataclass
from typing import final

from kempe.constraints.of_surface import AbstractPointAndSurface
from kempe.geometry import Scalar, Vector
from kempe.geometry.surfaces import AbstractSurface


@final
@dataclass(frozen=True, slots=True)
class OnSurface(AbstractPointAndSurface):
    """The origin of J stays on a surface that is given in the frame of I.

    phi = level(p_IJ),  or  p_WJ - (p_WI + R_WI S(u, v)) with unknowns u, v of its own

    The first where the surface has an equation, as planes, spheres, endless cylinders and rings do.

    Source: [Barton] section 2.1, a point on a surface.
    """

    surface: AbstractSurface

    def equation(self, p: Vector) -> Scalar | None:
        return self.surface.level(p)

    def place(self, u: Scalar, v: Scalar) -> Vector:
        return self.surface.point(u, v)
