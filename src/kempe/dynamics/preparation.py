"""From a model with masses to a program that is ready to integrate its motion.

The program of a structure is made once: traced, its redundant rows found, compiled. Later models of
the same structure only set numbers.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.large.dynamic_tiles import tile_dynamics_program
from kempe.compile.large.tile_plan import Kind
from kempe.compile.large.tiles import kinds_of
from kempe.compile.large.whitening import whitened_kinds
from kempe.compile.layout.centring import to_centres
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.elements import DriveElement
from kempe.compile.layout.layout import Layout
from kempe.compile.program.dynamic_program import (
    DynamicProgram,
    dynamic_tape_program,
    elimination_order,
)
from kempe.compile.program.executor import tile_compiler
from kempe.compile.program.program_cache import DYNAMIC_PROGRAMS
from kempe.compile.small.dynamic_tape import dynamic_tape
from kempe.compile.trace.dynamic_tracing import TracedDynamics, trace_dynamics
from kempe.dynamics.energy_check import check_energies
from kempe.dynamics.initial import InitialVelocity, Wish, initial_velocity
from kempe.dynamics.outside import Asked, Outside, callbacks_of
from kempe.dynamics.point_masses import with_idle_rotations, with_slight_moments
from kempe.dynamics.rows import choose_rows
from kempe.equations import equations_of
from kempe.errors import BadNumber, DriveError, MissingPart, ModelError
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing.given_poses import Given, moved_bodies
from kempe.kinematics.closing.poses import body_pose
from kempe.kinematics.mobility.idle_drives import idle_drives
from kempe.kinematics.observe.observation import whole_turns
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# Rows up to which everything is one program; beyond, tiles and the block solver are quicker, to
# make and to run.
SMALL_PLAN = 64
# Pivots of J M^-1 J^T are squares of what is left of a row: rows that leave a hundredth are
# independent, and nobody need look further.
INDEPENDENT = 1e-4
RATES_FIT = 1e-9  # of the largest of them: rates of drives that agree
PLANS = ("auto", "small", "large")


@final
@dataclass(frozen=True, slots=True, eq=False)
class PreparedDynamics:
    """A program, and the assembled start of one model with velocities that fit."""

    layout: DynamicLayout
    program: DynamicProgram
    q: FloatArray  # of the centres of mass
    turns: FloatArray  # of rows, then of forces
    start: InitialVelocity
    kept: tuple[int, ...]  # rows that are solved, by their place among all
    n_rows: int  # all: kept and spare
    mobility: int  # that joints and couplers leave
    row_weights: FloatArray  # 1 / m for rows in metres: they are compared beside angles
    callbacks: tuple[Asked, ...] = ()  # who gives numbers as a run goes
    moved: tuple[str, ...] = ()  # bodies that start elsewhere than they were given, in words

    def system(self, outside: Outside) -> Any:
        """The native equations of motion, made to ask the callbacks where there are any."""
        return outside.system(self.program.system) if self.callbacks else self.program.system

    @property
    def row_order(self) -> list[int]:
        """The program's rows by their place among all: those that are solved, then the others."""
        solved = set(self.kept)
        return [*self.kept, *(k for k in range(self.n_rows) if k not in solved)]

    @property
    def is_drive(self) -> NDArray[np.bool_]:
        """Which of the program's rows are those of drives."""
        elements, rows = self.layout.layout.elements, self.program.shape.rows
        return np.array([isinstance(elements[r.element], DriveElement) for r in rows], dtype=bool)

    @property
    def spare_drives(self) -> tuple[str, ...]:
        """Measures of drives that repeat what other rows say."""
        elements, shape = self.layout.layout.elements, self.program.shape
        spare = (elements[row.element] for row in shape.rows[shape.n_rows :])
        return tuple(e.drive.gauge.name for e in spare if isinstance(e, DriveElement))

    @property
    def is_locked(self) -> bool:
        """Whether the joints alone hold everything."""
        return self.mobility == 0

    def equations(self, q: FloatArray, v: FloatArray, t: float) -> tuple[FloatArray, ...]:
        """J of all rows, -phi_t, gamma and f at (q, v, t) of the centres of mass."""
        layout = self.layout
        entries, rhs, gamma, load = self.system(Outside(self.callbacks)).equations(
            layout.parameters, layout.mass_blocks.reshape(-1), q, v, t, self.turns
        )
        return self.program.dense_jacobian(entries), rhs, gamma, load


def prepare(
    origins: Layout,
    t: float,
    executor: str = "auto",
    plan: str = "auto",
    given: Given | None = None,
) -> PreparedDynamics:
    """The program of a model's structure, and the model assembled at time t.

    A layout never changes, so what was prepared for it is kept as long as it lives, unless poses to
    start from were `given`.
    """
    if given is not None:
        return _prepared(origins, t, executor, plan, given)
    return origins.prepared(
        ("simulation", t, executor, plan), lambda: _prepared(origins, t, executor, plan, None)
    )


def _prepared(
    origins: Layout, t: float, executor: str, plan: str, given: Given | None
) -> PreparedDynamics:
    if plan not in PLANS:
        raise MissingPart(f"there is no plan {plan!r}: use one of {', '.join(PLANS)}.")
    if not origins.model.moving:
        raise ModelError(f"{origins.model.name!r} has no body that could move: add one.")
    assert not origins.n_own, "riders stand for the unknowns of curves"
    equations = equations_of(origins)
    assembled = assemble(equations, t, given)
    layout = DynamicLayout(with_idle_rotations(origins, assembled))
    q = to_centres(origins.model, assembled.q[None, :])[0]
    check_energies(layout, q, t)
    n_rows = len(equations.program.shape.rows)
    maker = _Maker(layout, n_rows, executor, plan)
    kept = tuple(range(n_rows))
    program = maker.made(kept)
    mobility = origins.n_v - n_rows + len(origins.model.drives)
    if kept and (layout.massless or not _is_sound(layout, program, q, assembled.turns, t)):
        lengths = None if layout.massless else partial(_row_lengths, layout, program, assembled)
        verdict = choose_rows(origins, assembled, lengths)
        if verdict.kept != kept:
            program, kept = maker.made(verdict.kept), verdict.kept
        mobility = verdict.mobility
    if layout.massless:
        _refuse_undetermined(layout, program, q, assembled.turns, t)
        if len(kept) < n_rows:
            layout = DynamicLayout(with_slight_moments(layout.model))
            program = _Maker(layout, n_rows, executor, plan).made(kept)
    last = np.concatenate([assembled.turns, _force_turns(layout, program, q, t)])
    rest = InitialVelocity(np.zeros(origins.n_v), ())
    prepared = PreparedDynamics(
        layout,
        program,
        q,
        last,
        rest,
        kept,
        n_rows,
        mobility,
        _row_weights(layout, program),
        callbacks_of(layout, program),
        moved_bodies(origins, assembled.q, None if given is None else given.guesses),
    )
    wishes = layout.model.rates or any(
        body.velocity is not None or body.spin is not None for body in layout.model.moving
    )
    if prepared.spare_drives:
        _refuse_fighting_drives(origins, prepared, assembled)
    if not wishes:
        return prepared
    J, rhs, _, _ = prepared.equations(q, rest.v, t)
    start = initial_velocity(layout, q, t, Wish(J, rhs), prepared.is_drive)
    return replace(prepared, start=start)


@final
class _Maker:
    """Makes programs that solve given rows and watch the others; remembers them by structure."""

    def __init__(self, layout: DynamicLayout, n_rows: int, executor: str, plan: str) -> None:
        self.layout = layout
        self.n_rows = n_rows
        self.executor = executor
        if plan == "large" and layout.massless:
            raise MissingPart(
                f"body {layout.massless[0]!r} has no mass, or no inertia about some axis, and the"
                " plan 'large' needs both of every body. Leave the plan to 'auto', or take 'small'."
            )
        few = n_rows <= SMALL_PLAN or bool(layout.massless)
        self.plan = ("small" if few else "large") if plan == "auto" else plan
        self._traced: TracedDynamics | None = None
        self._kinds: list[Kind] | None = None

    def made(self, kept: tuple[int, ...]) -> DynamicProgram:
        """The program, from memory where one of this structure has been made."""
        key = None
        if self.layout.is_built_in:
            key = f"{self.layout.key}:{self.executor}:{self.plan}:{hash(kept)}"
        program = DYNAMIC_PROGRAMS.find(key)
        if program is None:
            program = self._large(kept) if self.plan == "large" else self._small(kept)
            DYNAMIC_PROGRAMS.keep(key, program)
        return program

    def _small(self, kept: tuple[int, ...]) -> DynamicProgram:
        inner = self.layout.layout
        if self._traced is None:
            self._traced = trace_dynamics(self.layout)
        bodies = [inner.markers_of(e) for e in inner.elements]
        order = elimination_order([self._traced.system.rows[k] for k in kept], bodies)
        tape = dynamic_tape(self._traced, kept, order)
        return dynamic_tape_program(tape, inner.coordinates, self.executor)

    def _large(self, kept: tuple[int, ...]) -> DynamicProgram:
        if self._kinds is None:
            self._kinds = whitened_kinds(self.layout, kinds_of(self.layout.layout))
        code: list[object] = []
        spare = sorted(set(range(self.n_rows)) - set(kept))
        compiler = tile_compiler(self.executor, code)
        program = tile_dynamics_program(self.layout, spare, self._kinds, compiler)
        program.compiled, program.executor = code, "llvm" if code else "vm"
        return program


def _refuse_fighting_drives(origins: Layout, prepared: PreparedDynamics, start: State) -> None:
    """A DriveError where drives that repeat other rows set off at rates that do not fit them."""
    J, rhs, _, _ = prepared.equations(prepared.q, np.zeros(origins.n_v), start.t)
    J = prepared.row_weights[:, None] * J / origins.step_weights
    rhs = prepared.row_weights * rhs
    solved = slice(prepared.program.shape.n_rows)
    misfits = [
        float(np.abs(J[rows] @ np.linalg.lstsq(J[rows], rhs[rows])[0] - rhs[rows]).max(initial=0.0))
        for rows in (solved, slice(None))
    ]
    fits = RATES_FIT * float(np.abs(rhs).max(initial=0.0))
    if misfits[0] > fits or misfits[1] <= fits:
        return
    idle = idle_drives(origins, start)
    raise DriveError(
        f"{origins.model.name!r} cannot be moved by its drives. {idle.too_many}",
        drives=idle.names,
        mobility=prepared.mobility,
    )


def _refuse_undetermined(
    layout: DynamicLayout, program: DynamicProgram, q: FloatArray, last: FloatArray, t: float
) -> None:
    """A BadNumber where bodies without mass have accelerations that nothing determines."""
    if not _pivot_ratio(layout, program, q, last, t) > 0.0:
        names = ", ".join(repr(name) for name in layout.massless[:5])
        raise BadNumber(
            f"the mass matrix is singular: nothing determines how {names} would move, without mass"
            " or without inertia about some axis. Give it mass and inertia, or joints that hold it"
            " to bodies that have.",
            bodies=layout.massless,
        )


def _is_sound(
    layout: DynamicLayout, program: DynamicProgram, q: FloatArray, last: FloatArray, t: float
) -> bool:
    """Whether all rows are independent, plainly: no pivot is small at the start."""
    return _pivot_ratio(layout, program, q, last, t) > INDEPENDENT


def _pivot_ratio(
    layout: DynamicLayout, program: DynamicProgram, q: FloatArray, last: FloatArray, t: float
) -> float:
    turns = np.concatenate([last, _force_turns(layout, program, q, t)])
    rest = np.zeros(program.shape.n_v)
    mass = layout.mass_blocks.reshape(-1)
    return float(program.system.motion(layout.parameters, mass, q, rest, t, turns)[-1])


def _row_lengths(
    layout: DynamicLayout, program: DynamicProgram, start: State, at: FloatArray
) -> FloatArray:
    """sqrt(J_k M^-1 J_k^T) of all rows where the origins of the bodies stand at `at`; no unit."""
    q = to_centres(layout.model, at[None, :])[0]
    turns = np.concatenate([start.turns, _force_turns(layout, program, q, start.t)])
    shape = program.shape
    mass = layout.mass_blocks
    entries = program.system.equations(
        layout.parameters, mass.reshape(-1), q, np.zeros(shape.n_v), start.t, turns
    )[0]
    blocks = program.dense_jacobian(entries).reshape(len(shape.rows), len(mass), -1)
    squares = np.einsum("kbi,bij,kbj->k", blocks, np.linalg.inv(mass), blocks)
    return np.asarray(np.sqrt(squares) * _row_weights(layout, program))


def _row_weights(layout: DynamicLayout, program: DynamicProgram) -> FloatArray:
    """1 / size for rows in metres, 1 for the others."""
    metre = 1.0 / layout.layout.size
    return np.array([metre if row.unit == "m" else 1.0 for row in program.shape.rows])


def _force_turns(
    layout: DynamicLayout, program: DynamicProgram, q: FloatArray, t: float
) -> FloatArray:
    """Where the counted turns of forces start: as their gauges read, and drives and couplers say.

    In the plane angles have their turns.
    """
    turns = []
    for number, reading in program.shape.force_counted:
        force = layout.forces[number]
        X = [body_pose(layout.layout, q, m.body) @ m.pose for m in force.markers]
        first = force.first_turns(X)[reading]
        gauge = force.force.gauges[reading]
        more = 0.0 if layout.model.plane else whole_turns(layout.layout, q, t, gauge, first)
        turns.append(first + more)
    return np.array(turns, dtype=np.float64)
