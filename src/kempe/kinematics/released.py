"""A mechanism whose drives are let go: it keeps its pose and may move as its joints allow."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.errors import AssemblyError, UnknownName, nearest_name
from kempe.geometry import Pose
from kempe.kinematics.assembly import ASSEMBLED, Assembled, assemble, close
from kempe.kinematics.closing import FloatArray
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.given import Given
from kempe.kinematics.placement import coordinates


@final
@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """The layout without drives, a program that evaluates its rows, and a closed start."""

    layout: Layout
    program: Program
    start: Assembled
    t: float  # s: where the drives were let go


def released(layout: Layout, t: float, poses: Mapping[str, Pose] | None = None) -> Released:
    """The mechanism as its drives hold it at time t, or as near to given poses as it closes."""
    if poses is None:
        q = assemble(layout, evaluator(layout), t).q
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
    program = evaluator(free)
    return Released(free, program, assemble(free, program, t, given), t)


def released_at(layout: Layout, q: FloatArray, t: float) -> Released:
    """The mechanism with its drives let go in the configuration q, or as near as it closes."""
    free = Layout(replace(layout.model, drives=()))
    program = evaluator(free)
    start = close(free, program, q, t)
    if start.residual > ASSEMBLED:
        raise AssemblyError(
            f"{layout.model.name!r} does not close from the given poses: {start.residual:.3g} of"
            " its size is left open. Give poses nearer to an assembly.",
            residual=start.residual,
        )
    return Released(free, program, start, t)
