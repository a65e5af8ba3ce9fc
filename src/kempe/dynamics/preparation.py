"""From a model with masses to a program that is ready to integrate its motion.

The program of a structure is made once: traced, its redundant rows found, compiled. Later models of
the same structure only set numbers.
"""

from dataclasses import dataclass
from typing import final
from weakref import WeakKeyDictionary

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
from kempe.dynamics.energy_check import check_energies
from kempe.dynamics.initial import InitialVelocity, Wish, initial_velocity
from kempe.dynamics.rows import choose_rows
from kempe.kinematics.assembly import Assembled, assemble
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.poses import body_pose

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class PreparedDynamics:
    """A program, and the assembled start of one model with velocities that fit."""

    layout: DynamicLayout
    program: DynamicProgram
    q: FloatArray  # of the centres of mass
    last: FloatArray  # turns: of rows, then of forces
    start: InitialVelocity
    kept: tuple[int, ...]  # rows that are solved, by their place among all
    n_rows: int  # all: kept and spare
    mobility: int  # that joints and couplers leave; -1 where nobody had to count

    @property
    def is_locked(self) -> bool:
        """Whether the joints alone hold everything."""
        return self.mobility == 0

    def equations(self, q: FloatArray, v: FloatArray, t: float) -> tuple[FloatArray, ...]:
        """J (rows, n_v), -phi_t, gamma and f at (q, v, t) of the centres of mass."""
        shape, layout = self.program.shape, self.layout
        entries, rhs, gamma, load = self.program.system.equations(
            layout.parameters, layout.mass_blocks.reshape(-1), q, v, t, self.last
        )
        J = np.zeros((shape.n_rows, shape.n_v))
        np.add.at(J, (shape.jacobian_rows, shape.jacobian_columns), entries)
        return J, rhs, gamma, load


_PREPARED: WeakKeyDictionary[Layout, dict[tuple[float, str], PreparedDynamics]]
_PREPARED = WeakKeyDictionary()


def prepare(origins: Layout, t: float, executor: str = "auto") -> PreparedDynamics:
    """The program of a model's structure, and the model assembled at time t.

    A layout never changes, so what was prepared for it is kept as long as it lives.
    """
    kept = _PREPARED.setdefault(origins, {})
    if (t, executor) not in kept:
        kept[t, executor] = _prepared(origins, t, executor)
    return kept[t, executor]


def _prepared(origins: Layout, t: float, executor: str) -> PreparedDynamics:
    layout = DynamicLayout(origins.model)
    assembled = assemble(origins, evaluator(origins), t)
    q = to_centres(origins.model, assembled.q[None, :])[0]
    traced = trace_dynamics(layout)
    check_energies(layout, traced, q, t)
    bodies = [layout.layout.markers_of(e) for e in layout.layout.elements]

    def made(kept: tuple[int, ...]) -> DynamicProgram:
        order = elimination_order([traced.system.rows[k] for k in kept], bodies)
        tape = dynamic_tape(traced, kept, order)
        return dynamic_tape_program(tape, layout.layout.chart.n_v, executor)

    everything = tuple(range(len(traced.system.phi)))
    kept, mobility = everything, -1
    if everything:
        verdict = choose_rows(origins, assembled, t)
        kept, mobility = verdict.kept, verdict.mobility
    program = made(kept)
    last = np.concatenate([assembled.last, _force_turns(layout, program, q)])
    prepared = PreparedDynamics(
        layout,
        program,
        q,
        last,
        InitialVelocity(np.zeros(0), ()),
        kept,
        len(everything),
        mobility,
    )
    return _started(prepared, t)


def _started(prepared: PreparedDynamics, t: float) -> PreparedDynamics:
    from dataclasses import replace

    rest = np.zeros(prepared.program.shape.n_v)
    J, rhs, _, _ = prepared.equations(prepared.q, rest, t)
    return replace(
        prepared, start=initial_velocity(prepared.layout, prepared.q, t, Wish(J, rhs))
    )


def _force_turns(layout: DynamicLayout, program: DynamicProgram, q: FloatArray) -> FloatArray:
    """Where the counted turns of forces start: as their gauges read."""
    turns = []
    for number, reading in program.shape.force_counted:
        force = layout.forces[number]
        X = [body_pose(layout.layout, q, m.body) @ m.pose for m in force.markers]
        turns.append(force.first_turns(X)[reading])
    return np.array(turns, dtype=np.float64)
