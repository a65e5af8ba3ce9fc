"""What joints of a point and a surface share."""

import math
from dataclasses import dataclass
from typing import Any

from kempe.constraints import AbstractPointAndSurface
from kempe.errors import BadConnection
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.surfaces import (
    AbstractSurface,
    ConeSurface,
    CylinderSurface,
    ExtrusionSurface,
    PlaneSurface,
)
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


def refuse_flat(joint: str, surface: AbstractSurface, what: str, instead: str) -> None:
    """A BadConnection where a `joint` has `what` touch a `surface` that is a plane.

    It would lie in it, and has no one place there; `instead` is what holds it.
    """
    if isinstance(surface, PlaneSurface):
        raise BadConnection(
            f"joint {joint} cannot hold a {what} on a plane by a place where they touch: all of the"
            f" {what} would touch. Use {instead}."
        )


def refuse_line_contact(joint: str, first: AbstractSurface, second: AbstractSurface) -> None:
    """A BadConnection where surfaces `first` and `second` of a `joint` touch along a line.

    What unrolls onto a plane, as a cylinder does, touches one along a straight line.
    """
    for flat, other in ((first, second), (second, first)):
        instead = _on_a_plane(other)
        if isinstance(flat, PlaneSurface) and instead:
            what = type(other).__name__.removesuffix("Surface").lower()
            raise BadConnection(
                f"joint {joint} cannot hold {'an' if what[0] in 'aeiou' else 'a'} {what} on a plane"
                f" by a place where they touch: they touch all along a line. {instead}"
            )


def _on_a_plane(surface: AbstractSurface) -> str:
    """What holds a surface that unrolls on a plane, as a sentence; "" for any other one."""
    if isinstance(surface, PlaneSurface):
        return "Two planes that lie on each other are Planar."
    if isinstance(surface, CylinderSurface):
        return (
            f"Its axis, as z of J, keeps its radius from the plane: LineInPlane(I, J,"
            f" offset={surface.radius:g})."
        )
    if isinstance(surface, ConeSurface):
        return (
            "Its tip stays in the plane, PointInPlane, and its axis keeps an angle of"
            f" {0.5 * math.pi - surface.half_angle:.9g} rad to the plane's normal, Angle."
        )
    if isinstance(surface, ExtrusionSurface):
        return (
            "The curve that it is drawn from touches the plane, CurveOnSurface, and its direction"
            " stays square to the plane's normal, PerpendicularAxes."
        )
    return ""


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
