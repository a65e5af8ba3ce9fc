"""The equations of one leg of a simulated motion at many moments, with all their derivatives.

All come from one trace of the formulas: by place, velocity, time and states of forces, by the
numbers of the model, and of the functions whose signs decide which formula of a law holds. How the
model's numbers follow from parameters is differenced, once for a leg: it is building that is
differentiated there, never moving.

A law that changes over at a time t_c lets accelerations jump, from a- to a+. With its switch
s(q, v, z, t; p) = 0 and slopes x at fixed time before it,

    tau = dt_c/dp = -(s_q x_0 + s_v x_1 + s_z dz + s_p) / (ds/dt along the motion)
    x_1+ = x_1 + (a- - a+) tau,   dz+ = dz + (z'- - z'+) tau

Source: [BestleEberhard]; [HiskensPai] for the jumps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.elements import all_numbers
from kempe.compile.layout.numbers import is_literal
from kempe.compile.small.derivative_tape import DerivativeTape, derivative_tape
from kempe.compile.small.number_tape import Entries, NumberTape, number_tape
from kempe.compile.trace.dynamic_tracing import trace_dynamics
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.errors import GradientError
from kempe.gradients.build_map import BuildMap
from kempe.gradients.legs import Leg, slope_of
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Variant = Callable[[int, float], PreparedDynamics]  # where parameter k is s further

MOST_TRACED: Final = 300  # velocities of mechanisms whose derivatives are one trace
JUMPS: Final = 1e-9  # of the largest acceleration: less is none
LOOKS: Final = 5  # places at which switches are compared
SAME: Final = 1e-12  # of a switch: it is the same in two programs
GRAZING: Final = 1e-9  # of how fast a switch may pass zero: it does so no faster
TOGETHER: Final = 1e-6  # of the slopes of times: laws that change over at once do so beside it too


@final
@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """R = [M a + J^T lam - f; J a - gamma] at moments (n, ...), and how it changes.

    Rows are those that are solved, then those that are watched; r are the rates of states.
    """

    K: FloatArray  # (n, n_v + rows, n_v)
    C: FloatArray
    T: FloatArray  # (n, n_v + rows)
    Z: FloatArray  # (n, n_v + rows, states)
    M: FloatArray  # (n_v, n_v)
    J: FloatArray  # (n, rows, n_v)
    residual: FloatArray  # (n, n_v + rows)
    r_K: FloatArray  # (n, states, n_v)
    r_C: FloatArray
    r_Z: FloatArray


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Tapes:
    """The tapes of one structure, ready to run."""

    by_state: DerivativeTape
    state: object
    by_numbers: NumberTape
    numbers: object


@final
class OtherParts(GradientError):
    """A variant is built of other parts than the mechanism itself."""


@final
class TracedLeg:
    """The equations of a leg, and how its numbers follow from parameters."""

    def __init__(self, leg: Leg, variant: Variant, by: BuildMap, known: dict[object, "_Tapes"]):
        self.leg, self.prepared, self.by = leg, leg.prepared, by
        self.layout: DynamicLayout = leg.prepared.equations.layout
        self.home = numbers_of(self.layout)
        self.slopes, self.mass_slopes, moved = self._slopes(variant)
        literal = np.array([is_literal(x) for x in self.home], dtype=bool)
        lifted = frozenset(np.flatnonzero(literal & moved).tolist())
        self.inputs = np.flatnonzero(~literal | (literal & moved))  # numbers that tapes take
        self.own = np.array([self.home[k] for k in self.inputs], dtype=np.float64)
        self.states = self._state_places()
        key = (self.layout.structure, self.prepared.kept, lifted)
        if key not in known:
            known[key] = _taped(self.prepared, lifted)
        self.tapes = known[key]
        # Where each switch of the program stands among the tapes', and with which sign.
        self.order, self.signs = np.arange(len(self._guards)), np.ones(len(self._guards))
        if lifted and len(self._guards):
            self._match_switches(known, key)

    @property
    def _guards(self) -> NDArray[np.int32]:
        return self.prepared.equations.program.shape.guards

    def _match_switches(self, known: dict[object, "_Tapes"], key: tuple[object, ...]) -> None:
        """Find the program's switches: with numbers lifted they come in another order."""
        plain = (*key[:2], frozenset[int]())
        if plain not in known:
            known[plain] = _taped(self.prepared, frozenset())
        shape, start = self.prepared.equations.program.shape, self.prepared.start
        rng = np.random.default_rng(LOOKS)
        size = self.layout.layout.size
        moved = [
            replace(
                start,
                q=start.q + 0.1 * size * rng.standard_normal(len(start.q)),
                v=start.v + size * rng.standard_normal(len(start.v)),
            )
            for _ in range(LOOKS)
        ]
        none = np.zeros((LOOKS, shape.n_v)), np.zeros((LOOKS, len(shape.rows)))
        rows, own = self.rows(moved, *none), self.own
        here = self._evaluated(rows, self.tapes.by_numbers.switches)
        self.own = np.array([x for x in self.home if not is_literal(x)], dtype=np.float64)
        inputs, states = self.inputs, self.states
        self.inputs = np.flatnonzero([not is_literal(x) for x in self.home])
        self.states = self._state_places()
        rows = self.rows(moved, *none)
        self.own, self.inputs, self.states = own, inputs, states
        tape = known[plain]
        there = np.asarray(tape.numbers.evaluate_lanes(rows, tape.by_numbers.switches))  # type: ignore[attr-defined]
        for k, values in enumerate(there.T):
            near = SAME * np.abs(values).max(initial=0.0)
            for sign in (1.0, -1.0):
                found = np.flatnonzero((np.abs(here.T - sign * values) <= near).all(axis=1))
                if len(found):
                    self.order[k], self.signs[k] = found[0], sign
                    break
            else:
                raise OtherParts(
                    "numbers that are 0 now decide which laws of forces there are: of that no"
                    " slopes are known. Start from other values of the parameters."
                )

    def _slopes(self, variant: Variant) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
        """How numbers and masses follow, (.., parameters), and which numbers ever move."""
        home, words = self.home, words_of(self.layout)
        blocks = self.layout.mass_blocks
        moved = np.zeros(len(home), dtype=bool)
        plain = np.array(home, dtype=np.float64)
        columns = []
        for k, name in enumerate(self.by.names):

            def numbers(s: float, k: int = k, name: str = name) -> FloatArray:
                layout = variant(k, s).equations.layout if s else self.layout
                found = numbers_of(layout)
                if len(found) != len(home) or words_of(layout) != words:
                    raise OtherParts(
                        f"beside {name!r} = {self.by.home[k]:.6g} the mechanism is built of other"
                        " parts, as weights are without gravity: of that the slopes of laws that"
                        " change over are not known.",
                        parameter=name,
                    )
                values = np.array(found, dtype=np.float64)
                moved[:] |= values != plain
                return np.concatenate([values, layout.mass_blocks.ravel()])

            columns.append(slope_of(numbers, self.by, k, "what the mechanism is built of"))
        n = len(home)
        both = np.stack(columns, axis=1) if columns else np.zeros((n + blocks.size, 0))
        by_mass = both[n:].T.reshape(-1, *blocks.shape)
        return both[:n], by_mass, moved

    def _state_places(self) -> NDArray[np.intp]:
        """Which of the tapes' numbers are the states of forces."""
        place = sum(len(all_numbers(e)) for e in self.layout.layout.elements)
        found: list[int] = []
        for element, numbers in zip(self.layout.forces, self.layout.force_numbers, strict=True):
            place += len(numbers)
            found += range(place - len(element.force.states), place)
        return np.searchsorted(self.inputs, np.array(found, dtype=np.intp))

    @property
    def by_parameters(self) -> FloatArray:
        """How the tapes' numbers follow from parameters; states of forces go their own way."""
        found = self.slopes[self.inputs].copy()
        found[self.states] = 0.0
        return found

    def rows(
        self,
        states: Sequence[State],
        a: FloatArray,
        lam: FloatArray,
        sides: FloatArray | None = None,
    ) -> FloatArray:
        """The inputs of tapes at moments; sides (switches,) are free if omitted."""
        n = len(states)
        numbers = np.tile(self.own, (n, 1))
        if len(self.states):
            numbers[:, self.states] = [at.states for at in states]
        switches = len(self.prepared.equations.program.shape.guards)
        told = np.zeros(switches)
        if sides is not None:
            told[self.order] = self.signs * sides
        q, v, turns = (np.array([getattr(at, x) for at in states]) for x in ("q", "v", "turns"))
        t = np.array([at.t for at in states])[:, None]
        told = np.tile(told, (n, 1))
        return np.hstack([q, v, t, turns.reshape(n, -1), a, lam, numbers, told])

    def linear(self, rows: FloatArray, a: FloatArray, lam: FloatArray) -> Linear:
        """The equations at moments whose inputs are `rows`."""
        tape, shape = self.tapes.by_state, self.prepared.equations.program.shape
        values = self.tapes.state.evaluate_lanes(rows, tape.tape.outputs)  # type: ignore[attr-defined]
        n, m, z = shape.n_v, len(shape.rows), len(shape.states)
        height, width = n + m + 2 + z, 3 * n + 1 + m + z
        whole = _summed(values, tape.rows, tape.columns, height, width)
        own, first = whole[:, n + m + 2 :], 3 * n + 1 + m
        whole = whole[:, : n + m]
        J, M = whole[:, n:, 2 * n + 1 : 3 * n + 1], self.prepared.equations.mass_matrix()
        found = self._numbers(rows)
        force = a @ M + np.einsum("nr,nrv->nv", lam, J) - found.load
        return Linear(
            whole[:, :, :n],
            whole[:, :, n : 2 * n],
            whole[:, :, 2 * n],
            whole[:, :, first:],
            M,
            J,
            np.hstack([force, found.gaps]),
            own[:, :, :n],
            own[:, :, n : 2 * n],
            own[:, :, first:],
        )

    def pushed(self, rows: FloatArray, a: FloatArray) -> FloatArray:
        """R and r by every parameter, (n, n_v + rows + states, parameters)."""
        at, shape = self.tapes.by_numbers.by_numbers, self.prepared.equations.program.shape
        values = self._evaluated(rows, at.registers)
        by, n = self.by_parameters, shape.n_v
        found = np.zeros((len(rows), n + len(shape.rows) + len(shape.states), by.shape[1]))
        for j, (row, column) in enumerate(zip(at.rows, at.columns, strict=True)):
            if by[column].any():
                found[:, row] += values[:, j, None] * by[column]
        found[:, :n] += np.einsum("kij,nj->nik", self._mass_slopes, a)
        return found

    def pulled(self, rows: FloatArray, a: FloatArray, weights: FloatArray) -> FloatArray:
        """sum weights . dR/dp for weights (n, n_v + rows + states) of R and r, (parameters,)."""
        at, n = self.tapes.by_numbers.by_numbers, a.shape[1]
        values = self._evaluated(rows, at.registers)
        shares = np.einsum("nj,nj->j", values, weights[:, at.rows])
        by_numbers = np.bincount(at.columns, weights=shares, minlength=len(self.inputs))
        masses = np.einsum("ni,kij,nj->k", weights[:, :n], self._mass_slopes, a)
        return np.asarray(by_numbers @ self.by_parameters + masses)

    @property
    def _mass_slopes(self) -> FloatArray:
        """dM/dp, (parameters, n_v, n_v)."""
        blocks, M = self.mass_slopes, self.prepared.equations.mass_matrix()
        found = np.einsum("kbij,bc->kbicj", blocks, np.eye(blocks.shape[1]))
        return np.asarray(found.reshape(len(blocks), *M.shape))

    def change(self, at: State) -> "Change | None":
        """How slopes jump where laws change over with which the leg begins; None: not at all."""
        leg, shape = self.leg, self.prepared.equations.program.shape
        n = shape.n_v
        before = np.zeros(len(shape.guards))
        for switch, side in leg.changes:
            before[switch] = -side
        acting = [2 * n + k for k in leg.places.states]
        flow = self._moved(at, before)
        places = [*range(2 * n), *acting]
        size = 2 * n + leg.places.whole

        def lost(changed: Sequence[tuple[int, float]]) -> FloatArray:
            """What dy/dt loses by some changes alone; nothing where that is rounding."""
            sides = before.copy()
            for switch, side in changed:
                sides[switch] = side
            other = self._moved(at, sides)
            gone = np.concatenate([np.zeros(n), flow.a - other.a, flow.rates - other.rates])
            weights = self.layout.layout.step_weights
            largest = max(float(np.abs(weights * x).max(initial=0.0)) for x in (flow.a, other.a))
            is_jump = np.abs(weights * gone[n : 2 * n]).max(initial=0.0) > JUMPS * largest
            rates = np.abs(np.concatenate([flow.rates, other.rates])).max(initial=0.0)
            is_jump = is_jump or np.abs(gone[2 * n :]).max(initial=0.0) > JUMPS * rates
            found = np.zeros(size)
            if is_jump:
                found[places] = gone
            return found

        jump = lost(leg.changes)
        if not jump.any():
            return None
        alongs, lates = [], []
        for switch, side in leg.changes:
            if len(leg.changes) > 1 and not lost([(switch, side)]).any():
                continue
            along, late, t = self._switch(at, switch, before)
            speed = float(along @ np.concatenate([at.v, flow.a, flow.rates]) + t)
            most = float(np.abs(along) @ np.abs(np.concatenate([at.v, flow.a, flow.rates])))
            if not abs(speed) > GRAZING * max(most, abs(t)):
                raise GradientError(
                    f"at t = {at.t:.9g} s a law of a force only just changes over: its time has no"
                    " slope.",
                    t=at.t,
                )
            wide = np.zeros(size)
            wide[places] = -along / speed
            alongs.append(wide)
            lates.append(-late / speed)
        if not alongs:
            return None
        both = [np.concatenate([a, b]) for a, b in zip(alongs, lates, strict=True)]
        scale = np.abs(both[0]).max(initial=0.0)
        if any(np.abs(one - both[0]).max(initial=0.0) > TOGETHER * scale for one in both[1:]):
            raise GradientError(
                f"at t = {at.t:.9g} s laws change over at once that beside it do not: which comes"
                " first decides how the motion goes on, and it has no slope from there on.",
                t=at.t,
            )
        return Change(jump, alongs[0], lates[0])

    def _moved(self, at: State, sides: FloatArray) -> "_Moved":
        """Accelerations and rates of states at a place, with laws on these sides."""
        shape = self.prepared.equations.program.shape
        n, solved = shape.n_v, shape.n_rows
        rows = self.rows([at], np.zeros((1, n)), np.zeros((1, len(shape.rows))), sides)
        found = self._numbers(rows)
        M, J = self.prepared.equations.mass_matrix(), found.J[0, :solved]
        S = np.block([[M, J.T], [J, np.zeros((solved, solved))]])
        right = np.concatenate([found.load[0], -found.gaps[0, :solved]])
        return _Moved(np.linalg.solve(S, right)[:n], found.rates[0])

    def _switch(
        self, at: State, switch: int, sides: FloatArray
    ) -> tuple[FloatArray, FloatArray, float]:
        """A switch by place, velocity and states; by parameters; by time."""
        shape, tape = self.prepared.equations.program.shape, self.tapes.by_numbers
        n, z = shape.n_v, len(shape.states)
        rows = self.rows([at], np.zeros((1, n)), np.zeros((1, len(shape.rows))), sides)
        by_state = self._dense(rows, tape.switch_by_state, len(shape.guards), 2 * n + 1 + z)[0]
        by_numbers = self._dense(rows, tape.switch_by_numbers, len(shape.guards), len(self.inputs))
        k = int(self.order[switch])
        along = np.concatenate([by_state[k, : 2 * n], by_state[k, 2 * n + 1 :]])
        late = by_numbers[0, k] @ self.by_parameters
        return along, np.asarray(late), float(by_state[k, 2 * n])

    def _numbers(self, rows: FloatArray) -> "_Terms":
        """Loads, Jacobian, gaps and rates at moments."""
        tape, shape = self.tapes.by_numbers, self.prepared.equations.program.shape
        n, m = shape.n_v, len(shape.rows)
        load = self._dense(rows, tape.load, 1, n)
        J = self._dense(rows, tape.jacobian, m, n)
        gaps, rates = self._evaluated(rows, tape.gaps), self._evaluated(rows, tape.rates)
        return _Terms(load[:, 0], J, gaps, rates)

    def _dense(self, rows: FloatArray, at: Entries, height: int, width: int) -> FloatArray:
        return _summed(self._evaluated(rows, at.registers), at.rows, at.columns, height, width)

    def _evaluated(self, rows: FloatArray, registers: NDArray[np.int32]) -> FloatArray:
        if not len(registers):
            return np.zeros((len(rows), 0))
        return np.asarray(self.tapes.numbers.evaluate_lanes(rows, registers))  # type: ignore[attr-defined]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """How slopes jump: y+ = y + jump (along . y + late)."""

    jump: FloatArray  # (m,)
    along: FloatArray  # (m,)
    late: FloatArray  # (parameters,)

    def after(self, y: FloatArray) -> FloatArray:
        """The slopes (m, parameters) after it."""
        return np.asarray(y + np.outer(self.jump, self.along @ y + self.late))


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Moved:
    a: FloatArray
    rates: FloatArray


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Terms:
    load: FloatArray  # (n, n_v)
    J: FloatArray  # (n, rows, n_v)
    gaps: FloatArray  # (n, rows)
    rates: FloatArray  # (n, states)


def _summed(
    values: FloatArray, rows: NDArray[np.int32], columns: NDArray[np.int32], height: int, width: int
) -> FloatArray:
    """Matrices (n, height, width) of entries (n, entries); those at one place add up."""
    found = np.zeros((height * width, len(values)))
    np.add.at(found, rows.astype(np.intp) * width + columns, values.T)
    return found.T.reshape(len(values), height, width)


def numbers_of(layout: DynamicLayout) -> list[float]:
    """All numbers of elements, forces and masses, in the order in which they are traced."""
    found = [x for e in layout.layout.elements for x in all_numbers(e)]
    found += [x for force in layout.force_numbers for x in force]
    return found + [x for body in layout.mass_numbers for x in body]


def words_of(layout: DynamicLayout) -> list[object]:
    """What a layout is built of, but for its numbers."""
    inner = layout.layout
    found: list[object] = [(e.word, *inner.markers_of(e)) for e in inner.elements]
    return found + [(f.word, *inner.markers_of(f)) for f in layout.forces]


def _taped(prepared: PreparedDynamics, lifted: frozenset[int]) -> _Tapes:
    layout = prepared.equations.layout
    traced = trace_dynamics(layout, lifted)
    at = layout.layout.coordinates
    if len(traced.system.phi) != prepared.n_rows:
        raise GradientError(
            "beside these parameters joints hold more or less than they do now, so that the motion"
            " has no slope by them."
        )
    by_state = derivative_tape(traced, at, prepared.kept)
    by_numbers = number_tape(traced, at, prepared.kept)
    return _Tapes(by_state, native_tape(by_state.tape), by_numbers, native_tape(by_numbers.tape))


@final
class DifferencedLeg:
    """The equations of a leg that is not one trace: parameters are moved at every moment.

    It is that of a large mechanism, or one whose variants have other parts, which `why` says.
    """

    def __init__(
        self, leg: Leg, variant: Variant, by: BuildMap, why: OtherParts | None = None
    ) -> None:
        self.why = why
        self.leg, self.prepared, self.variant, self.by = leg, leg.prepared, variant, by
        self.of: list[State] = []
        self.lam = np.zeros((0, 0))

    def rows(self, states: Sequence[State], a: FloatArray, lam: FloatArray) -> FloatArray:
        """Remembers the moments that are asked about."""
        self.of, self.lam = list(states), lam
        return np.zeros((len(states), 0))

    def linear(self, rows: FloatArray, a: FloatArray, lam: FloatArray) -> Linear:
        """The equations at the moments that were told last."""
        equations, layout = self.prepared.equations, self.prepared.equations.layout
        found = []
        for j, at in enumerate(self.of):
            numbers = layout.with_states(layout.parameters, at.states)
            found.append(equations.derivatives(at, a[j], lam[j], parameters=numbers))
        names = ("K", "C", "T", "Z", "J", "residual", "rates_K", "rates_C", "rates_Z")
        K, C, T, Z, J, residual, *r = (
            np.array([getattr(x, name) for x in found]) for name in names
        )
        return Linear(K, C, T, Z, equations.mass_matrix(), J, residual, *r)

    def pushed(self, rows: FloatArray, a: FloatArray) -> FloatArray:
        """R and r by every parameter, (n, n_v + rows + states, parameters)."""
        columns = []
        for k in range(len(self.by.names)):

            def moved(s: float, k: int = k) -> FloatArray:
                return self._moved(k, s, a)

            columns.append(slope_of(moved, self.by, k, "what acts"))
        return np.stack(columns, axis=-1)

    def pulled(self, rows: FloatArray, a: FloatArray, weights: FloatArray) -> FloatArray:
        """sum weights . dR/dp, (parameters,)."""
        return np.asarray(np.einsum("nr,nrk->k", weights, self.pushed(rows, a)))

    def change(self, at: State) -> Change | None:
        """Refused: switches of large mechanisms are not traced."""
        if self.why is not None:
            raise self.why
        raise GradientError(
            "laws of forces change over on the way, and the mechanism is too large for slopes of"
            f" that: they are known up to {MOST_TRACED} velocities."
        )

    def _moved(self, k: int, s: float, a: FloatArray) -> FloatArray:
        """R and r at all moments, of the variant whose parameter k is s further."""
        equations = self.variant(k, s).equations
        layout, program = equations.layout, equations.program
        masses, M = layout.mass_blocks.reshape(-1), equations.mass_matrix()
        found = []
        for at, rate, push in zip(self.of, a, self.lam, strict=True):
            numbers = layout.with_states(layout.parameters, at.states)
            terms = program.system.equations(numbers, masses, at.q, at.v, at.t, at.turns)
            J = program.dense_jacobian(terms.entries)
            force = M @ rate + push @ J - terms.load
            found.append(np.concatenate([force, J @ rate - terms.gamma, terms.rates]))
        return np.array(found)
