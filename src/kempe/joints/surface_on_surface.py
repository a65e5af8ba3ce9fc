"""Two bodies whose surfaces touch."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.constraints import AbstractConstraint, TouchingSurfaces
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.surfaces import AbstractSurface
from kempe.joints.numbered import AbstractCheckedJoint
from kempe.joints.of_surface import refuse_line_contact, refuse_no_surface, somewhere_on


@final
@dataclass(frozen=True, kw_only=True)
class SurfaceOnSurface(AbstractCheckedJoint):
    """A surface of I and another of J touch in a point, and slide and roll on each other freely.

    phi = (p_WI + R_WI S - p_WJ - R_WJ T,  n . T_s / |T_s|,  n . T_t / |T_t|),  S(u, v), T(s, t)

    n is the normal of S; the places u, v and s, t are unknowns of its own. Normals oppose each
    other, or, with `inside`, agree: J is then on the back of the surface, as a pebble in a bowl. A
    sphere is held by its middle and needs no place. Surfaces that touch along a line, as a cylinder
    that lies on a plane, have no one place and are no such joint.

    Source: [Barton] section 2.2, tangency, for two surfaces.
    """

    surface: AbstractSurface  # of I
    other: AbstractSurface  # of J
    inside: bool = False  # whether J is on the back of the surface of I

    made_of: ClassVar[type[AbstractConstraint]] = TouchingSurfaces

    def __post_init__(self) -> None:
        refuse_no_surface(self.called, self.surface, self.other)
        refuse_line_contact(self.called, self.surface, self.other)
        super().__post_init__()

    @property
    def home(self) -> Pose:
        ours, theirs = somewhere_on(self.surface), somewhere_on(self.other)
        n, m = self.surface.unit_normal(*ours), self.other.unit_normal(*theirs)
        R_IJ = Rotation.with_z(n if self.inside else -n) @ Rotation.with_z(m).inverse()
        p = Vector(*self.surface(*ours).tolist()) - R_IJ.apply(
            Vector(*self.other(*theirs).tolist())
        )
        return Pose(Vector(*np.array(p, float).tolist()), R_IJ)
