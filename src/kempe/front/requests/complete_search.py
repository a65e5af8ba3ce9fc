"""The complete search, for mechanisms that no search from a start could put together."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.complete_search import Everything
from kempe.compile.layout.layout import Layout
from kempe.errors import KempeError, UnsolvableKind
from kempe.kinematics.closing.placement import body_pose, coordinates
from kempe.model import Model
from kempe.results.maps.promise import Promise

MOST_BODIES = 12  # of a mechanism that is searched
SECONDS, BOXES, MEMORY = 2.0, 200_000, 2e8
STEP = 0.5  # between starts along a motion, in unknowns
MOST_STARTS = 64


def searchable(model: Model) -> Layout:
    """The layout of a model that asks for all its assemblies where no start leads to one."""
    return Layout(model, every_assembly)


def every_assembly(layout: Layout, t: float) -> Everything | None:
    """All assemblies of a small planar mechanism with its drives held at time t.

    Where one freedom is left, places along all its motions. None where the search does not reach:
    in space, for kinds that it does not know, and where its short time is up with nothing found.
    """
    if not layout.model.plane or not 0 < layout.n_bodies <= MOST_BODIES:
        return None
    try:
        return _searched(layout, t)
    except KempeError:  # of a kind, or with a freedom, that it cannot search
        return None


def _searched(layout: Layout, t: float) -> Everything | None:
    from kempe.front.requests.motions import assemblies_of, motions_of
    from kempe.motion import Effort

    effort = Effort(seconds=SECONDS, boxes=BOXES, memory=MEMORY)
    try:
        found = assemblies_of(layout, None, None, t, effort)
        poses = [state.q for state in found.states]
        is_impossible = found.outcome is Promise.COMPLETE and not poses
    except UnsolvableKind as refused:
        if refused.facts.get("freedom") != 1:
            raise
        curves = motions_of(layout, None, None, t, effort)
        poses = [q for c in curves.components for q in c.sample(STEP).q]
        is_impossible = curves.outcome is Promise.COMPLETE and not curves.components
    if not poses and not is_impossible:
        return None
    some = poses[:: max(1, -(-len(poses) // MOST_STARTS))]
    return Everything(tuple(_start(layout, q) for q in some), is_impossible)


def _start(layout: Layout, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coordinates of a start, with first values of what joints find for themselves."""
    poses = {body.name: body_pose(layout, q, body.name) for body in layout.model.moving}
    return coordinates(layout, poses)
