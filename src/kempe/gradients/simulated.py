"""How a simulated motion follows from parameters: forward sensitivities.

With R = [M a + J^T lam - f;  J a - gamma] = 0, displacements x_0, velocities x_1 and states of
forces z move with the parameters as

    [M J^T; J 0] [da; dlam] = -(R_q x_0 + R_v x_1 + R_z dz + R_p)
    dx_0/dt = x_1 (- w x x_0 of turns in body axes),  dx_1/dt = da,  d dz/dt = r_q x_0 + ... + r_p

a linear equation along the motion that was found. Its coefficients are exact derivatives of the
traced formulas; those by parameters are differences of order eight of R itself, which only numbers
of the model enter. It is integrated by Gauss's method of three stages, with the stages' states from
the same run, and with twice as many steps until both agree. What it starts with is how the
assembly and its velocities follow from the parameters, by differences of order eight.

Source: [BestleEberhard] for the equations, [HairerNorsettWanner] II.7 for the method.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import (
    accelerations_at_origins,
    to_centres,
    to_origins,
    velocities_at_centres,
    velocities_at_origins,
)
from kempe.compile.layout.layout import Layout
from kempe.dynamics.law_corners import interruptions
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.errors import GradientError
from kempe.gradients.build_map import BuildMap
from kempe.gradients.placing import Placed
from kempe.gradients.reading_slopes import displaced
from kempe.gradients.smooth_slope import smooth_slope
from kempe.kinematics.observe.observation import observe_gauge
from kempe.results import Motion
from kempe.results.state import State
from kempe.statics.equilibrium import stored

FloatArray = NDArray[np.float64]
Prepare = Callable[[Layout], PreparedDynamics]

ROOT: Final = float(np.sqrt(15.0))
NODES: Final = (0.5 - ROOT / 10.0, 0.5, 0.5 + ROOT / 10.0)
STAGES: Final = np.array(
    [
        [5.0 / 36.0, 2.0 / 9.0 - ROOT / 15.0, 5.0 / 36.0 - ROOT / 30.0],
        [5.0 / 36.0 + ROOT / 24.0, 2.0 / 9.0, 5.0 / 36.0 - ROOT / 24.0],
        [5.0 / 36.0 + ROOT / 30.0, 2.0 / 9.0 + ROOT / 15.0, 5.0 / 36.0],
    ]
)
WEIGHTS: Final = np.array([5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0])
AGREED: Final = 1e-9  # of the largest slope of its kind: twice as many steps say the same
ENOUGH: Final = 1e-6  # the same, where more steps are too many
MOST_NODES: Final = 40_000
FITS: Final = 1e-6  # of the largest force: the equations are those of the motion
NOTE: Final = (
    "slopes of a simulation are as exact as its run: those of its equations are integrated along"
    " it; how the start and the equations follow from parameters is differenced to order eight."
)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """The linear equation at moments (n, ...): rates A y + B of y = (x_0, x_1, dz).

    And accelerations and multipliers as they follow: L y + l.
    """

    A: FloatArray  # (n, m, m)
    B: FloatArray  # (n, m, parameters)
    L: FloatArray  # (n, n_v + rows, m)
    l: FloatArray  # (n, n_v + rows, parameters)


@final
class Simulated:
    """How a simulated motion follows from parameters."""

    def __init__(self, layout: Layout, motion: Motion, by: BuildMap, prepare: Prepare) -> None:
        self.layout, self.swept, self.by = layout, motion, by
        self.prepare = prepare
        self.prepared = prepare(layout)
        _refuse_uncovered(layout, motion, self.prepared)
        self._moved: dict[tuple[int, float], PreparedDynamics] = {}
        self.y, self.accelerated = self._integrated()

    @property
    def notes(self) -> tuple[str, ...]:
        return (NOTE,)

    @property
    def placed(self) -> Placed:
        """Nothing: readings are differentiated along the slopes of the motion."""
        raise AssertionError("no reading of a simulation is a traced one")

    @property
    def places(self) -> Mapping[str, slice]:
        """Where tapes read: nowhere."""
        return {}

    def motion(self, k: int, s: float) -> Motion:
        """The motion along its slope by parameter k, s further; it cannot be run again."""
        motion, n = self.swept, self.layout.n_v
        here, inner = self._centred(motion), self.prepared.equations.layout.layout
        y, more = s * self.y[..., k], s * self.accelerated[..., k]
        layout = self.by.layout(self.by.home, k, s)
        q = displaced(inner, here.q, y[:, :n])
        v, a = here.v + y[:, n : 2 * n], here.a + more[:, :n]
        multipliers = motion.multipliers.copy()
        multipliers[:, self.prepared.row_order] -= more[:, n:]
        model = layout.model
        M = self._at(k, s).equations.mass_matrix()
        nothing = np.full(len(motion), np.nan)
        moved = replace(
            motion,
            q=to_origins(model, q),
            v=velocities_at_origins(model, q, v),
            a=accelerations_at_origins(model, q, v, a),
            multipliers=multipliers,
            kinetic=0.5 * np.einsum("ni,ij,nj->n", v, M, v),
            dissipated=nothing,
            driven=nothing,
            states=motion.states + y[:, 2 * n :] if motion.states.size else motion.states,
            again=None,
        )
        return replace(moved, potential=stored(layout, moved))

    def _at(self, k: int, s: float) -> PreparedDynamics:
        """The equations and the start of the variant whose parameter k is s further."""
        if not s:
            return self.prepared
        if (k, s) not in self._moved:
            made = self.prepare(self.by.layout(self.by.home, k, s))
            if (made.kept, made.n_rows) != (self.prepared.kept, self.prepared.n_rows):
                raise GradientError(
                    f"beside {self.by.names[k]!r} = {self.by.home[k]:.6g} other joints are"
                    " redundant, so that the motion has no slope by it.",
                    parameter=self.by.names[k],
                )
            self._moved[k, s] = made
        return self._moved[k, s]

    def _centred(self, motion: Motion) -> Motion:
        """The motion of the centres of mass."""
        model = self.layout.model
        a = 2.0 * motion.a - accelerations_at_origins(model, motion.q, motion.v, motion.a)
        return replace(
            motion,
            q=to_centres(model, motion.q),
            v=velocities_at_centres(model, motion.q, motion.v),
            a=a,
            again=None,
        )

    @cached_property
    def _first(self) -> FloatArray:
        """How y starts, (m, parameters)."""
        inner = self.prepared.equations.layout.layout
        start = self.prepared.start
        columns = []
        for k in range(len(self.by.names)):

            def begun(s: float, k: int = k) -> FloatArray:
                there = self._at(k, s).start
                way = inner.displacement(start.q, there.q)
                return np.concatenate([way, there.v - start.v, there.states - start.states])

            columns.append(self._slope(begun, k, "its start"))
        return np.stack(columns, axis=1)

    def _slope(self, f: Callable[[float], FloatArray], k: int, what: str) -> FloatArray:
        found = smooth_slope(f, self.by.step(k), self.by.side(self.by.home, k))
        if not found.doubt <= ENOUGH:
            raise GradientError(
                f"{what} has no slope by {self.by.names[k]!r} here: it bends, or chooses.",
                parameter=self.by.names[k],
            )
        return found.values

    def _integrated(self) -> tuple[FloatArray, FloatArray]:
        """y at all samples, and the accelerations and multipliers that follow."""
        motion = self.swept
        at_samples = self._coefficients(motion)
        if len(motion) == 1:
            y = self._first[None]
            return y, at_samples.L @ y + at_samples.l
        steps = max(1, motion.counts.get("steps", 1))
        cuts = max(1, -(-steps // (len(motion) - 1)))
        before = self._run(cuts)
        while True:
            cuts *= 2
            y = self._run(cuts)
            n = self.layout.n_v
            off = 0.0
            for some in (slice(0, n), slice(n, 2 * n), slice(2 * n, None)):
                largest = float(np.abs(y[:, some]).max(initial=0.0))
                change = float(np.abs(y[:, some] - before[:, some]).max(initial=0.0))
                off = max(off, change / largest if largest else 0.0)
            if off <= AGREED:
                break
            if 6 * cuts * len(motion) > MOST_NODES:
                if off <= ENOUGH:
                    break
                raise GradientError(
                    "the motion is too stiff or too long for its slopes to be integrated: they are"
                    f" in doubt by {off:.1e} of themselves. Take more samples of a shorter run."
                )
            before = y
        return y, at_samples.L @ y + at_samples.l

    def _run(self, cuts: int) -> FloatArray:
        """y at all samples, with so many steps between any two."""
        motion = self.swept
        h = np.repeat(np.diff(motion.t) / cuts, cuts)
        begins = motion.t[:-1, None] + np.diff(motion.t)[:, None] * np.arange(cuts) / cuts
        nodes = (begins.ravel()[:, None] + h[:, None] * np.array(NODES)).ravel()
        assert motion.again is not None
        run = motion.again.at(np.concatenate([motion.t[:1], nodes, motion.t[-1:]]))
        if len(run) != len(nodes) + 2:
            raise GradientError(f"the motion cannot be repeated: {run.outcome.message}")
        at = self._coefficients(run.cut(slice(1, -1)))
        m, k = at.A.shape[-1], at.B.shape[-1]
        A, B = at.A.reshape(len(h), 3, m, m), at.B.reshape(len(h), 3, m, k)
        # Stages K_i = A_i (y + h sum_j a_ij K_j) + B_i, for all columns of y and for B at once.
        whole = np.einsum("ij,nipq->nipjq", STAGES, A) * h[:, None, None, None, None]
        system = np.eye(3 * m) - whole.reshape(len(h), 3 * m, 3 * m)
        right = np.concatenate([A, B], axis=3).reshape(len(h), 3 * m, m + k)
        K = np.linalg.solve(system, right).reshape(len(h), 3, m, m + k)
        grown = h[:, None, None] * np.einsum("i,nipq->npq", WEIGHTS, K)
        y = self._first
        found = [y]
        for number, step in enumerate(grown):
            y = y + step[:, :m] @ y + step[:, m:]
            if (number + 1) % cuts == 0:
                found.append(y)
        return np.array(found)

    def _coefficients(self, motion: Motion) -> Coefficients:
        """The linear equation at all moments of a motion."""
        here, n = self._centred(motion), self.layout.n_v
        equations, order = self.prepared.equations, self.prepared.row_order
        shape = equations.program.shape
        solved, z = shape.n_rows, len(shape.states)
        lam = -motion.multipliers[:, order]
        turns = self._turns(here)
        m, p, count = 2 * n + z, len(self.by.names), len(motion)
        A, B = np.zeros((count, m, m)), np.zeros((count, m, p))
        L, l = np.zeros((count, n + len(order), m)), np.zeros((count, n + len(order), p))
        rows = slice(0, n + solved)
        held = motion.states.reshape(count, z)
        moments = zip(motion.t.tolist(), here.q, here.v, turns, held, strict=True)
        states = [State(t, q, v, last, states=own) for t, q, v, last, own in moments]
        pushed = self._by_parameters(states, here.a, lam)
        layout = equations.layout
        for j, at in enumerate(states):
            numbers = layout.with_states(layout.parameters, at.states)
            found = equations.derivatives(at, here.a[j], lam[j], parameters=numbers)
            self._refuse_other(found.residual[rows], found.M, here.a[j], at.t)
            S = np.zeros((n + solved, n + solved))
            S[:n, :n], S[n:, :n], S[:n, n:] = found.M, found.J[:solved], found.J[:solved].T
            state = np.hstack([found.K[rows], found.C[rows], found.Z[rows]])
            both = -np.linalg.solve(S, np.hstack([state, pushed[j, rows]]))
            L[j, rows], l[j, rows] = both[:, :m], both[:, m:]
            A[j, :n, n : 2 * n] = np.eye(n)
            A[j, :n, :n] = self._spinning(here.v[j])
            A[j, n : 2 * n], B[j, n : 2 * n] = both[:n, :m], both[:n, m:]
            A[j, 2 * n :] = np.hstack([found.rates_K, found.rates_C, found.rates_Z])
            B[j, 2 * n :] = pushed[j, n + len(order) :]
        return Coefficients(A, B, L, l)

    def _refuse_other(self, residual: FloatArray, M: FloatArray, a: FloatArray, t: float) -> None:
        """A GradientError where the equations that are differentiated are not the motion's."""
        n = len(a)
        scale = np.abs(M @ a).max(initial=0.0) + np.abs(self._load).max(initial=0.0)
        if np.abs(residual[:n]).max(initial=0.0) > FITS * max(scale, 1e-300):
            raise GradientError(
                f"something acts at t = {t:.6g} s that the equations do not tell: a callback,"
                " friction of a joint, or an event. Of these no slopes are known.",
                t=t,
            )

    @cached_property
    def _load(self) -> FloatArray:
        start = self.prepared.start
        return np.asarray(self.prepared.terms(start.q, start.v, start.t).load)

    def _by_parameters(self, states: Sequence[State], a: FloatArray, lam: FloatArray) -> FloatArray:
        """R_p and r_p at all moments, (n, n_v + rows + states, parameters)."""
        columns = []
        for k in range(len(self.by.names)):
            pushed = partial(self._pushed, states, a, lam, k)
            columns.append(self._slope(pushed, k, "what acts"))
        return np.stack(columns, axis=-1)

    def _pushed(
        self, states: Sequence[State], a: FloatArray, lam: FloatArray, k: int, s: float
    ) -> FloatArray:
        """R and r at all moments, of the variant whose parameter k is s further."""
        equations = self._at(k, s).equations
        layout, program = equations.layout, equations.program
        masses, M = layout.mass_blocks.reshape(-1), equations.mass_matrix()
        found = []
        for at, rate, push in zip(states, a, lam, strict=True):
            numbers = layout.with_states(layout.parameters, at.states)
            terms = program.system.equations(numbers, masses, at.q, at.v, at.t, at.turns)
            J = program.dense_jacobian(terms.entries)
            force = M @ rate + push @ J - terms.load
            found.append(np.concatenate([force, J @ rate - terms.gamma, terms.rates]))
        return np.array(found)

    def _spinning(self, v: FloatArray) -> FloatArray:
        """-w x of turns in body axes, (n_v, n_v); nothing in the plane."""
        n, inner = len(v), self.prepared.equations.layout.layout
        found = np.zeros((n, n))
        if inner.chart.is_flat:
            return found
        for k in range(inner.n_bodies):
            turning = inner.coordinates.spin_of(k)
            x, y, z = v[turning]
            found[turning, turning] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
        return found

    def _turns(self, here: Motion) -> FloatArray:
        """Angles (n, turns) that rows and forces count, near which whole turns are taken."""
        layout, shape = self.prepared.equations.layout, self.prepared.equations.program.shape
        gauges = [layout.layout.elements[e].gauges[r] for e, r in shape.counted]
        gauges += [layout.forces[f].force.gauges[r] for f, r in shape.force_counted]
        turns = [observe_gauge(layout.layout, here, gauge)[0] for gauge in gauges]
        return np.array(turns).reshape(len(gauges), len(here)).T


def _refuse_uncovered(layout: Layout, motion: Motion, prepared: PreparedDynamics) -> None:
    """A GradientError of motions whose slopes are not known."""
    model, shape = layout.model, prepared.equations.program.shape
    start, stop = float(motion.t[0]), float(motion.t[-1])
    met = interruptions(model.drives, start, stop) if len(motion) > 1 else None
    why = ""
    if model.events or motion.events:
        why = "events happen on the way (stops, latches, impacts)"
    elif len(shape.guards):
        switching = layout_names(prepared)
        why = f"{switching} switches on the way, as contacts and dry friction do"
    elif prepared.loads is not None:
        why = "joints rub"
    elif prepared.callbacks or prepared.clocked:
        why = "a callback or a controller with a clock acts"
    elif layout.n_own or layout.rolls:
        why = "points ride on curves, or wheels roll"
    elif prepared.equations.layout.flows:
        why = "bodies gain or lose mass"
    elif met is not None and (met.corner is not None or len(met.stops)):
        why = "the law of a drive has corners"
    elif prepared.equations.spare_drives:
        why = "drives repeat what joints say"
    elif motion.again is None:
        why = "it cannot be run again"
    if why:
        raise GradientError(
            f"slopes of this simulation are not known: {why}. Its kinematics, if drives hold it,"
            " have slopes; else difference whole runs."
        )


def layout_names(prepared: PreparedDynamics) -> str:
    """The first force that has switches, by name."""
    number = int(prepared.equations.program.shape.switch_forces[0])
    return f"force {prepared.equations.layout.forces[number].name!r}"
