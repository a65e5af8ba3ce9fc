"""The equations of a mechanism: its compiled rows, with masses and loads, and its own numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.algebra.tape import IntArray
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.elements import DriveElement
from kempe.compile.layout.layout import Layout
from kempe.compile.program.program import DynamicProgram, Program
from kempe.compile.small.kinematic_tape import KinematicTape
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# Of J_k M^-1 J_k^T, beside the share of the lightest: what is left of an acceleration by rounding
# is off in the ninth digit. Below `NOTHING` it is rounding itself: the square of cos(pi / 2).
UNEVEN, NOTHING = 1e-7, 1e-28
EPSILON = float(np.finfo(np.float64).eps)
AT_ONCE = 64  # states whose full matrices are held at a time


@final
@dataclass(frozen=True, eq=False)
class Equations:
    """The equations of one mechanism: where its numbers lie, and what evaluates and solves them.

    Rows are in m or rad, one for each condition of a joint, coupler or drive. `scaled` quantities
    measure lengths in sizes of the machine, so that rows and displacements compare with angles.
    """

    layout: Layout
    program: Program
    given: FloatArray | None = None  # other numbers than the layout's own

    @property
    def parameters(self) -> FloatArray:
        """The lifted numbers of all elements, SI."""
        return self.layout.parameters if self.given is None else self.given

    def with_parameters(self, parameters: FloatArray) -> "Equations":
        """The equations of the same structure with other numbers, in the layout's order."""
        return replace(self, given=parameters)

    @cached_property
    def row_weights(self) -> FloatArray:
        """1 / size for rows in metres, 1 for the others: (rows,)."""
        return self.program.shape.row_weights(self.layout.size)

    def rows_of(self, element: int) -> NDArray[np.bool_]:
        """Which rows are those of an element, (rows,)."""
        return np.array([row.element == element for row in self.program.shape.rows], dtype=bool)

    @property
    def step_weights(self) -> FloatArray:
        """1 / size for linear displacements and own unknowns, 1 for angles: (n_v,)."""
        return self.layout.step_weights

    def evaluate(
        self, q: FloatArray, t: float, turns: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """phi of all rows, the Jacobian's entries, and the unwrapped turns, at (q, t)."""
        return self.program.evaluate(self.parameters, q, t, turns)

    def entries(self, at: State) -> FloatArray:
        """The entries of the Jacobian of all rows at a state, in m and rad."""
        return self.evaluate(at.q, at.t, at.turns)[1]

    def scaled_entries(self, entries: FloatArray) -> FloatArray:
        """Entries of the Jacobian with lengths measured in sizes of the machine."""
        shape = self.program.shape
        entries = entries * self.row_weights[shape.jacobian_rows]
        return np.asarray(entries / self.step_weights[shape.jacobian_columns])

    def scaled(self, entries: FloatArray) -> FloatArray:
        """The Jacobian of these entries as a full matrix, lengths in sizes of the machine."""
        J = self.program.dense_jacobian(entries)
        return self.row_weights[:, None] * J / self.step_weights[None, :]

    def scaled_jacobian(self, at: State) -> FloatArray:
        """The Jacobian of all rows at a state, lengths in sizes of the machine: (rows, n_v)."""
        return self.scaled(self.entries(at))


@final
class Sampled:
    """Evaluates a program at samples q (n, n_q) and times t (n,): in lanes where it is one tape."""

    def __init__(self, equations: Equations, q: FloatArray, t: FloatArray) -> None:
        self._program, self._p, self._q, self._t = equations.program, equations.parameters, q, t

    def entries(self) -> FloatArray:
        """The entries of the Jacobian of all rows, (n, entries)."""
        shape = self._program.shape
        if isinstance(shape, KinematicTape):
            return self._in_lanes(shape, shape.jacobian, None)
        last = np.zeros(shape.n_turns)  # whole turns do not change derivatives
        samples = zip(self._q, self._t, strict=True)
        found = [self._program.evaluate(self._p, q, float(t), last)[1] for q, t in samples]
        return np.array(found).reshape(-1, len(shape.jacobian_rows))

    def jacobians(self) -> FloatArray:
        """The Jacobian of all rows as full matrices, (n, rows, n_v)."""
        shape, entries = self._program.shape, self.entries()
        J = np.zeros((len(entries), len(shape.rows), shape.n_v))
        J[:, shape.jacobian_rows, shape.jacobian_columns] = entries
        return J

    def right_hand(self, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """-phi_t and gamma(v) of all rows, (n, rows) each."""
        shape = self._program.shape
        if isinstance(shape, KinematicTape):
            both = np.concatenate([shape.velocity_rhs, shape.gamma])
            found = self._in_lanes(shape, both, v)
            return found[:, : len(shape.rows)], found[:, len(shape.rows) :]
        samples = zip(self._q, self._t, v, strict=True)
        pairs = [self._program.right_hand(self._p, q, float(t), x) for q, t, x in samples]
        m = len(shape.rows)
        return (
            np.array([rate for rate, _ in pairs]).reshape(-1, m),
            np.array([gamma for _, gamma in pairs]).reshape(-1, m),
        )

    def _in_lanes(
        self, shape: KinematicTape, registers: IntArray, v: FloatArray | None
    ) -> FloatArray:
        inputs = self._program.tape_inputs(self._q, self._t, self._p, v)
        return native_tape(shape.tape).evaluate_lanes(inputs, registers)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Derivatives:
    """The equations of motion at one moment, and how they change with place, velocity and time.

    R = [M a + J^T lam - f;  J a - gamma], with a and lam held. The first n_v rows of K, C and T are
    those of the forces, the others those of the constraints: solved ones, then those that are only
    watched. Columns of K are displacements along the velocities: of centres of mass, linear ones in
    world and angular ones in body axes.
    """

    K: FloatArray  # dR/dq, (n_v + rows, n_v)
    C: FloatArray  # dR/dv, (n_v + rows, n_v)
    T: FloatArray  # dR/dt, (n_v + rows,)
    M: FloatArray  # (n_v, n_v)
    J: FloatArray  # (rows, n_v)
    residual: FloatArray  # R, (n_v + rows,)
    # Of the states z that forces have of their own: dR/dz, the rates r of z, and how those change.
    Z: FloatArray  # (n_v + rows, states)
    rates: FloatArray  # (states,)
    rates_K: FloatArray  # dr/dq, (states, n_v)
    rates_C: FloatArray  # dr/dv, (states, n_v)
    rates_Z: FloatArray  # dr/dz, (states, states)


@final
@dataclass(frozen=True, eq=False)
class DynamicEquations:
    """Constraints, masses and loads of one mechanism: some rows are solved, the others watched.

    States are those of the centres of mass; their turns are those of rows, then those of forces.
    """

    layout: DynamicLayout
    program: DynamicProgram

    @cached_property
    def row_weights(self) -> FloatArray:
        """1 / size for rows in metres, 1 for the others: (rows,)."""
        return self.program.shape.row_weights(self.layout.layout.size)

    @property
    def is_drive(self) -> NDArray[np.bool_]:
        """Which rows are those of drives."""
        elements, rows = self.layout.layout.elements, self.program.shape.rows
        return np.array([isinstance(elements[r.element], DriveElement) for r in rows], dtype=bool)

    @property
    def spare_drives(self) -> tuple[str, ...]:
        """Measures of drives that repeat what other rows say."""
        elements, shape = self.layout.layout.elements, self.program.shape
        spare = (elements[row.element] for row in shape.rows[shape.n_rows :])
        return tuple(e.drive.gauge.name for e in spare if isinstance(e, DriveElement))

    def pivot_ratio(self, at: State) -> float:
        """The smallest pivot of J M^-1 J^T over its diagonal, at rest; 0 where rows are dependent.

        Pivots are squares of what is left of a row.
        """
        layout, rest = self.layout, np.zeros(self.program.shape.n_v)
        masses = layout.mass_blocks.reshape(-1)
        moved = self.program.system.motion(layout.parameters, masses, at.q, rest, at.t, at.turns)
        return moved.pivot_ratio

    def _terms(self, at: State, given: FloatArray | None = None) -> "core.EquationsAt":
        """J, gamma and loads at a state; no callback is asked for its numbers."""
        masses = self.layout.mass_blocks.reshape(-1)
        numbers = self.layout.parameters if given is None else given
        return self.program.system.equations(numbers, masses, at.q, at.v, at.t, at.turns)

    def mass_matrix(self, states: FloatArray | None = None) -> FloatArray:
        """M of the centres of mass, (n_v, n_v): it is the same everywhere.

        Bodies that gain or lose mass have that of the `states` of forces, as they start if omitted.
        """
        layout = self.layout
        blocks = layout.mass_blocks_at(layout.first_states if states is None else states)
        n = blocks.shape[1]
        M = np.zeros((len(blocks) * n, len(blocks) * n))
        for k, block in enumerate(blocks):
            M[k * n : (k + 1) * n, k * n : (k + 1) * n] = block
        return M

    def derivatives(
        self,
        at: State,
        a: FloatArray,
        lam: FloatArray,
        sides: FloatArray | None = None,
        parameters: FloatArray | None = None,
    ) -> Derivatives:
        """How the equations of motion change at a state, with accelerations and multipliers held.

        `a` (n_v,) and `lam` (rows,), in the order of the program's rows, may be any: those of a
        motion have M a + J^T lam = f. `sides` says on which side of its switches every force law
        is, +1 or -1; omitted, laws choose for themselves. Numbers from outside count as constant:
        they are those of `parameters`, the layout's own if omitted.

        Source: derivatives of the traced formulas, exact to rounding.
        """
        shape, program = self.program.shape, self.program.derivatives
        given = self.layout.parameters if parameters is None else parameters
        values = program.evaluate(
            given,
            at.q,
            at.v,
            at.t,
            at.turns,
            np.zeros(len(shape.guards)) if sides is None else sides,
            a,
            lam,
        )
        n, m = shape.n_v, len(shape.rows)
        z = len(shape.states)
        whole = np.zeros((n + m + 2 + z, 3 * n + 1 + m + z))  # two powers, by a and by lam too
        np.add.at(whole, (program.rows, program.columns), values)
        terms, M, J = (
            self._terms(at, given),
            self.mass_matrix(given[self.layout.state_places]),
            whole[n : n + m, 2 * n + 1 : 3 * n + 1],
        )
        own, whole = whole[n + m + 2 :], whole[: n + m]
        self._add_gains(a, whole[:, 3 * n + 1 + m :])
        residual = np.concatenate([M @ a + J.T @ lam - terms.load, J @ a - terms.gamma])
        first = 3 * n + 1 + m  # of the columns by states
        return Derivatives(
            whole[:, :n],
            whole[:, n : 2 * n],
            whole[:, 2 * n],
            M,
            J,
            residual,
            whole[:, first:],
            np.asarray(terms.rates),
            own[:, :n],
            own[:, n : 2 * n],
            own[:, first:],
        )

    def _add_gains(self, a: FloatArray, by_states: FloatArray) -> None:
        """Adds dM/dz a to the derivatives of M a by states of forces, (rows, states)."""
        blocks = self.layout.mass_blocks
        width = blocks.shape[1]
        for body, state in self.layout.flows:
            mine = slice(body * width, (body + 1) * width)
            by_states[mine, state] += blocks[body] @ a[mine] / blocks[body, 0, 0]

    def row_lengths(self, at: State) -> FloatArray:
        """sqrt(J_k M^-1 J_k^T) of all rows, lengths in sizes of the machine: (rows,)."""
        mass = self.layout.mass_blocks
        entries = self._terms(replace(at, v=np.zeros(self.program.shape.n_v))).entries
        J = self.program.dense_jacobian(entries)
        blocks = J.reshape(len(J), len(mass), -1)
        squares = np.einsum("kbi,bij,kbj->k", blocks, np.linalg.inv(mass), blocks)
        return np.asarray(np.sqrt(squares) * self.row_weights)

    def uneven_rows(self, at: State) -> NDArray[np.bool_]:
        """Which rows move one velocity far more lightly than all others that they join, (rows,).

        Of the acceleration of the lightest, a difference of what pushes it and what holds it, next
        to nothing is then left.
        """
        shape, blocks = self.program.shape, self.layout.mass_blocks
        rows, most = shape.jacobian_rows, len(shape.rows)
        if self.layout.massless or not len(rows):
            return np.zeros(most, dtype=bool)
        light = 1.0 / np.diagonal(blocks, axis1=1, axis2=2).reshape(-1)
        entries = self._terms(replace(at, v=np.zeros(shape.n_v))).entries
        shares = entries**2 * light[shape.jacobian_columns]
        order = np.lexsort((shares, rows))
        is_lightest = np.append(np.diff(rows[order]) > 0, True)
        others = order[~is_lightest]
        whole = np.bincount(rows, shares, most)
        rest = np.bincount(rows[others], shares[others], most)
        return np.asarray((rest > NOTHING * whole) & (rest < UNEVEN * whole))

    def closed_accelerations(self, states: Sequence[State], a: FloatArray) -> FloatArray:
        """Accelerations (n, n_v) at n states, corrected by mass to fit the rows: J a = gamma.

        Own: one step of refinement, a - M^-1 J^T S^-1 (J a - gamma), S = J M^-1 J^T.
        """
        n, light = self.program.shape.n_rows, np.linalg.inv(self.layout.mass_blocks)
        closed = np.array(a)
        for first in range(0, len(states), AT_ONCE):
            terms = [self._terms(state) for state in states[first : first + AT_ONCE]]
            J = np.array([self.program.dense_jacobian(at.entries)[:n] for at in terms])
            gamma = np.array([at.gamma[:n] for at in terms])[..., None]
            mine = closed[first : first + AT_ONCE, :, None]
            blocks = J.reshape(len(J), n, len(light), -1)
            eased = np.einsum("skbi,bij->skbj", blocks, light).reshape(J.shape)  # J M^-1
            back = np.swapaxes(eased, 1, 2)
            gap = J @ mine - gamma
            S = eased @ np.swapaxes(J, 1, 2)
            better = mine - back @ (np.linalg.pinv(S, rcond=n * EPSILON) @ gap)
            left, before = (np.abs(x).max(axis=1, initial=0.0) for x in (J @ better - gamma, gap))
            mine[:] = np.where((left < before)[:, None], better, mine)
        return closed
