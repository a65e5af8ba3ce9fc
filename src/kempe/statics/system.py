"""The equations of a mechanism at rest: what pushes it, what holds it, and how both change.

At rest (v = 0) the loads f and the multipliers lam of the rows of joints and drives balance:

    f(q, 0, t) - J^T lam = 0,   phi(q, t) = 0

Displacements are measured in sizes of the machine and radians, d = c y, so that forces c f and
stiffnesses are all in joules. N (n_v, m) holds an orthonormal basis of the displacements y that the
rows leave free; -N^T c f is the slope of the potential energy along them.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import DynamicLayout, to_origins
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name
from kempe.dynamics.preparation.callback_numbers import Asked, Outside, callbacks_of
from kempe.dynamics.preparation.joint_loads import joint_loads
from kempe.dynamics.preparation.preparation import centred_state, with_idle_rotations
from kempe.equations import Equations, equations_of
from kempe.equations.equations import Derivatives, DynamicEquations
from kempe.equations.programs import DynamicPrograms
from kempe.errors import ModelError
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing.placement import Given, body_pose, moved_bodies
from kempe.results.state import State

FloatArray = NDArray[np.float64]
TURN = 2.0 * np.pi

RANK = 1e-9  # of rows of length 1: singular values below this share of the largest count as zero
PLAIN = 1e-4  # pivots of rows of length 1 that leave so much of each are independent
CLOSED = 1e-13  # sizes of the machine and rad: rows that fit
MOST_CORRECTIONS = 12
AWAY = 0.5  # of a step: what closes the rows again may not be longer, or it is another branch
ASIDE = 1e-6  # sizes of the machine, rad and per second: displacements to difference callbacks by


@final
@dataclass(frozen=True, slots=True, eq=False)
class Balance:
    """Loads, rows and the freedoms that the rows leave, at one state; forces in joules."""

    state: State  # of the centres of mass, at rest
    load: FloatArray  # (n_v,) c f
    J: FloatArray  # (rows, n_v), scaled
    N: FloatArray  # (n_v, m)
    lam: FloatArray  # (rows,) scaled multipliers, the shortest that leave the least of the load
    slope: FloatArray  # (m,) -N^T c f

    @property
    def scale(self) -> float:
        """The largest push there is, J: of what balance is measured by."""
        held = np.abs(self.J) * np.abs(self.lam)[:, None]
        return float(max(np.abs(self.load).max(initial=0.0), held.max(initial=0.0)))

    @property
    def push(self) -> float:
        """|slope|: what is left to move it, J."""
        return float(np.linalg.norm(self.slope))


@final
@dataclass(frozen=True, eq=False)
class StaticSystem:
    """The loads and rows of one model, its bodies seen from their centres of mass."""

    origins: Layout
    layout: DynamicLayout
    equations: DynamicEquations
    callbacks: tuple[Asked, ...]
    idle: NDArray[np.bool_]  # (n_v,) turns of point masses, which nothing feels
    loads: tuple[tuple[int, float], ...] = ()  # places of joints' loads among the numbers, and N

    @cached_property
    def rows(self) -> Equations:
        """The rows alone."""
        return equations_of(self.layout.layout)

    @property
    def n_v(self) -> int:
        """Velocities of all bodies."""
        return self.layout.layout.n_v

    @cached_property
    def units(self) -> FloatArray:
        """c (n_v,): the machine's size for linear displacements, 1 for angles."""
        return 1.0 / self.origins.step_weights

    @cached_property
    def row_weights(self) -> FloatArray:
        """1 / size for rows in metres, 1 for the others."""
        return self.equations.program.shape.row_weights(self.origins.size)

    def parameters(self, at: State) -> FloatArray:
        """All numbers: callbacks as they answer at a state, states of forces as they are there."""
        p = self.layout.with_states(self.layout.parameters, at.states)
        if self.callbacks:
            p = p.copy()
            outside = Outside(self.callbacks)
            p[[k for one in self.callbacks for k in one.places]] = outside.answers(
                at.q, at.v, at.t, at.turns
            )
        if self.loads:
            p = p.copy()
            p[[place for place, _ in self.loads]] = [load for _, load in self.loads]
        return p

    def rubbing(self, at: State, lam: FloatArray) -> "StaticSystem":
        """The system whose smooth friction in joints has the loads of the multipliers lam (SI)."""
        loads = joint_loads(self.equations)
        if loads is None:
            return self
        pressed = loads.at(at.q[None, :], lam[None, :])[0]
        each = zip(loads.places, pressed, loads.frictions, strict=True)
        found = tuple((int(place), float(N)) for place, N, f in each if not f.sticks)
        return replace(self, loads=found)

    def load_slopes(
        self, at: State, lam: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """How smooth friction in joints follows what the joints carry; None where there is none.

        df/dn (n_v, k) of k loads n, and of these dn/dq (k, n_v) and dn/dlam (k, rows), in SI.
        """
        loads = joint_loads(self.equations)
        if loads is None or not self.loads:
            return None
        by_lam, by_q = loads.slopes(at.q, lam)
        smooth = [k for k, f in enumerate(loads.frictions) if not f.sticks]
        f, *_ = self.terms(at)
        columns = []
        for place, _ in self.loads:  # f is linear in every load
            other = tuple((p, n + (p == place)) for p, n in self.loads)
            columns.append(replace(self, loads=other).terms(at)[0] - f)
        n_q = np.zeros((len(smooth), self.n_v))
        n_q[:, loads.moved] = by_q[smooth]
        n_lam = np.zeros((len(smooth), len(lam)))
        n_lam[:, loads.lam] = by_lam[smooth]
        return np.array(columns).T, n_q, n_lam

    def terms(self, at: State, parameters: FloatArray | None = None) -> tuple[FloatArray, ...]:
        """f (n_v,), J (rows, n_v) and gamma (rows,) at a state, SI."""
        p = self.parameters(at) if parameters is None else parameters
        masses = self.layout.mass_blocks.reshape(-1)
        found = self.equations.program.system.equations(p, masses, at.q, at.v, at.t, at.turns)
        return found.load, self.equations.program.dense_jacobian(found.entries), found.gamma

    def balance(self, at: State) -> Balance:
        """Loads, rows and freedoms at a state, which must be at rest."""
        f, J, _ = self.terms(at)
        load = self.units * f
        J = self.row_weights[:, None] * J * self.units
        N, held = self.freedoms(J)
        lam = held @ load
        return Balance(at, load, J, N, lam, -(N.T @ load))

    def freedoms(self, J: FloatArray) -> tuple[FloatArray, FloatArray]:
        """As `null_space` of scaled rows J, without what nothing feels."""
        felt = ~self.idle
        if felt.all():
            return null_space(J)
        inner, mine = null_space(J[:, felt])
        N, held = np.zeros((self.n_v, inner.shape[1])), np.zeros((len(J), self.n_v))
        N[felt], held[:, felt] = inner, mine
        return N, held

    def stiffness(self, here: Balance) -> FloatArray:
        """-d(c f - c J^T lam)/dy (n_v, n_v) in joules: how loads and held rows turn."""
        lam = here.lam * self.row_weights
        found = self.derivatives(here.state, np.zeros(self.n_v), lam)[0]
        return np.asarray(self.units[:, None] * found[: self.n_v] * self.units)

    def all_derivatives(self, at: State, a: FloatArray, lam: FloatArray) -> Derivatives:
        """Those of the traced formulas, SI: what callbacks say counts as constant."""
        return self.equations.derivatives(at, a, lam, parameters=self.parameters(at))

    def derivatives(
        self, at: State, a: FloatArray, lam: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """dR/dq and dR/dv of R = [M a + J^T lam - f; J a - gamma], SI, callbacks included."""
        found = self.all_derivatives(at, a, lam)
        K, C = found.K, found.C
        if not self.callbacks:
            return K, C
        K, C = K.copy(), C.copy()
        for k in range(self.n_v):
            d = np.zeros(self.n_v)
            d[k] = ASIDE * self.units[k]
            for part, ways in (
                (K, [replace(at, q=self.rows.program.retract(at.q, s * d)) for s in (1.0, -1.0)]),
                (C, [replace(at, v=at.v + s * d) for s in (1.0, -1.0)]),
            ):
                there = [self.terms(at, self.parameters(way))[0] for way in ways]
                part[: self.n_v, k] -= (there[0] - there[1]) / (2.0 * d[k])
        return K, C

    def moved(self, here: Balance, y: FloatArray) -> State | None:
        """The state after a displacement y (n_v,) along the freedoms, rows closed again.

        None where they cannot be closed nearby: the step is too long.
        """
        at = self._counted(here.state, self.rows.program.retract(here.state.q, self.units * y))
        longest = AWAY * float(np.linalg.norm(y)) + 1e-9
        gone = 0.0
        for _ in range(MOST_CORRECTIONS):
            n = self.rows.program.shape.n_turns
            phi, entries, _ = self.rows.evaluate(at.q, at.t, at.turns[:n])
            misfit = self.row_weights * phi
            if not (np.isfinite(misfit).all() and np.isfinite(entries).all()):
                return None
            if np.abs(misfit).max(initial=0.0) <= CLOSED * self._reach(at):
                return at
            J = self.row_weights[:, None] * self.rows.program.dense_jacobian(entries) * self.units
            back = np.linalg.lstsq(J, -misfit, rcond=RANK)[0]
            gone += float(np.linalg.norm(back))
            if gone > longest:
                return None
            at = self._counted(at, self.rows.program.retract(at.q, self.units * back))
        loose = np.abs(misfit).max(initial=0.0) > 1e3 * CLOSED * self._reach(at)
        return None if loose else at

    def _reach(self, at: State) -> float:
        """How much more than a row of the machine's size rounding leaves open, at least 1."""
        places = self.layout.layout.coordinates.places(at.q)
        far = float(np.abs(places).max(initial=0.0)) / self.origins.size
        return max(1.0, far, float(np.abs(at.turns).max(initial=0.0)))

    def _counted(self, at: State, q: FloatArray) -> State:
        """The state at other coordinates, whole turns counted on."""
        n = self.rows.program.shape.n_turns
        _, _, turns = self.rows.evaluate(q, at.t, at.turns[:n])
        counted = self.equations.program.shape.force_counted
        mine = []
        for last, (number, reading) in zip(at.turns[n:], counted, strict=True):
            force = self.layout.forces[number]
            X = [body_pose(self.layout.layout, q, m.body) @ m.pose for m in force.markers]
            angle = float(force.first_turns(X)[reading])
            mine.append(angle + TURN * float(np.rint((last - angle) / TURN)))
        return replace(at, q=q, turns=np.concatenate([turns, mine]))

    def turned(self, at: State) -> dict[str, float]:
        """The angles (rad) that forces have counted on the way, by the names of their gauges."""
        n = self.rows.program.shape.n_turns
        known, found = gauges_by_name(self.origins.model), dict(at.angles)
        for angle, (number, reading) in zip(
            at.turns[n:], self.equations.program.shape.force_counted, strict=True
        ):
            gauge = self.layout.forces[number].force.gauges[reading]
            if gauge.name in known:
                found[gauge.name] = float(angle)
        return found

    def origins_of(self, at: State) -> FloatArray:
        """Coordinates of the bodies' own origins."""
        return np.asarray(to_origins(self.layout.model, at.q[None, :])[0])


def null_space(J: FloatArray) -> tuple[FloatArray, FloatArray]:
    """An orthonormal basis N (n, m) of J N = 0, and the matrix that makes lam of a load.

    lam = (J^T)^+ load. Rows are first brought to length 1: one in other units than the rest, such
    as the row of a fine screw, must not look as if it said nothing.
    """
    lengths = np.linalg.norm(J, axis=1)
    lengths[lengths == 0.0] = 1.0
    if not len(J):
        return np.eye(J.shape[1]), np.zeros((0, J.shape[1]))
    unit = J / lengths[:, None]
    if len(J) <= J.shape[1]:
        Q, upper = np.linalg.qr(unit.T, mode="complete")
        top = upper[: len(J)]
        diagonal = np.abs(np.diag(top))
        if diagonal.min() > PLAIN * diagonal.max():  # far from any doubt about the rank
            held = np.linalg.solve(top, Q[:, : len(J)].T)
            return Q[:, len(J) :], held / lengths[:, None]
    u, s, vt = np.linalg.svd(unit)
    rank = int((s > RANK * s.max(initial=0.0)).sum())
    held = (u[:, :rank] / s[:rank]) @ vt[:rank] / lengths[:, None]
    return vt[rank:].T, held


@final
@dataclass(frozen=True, eq=False)
class Start:
    """A system and where it begins, put together."""

    system: StaticSystem
    state: State  # of the centres of mass, at rest
    notes: tuple[str, ...]


def static_start(
    origins: Layout, t: float, given: Given | None = None, angles: dict[str, float] | None = None
) -> Start:
    """The equations of a model at rest, and the model assembled at time t."""
    if not origins.model.moving:
        raise ModelError(f"{origins.model.name!r} has no body that could move: add one.")
    assembled = replace(assemble(equations_of(origins), t, given), angles=angles or {})
    layout = DynamicLayout(with_idle_rotations(origins, assembled))
    n_rows = len(equations_of(origins.moving).program.shape.rows)
    equations = DynamicPrograms(layout, n_rows, "vm", "auto").solving(tuple(range(n_rows)))
    state = replace(centred_state(equations, assembled), v=np.zeros(origins.n_v))
    callbacks = callbacks_of(equations)
    idle = _idle_turns(origins, layout)
    if idle.any():
        plain = StaticSystem(origins, layout, equations, callbacks, np.zeros_like(idle))
        here = plain.balance(state)
        felt = np.abs(plain.stiffness(here))
        idle &= (here.load == 0.0) & (felt.max(axis=0) == 0.0) & (felt.max(axis=1) == 0.0)
    system = StaticSystem(origins, layout, equations, callbacks, idle)
    moved = moved_bodies(origins, assembled.q, None if given is None else given.guesses)
    return Start(system, state, moved)


def _idle_turns(origins: Layout, layout: DynamicLayout) -> NDArray[np.bool_]:
    """Turns of point masses that no joint turns: they were given an inertia to have one."""
    idle = np.zeros(origins.n_v, dtype=bool)
    pairs = zip(origins.model.moving, layout.model.moving, strict=True)
    for k, (before, after) in enumerate(pairs):
        if before.inertia is not after.inertia:
            idle[origins.coordinates.spin_of(k)] = True
    return idle
