"""A mechanism for small motions about a state, in independent coordinates.

With R = [M a + J^T lam - f; J a - gamma] and its exact derivatives K = dR/dq and C = dR/dv, small
changes obey, rows held,

    [M J^T; J 0] (da, dlam) + K dq + C dv = 0,   J dq = 0,   J dv + d(J v + phi_t) = 0

Displacements of turning bodies are in their own axes, so that dq' = dv - v x dq there. Coordinates
z = L dq, with dq = N z and J N = 0, make of it  z'' = A21 z + A22 z'. At an equilibrium

    N^T M N z'' + N^T C N z' + N^T K N z = N^T G^T u

States s that forces have of their own come after z and z': s' = r_q dq + r_v dv + r_s ds, and
f changes by f_s ds.

Coordinates that are measures, inputs and outputs are rows like those of drives that hold nothing:
their derivatives up to the second come out of the same formulas.

Source: [GarciaDeJalon] chapter 5 for the null space; derivatives of the traced formulas: Own.
"""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import velocities_at_centres
from kempe.compile.layout.layout import Layout
from kempe.drives import Drive, Ramp
from kempe.dynamics.curve_riders import riding
from kempe.dynamics.events.modes import sides_of
from kempe.equations import equations_of
from kempe.errors import BadNumber
from kempe.kinematics.closing.placement import Given
from kempe.kinematics.reactions.loads import frictions_of
from kempe.measures import Gauge
from kempe.results.reports.linearization import LinearModel, Mode
from kempe.results.state import State
from kempe.statics.equilibrium import at_origins, displaced, without_riders
from kempe.statics.stability import scaled_mass
from kempe.statics.steady_motion import steady_model
from kempe.statics.system import RANK, StaticSystem, static_start

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

RIGID = 1e-7  # of the fastest eigenvalue: slower is rounding of zero, whose root it is
NO_MASS = 1e-12  # of the largest: a freedom that moves less mass moves none
TURNING_FIRST = 1e3  # how much rather a turn becomes a coordinate where the state moves
SPEED = 1e-12  # sizes of the machine and rad a second: less is at rest
LOAD_ROUNDS, LOAD_EXACT = 200, 1e-15  # of loads and friction that follow each other
BALANCED = 1e-6  # of the largest load: more makes an acceleration that is told
UNDAMPED = 1e-12  # of the fastest eigenvalue: a real part below this is rounding
UNMOVED = 1e-13  # of an eigenvector: coordinates that are rounding
REAL = 1e-9  # of an eigenvalue: an imaginary part below this is rounding


@final
@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What a linearisation is asked for: measures as coordinates, inputs and outputs."""

    coordinates: tuple[Gauge, ...] = ()
    inputs: tuple[Gauge, ...] = ()
    outputs: tuple[Gauge, ...] = ()


def linearized(
    layout: Layout,
    t: float = 0.0,
    v: FloatArray | None = None,
    asked: Asked | None = None,
    *,
    given: Given | None = None,
    angles: dict[str, float] | None = None,
    states: FloatArray | None = None,
) -> LinearModel:
    """A mechanism for small motions about the assembly nearest to the `given` poses.

    `v` (n_v,) are velocities of the origins that fit its rows; at rest if omitted. `states` are
    those of forces; as they start if omitted. A drive on an input is let go, and what it exerts at
    the state goes on.
    """
    asked = asked or Asked()
    if layout.n_own:
        return _on_curves(layout, t, v, asked, given, angles, states)
    watched = _watched(layout, asked)
    more = [g for name, g in watched.items() if name not in _driven(layout)]
    wider = Layout(
        replace(
            layout.model,
            drives=(*layout.model.drives, *(Drive(g, Ramp(0.0, 0.0)) for g in more)),
        ),
        layout.complete_search,
    )
    start = static_start(layout, t, given, angles)
    first = start.system.layout.first_states
    state = replace(start.state, states=first if states is None else states)
    if v is not None:
        at = start.system.origins_of(state)
        state = replace(
            state, v=velocities_at_centres(layout.model, at[None, :], np.asarray(v)[None, :])[0]
        )
    widened = _widened(start.system, wider)
    if layout.rolls:
        turns = _with_turns(start.system, state, widened)
        return steady_model(widened, turns, len(layout.model.drives), asked)
    return _Linearizing(start.system, state, widened, asked).model()


def _on_curves(
    layout: Layout,
    t: float,
    v: FloatArray | None,
    asked: Asked,
    given: Given | None,
    angles: dict[str, float] | None,
    states: FloatArray | None,
) -> LinearModel:
    """A linear model with riders for places on curves, which have no mass and are not told of."""
    carried, at = riding(layout, t, given), layout.coordinates
    moving = None
    if v is not None:
        ride = carried.layout.coordinates
        moving = np.zeros(carried.layout.n_v)
        moving[at.bodies_v] = v[at.bodies_v]
        rates = carried.scales * v[at.bodies_v.stop :]
        for k, rate in enumerate(rates, start=layout.n_bodies):
            moving[ride.way_of(k).start] = rate
    found = linearized(carried.layout, t, moving, asked, angles=angles, states=states)
    modes = tuple(
        replace(
            mode,
            shape=np.concatenate([mode.shape[at.bodies_v], np.zeros(layout.n_own)]),
            motion=without_riders(layout, mode.motion),
        )
        for mode in found.modes
    )
    return replace(found, modes=modes)


def _driven(layout: Layout) -> dict[str, int]:
    return {drive.gauge.name: k for k, drive in enumerate(layout.model.drives)}


def _watched(layout: Layout, asked: Asked) -> dict[str, Gauge]:
    """All measures that were asked for, by name, each once."""
    return {g.name: g for g in (*asked.coordinates, *asked.inputs, *asked.outputs)}


def _widened(system: StaticSystem, wider: Layout) -> StaticSystem:
    """The equations of a system with a row more for every measure that is watched."""
    if len(wider.model.drives) == len(system.origins.model.drives):
        return system
    from kempe.compile.layout.dynamic_layout import DynamicLayout
    from kempe.dynamics.preparation.callback_numbers import callbacks_of
    from kempe.equations.programs import DynamicPrograms

    layout = DynamicLayout(replace(system.layout.model, drives=wider.model.drives))
    n_rows = len(equations_of(wider.moving).program.shape.rows)
    equations = DynamicPrograms(layout, n_rows, "vm", "auto").solving(tuple(range(n_rows)))
    return StaticSystem(wider, layout, equations, callbacks_of(equations), system.idle)


def _with_turns(narrow: StaticSystem, state: State, system: StaticSystem) -> State:
    """A state of a system with the turns that its widened rows count too."""
    own = narrow.rows.program.shape.n_turns
    more = system.rows.program.shape.n_turns - own
    turns = np.concatenate([state.turns[:own], np.zeros(more), state.turns[own:]])
    return replace(state, turns=turns)


@final
class _Linearizing:
    """The terms of a system at one state, all in sizes of the machine and rad."""

    def __init__(
        self, narrow: StaticSystem, state: State, system: StaticSystem, asked: Asked
    ) -> None:
        self.system, self.asked = system, asked
        self.n = system.n_v
        shape = system.equations.program.shape
        n_own = len(narrow.equations.program.shape.rows)
        self.state = _with_turns(narrow, state, system)
        first = system.layout.layout.first_drive
        drives = [row.element - first for row in shape.rows]
        named = [d.gauge.name for d in system.layout.model.drives]
        self.row_of = {named[d]: k for k, d in enumerate(drives) if d >= 0}
        inputs = {g.name for g in asked.inputs}
        self.held = np.array([k < n_own for k in range(len(shape.rows))], dtype=bool)
        for name in inputs:
            self.held[self.row_of[name]] = False
        self.c, self.w = system.units, system.row_weights
        self.M = scaled_mass(system, self.state.states)
        f, J, gamma = system.terms(self.state)
        self.J = self.w[:, None] * J * self.c
        self.load, self.gamma = self.c * f, self.w * gamma
        self.v = self.state.v / self.c
        own = np.array([k < n_own for k in range(len(shape.rows))], dtype=bool)
        self.a, self.lam = self._motion(own)
        self.system = system = self._rubbing(own)
        K, C = system.derivatives(self.state, self.c * self.a, self.w * self.lam)
        left = np.concatenate([self.c, self.w])
        self.K = left[:, None] * K * self.c
        self.C = left[:, None] * C * self.c
        formulas = system.all_derivatives(self.state, self.c * self.a, self.w * self.lam)
        self.Z = left[:, None] * formulas.Z
        self.rates, self.rates_Z = formulas.rates, formulas.rates_Z
        self.rates_K, self.rates_C = formulas.rates_K * self.c, formulas.rates_C * self.c
        self.by_lam = np.zeros((self.n, len(self.w)))  # F n_lam of what rubs: 0 at rest
        if (slopes := system.load_slopes(self.state, self.w * self.lam)) is not None:
            F, by_q, by_lam = self.c[:, None] * slopes[0], slopes[1] * self.c, slopes[2] * self.w
            self.K[: self.n] -= F @ by_q
            self.by_lam = F @ by_lam

    def _rubbing(self, own: NDArray[np.bool_]) -> StaticSystem:
        """The system whose smooth friction has the loads of the motion that it makes itself."""
        system = self.system.rubbing(self.state, self.w * self.lam)
        if self.is_at_rest or not system.loads:
            return system
        for _ in range(LOAD_ROUNDS):
            before = np.array([load for _, load in system.loads])
            self.load = self.c * system.terms(self.state)[0]
            self.a, self.lam = self._motion(own)
            system = system.rubbing(self.state, self.w * self.lam)
            off = np.abs(np.array([load for _, load in system.loads]) - before).max()
            if off <= LOAD_EXACT * max(float(np.abs(before).max()), 1e-300):
                return system
        raise BadNumber(
            "what joints carry and the friction that follows from it do not come to rest at each"
            " other here: linearise another state, or reduce the coefficient of friction."
        )

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing moves, and nothing starts to."""
        return not np.abs(self.v).max(initial=0.0) > SPEED

    @property
    def residual(self) -> float:
        """What makes it accelerate, of the largest load."""
        pushed = self.M @ self.a
        scale = max(float(np.abs(self.load).max(initial=0.0)), 1e-300)
        return float(np.abs(pushed).max(initial=0.0)) / scale

    def _motion(self, rows: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
        """a and lam (all rows, those that are not solved 0) of M a + J^T lam = f, J a = gamma."""
        J = self.J[rows]
        N, held = self.system.freedoms(J)
        particular = np.linalg.lstsq(J, self.gamma[rows], rcond=RANK)[0]
        free = self._solved_mass(N, N.T @ (self.load - self.M @ particular))
        a = particular + N @ free
        lam = np.zeros(len(self.J))
        lam[rows] = held @ (self.load - self.M @ a)
        return a, lam

    def _solved_mass(self, N: FloatArray, right: FloatArray) -> FloatArray:
        M = N.T @ self.M @ N
        if not len(M):
            return np.zeros_like(right)
        values, vectors = np.linalg.eigh(M)
        if not values[0] > NO_MASS * max(float(values[-1]), 1e-300):
            raise self._massless(N @ vectors[:, 0])
        return np.asarray(np.linalg.solve(M, right))

    def _massless(self, y: FloatArray) -> BadNumber:
        _, motion = displaced(self.system, self.state.q, self.c * y)
        names = ", ".join(map(repr, motion.bodies[:3]))
        return BadNumber(
            f"the mass matrix is singular: {names} can move in a way that moves no mass. Give it"
            " mass and inertia, or joints that hold it to bodies that have.",
            bodies=motion.bodies,
        )

    # -- coordinates ---------------------------------------------------------------------------

    def _across(self, v: FloatArray) -> FloatArray:
        """The matrix of v x on the turns of every body in space, 0 elsewhere."""
        across = np.zeros((self.n, self.n))
        layout = self.system.layout.layout
        if layout.model.plane:
            return across
        for k in range(layout.n_bodies):
            spin = layout.coordinates.spin_of(k)
            x, y, z = v[spin]
            across[spin, spin] = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
        return across

    def _coordinates(self, N: FloatArray) -> tuple[FloatArray, tuple[str, ...], list[int]]:
        """L (m, n) with z = L dq, names of z, and the rows of the measures that z are, if it is."""
        m = N.shape[1]
        if self.asked.coordinates:
            rows = [self.row_of[g.name] for g in self.asked.coordinates]
            L = self.J[rows]
            if len(rows) != m:
                raise BadNumber(
                    f"{self.system.layout.model.name!r} has {m} freedom{'s' * (m != 1)} here, and"
                    f" {len(rows)} coordinate{'s are' if len(rows) != 1 else ' is'} given: name"
                    f" {m}."
                )
            if m and not np.linalg.svd(L @ N, compute_uv=False)[-1] > 1e-9:
                told = ", ".join(g.name for g in self.asked.coordinates)
                raise BadNumber(
                    f"the coordinates {told} do not tell all that can move here: name others."
                )
            return L, tuple(g.name for g in self.asked.coordinates), rows
        names = tuple(f"z{k + 1}" for k in range(m))
        if self.is_at_rest:
            return N.T, names, []
        # Turns in a body's own axes see a spinning body stand still; places in the world do not.
        layout = self.system.layout.layout
        weight = np.where(layout.coordinates.is_angular, TURNING_FIRST, 1.0)
        from scipy.linalg import qr

        _, _, order = qr((weight[:, None] * N).T, mode="economic", pivoting=True)
        chosen = order[:m]
        L = np.zeros((m, self.n))
        L[np.arange(m), chosen] = 1.0
        words = ("x", "y", "angle") if layout.model.plane else ("x", "y", "z", "rx", "ry", "rz")
        bodies, parts = layout.coordinates.body_of(chosen)
        moving = layout.model.moving
        names = tuple(f"{moving[b].name}.{words[p]}" for b, p in zip(bodies, parts, strict=True))
        return L, names, []

    # -- matrices ------------------------------------------------------------------------------

    def model(self) -> LinearModel:
        """All of it."""
        n, k = self.n, len(self.rates)  # states of forces
        N, _ = self.system.freedoms(self.J[self.held])
        L, names, mine = self._coordinates(N)
        if names:
            N = N @ np.linalg.inv(L @ N)
        m = N.shape[1]
        P = self._drift(N, L, mine)
        pushes = self._pushes()
        dq = np.hstack([N, np.zeros((n, m + k + pushes.shape[1]))])
        dv = np.hstack([P, N, np.zeros((n, k + pushes.shape[1]))])
        second = self._second_rates(dq, dv, self._accelerations(N, P, pushes), L, mine)
        every = 2 * m + k
        A = np.zeros((every, every))
        A[:m, m : 2 * m] = np.eye(m)
        A[m : 2 * m] = second[:, :every]
        A[2 * m :] = (self.rates_K @ dq + self.rates_C @ dv)[:, :every]
        A[2 * m :, 2 * m :] += self.rates_Z
        B = np.zeros((every, pushes.shape[1]))
        B[m : 2 * m] = second[:, every:]
        outputs = [self.row_of[g.name] for g in self.asked.outputs]
        G = np.zeros((len(outputs), every))
        G[:, :m] = (self.J[outputs] / self.w[outputs][:, None]) @ N
        M = N.T @ self.M @ N
        K, C = -M @ A[m : 2 * m, :m], -M @ A[m : 2 * m, m : 2 * m]
        if self.is_at_rest and self.residual < 1e-12:  # the same, symmetric to the last bit
            K, C = N.T @ self.K[:n] @ N, N.T @ self.C[:n] @ N
        z_scale = 1.0 / self.w[mine] if mine else np.ones(m)  # in m and rad, as measures are
        M, C, K, A, B, G, N = _rescaled(z_scale, M, C, K, A, B, G, N)
        return LinearModel(
            names,
            M,
            C,
            K,
            A,
            B,
            G,
            tuple(g.name for g in self.asked.inputs),
            tuple(g.name for g in self.asked.outputs),
            self._modes(N, M, C, K, A),
            self.residual,
            self._notes(),
            self._state_names(),
        )

    def _drift(self, N: FloatArray, L: FloatArray, mine: list[int]) -> FloatArray:
        """P (n, m) of dv = N z' + P z: rows are kept at the level of velocities too."""
        J, spin = self.J[self.held], self._across(self.v)
        drift = 0.5 * self.C[self.n :] - 0.5 * self.J @ spin  # d(J v + phi_t) = drift dq
        P = -np.linalg.lstsq(J, drift[self.held] @ N, rcond=RANK)[0] if len(J) else 0.0 * N
        # z' = L dv + drift dq of measures, else L (dv - v x dq)
        rate = drift[mine] @ N + L @ P if mine else L @ (P - spin @ N)
        return np.asarray(P - N @ rate)

    def _pushes(self) -> FloatArray:
        """What an effort of 1 N or N m along each input exerts, (n, inputs): c G^T."""
        pushes = np.zeros((self.n, len(self.asked.inputs)))
        for k, gauge in enumerate(self.asked.inputs):
            row = self.row_of[gauge.name]
            pushes[:, k] = self.J[row] / self.w[row]
        return pushes

    def _accelerations(self, N: FloatArray, P: FloatArray, pushes: FloatArray) -> FloatArray:
        """da (n, 2 m + states + inputs), by z, z', states of forces and inputs.

        M da + J^T dlam = -(K dq + C dv),  J da = -(rows of K and C)
        """
        n, J = self.n, self.J[self.held]
        row_K, row_C = self.K[n:], self.C[n:]
        right = -np.hstack([self.K[:n] @ N + self.C[:n] @ P, self.C[:n] @ N])
        gap = -np.hstack([row_K @ N + row_C @ P, row_C @ N])[self.held]
        right = np.hstack([right, -self.Z[:n], pushes])
        gap = np.hstack([gap, -self.Z[n:][self.held], np.zeros((len(gap), pushes.shape[1]))])
        if self.by_lam.any():  # loads of joints that rub follow the multipliers
            held = self.by_lam[:, self.held]
            whole = np.block([[self.M, J.T - held], [J, np.zeros((len(J), len(J)))]])
            return np.asarray(np.linalg.lstsq(whole, np.vstack([right, gap]), rcond=RANK)[0][:n])
        particular = np.linalg.lstsq(J, gap, rcond=RANK)[0] if len(J) else np.zeros_like(right)
        free = self._solved_mass(N, N.T @ (right - self.M @ particular))
        return np.asarray(particular + N @ free)

    def _second_rates(
        self, dq: FloatArray, dv: FloatArray, da: FloatArray, L: FloatArray, mine: list[int]
    ) -> FloatArray:
        """z'' (m, ...) of changes of places, velocities and accelerations."""
        if mine:
            return np.asarray(L @ da + self.K[self.n :][mine] @ dq + self.C[self.n :][mine] @ dv)
        spin, turning = self._across(self.v), self._across(self.a)
        return np.asarray(L @ (da - turning @ dq - spin @ (dv - spin @ dq)))

    def _state_names(self) -> tuple[str, ...]:
        forces = self.system.layout.model.forces
        return tuple(f"{force.name}.{word}" for force in forces for word in force.states)

    def _notes(self) -> tuple[str, ...]:
        notes = []
        if not self.is_at_rest:
            notes.append("the state moves: this is how it answers at that moment")
        elif self.residual > BALANCED:
            notes.append(
                f"the state is no equilibrium: {self.residual:.1e} of the largest load pushes it;"
                " `statics` finds one"
            )
        notes += self._held_notes()
        moving = np.abs(self.rates) > BALANCED * (1.0 + np.abs(self.state.states))
        if self.is_at_rest and moving.any():
            names = ", ".join(np.array(self._state_names())[moving])
            notes.append(f"{names} change at this state: this is how it answers at that moment")
        return tuple(notes)

    def _held_notes(self) -> list[str]:
        """What friction that sticks, and stops, have to do with small motions."""
        model = self.system.layout.model
        all_of = [f.name for f in frictions_of(model) if f.sticks]
        named = ", ".join(map(repr, all_of[:3])) + ", ..." * (len(all_of) > 3)
        notes = []
        if all_of and self.is_at_rest:
            notes.append(
                f"at rest {named} holds motions that are small enough: these are those without it"
            )
        elif all_of:
            notes.append(f"the friction of {named} is left out: its loads are those of a run")
        stops = dict.fromkeys(side.stop.name for side in sides_of(model))
        if stops:
            some = ", ".join(map(repr, [*stops][:3])) + ", ..." * (len(stops) > 3)
            notes.append(f"stops are left out, also where one is touched: {some}")
        return notes

    # -- modes ---------------------------------------------------------------------------------

    def _modes(
        self, N: FloatArray, M: FloatArray, C: FloatArray, K: FloatArray, A: FloatArray
    ) -> tuple[Mode, ...]:
        m = len(M)
        if not m:
            return ()
        size = max(float(np.abs(K).max(initial=0.0)), 1e-300)
        is_undamped = not np.abs(C).max(initial=0.0) > 0.0
        is_symmetric = np.abs(K - K.T).max(initial=0.0) <= 1e-12 * size
        is_plain = self.is_at_rest and is_undamped and is_symmetric and len(A) == 2 * m
        found = _undamped(M, K) if is_plain else _damped(A, m)
        modes = [self._mode(s, z, N) for s, z in found]
        return tuple(sorted(modes, key=lambda mode: (abs(mode.eigenvalue), mode.eigenvalue.real)))

    def _mode(self, s: complex, z: ComplexArray, N: FloatArray) -> Mode:
        y = N @ z
        top = int(np.abs(y).argmax())
        factor = 1.0 / y[top]  # the largest is 1, and real
        y, z = y * factor, z * factor
        there, motion = displaced(self.system, self.state.q, self.c * y.real)
        shape = there + 1j * at_origins(self.system, self.state.q, self.c * y.imag)
        return Mode(s, shape, z, motion)


def _rescaled(
    scale: FloatArray,
    M: FloatArray,
    C: FloatArray,
    K: FloatArray,
    A: FloatArray,
    B: FloatArray,
    G: FloatArray,
    N: FloatArray,
) -> tuple[FloatArray, ...]:
    """All matrices for coordinates `scale` times as large."""
    both = np.concatenate([scale, scale, np.ones(len(A) - 2 * len(scale))])
    outer = np.outer(scale, scale)
    return (
        M / outer,
        C / outer,
        K / outer,
        both[:, None] * A / both,
        both[:, None] * B,
        G / both,
        N / scale,
    )


def _undamped(M: FloatArray, K: FloatArray) -> list[tuple[complex, ComplexArray]]:
    """K z = w^2 M z: a mode for every w^2 > 0, one for w^2 = 0, two real ones for w^2 < 0."""
    from scipy.linalg import eigh

    values, vectors = eigh(0.5 * (K + K.T), 0.5 * (M + M.T))
    floor = RIGID**2 * max(float(np.abs(values).max(initial=0.0)), 1e-300)
    found: list[tuple[complex, ComplexArray]] = []
    for value, vector in zip(values, vectors.T, strict=True):
        z = vector.astype(np.complex128)
        if abs(value) <= floor:
            found.append((0.0 + 0.0j, z))
        elif value > 0.0:
            found.append((1j * float(np.sqrt(value)), z))
        else:
            rate = float(np.sqrt(-value))
            found += [(complex(rate), z), (complex(-rate), z)]
    return found


def _damped(A: FloatArray, m: int) -> list[tuple[complex, ComplexArray]]:
    """Eigenvalues of A, of every pair the one with the positive imaginary part.

    Those that move none of the m coordinates, but states of forces alone, are left out.
    """
    values, vectors = np.linalg.eig(A)
    largest = max(float(np.abs(values).max(initial=0.0)), 1e-300)
    floor = RIGID * largest
    found: list[tuple[complex, ComplexArray]] = []
    zeros = 0
    for value, vector in zip(values, vectors.T, strict=True):
        z = vector[:m].astype(np.complex128)
        if not np.abs(z).max(initial=0.0) > UNMOVED * (len(A) > 2 * m):
            continue
        if abs(value) <= floor:
            zeros += 1
            if zeros % 2:  # a rigid motion has two: where it is, and how fast
                found.append((0.0 + 0.0j, z))
        elif abs(value.imag) <= REAL * abs(value):
            found.append((complex(value.real), z))
        elif value.imag > 0.0:
            real = float(value.real) if abs(value.real) > UNDAMPED * largest else 0.0
            found.append((complex(real, float(value.imag)), z))
    return found
