"""Small motions about a steady one, of a mechanism whose joints hold velocities alone.

Displacements x = (r, th) and speeds s = (dv, R dw) of all bodies are seen in world axes, from a
frame that turns at the rate W with the motion: of wheels that spin about an axis of symmetry, and
of a whole that goes straight on or round a circle, all terms are then constant.

    x' = s - W x,   J_h x = 0,   J s + D x = 0,   D = d(J v)/dq
    [M J^T; J 0] (da, dlam) = -(K x + C s),   s' = da + (w - W) x s

J_h are the rows of places, J all rows. Independent displacements y and speeds u are some of x and
s themselves, x = N y and s = V u + P y, which makes (y, u)' = A (y, u).

Own: derivatives of the traced formulas, in a frame that moves along.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.velocity_elements import VelocityElement
from kempe.dynamics.events.modes import sides_of
from kempe.errors import BadNumber
from kempe.kinematics.reactions.loads import frictions_of
from kempe.results.reports.linearization import LinearModel, Mode
from kempe.results.state import State
from kempe.statics.equilibrium import at_origins, displaced
from kempe.statics.stability import scaled_mass
from kempe.statics.system import RANK, StaticSystem

if TYPE_CHECKING:
    from kempe.statics.linearization import Asked

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

NOTHING = 1e-9  # of the largest singular value of A: what is below stays as it is
STEADY = 1e-6  # of the largest acceleration: less is what makes no other motion of a steady one
UNDAMPED = 1e-12  # of the fastest eigenvalue: a real part below this is rounding
REAL = 1e-9  # of an eigenvalue: an imaginary part below this is rounding
TURNING_FIRST = 1e3  # how much rather a turn becomes a coordinate


def across(x: FloatArray) -> FloatArray:
    """The matrix of x cross."""
    a, b, c = x
    return np.array([[0.0, -c, b], [c, 0.0, -a], [-b, a, 0.0]])


@final
class SteadyMotion:
    """The terms of a system at one moment of a motion, in sizes of the machine and rad."""

    def __init__(self, system: StaticSystem, state: State, own_drives: int, asked: "Asked") -> None:
        self.system, self.state, self.asked = system, state, asked
        inner, shape = system.layout.layout, system.equations.program.shape
        self.n, self.c, self.w = system.n_v, system.units, system.row_weights
        first = inner.first_drive
        drives = {k: r.element - first for k, r in enumerate(shape.rows)}
        names = [drive.gauge.name for drive in inner.model.drives]
        self.row_of = {names[d]: k for k, d in drives.items() if 0 <= d < len(names)}
        let_go = {gauge.name for gauge in asked.inputs}
        self.held = np.ones(len(shape.rows), dtype=bool)
        for name, row in self.row_of.items():
            self.held[row] = names.index(name) < own_drives and name not in let_go
        is_place = [not isinstance(inner.elements[r.element], VelocityElement) for r in shape.rows]
        self.places = self.held & np.array(is_place, dtype=bool)
        self.M = scaled_mass(system)
        self.T = self._world_axes()
        self.own = np.ones(len(shape.rows), dtype=bool)  # the rows that hold at the state itself
        for name, row in self.row_of.items():
            self.own[row] = names.index(name) < own_drives
        self._derive()

    def _world_axes(self) -> FloatArray:
        """T: displacements of the chart, turns in body axes, from those in world axes."""
        inner = self.system.layout.layout
        T = np.eye(self.n)
        if not inner.model.plane:
            from kempe.kinematics.closing.placement import body_pose

            for k, body in enumerate(inner.model.moving):
                spin = inner.coordinates.spin_of(k)
                T[spin, spin] = body_pose(inner, self.state.q, body.name).rotation.matrix().T
        return T

    def _derive(self) -> None:
        system, n = self.system, self.n
        f, J, gamma = system.terms(self.state)
        self.J = self.w[:, None] * J * self.c
        load, gamma = self.c * f, self.w * gamma
        a, lam = self._solved(load[:, None], gamma[self.own, None], self.own)
        a, held = a[:, 0], np.zeros(len(self.J))
        held[self.own] = lam[:, 0]
        left = np.concatenate([self.c, self.w])
        K, C = system.derivatives(self.state, self.c * a, self.w * held)
        moved, _ = system.derivatives(self.state, self.state.v, self.w * held)
        still, _ = system.derivatives(self.state, np.zeros(n), self.w * held)
        self.K = (left[:, None] * K * self.c) @ self.T
        self.C = (left[:, None] * C * self.c) @ self.T
        drift = (self.w[:, None] * (moved - still)[n:] * self.c) @ self.T
        self.D = drift - self._turned_rates()
        # what has no mass, as a place on a curve, has no load either, and does not fall
        falls = np.linalg.lstsq(self.M, load, rcond=RANK)[0]
        self.falling = float(np.abs(falls).max(initial=0.0))
        self.v, self.a = self.T.T @ (self.state.v / self.c), self.T.T @ a
        self.J = self.J @ self.T
        self.M = self.T.T @ self.M @ self.T
        self.K[:n], self.C[:n] = self.T.T @ self.K[:n], self.T.T @ self.C[:n]

    def _turned_rates(self) -> FloatArray:
        """How -psi_0, what rows ask for at rest, changes with the places: by differences."""
        rows, at = self.system.rows, self.state
        still = np.zeros(self.n)

        def rates(q: FloatArray) -> FloatArray:
            return rows.program.right_hand(rows.parameters, q, at.t, still)[0]

        found, step = np.zeros((len(self.J), self.n)), 1e-6
        if not np.abs(rates(at.q)).max(initial=0.0) > 0.0:
            return found
        for k in range(self.n):
            d = step * self.T[:, k] * self.c
            ahead, behind = (rates(rows.program.retract(at.q, s * d)) for s in (1.0, -1.0))
            found[:, k] = self.w * (ahead - behind) / (2.0 * step)
        return found

    def _solved(
        self, push: FloatArray, rates: FloatArray, rows: NDArray[np.bool_]
    ) -> tuple[FloatArray, FloatArray]:
        """a and lam of M a + J^T lam = push, J a = rates, of some rows."""
        J = self.J[rows]
        N, held = self.system.freedoms(J)
        particular = np.linalg.lstsq(J, rates, rcond=RANK)[0] if len(J) else np.zeros_like(push)
        inner = N.T @ self.M @ N
        free = np.linalg.solve(inner, N.T @ (push - self.M @ particular)) if len(inner) else 0.0
        a = np.asarray(particular + (N @ free if len(inner) else 0.0), dtype=np.float64)
        return a, held @ (push - self.M @ a)

    # -- the frame that moves along ----------------------------------------------------------

    def _turning(self) -> tuple[FloatArray, float]:
        """The rate W (3,) at which the motion turns as a whole, and what it does not explain.

        a = W x v and w' = W x w of all bodies, by least squares.
        """
        triples = self._triples()
        A = np.vstack([np.zeros((1, 3)), *(-across(self._in_space(self.v, p)) for p in triples)])
        b = np.concatenate([np.zeros(1), *(self._in_space(self.a, p) for p in triples)])
        W = np.linalg.lstsq(A, b, rcond=1e-9)[0]
        scale = max(float(np.abs(b).max()), float(np.abs(A).max()) ** 2, self.falling)
        return W, float(np.abs(A @ W - b).max()) / max(scale, 1e-300)

    def _triples(self) -> list[slice]:
        """The ways, then the turns, of every body."""
        at = self.system.layout.layout.coordinates
        return [part for k in range(at.n_bodies) for part in (at.way_of(k), at.spin_of(k))]

    def _in_space(self, x: FloatArray, part: slice) -> FloatArray:
        """Ways or turns of a body as vectors of space: in the plane (x, y, 0) and (0, 0, turn)."""
        own = x[part]
        zero = np.zeros(3 - len(own))
        return np.concatenate([zero, own] if len(own) == 1 else [own, zero])

    def _rotating(self, W: FloatArray, *, spinning: bool) -> FloatArray:
        """The matrix of W x on all ways and turns; less the spins w x of the bodies on turns."""
        found = np.zeros((self.n, self.n))
        for k, part in enumerate(self._triples()):
            size = part.stop - part.start
            turn = across(W - self._in_space(self.v, part) if spinning and k % 2 else W)
            found[part, part] = turn[:size, :size]  # a turn in the plane turns with nothing
        return found

    # -- coordinates -------------------------------------------------------------------------

    def _chosen(self, N: FloatArray) -> list[int]:
        """Which of all displacements, or speeds, tell those of the columns of N."""
        from scipy.linalg import qr

        at = self.system.layout.layout.coordinates
        weight = np.where(at.is_angular, TURNING_FIRST, 1.0)
        _, _, order = qr((weight[:, None] * N).T, mode="economic", pivoting=True)
        return sorted(int(k) for k in order[: N.shape[1]])

    def _named(self, chosen: Sequence[int]) -> tuple[str, ...]:
        layout = self.system.layout.layout
        words = ("x", "y", "angle") if layout.model.plane else ("x", "y", "z", "rx", "ry", "rz")
        bodies, parts = layout.coordinates.body_of(np.array(chosen, dtype=np.int64))
        moving = layout.model.moving
        return tuple(f"{moving[b].name}.{words[p]}" for b, p in zip(bodies, parts, strict=True))

    # -- matrices ----------------------------------------------------------------------------

    def model(self) -> LinearModel:
        """All of it."""
        if self.asked.coordinates:
            raise BadNumber(
                f"joints of {self.system.layout.model.name!r} hold velocities, and its freedoms of"
                " place and of velocity are not the same: leave `coordinates` out; `outputs` may be"
                " any measures."
            )
        if len(self.state.states):
            raise BadNumber(
                f"joints of {self.system.layout.model.name!r} hold velocities, and forces have"
                " states of their own: small motions of both together are not told. Take the"
                " force with states out, or `simulate`."
            )
        W, unsteady = self._turning()
        N = self.system.freedoms(self.J[self.places])[0]
        y_rows = self._chosen(N)
        N = N @ np.linalg.inv(N[y_rows]) if N.shape[1] else N
        J = self.J[self.held]
        V = self.system.freedoms(J)[0]
        u_rows = self._chosen(V)
        V = V @ np.linalg.inv(V[u_rows]) if V.shape[1] else V
        P = -np.linalg.lstsq(J, self.D[self.held] @ N, rcond=RANK)[0] if len(J) else 0.0 * N
        P = P - V @ P[u_rows]
        A = self._state_matrix(W, N, V, P, y_rows, u_rows)
        pushes = np.array([self.J[self.row_of[g.name]] for g in self.asked.inputs])
        weights = np.array([self.w[self.row_of[g.name]] for g in self.asked.inputs])
        B = np.zeros((len(A), len(pushes)))
        if len(pushes):
            push = (pushes / weights[:, None]).T
            B[len(y_rows) :] = self._solved(push, np.zeros((len(J), len(weights))), self.held)[0][
                u_rows
            ]
        outputs = [self.row_of[g.name] for g in self.asked.outputs]
        G = np.zeros((len(outputs), len(A)))
        G[:, : len(y_rows)] = (self.J[outputs] / self.w[outputs][:, None]) @ N
        M = V.T @ self.M @ V
        p = len(y_rows)
        return LinearModel(
            self._named(y_rows),
            M,
            -M @ A[p:, p:],
            -M @ A[p:, :p],
            A,
            B,
            G,
            tuple(g.name for g in self.asked.inputs),
            tuple(g.name for g in self.asked.outputs),
            self._modes(A, N),
            unsteady,
            self._notes(unsteady),
            speeds=self._named(u_rows),
        )

    def _state_matrix(
        self,
        W: FloatArray,
        N: FloatArray,
        V: FloatArray,
        P: FloatArray,
        y_rows: list[int],
        u_rows: list[int],
    ) -> FloatArray:
        n, p = self.n, N.shape[1]
        x = np.hstack([N, np.zeros((n, V.shape[1]))])
        s = np.hstack([P, V])
        terms = self.K @ x + self.C @ s
        da, _ = self._solved(-terms[:n], -terms[n:][self.held], self.held)
        A = np.zeros((p + V.shape[1], p + V.shape[1]))
        A[:p] = (s - self._rotating(W, spinning=False) @ x)[y_rows]
        A[p:] = (da - self._rotating(W, spinning=True) @ s)[u_rows]
        return A

    def _notes(self, unsteady: float) -> tuple[str, ...]:
        notes = []
        if unsteady > STEADY:
            notes.append(
                f"the state is no steady motion: {unsteady:.1e} of its accelerations are no turning"
                " of the whole. This is how it answers at that moment"
            )
        model = self.system.layout.model
        acting = [f.name for f in frictions_of(model)]
        acting += dict.fromkeys(side.stop.name for side in sides_of(model))
        if acting:
            named = ", ".join(map(repr, acting[:3])) + ", ..." * (len(acting) > 3)
            notes.append(f"friction in joints and stops are left out of what rolls: {named}")
        return tuple(notes)

    # -- modes -------------------------------------------------------------------------------

    def _modes(self, A: FloatArray, N: FloatArray) -> tuple[Mode, ...]:
        values, still = eigenvalues_without_rest(A)
        found = [self._mode(0.0 + 0.0j, z, N) for z in still.T]
        for value in values:
            if value.imag < -REAL * abs(value):
                continue
            is_real = value.imag <= REAL * abs(value)
            is_undamped = abs(value.real) <= UNDAMPED * np.abs(values).max()
            s = complex(0.0 if is_undamped else value.real, 0.0 if is_real else value.imag)
            z = np.linalg.svd(A - s * np.eye(len(A)))[2][-1].conj()
            found.append(self._mode(s, z, N))
        return tuple(sorted(found, key=lambda mode: (abs(mode.eigenvalue), mode.eigenvalue.real)))

    def _mode(self, s: complex, state: ComplexArray, N: FloatArray) -> Mode:
        z = state[: N.shape[1]].astype(np.complex128)
        y = N @ z
        top = int(np.abs(y).argmax())
        factor = 1.0 / y[top] if y[top] != 0.0 else 1.0  # the largest is 1, and real
        y, z = y * factor, z * factor
        d = self.c * (self.T @ y)
        there, motion = displaced(self.system, self.state.q, d.real)
        shape = there + 1j * at_origins(self.system, self.state.q, d.imag)
        return Mode(s, shape, z, motion)


def eigenvalues_without_rest(A: FloatArray) -> tuple[ComplexArray, FloatArray]:
    """Eigenvalues of A other than 0, and states (n, k) that stay as they are, A z = 0.

    Where it is along its way, which way it goes and how fast are freedoms that nothing brings back,
    one fed by the other: eigenvalues 0 of high multiplicity, which rounding would scatter. They are
    taken off before any are computed, by the null space of A, of what A makes of the rest, and so
    on.
    """
    rest, still = np.array(A), np.zeros((len(A), 0))
    for depth in range(len(A)):
        _, sigma, vt = np.linalg.svd(rest)
        rank = int((sigma > NOTHING * max(float(sigma.max(initial=0.0)), 1e-300)).sum())
        if depth == 0:
            still = vt[rank:].T
        if rank == len(rest):
            break
        Q = vt[:rank].T
        rest = Q.T @ rest @ Q
    values = np.linalg.eigvals(rest) if len(rest) else np.zeros(0)
    return values.astype(np.complex128), np.asarray(still)


def steady_model(
    system: StaticSystem, state: State, own_drives: int, asked: "Asked"
) -> LinearModel:
    """The linear model of a system about a motion, the first `own_drives` drives being its own."""
    return SteadyMotion(system, state, own_drives, asked).model()
