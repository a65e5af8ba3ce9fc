"""How a simulated motion follows from parameters: forward sensitivities.

With R = [M a + J^T lam - f;  J a - gamma] = 0, displacements x_0, velocities x_1 and states of
forces z move with the parameters as

    [M J^T; J 0] [da; dlam] = -(R_q x_0 + R_v x_1 + R_z dz + R_p)
    dx_0/dt = x_1 (- w x x_0 of turns in body axes),  dx_1/dt = da,  d dz/dt = r_q x_0 + ... + r_p

a linear equation along the motion that was found. Its coefficients are exact derivatives of the
traced formulas; those by parameters are differences of order eight of R itself, which only numbers
of the model enter. It is integrated by Gauss's method of three stages, with the stages' states from
the same run, and with twice as many steps until both agree. What it starts with is how the
assembly and its velocities follow from the parameters, by differences of order eight. Legs between
events are such stretches; how slopes pass an event is told in `event_jumps`.

Source: [BestleEberhard] for the equations, [HairerNorsettWanner] II.7 for the method.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import (
    accelerations_at_origins,
    to_origins,
    velocities_at_origins,
)
from kempe.compile.layout.layout import Layout
from kempe.dynamics.law_corners import interruptions
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.errors import GradientError
from kempe.gradients.build_map import BuildMap
from kempe.gradients.legs import ENOUGH, Course, Leg, centred, rates_of, slope_of, states_along
from kempe.gradients.placing import Placed
from kempe.gradients.reading_slopes import displaced
from kempe.kinematics.reactions.loads import frictions_of
from kempe.results import Motion
from kempe.results.state import State
from kempe.statics.equilibrium import stored

FloatArray = NDArray[np.float64]
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
ROUNDING: Final = 64.0 * float(np.finfo(np.float64).eps)  # of the time: no step is made of less
MOST_NODES: Final = 40_000
FITS: Final = 1e-6  # of the largest force: the equations are those of the motion
NOTE: Final = (
    "slopes of a simulation are as exact as its run: those of its equations are integrated along"
    " it; how the start and the equations follow from parameters is differenced to order eight."
)
PASSED: Final = "{} events lie on the way: slopes jump there, as times of events follow parameters."
UNKNOWN: Final = (
    "slopes of this simulation are not known: {}. Its kinematics, if drives hold it, have slopes;"
    " else difference whole runs."
)
ENDED: Final = (
    "the last sample is where an event ended the run: its slopes are those of where and when."
)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """The linear equation at moments (n, ...): rates A y + B of y = (x_0, x_1, dz).

    And accelerations and multipliers as they follow: L y + l, and T by time.
    """

    A: FloatArray  # (n, m, m)
    B: FloatArray  # (n, m, parameters)
    L: FloatArray  # (n, n_v + rows, m)
    l: FloatArray  # (n, n_v + rows, parameters)
    T: FloatArray  # (n, n_v + rows)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """How samples (n) follow from parameters: y, accelerations, multipliers, efforts, times."""

    y: FloatArray  # (n, m, parameters)
    a: FloatArray  # (n, n_v, parameters)
    multipliers: FloatArray  # (n, rows, parameters)
    held: FloatArray  # (n, held, parameters)
    t: FloatArray  # (n, parameters)


@final
class Simulated:
    """How a simulated motion follows from parameters."""

    def __init__(self, layout: Layout, motion: Motion, by: BuildMap, course: Course) -> None:
        self.layout, self.swept, self.by = layout, motion, by
        self.course = course
        for leg in course.legs:
            _refuse_uncovered(leg.prepared)
        self.follows = self._integrated()

    @property
    def notes(self) -> tuple[str, ...]:
        happened = sum(1 for leg in self.course.legs[1:] if not leg.is_corner)
        passed = (PASSED.format(happened),) if happened else ()
        return (NOTE, *passed, *((ENDED,) if self.course.ends_itself else ()))

    @property
    def placed(self) -> Placed:
        """Nothing: readings are differentiated along the slopes of the motion."""
        raise AssertionError("no reading of a simulation is a traced one")

    @property
    def places(self) -> Mapping[str, slice]:
        """Where tapes read: nowhere."""
        return {}

    @property
    def late(self) -> FloatArray | None:
        """How the times of samples follow: that of an event that ends the run does."""
        return self.follows.t if self.course.ends_itself else None

    def motion(self, k: int, s: float) -> Motion:
        """The motion along its slope by parameter k, s further; it cannot be run again."""
        motion, n, found = self.swept, self.layout.n_v, self.follows
        home = self.course.legs[0].prepared
        here, inner = centred(home.equations.layout.model, motion), home.equations.layout.layout
        y = s * found.y[..., k]
        layout = self.by.layout(self.by.home, k, s)
        q = displaced(inner, here.q, y[:, :n])
        v, a = here.v + y[:, n : 2 * n], here.a + s * found.a[..., k]
        model = layout.model
        M = self.course.variant(0, k, s).equations.mass_matrix()
        nothing = np.full(len(motion), np.nan)
        moved = replace(
            motion,
            t=motion.t + s * found.t[:, k],
            q=to_origins(model, q),
            v=velocities_at_origins(model, q, v),
            a=accelerations_at_origins(model, q, v, a),
            multipliers=motion.multipliers + s * found.multipliers[..., k],
            held=motion.held + s * found.held[..., k] if motion.held.size else motion.held,
            kinetic=0.5 * np.einsum("ni,ij,nj->n", v, M, v),
            dissipated=nothing,
            driven=nothing,
            states=motion.states + y[:, 2 * n :] if motion.states.size else motion.states,
            again=None,
        )
        if self._is_stored_off:
            return replace(moved, potential=nothing)
        return replace(moved, potential=stored(layout, moved))

    @cached_property
    def _is_stored_off(self) -> bool:
        """Whether a force that stores energy does not act on some leg."""
        storing = sum(1 for force in self.layout.model.forces if force.stores)
        legs = (leg.prepared.equations.layout.model.forces for leg in self.course.legs)
        return any(sum(1 for f in forces if f.stores) != storing for forces in legs)

    @cached_property
    def _first(self) -> FloatArray:
        """How y starts, (m, parameters)."""
        inner = self.course.legs[0].prepared.equations.layout.layout
        start = self.course.first(0, 0.0)
        columns = []
        for k in range(len(self.by.names)):

            def begun(s: float, k: int = k) -> FloatArray:
                there = self.course.first(k, s)
                way = inner.displacement(start.q, there.q)
                return np.concatenate([way, there.v - start.v, there.states - start.states])

            columns.append(slope_of(begun, self.by, k, "its start"))
        return np.stack(columns, axis=1)

    def _integrated(self) -> Followed:
        """How all samples follow: with so many steps that twice as many say the same."""
        motion = self.swept
        finer = 1
        before = self._run(finer)
        while len(motion) > 1:
            finer *= 2
            y = self._run(finer)
            n = self.layout.n_v
            off = 0.0
            for some in (slice(0, n), slice(n, 2 * n), slice(2 * n, None)):
                largest = float(np.abs(y[:, some]).max(initial=0.0))
                change = float(np.abs(y[:, some] - before[:, some]).max(initial=0.0))
                off = max(off, change / largest if largest else 0.0)
            before = y
            if off <= AGREED:
                break
            if 6 * sum(self._cuts(finer)) > MOST_NODES:
                if off <= ENOUGH:
                    break
                raise GradientError(
                    "the motion is too stiff or too long for its slopes to be integrated: they are"
                    f" in doubt by {off:.1e} of themselves. Take more samples of a shorter run."
                )
        return self._followed(before)

    @cached_property
    def _stretches(self) -> list[tuple[int, float, float, int]]:
        """From sample to sample, and from leg to leg: which leg, its times, the sample at its end.

        That is -1 where none is. A leg that begins late in a step of the clock takes no time.
        """
        found, t = [], self.swept.t.tolist()
        for number, leg in enumerate(self.course.legs):
            inside = [(x, k) for k, x in enumerate(t) if leg.begins < x <= leg.ends]
            if not inside or inside[-1][0] < leg.ends:
                inside.append((leg.ends, -1))
            begins = leg.begins
            for ends, sample in inside:
                found.append((number, begins, ends, sample))
                begins = ends
        return found

    def _cuts(self, finer: int) -> list[int]:
        """Steps of all stretches."""
        steps = max(1, self.swept.counts.get("steps", 1))
        whole = float(self.swept.t[-1] - self.swept.t[0])
        even = -(-steps // max(1, len(self.swept) - 1))
        share = [steps * (ends - begins) / whole for _, begins, ends, _ in self._stretches]
        least = [
            1 if ends - begins > ROUNDING * abs(ends) else 0
            for _, begins, ends, _ in self._stretches
        ]
        return [finer * min(even, one + int(x)) * one for x, one in zip(share, least, strict=True)]

    def _run(self, finer: int) -> FloatArray:
        """y at all samples, with `finer` steps where the run made one or so."""
        motion, cuts = self.swept, self._cuts(finer)
        if len(motion) == 1:
            return self.course.entered(0, self._first)[None]
        stretches = list(zip(self._stretches, cuts, strict=True))
        widths = [(ends - begins) / max(1, n) for (_, begins, ends, _), n in stretches]
        nodes = [
            begins + width * (np.arange(n)[:, None] + np.array(NODES)).ravel()
            for ((_, begins, _, _), n), width in zip(stretches, widths, strict=True)
        ]
        assert motion.again is not None
        run = motion.again.at(np.concatenate([motion.t[:1], *nodes, motion.t[-1:]]))
        wanted = np.concatenate([motion.t[:1], *nodes])
        if len(run) < len(wanted) or not np.array_equal(run.t[: len(wanted)], wanted):
            raise GradientError(f"the motion cannot be repeated: {run.outcome.message}")
        place, y, leg = 1, self._first, -1
        found = np.zeros((len(motion), *y.shape))
        for ((number, _, _, sample), n), width in zip(stretches, widths, strict=True):
            if number != leg:
                y = self.course.entered(number, y)
                if not number:
                    found[0] = y
                leg = number
                mine = sum(3 * m for (other, _, _, _), m in stretches if other == leg)
                at = self._coefficients(number, run, range(place, place + mine))
                used = 0
            if n:
                y = _advanced(at, slice(used, used + 3 * n), width, y)
                used, place = used + 3 * n, place + 3 * n
            if sample >= 0:
                found[sample] = y
        return found

    def _followed(self, y: FloatArray) -> Followed:
        """Everything that follows at the samples."""
        motion, (count, m, p) = self.swept, y.shape
        n = self.layout.n_v
        found = Followed(
            y,
            np.zeros((count, n, p)),
            np.zeros((count, motion.multipliers.shape[1], p)),
            np.zeros((count, motion.held.shape[1] if motion.held.size else 0, p)),
            np.zeros((count, p)),
        )
        for number, leg in enumerate(self.course.legs):
            mine = [k for k, t in enumerate(motion.t) if leg.begins < t <= leg.ends]
            mine = [0, *mine] if not number else mine
            if not mine:
                continue
            at = self._coefficients(number, motion, mine)
            both = at.L @ y[mine] + at.l
            if self.course.ends_itself and mine[-1] == count - 1:
                tau = self.course.ended(y[-1])
                there = states_along(leg.prepared, leg.places, motion)[-1]
                a, some = rates_of(leg.prepared, there)
                rates = np.zeros(m - 2 * n)
                rates[list(leg.places.states)] = some
                y[-1] += np.outer(np.concatenate([there.v, a, rates]), tau)
                both[-1] = at.L[-1] @ y[-1] + at.l[-1] + np.outer(at.T[-1], tau)
                found.t[-1] = tau
            found.a[mine] = both[:, :n]
            for row, (one, other) in enumerate(
                zip(leg.places.multipliers, leg.places.held, strict=True)
            ):
                if one >= 0:
                    found.multipliers[mine, one] = -both[:, n + row]
                if other >= 0:
                    found.held[mine, other] -= both[:, n + row]
        return found

    def _coefficients(self, number: int, motion: Motion, some: Sequence[int]) -> Coefficients:
        """The linear equation of a leg at some moments of a motion."""
        leg, n = self.course.legs[number], self.layout.n_v
        prepared, acting = leg.prepared, list(leg.places.states)
        equations, shape = prepared.equations, prepared.equations.program.shape
        solved, rows_all = shape.n_rows, len(shape.rows)
        z = self.swept.states.shape[1] if self.swept.states.ndim == 2 else 0
        m, p, count = 2 * n + z, len(self.by.names), len(some)
        A, B = np.zeros((count, m, m)), np.zeros((count, m, p))
        L, l = np.zeros((count, n + rows_all, m)), np.zeros((count, n + rows_all, p))
        T = np.zeros((count, n + rows_all))
        rows, own = slice(0, n + solved), [*range(2 * n), *(2 * n + k for k in acting)]
        whole = states_along(prepared, leg.places, motion)
        states = [whole[k] for k in some]
        order = [row for row in prepared.row_order]
        given = centred(equations.layout.model, motion)
        lam = self._multipliers(leg, motion)[list(some)]
        a = given.a[list(some)]
        pushed = self._by_parameters(number, states, a, lam)
        layout = equations.layout
        for j, at in enumerate(states):
            numbers = layout.with_states(layout.parameters, at.states)
            found = equations.derivatives(at, a[j], lam[j], parameters=numbers)
            self._refuse_other(leg, found.residual[rows], found.M, a[j], at.t)
            S = np.zeros((n + solved, n + solved))
            S[:n, :n], S[n:, :n], S[:n, n:] = found.M, found.J[:solved], found.J[:solved].T
            state = np.hstack([found.K[rows], found.C[rows], found.Z[rows]])
            late = found.T[rows, None]
            both = -np.linalg.solve(S, np.hstack([state, pushed[j, rows], late]))
            k = len(own)
            L[j][rows, own] = both[:, :k]
            l[j, rows], T[j, rows] = both[:, k : k + p], both[:, -1]
            A[j, :n, n : 2 * n] = np.eye(n)
            A[j, :n, :n] = self._spinning(at.v)
            A[j, n : 2 * n], B[j, n : 2 * n] = L[j, :n], l[j, :n]
            moving = [2 * n + x for x in acting]
            A[j][np.ix_(moving, own)] = np.hstack([found.rates_K, found.rates_C, found.rates_Z])
            B[j, moving] = pushed[j, n + len(order) :]
        return Coefficients(A, B, L, l, T)

    @staticmethod
    def _multipliers(leg: Leg, motion: Motion) -> FloatArray:
        """Those of the rows of a leg's program, in its order and with its sign."""
        found = np.zeros((len(motion), len(leg.places.multipliers)))
        for row, (one, other) in enumerate(
            zip(leg.places.multipliers, leg.places.held, strict=True)
        ):
            if one >= 0:
                found[:, row] = -motion.multipliers[:, one]
            elif other >= 0:
                found[:, row] = -motion.held[:, other]
        return found

    def _refuse_other(
        self, leg: Leg, residual: FloatArray, M: FloatArray, a: FloatArray, t: float
    ) -> None:
        """A GradientError where the equations that are differentiated are not the motion's."""
        n, start = len(a), leg.prepared.start
        if leg.prepared not in self._loads:
            load = np.asarray(leg.prepared.terms(start.q, start.v, start.t).load)
            self._loads[leg.prepared] = float(np.abs(load).max(initial=0.0))
        scale = np.abs(M @ a).max(initial=0.0) + self._loads[leg.prepared]
        if np.abs(residual[:n]).max(initial=0.0) > FITS * max(scale, 1e-300):
            raise GradientError(
                f"something acts at t = {t:.6g} s that the equations do not tell: a callback,"
                " friction of a joint, or an event. Of these no slopes are known.",
                t=t,
            )

    @cached_property
    def _loads(self) -> dict[PreparedDynamics, float]:
        return {}

    def _by_parameters(
        self, leg: int, states: Sequence[State], a: FloatArray, lam: FloatArray
    ) -> FloatArray:
        """R_p and r_p at all moments, (n, n_v + rows + states, parameters)."""
        columns = []
        for k in range(len(self.by.names)):
            pushed = partial(self._pushed, leg, states, a, lam, k)
            columns.append(slope_of(pushed, self.by, k, "what acts"))
        return np.stack(columns, axis=-1)

    def _pushed(
        self, leg: int, states: Sequence[State], a: FloatArray, lam: FloatArray, k: int, s: float
    ) -> FloatArray:
        """R and r at all moments, of the variant whose parameter k is s further."""
        equations = self.course.variant(leg, k, s).equations
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
        n, inner = len(v), self.course.legs[0].prepared.equations.layout.layout
        found = np.zeros((n, n))
        if inner.chart.is_flat:
            return found
        for k in range(inner.n_bodies):
            turning = inner.coordinates.spin_of(k)
            x, y, z = v[turning]
            found[turning, turning] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
        return found


def _advanced(at: Coefficients, nodes: slice, h: float, y: FloatArray) -> FloatArray:
    """y after steps of length h, whose stages are at these nodes."""
    m, k = at.A.shape[-1], at.B.shape[-1]
    A, B = at.A[nodes].reshape(-1, 3, m, m), at.B[nodes].reshape(-1, 3, m, k)
    n = len(A)
    # Stages K_i = A_i (y + h sum_j a_ij K_j) + B_i, for all columns of y and for B at once.
    whole = h * np.einsum("ij,nipq->nipjq", STAGES, A)
    system = np.eye(3 * m) - whole.reshape(n, 3 * m, 3 * m)
    right = np.concatenate([A, B], axis=3).reshape(n, 3 * m, m + k)
    K = np.linalg.solve(system, right).reshape(n, 3, m, m + k)
    grown = h * np.einsum("i,nipq->npq", WEIGHTS, K)
    for step in grown:
        y = y + step[:, :m] @ y + step[:, m:]
    return y


def refuse_unknown(layout: Layout, motion: Motion) -> None:
    """A GradientError of motions whose slopes are not known, before anything is prepared."""
    model = layout.model
    start, stop = float(motion.t[0]), float(motion.t[-1])
    met = interruptions(model.drives, start, stop) if len(motion) > 1 else None
    why = ""
    if frictions_of(model):
        why = "joints rub"
    elif layout.n_own or layout.rolls:
        why = "points ride on curves, or wheels roll"
    elif met is not None and met.corner is not None:
        why = "a drive jumps"
    elif motion.acted:
        why = "events had acted before it began"
    elif motion.again is None:
        why = "it cannot be run again"
    if why:
        raise GradientError(UNKNOWN.format(why))


def _refuse_uncovered(prepared: PreparedDynamics) -> None:
    """A GradientError of equations whose slopes are not known."""
    shape, why = prepared.equations.program.shape, ""
    if len(shape.guards):
        switching = layout_names(prepared)
        why = f"{switching} switches on the way, as contacts and dry friction do"
    elif prepared.loads is not None:
        why = "joints rub"
    elif prepared.callbacks or prepared.clocked:
        why = "a callback or a controller with a clock acts"
    elif prepared.equations.layout.flows:
        why = "bodies gain or lose mass"
    elif prepared.equations.spare_drives:
        why = "drives repeat what joints say"
    if why:
        raise GradientError(UNKNOWN.format(why))


def layout_names(prepared: PreparedDynamics) -> str:
    """The first force that has switches, by name."""
    number = int(prepared.equations.program.shape.switch_forces[0])
    return f"force {prepared.equations.layout.forces[number].name!r}"
