"""All assemblies of small planar mechanisms, searched where no start leads to one."""

import math

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Everything, Layout
from kempe.errors import KempeError, UnsolvableKind
from kempe.kinematics.closing.placement import body_pose, coordinates
from kempe.model import Model

# What is searched, and how long: never by the clock, so that a model starts alike on every machine.
# 40,000 boxes or 2,000 charts take about a second; larger blocks are hardly ever done by then.
MOST_BODIES, MOST_UNKNOWNS = 12, 24  # of a mechanism, and of a block of its equations
BOXES, CHARTS = 40_000, 2_000
STEP = 0.5  # between starts along a motion, in unknowns
MOST_STARTS = 64


def searchable(model: Model) -> Layout:
    """The layout of a model that asks for all its assemblies where no start leads to one."""
    return Layout(model, every_assembly)


def every_assembly(layout: Layout, t: float) -> Everything | None:
    """All assemblies of a small planar mechanism with its drives held at time t.

    Where one freedom is left, places along all its motions. None where the search does not reach:
    in space, for kinds that it does not know, for large blocks, and where its effort, which is a
    number of boxes and charts, is spent with nothing found.
    """
    if not layout.model.plane or not 0 < layout.n_bodies <= MOST_BODIES:
        return None
    try:
        return _searched(layout, t)
    except KempeError:  # of a kind, or with a freedom, that it cannot search
        return None


def _searched(layout: Layout, t: float) -> Everything | None:
    from kempe.front.requests.motions import Question
    from kempe.motion import Effort
    from kempe.results.maps.certificate import Promise

    effort = Effort(seconds=math.inf, boxes=BOXES, charts=CHARTS)
    asked = Question.of(layout, None, None, t)
    if any(len(block.unknowns) > MOST_UNKNOWNS for block in asked.system(0).blocks):
        return None
    try:
        found = asked.assemblies(effort)
        poses = [state.q for state in found.states]
        is_impossible = found.outcome is Promise.COMPLETE and not poses
    except UnsolvableKind as refused:
        if refused.facts.get("freedom") != 1:
            raise
        curves = asked.curves(effort)
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
