"""What joints of a point and a surface share."""

from dataclasses import dataclass
from typing import Any

from kempe.constraints import AbstractPointAndSurface
from kempe.errors import BadConnection
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.surfaces import AbstractSurface
from kempe.geometry.surfaces.abstract import drawn_between
from kempe.joints.numbered import AbstractCheckedJoint


def somewhere_on(surface: AbstractSurface) -> tuple[float, float]:
    """u and v inside the domains of a `surface`, away from edges, poles and symmetries."""
    u, v = (
        low + 0.37 * (high - low) for low, high in (drawn_between(d, 1.0) for d in surface.domains)
    )
    return u, v


def refuse_no_surface(joint: str, *given: object) -> None:
    """A BadConnection where what was `given` to a `joint` as a surface is none."""
    for thing in given:
        if not isinstance(thing, AbstractSurface):
            raise BadConnection(
                f"joint {joint} needs a surface such as SphereSurface((0, 0, 0), 0.5), not"
                f" {thing!r}."
            )


@dataclass(frozen=True, kw_only=True)
class AbstractSurfaceJoint(AbstractCheckedJoint):
    """A joint that holds the origin of J by a surface that is fixed in the frame of I."""

    surface: AbstractSurface

    def __post_init__(self) -> None:
        refuse_no_surface(self.called, self.surface)
        super().__post_init__()

    @property
    def home(self) -> Pose:
        held: Any = self.constraints[0]
        assert isinstance(held, AbstractPointAndSurface)
        place = held.place(*somewhere_on(self.surface))
        return Pose(Vector(*(float(c) for c in place)), Rotation.identity())
