"""A face that touches a surface."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, FaceFromSurface
from kempe.geometry import Marker
from kempe.geometry.surfaces import AbstractSurface
from kempe.joints.numbered import AbstractCheckedJoint
from kempe.joints.of_surface import refuse_flat, refuse_no_surface
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class FaceOnSurface(AbstractCheckedJoint):
    """The plane through J, K and L touches a surface in the frame of I, or stays `length` from it.

    phi = (d . N / |N|,  a . N / |N|,  b . N / |N|),  N = (p_WK - p_WJ) x (p_WL - p_WJ),
    d = S(u, v) + length n - p_WJ,  a = S_u / |S_u|,  b = n x a

    n is the unit normal along S_u x S_v. The face is the whole plane of its corners, either way
    round; corners on one line have no plane.

    Source: [Barton] section 2.2 and fig. 2b.
    """

    K: Marker  # second corner of the face; J is the first
    L: Marker  # third corner
    surface: AbstractSurface
    length: Metres = 0.0

    made_of: ClassVar[type[AbstractConstraint]] = FaceFromSurface

    def __post_init__(self) -> None:
        refuse_no_surface(self.called, self.surface)
        refuse_flat(self.called, self.surface, "face", "PointInPlane at its three corners")
        super().__post_init__()

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K, self.L)
