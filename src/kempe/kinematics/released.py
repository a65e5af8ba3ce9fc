"""A mechanism whose drives are let go: it keeps its pose and may move as its joints allow."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from kempe.compile.kinematic_tape import kinematic_tape
from kempe.compile.layout import Layout
from kempe.compile.program import Program, tape_program
from kempe.compile.program_cache import PROGRAMS
from kempe.compile.tiles import kinds_of, tile_program
from kempe.compile.tracing import trace
from kempe.errors import AssemblyError, UnknownName, nearest_name
from kempe.geometry import Pose
from kempe.kinematics.assembly import ASSEMBLED, Assembled, assemble, close
from kempe.kinematics.preparation import SMALL_PLAN


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
    free = Layout(replace(layout.model, drives=()))
    program = _evaluator(free)
    if poses is None:
        q = assemble(layout, _evaluator(layout), t).q
    else:
        for body in layout.model.moving:
            if body.name not in poses:
                raise UnknownName(
                    f"no pose is given for body {body.name!r}.{nearest_name(body.name, poses)}"
                )
        q = np.concatenate([layout.chart.coordinates(poses[b.name]) for b in layout.model.moving])
    start = close(free, program, q, t)
    if start.residual > ASSEMBLED:
        raise AssemblyError(
            f"{layout.model.name!r} does not close from the given poses: {start.residual:.3g} of"
            " its size is left open. Give poses nearer to an assembly.",
            residual=start.residual,
        )
    return Released(free, program, start, t)


def _evaluator(layout: Layout) -> Program:
    """A program that evaluates all rows and solves none, remembered by structure."""
    key = f"{layout.key}:rows" if layout.is_built_in else None
    program = PROGRAMS.find(key)
    if program is None:
        if len(layout.elements) > SMALL_PLAN:
            program = tile_program(layout, None, kinds_of(layout))
        else:
            program = tape_program(kinematic_tape(trace(layout), [], None))
        PROGRAMS.keep(key, program)
    return program
