"""From a model with masses to a program that is ready to integrate its motion."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.centring import to_centres
from kempe.compile.dynamic_layout import DynamicLayout
from kempe.compile.dynamic_program import (
    DynamicProgram,
    dynamic_tape_program,
    elimination_order,
)
from kempe.compile.dynamic_tape import dynamic_tape
from kempe.compile.dynamic_tracing import trace_dynamics
from kempe.compile.layout import Layout
from kempe.kinematics.assembly import Assembled, assemble
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.poses import body_pose

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class PreparedDynamics:
    """A program and the assembled start of one model.

    `rows` are all rows as the elements write them: those that are solved, by the program's row.
    """

    layout: DynamicLayout
    program: DynamicProgram
    start: Assembled  # of the bodies' own origins
    q: FloatArray  # of the centres of mass
    last: FloatArray  # turns: of rows, then of forces
    kept: tuple[int, ...]
    n_rows: int  # kept and spare


def prepare(origins: Layout, t: float, executor: str = "auto") -> PreparedDynamics:
    """The program of a model's structure, and the model assembled at time t."""
    layout = DynamicLayout(origins.model)
    start = assemble(origins, evaluator(origins), t)
    q = to_centres(origins.model, start.q[None, :])[0]
    traced = trace_dynamics(layout)
    kept = tuple(range(len(traced.system.phi)))
    bodies = [layout.layout.markers_of(e) for e in layout.layout.elements]
    order = elimination_order([traced.system.rows[k] for k in kept], bodies)
    tape = dynamic_tape(traced, kept, order)
    program = dynamic_tape_program(tape, layout.layout.chart.n_v, executor)
    last = np.concatenate([start.last, _force_turns(layout, program, q)])
    return PreparedDynamics(layout, program, start, q, last, kept, len(kept))


def _force_turns(layout: DynamicLayout, program: DynamicProgram, q: FloatArray) -> FloatArray:
    """Where the counted turns of forces start: as their gauges read."""
    turns = []
    for number, reading in program.shape.force_counted:
        force = layout.forces[number]
        X = [body_pose(layout.layout, q, m.body) @ m.pose for m in force.markers]
        turns.append(force.first_turns(X)[reading])
    return np.array(turns, dtype=np.float64)
