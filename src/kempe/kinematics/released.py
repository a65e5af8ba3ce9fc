"""A mechanism whose drives are let go: it keeps its pose and may move as its joints allow."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.errors import AssemblyError, UnknownName, nearest_name
from kempe.geometry import Pose
from kempe.kinematics.assembly import ASSEMBLED, Assembled, assemble, close
from kempe.kinematics.closing import FloatArray, residual_at, row_weights
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.given import Given
from kempe.kinematics.placement import coordinates
from kempe.kinematics.winding import has_sums, initial_turns

Reading = tuple[str, int]  # the name of a joint or coupler, and which of its readings


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


def released_at(
    layout: Layout, q: FloatArray, t: float, turns: Mapping[Reading, float] | None = None
) -> Released:
    """The mechanism with its drives let go in the configuration q, or as near as it closes.

    `turns` are those of readings that its drives have made, where it is part of a larger one.
    """
    free = Layout(replace(layout.model, drives=()))
    program = evaluator(free)
    made = turns_made(layout, t, q) if turns is None else turns
    start = _as_it_stands(free, program, q, t, made) or close(free, program, q, t)
    if start.residual > ASSEMBLED:
        raise AssemblyError(
            f"{layout.model.name!r} does not close from the given poses: {start.residual:.3g} of"
            " its size is left open. Give poses nearer to an assembly.",
            residual=start.residual,
        )
    return Released(free, program, start, t)


def turns_made(layout: Layout, t: float, q: FloatArray) -> dict[Reading, float]:
    """What readings of joints and couplers show in q, with the turns that the drives have made.

    Poses in space show no whole turns: with the drives these would be forgotten.
    """
    if layout.model.plane or not layout.model.drives:
        return {}
    if not layout.model.couplers and not has_sums(layout):
        return {}
    program = evaluator(layout)
    last = initial_turns(layout, program, t, q)
    return {
        (layout.elements[number].name, place): float(value)
        for (number, place), value in zip(program.shape.counted, last, strict=True)
    }


def _as_it_stands(
    free: Layout, program: Program, q: FloatArray, t: float, turns: Mapping[Reading, float]
) -> Assembled | None:
    """q with these turns, where all rows of the joints and couplers are closed there."""
    readings = [(free.elements[k].name, place) for k, place in program.shape.counted]
    if not readings or any(reading not in turns for reading in readings):
        return None
    last = np.array([turns[reading] for reading in readings])
    rows = row_weights(free, program)
    residual, last = residual_at(free, program, q, t, last, rows)
    return Assembled(q, last, residual, 0) if residual <= ASSEMBLED else None
