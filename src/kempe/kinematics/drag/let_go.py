"""Where a drag starts: the mechanism with its drives let go, as it stands or near to poses."""

from collections.abc import Mapping
from dataclasses import replace

from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.errors import UnknownName, nearest_name
from kempe.geometry import Pose
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing.given_poses import Given
from kempe.kinematics.closing.placement import coordinates
from kempe.kinematics.mobility.release import Released, released_at


def released(layout: Layout, t: float, poses: Mapping[str, Pose] | None = None) -> Released:
    """The mechanism as its drives hold it at time t, or as near to given poses as it closes."""
    if poses is None:
        q = assemble(equations_of(layout), t).q
    else:
        for body in layout.model.moving:
            if body.name not in poses:
                raise UnknownName(
                    f"no pose is given for body {body.name!r}.{nearest_name(body.name, poses)}"
                )
        q = coordinates(layout, poses)
    return released_at(layout, q, t)


def released_near(layout: Layout, t: float, given: Given) -> Released:
    """The mechanism with its drives let go, put together as near as possible to given poses."""
    free = Layout(replace(layout.model, drives=()))
    equations = equations_of(free)
    return Released(equations, assemble(equations, t, given))
