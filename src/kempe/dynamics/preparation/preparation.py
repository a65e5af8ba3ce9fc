"""From a model with masses to a program that is ready to integrate its motion.

The program of a structure is made once: traced, its redundant rows found, compiled. Later models of
the same structure only set numbers.

Bodies without inertia are point masses whose turning nothing sees, or rods without thickness. A
point mass keeps its orientation whatever happens, so any inertia will do for it. A rod whose spin
the joints hold moves alike with any axial moment that is small enough.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.dynamic_layout import DynamicLayout, to_centres
from kempe.compile.layout.layout import Layout
from kempe.dynamics.energy_check import check_energies
from kempe.dynamics.preparation.callback_numbers import Asked, Outside, callbacks_of
from kempe.dynamics.preparation.initial import VelocityWish, initial_velocity
from kempe.dynamics.preparation.joint_loads import JointLoads, joint_loads, refuse_open_loads
from kempe.dynamics.preparation.rows import choose_dynamic_rows, with_velocity_rows
from kempe.dynamics.preparation.sampled_states import Clocked, clocked_of
from kempe.equations import equations_of
from kempe.equations.equations import DynamicEquations
from kempe.equations.programs import DynamicPrograms
from kempe.errors import BadNumber, DriveError, ModelError
from kempe.geometry import Inertia
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing.placement import Given, body_pose, moved_bodies
from kempe.kinematics.mobility.free_motions import idle_drives
from kempe.kinematics.observe.observation import whole_turns
from kempe.model import Body, Model
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Angles = Mapping[str, float]  # rad, of joints in space by name

NO_TURNS: Angles = {}

# Pivots of J M^-1 J^T are squares of what is left of a row: rows that leave a hundredth are
# independent, and nobody need look further.
INDEPENDENT = 1e-4
RATES_FIT = 1e-9  # of the largest of them: rates of drives that agree


@final
@dataclass(frozen=True, slots=True, eq=False)
class PreparedDynamics:
    """The equations of motion of one model, and where it starts, with velocities that fit."""

    equations: DynamicEquations
    start: State  # of the centres of mass
    changes: tuple[str, ...]  # velocities that joints make others than they were given, in words
    kept: tuple[int, ...]  # rows that are solved, by their place among all
    n_rows: int  # all: kept and spare
    mobility: int  # that joints and couplers leave
    callbacks: tuple[Asked, ...]  # who gives numbers as a run goes
    moved: tuple[str, ...]  # bodies that start elsewhere than they were given, in words
    uneven: NDArray[np.bool_]  # rows that at the start move one body far more lightly than others
    clocked: tuple[Clocked, ...] = ()  # controllers that are asked by a clock
    loads: JointLoads | None = None  # of joints with friction

    def system(self, outside: Outside) -> "core.DynamicSystem":
        """The native equations of motion, with friction in joints and callbacks where it has any.

        What joints carry is found before callbacks are asked once more.
        """
        system = self.equations.program.system
        if self.loads is not None:
            system = outside.rubbing = self.loads.system(system)
        return outside.system(system) if self.callbacks else system

    def sliding(self, ways: Mapping[str, float]) -> "PreparedDynamics":
        """These equations with joints that slide in the senses of `ways`, by their friction."""
        loads = self.loads
        return self if loads is None else replace(self, loads=loads.sliding(ways))

    @property
    def row_order(self) -> list[int]:
        """The program's rows by their place among all: those that are solved, then the others."""
        solved = set(self.kept)
        return [*self.kept, *(k for k in range(self.n_rows) if k not in solved)]

    @property
    def is_locked(self) -> bool:
        """Whether the joints alone hold everything."""
        return self.mobility == 0

    def terms(self, q: FloatArray, v: FloatArray, t: float) -> "core.EquationsAt":
        """The terms of the equations of motion at (q, v, t) of the centres of mass."""
        layout = self.equations.layout
        return self.system(Outside(self.callbacks)).equations(
            layout.with_states(layout.parameters, self.start.states),
            layout.mass_blocks.reshape(-1),
            q,
            v,
            t,
            self.start.turns,
        )


def prepare(
    origins: Layout,
    t: float,
    executor: str = "auto",
    plan: str = "auto",
    given: Given | None = None,
    angles: Angles = NO_TURNS,
) -> PreparedDynamics:
    """The program of a model's structure, and the model assembled at time t.

    A layout never changes, so what was prepared for it is kept as long as it lives, unless poses to
    start from were `given`, or angles of `angles` that have turned.
    """
    if given is not None or angles:
        return _prepared(origins, t, executor, plan, given, angles)
    key = ("simulation", t, executor, plan)
    kept = origins.prepared(key, PreparedDynamics)
    return kept or origins.keep(key, _prepared(origins, t, executor, plan, None, NO_TURNS))


def _prepared(
    origins: Layout, t: float, executor: str, plan: str, given: Given | None, angles: Angles
) -> PreparedDynamics:
    if not origins.model.moving:
        raise ModelError(f"{origins.model.name!r} has no body that could move: add one.")
    assembled = replace(assemble(equations_of(origins), t, given), angles=angles)
    moved = moved_bodies(origins, assembled.q, None if given is None else given.guesses)
    return _set_off(replace(prepare_at(origins, assembled, executor, plan), moved=moved))


def prepare_at(origins: Layout, assembled: State, executor: str, plan: str) -> PreparedDynamics:
    """The program of a model's structure, and the model at rest where it has been assembled."""
    assert not origins.n_own, "riders stand for the unknowns of curves"
    evaluated, t = equations_of(origins.moving), assembled.t
    layout = DynamicLayout(with_idle_rotations(origins, assembled))
    check_energies(layout, to_centres(origins.model, assembled.q[None, :])[0], t)
    n_rows = len(evaluated.program.shape.rows)
    make = DynamicPrograms(layout, n_rows, executor, plan)
    kept = tuple(range(n_rows))
    equations = make.solving(kept)
    mobility = origins.n_v - n_rows + len(origins.model.drives)
    if kept and (layout.massless or not _is_sound(equations, assembled)):
        lengths = None if layout.massless else partial(_row_lengths, equations, assembled)
        verdict = choose_dynamic_rows(origins, assembled, lengths)
        if origins.rolls:
            verdict = with_velocity_rows(origins, assembled, verdict)
        if verdict.kept != kept:
            equations, kept = make.solving(verdict.kept), verdict.kept
        mobility = verdict.mobility
    if layout.massless:
        _refuse_undetermined(equations, centred_state(equations, assembled))
        if len(kept) < n_rows:
            layout = DynamicLayout(with_slight_moments(layout.model))
            equations = DynamicPrograms(layout, n_rows, executor, plan).solving(kept)
    start = replace(
        centred_state(equations, assembled), v=np.zeros(origins.n_v), states=layout.first_states
    )
    prepared = PreparedDynamics(
        equations,
        start,
        (),
        kept,
        n_rows,
        mobility,
        callbacks_of(equations),
        (),
        equations.uneven_rows(start),
        clocked_of(equations),
    )
    loads = joint_loads(equations)
    if loads is not None:
        refuse_open_loads(loads, equations, prepared.terms(start.q, start.v, t).entries)
        prepared = replace(prepared, loads=loads)
    if equations.spare_drives:
        _refuse_fighting_drives(origins, prepared, assembled)
    return prepared


def _set_off(prepared: PreparedDynamics) -> PreparedDynamics:
    """With the velocities that the model asks for, as nearly as its joints allow them."""
    layout, start = prepared.equations.layout, prepared.start
    wishes = layout.model.rates or any(
        body.velocity is not None or body.spin is not None for body in layout.model.moving
    )
    if not wishes:
        return prepared
    terms = prepared.terms(start.q, start.v, start.t)
    wish = VelocityWish(prepared.equations.program.dense_jacobian(terms.entries), terms.rhs)
    found = initial_velocity(layout, start.q, start.t, wish, prepared.equations.is_drive)
    return replace(prepared, start=replace(start, v=found.v), changes=found.changes)


def _is_sound(equations: DynamicEquations, assembled: State) -> bool:
    """Whether all rows are independent, plainly: no pivot is small at the start."""
    return equations.pivot_ratio(centred_state(equations, assembled)) > INDEPENDENT


def _refuse_fighting_drives(origins: Layout, prepared: PreparedDynamics, start: State) -> None:
    """A DriveError where drives that repeat other rows set off at rates that do not fit them."""
    terms = prepared.terms(prepared.start.q, np.zeros(origins.n_v), start.t)
    program, weights = prepared.equations.program, prepared.equations.row_weights
    J = weights[:, None] * program.dense_jacobian(terms.entries) / origins.step_weights
    rhs, solved = weights * terms.rhs, slice(program.shape.n_rows)
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


def _refuse_undetermined(equations: DynamicEquations, at: State) -> None:
    """A BadNumber where bodies without mass have accelerations that nothing determines."""
    if not equations.pivot_ratio(at) > 0.0:
        massless = equations.layout.massless
        names = ", ".join(repr(name) for name in massless[:5])
        raise BadNumber(
            f"the mass matrix is singular: nothing determines how {names} would move, without mass"
            " or without inertia about some axis. Give it mass and inertia, or joints that hold it"
            " to bodies that have.",
            bodies=massless,
        )


def _row_lengths(equations: DynamicEquations, start: State, at: FloatArray) -> FloatArray:
    """The lengths of all rows by mass, where the origins of the bodies stand at `at`."""
    return equations.row_lengths(centred_state(equations, replace(start, q=at)))


def centred_state(equations: DynamicEquations, at: State) -> State:
    """A state of the origins as one of the centres of mass, with the turns of forces.

    Those start as their gauges read, with the turns of joints, drives and couplers.
    """
    layout, turns = equations.layout, []
    at = replace(at, q=to_centres(layout.model, at.q[None, :])[0])
    for number, reading in equations.program.shape.force_counted:
        force = layout.forces[number]
        X = [body_pose(layout.layout, at.q, m.body) @ m.pose for m in force.markers]
        first = force.first_turns(X)[reading]
        turns.append(first + whole_turns(layout.layout, at, force.force.gauges[reading], first))
    return replace(at, turns=np.concatenate([at.turns, turns]))


# Of the largest moment: nobody notices it, and it is more than rounding.
SLIGHT = 1e-13
SCATTER = 0.3  # rad, and sizes of the machine: another position in which to look


def with_idle_rotations(layout: Layout, start: State) -> Model:
    """The model with an inertia for every point mass that no joint turns.

    A body is one where it has a mass and no tensor, and where no row changes as it turns about its
    centre of mass.
    """
    if not any(_is_point(body) for body in layout.model.moving):
        return layout.model
    equations = equations_of(layout.moving)
    random = np.random.default_rng(0)
    moved = equations.program.retract(
        start.q, SCATTER * layout.size * random.normal(size=layout.n_v)
    )
    jacobians = [
        equations.program.dense_jacobian(equations.entries(replace(start, q=q)))
        for q in (start.q, moved)
    ]
    bodies = {body.name: body for body in layout.model.bodies}
    for k, body in enumerate(layout.model.moving):
        turning = layout.coordinates.spin_of(k)
        if _is_point(body) and not any(J[:, turning].any() for J in jacobians):
            bodies[body.name] = replace(body, inertia=_spread(body, layout.size))
    return replace(layout.model, bodies=tuple(bodies.values()))


def _is_point(body: Body) -> bool:
    inertia = body.inertia
    if inertia is None or not inertia.mass > 0.0 or inertia.tensor.any():
        return False
    return not np.any(inertia.centre)  # seen from its centre, which is its origin


def _spread(body: Body, size: float) -> Inertia:
    assert body.inertia is not None
    return Inertia(body.inertia.mass, np.zeros(3), body.inertia.mass * size**2 * np.eye(3))


def with_slight_moments(model: Model) -> Model:
    """The model with a slight moment about every axis about which a body with mass has none.

    Without it the equations of motion must be solved by the rows that were chosen at the start;
    with it redundant rows can help where those come near dependence.
    """
    bodies = tuple(_thickened(body) for body in model.bodies)
    return replace(model, bodies=bodies)


def _thickened(body: Body) -> Body:
    inertia = body.inertia
    if inertia is None or not inertia.mass > 0.0 or not inertia.tensor.any():
        return body
    moments, axes = np.linalg.eigh(inertia.tensor)
    slight = np.where(moments < SLIGHT * moments[-1], SLIGHT * moments[-1], 0.0)
    if not slight.any():
        return body
    tensor = inertia.tensor + (axes * slight) @ axes.T
    return replace(body, inertia=Inertia(inertia.mass, inertia.centre, tensor))
