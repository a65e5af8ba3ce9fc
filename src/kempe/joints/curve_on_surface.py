"""A curve of one body that touches a surface of another."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.constraints import AbstractConstraint, CurveTouchingSurface
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.surfaces import AbstractSurface
from kempe.geometry.surfaces.abstract import drawn_between
from kempe.joints.numbered import AbstractCheckedJoint
from kempe.joints.of_surface import refuse_no_surface, somewhere_on


@final
@dataclass(frozen=True, kw_only=True)
class CurveOnSurface(AbstractCheckedJoint):
    """A curve of J touches a surface of I in a point, and slides and rolls on it freely.

    phi = (p_WI + R_WI S(u, v) - p_WJ - R_WJ C(t),  n . C'(t) / speed)

    n is the unit normal of the surface; the places u, v and t are unknowns of its own. A sphere is
    held by its centre and needs no place. It is held both ways: the rim of a plate on a table, the
    edge of a cutter on a sheet.

    Source: [Barton] section 2.2, tangency, for a curve and a surface.
    """

    surface: AbstractSurface  # of I
    other: AbstractCurve  # of J

    made_of: ClassVar[type[AbstractConstraint]] = CurveTouchingSurface

    def __post_init__(self) -> None:
        refuse_no_surface(self.called, self.surface)
        super().__post_init__()

    @property
    def home(self) -> Pose:
        uv = somewhere_on(self.surface)
        low, high = drawn_between(self.other.domain, 1.0)
        t = low + 0.37 * (high - low)
        way = np.asarray(self.other(t, 1), float)
        across = np.asarray(self.surface(*uv, (1, 0)), float)
        # the curve's tangent along S_u: both as z axes of frames
        R_IJ = Rotation.with_z(across) @ Rotation.with_z(way).inverse()
        p = Vector(*self.surface(*uv).tolist()) - R_IJ.apply(Vector(*self.other(t).tolist()))
        return Pose(Vector(*np.array(p, float).tolist()), R_IJ)
