"""A point that moves on a surface."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, OnSurface
from kempe.joints.of_surface import AbstractSurfaceJoint


@final
@dataclass(frozen=True, kw_only=True)
class PointOnSurface(AbstractSurfaceJoint):
    """The origin of J moves on a surface that is fixed in the frame of I.

    phi = level(p_IJ),  or  p_WJ - (p_WI + R_WI S(u, v)) with unknowns u, v of its own

    The first where the surface has an equation, as planes, spheres, endless cylinders and rings do.
    It is held both ways: a knife edge that may lift off is a contact, which is a force.

    Source: [Barton] section 2.1.
    """

    made_of: ClassVar[type[AbstractConstraint]] = OnSurface
    symbol: ClassVar[str] = "rider"
