"""How a simulated motion follows from parameters: forward sensitivities.

With R = [M a + J^T lam - f;  J a - gamma] = 0, displacements x_0, velocities x_1 and states of
forces z move with the parameters as

    [M J^T; J 0] [da; dlam] = -(R_q x_0 + R_v x_1 + R_z dz + R_p)
    dx_0/dt = x_1 (- w x x_0 of turns in body axes),  dx_1/dt = da,  d dz/dt = r_q x_0 + ... + r_p

a linear equation along the motion that was found. Its coefficients are exact derivatives of the
traced formulas. It is integrated by Gauss's method of three stages, with the stages' states from
the same run, and with twice as many steps until both agree. What it starts with is how the
assembly and its velocities follow from the parameters, by differences of order eight. Legs between
events, and between changes of laws of forces, are such stretches; how slopes pass an event is told
in `event_jumps`, how they pass a change of law in `leg_equations`.

The adjoint asks for one weighted sum of places, s = sum_k w_k . y(t_k): multipliers mu go from the
last sample to the first through the transposes of the very same steps and jumps, so that it is
exact for the sums that the forward equations make, and parameters enter once, by a sum over stages
of  r . R_p.

Source: [BestleEberhard] for the equations, [HairerNorsettWanner] II.7 for the method, [GilesPierce]
section 2 for the adjoint.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import (
    accelerations_at_origins,
    to_origins,
    velocities_at_origins,
)
from kempe.compile.layout.dynamic_layout import centred as centred_model
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import points_by_name
from kempe.dynamics.law_corners import interruptions
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.errors import GradientError
from kempe.gradients.build_map import BuildMap
from kempe.gradients.leg_equations import (
    MOST_TRACED,
    Change,
    DifferencedLeg,
    Linear,
    OtherParts,
    TracedLeg,
)
from kempe.gradients.legs import ENOUGH, Course, Leg, centred, rates_of, slope_of, states_along
from kempe.gradients.path_error import PathError
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
LEG_STEPS: Final = 4  # of every leg at first
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
class Solved:
    """The linear equation at moments, but for what parameters do."""

    equations: TracedLeg | DifferencedLeg
    inputs: FloatArray  # of its tapes
    a: FloatArray  # (n, n_v)
    linear: Linear
    S: FloatArray  # [M J^T; J 0], (n, ..., ...)
    A: FloatArray  # as `Coefficients` has it
    L: FloatArray
    rows: slice  # of R, those that are solved
    own: Sequence[int]  # places of y that the leg's equations know
    moving: Sequence[int]  # places of y of states of forces that act
    m: int  # places of y


@final
@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Steps from sample to sample within a leg; `nodes` are those of its stages in a run."""

    leg: int
    sample: int  # at its end, -1 where none is
    width: float  # s, of a step
    steps: int
    run: Motion
    nodes: slice


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
        self._known: dict[object, Any] = {}
        self._legs: dict[int, TracedLeg | DifferencedLeg] = {}

    @cached_property
    def follows(self) -> Followed:
        """How all samples follow, forward."""
        return self._integrated()

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
                return np.concatenate([inner.size + way, there.v, there.states])

            columns.append(slope_of(begun, self.by, k, "its start"))
        return np.stack(columns, axis=1)

    def _integrated(self) -> Followed:
        """How all samples follow: with so many steps that twice as many say the same."""

        def run(finer: int) -> FloatArray:
            return self._run(self._along(finer))

        def off(y: FloatArray, before: FloatArray) -> float:
            n, worst = self.layout.n_v, 0.0
            for some in (slice(0, n), slice(n, 2 * n), slice(2 * n, None)):
                largest = float(np.abs(y[:, some]).max(initial=0.0))
                change = float(np.abs(y[:, some] - before[:, some]).max(initial=0.0))
                worst = max(worst, change / largest if largest else 0.0)
            return worst

        return self._followed(self._refined(run, off))

    def _refined(
        self,
        run: Callable[[int], FloatArray],
        off: Callable[[FloatArray, FloatArray], float],
    ) -> FloatArray:
        """What comes of so many steps that twice as many say the same."""
        finer = 1
        before = run(finer)
        while len(self.swept) > 1:
            finer *= 2
            now = run(finer)
            doubt, before = off(now, before), now
            if doubt <= AGREED:
                break
            if 6 * sum(self._cuts(finer)) > MOST_NODES:
                if doubt <= ENOUGH:
                    break
                raise GradientError(
                    "the motion is too stiff or too long for its slopes to be integrated: they are"
                    f" in doubt by {doubt:.1e} of themselves. Take more samples of a shorter run."
                )
        return before

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
        cuts = []
        for (number, begins, ends, _), x, one in zip(self._stretches, share, least, strict=True):
            leg = self.course.legs[number]
            # A short leg, such as a touch, is a motion of its own: it has some steps at least.
            alone = LEG_STEPS * (ends - begins) / (leg.ends - leg.begins) if one else 0.0
            cuts.append(finer * max(min(even, one + int(x)), int(np.ceil(alone))) * one)
        return cuts

    def _along(self, finer: int) -> list[Stretch]:
        """The stretches with their steps: `finer` where the run made one or so."""
        motion, cuts = self.swept, self._cuts(finer)
        if len(motion) == 1:
            return []
        places = list(zip(self._stretches, cuts, strict=True))
        widths = [(ends - begins) / max(1, n) for (_, begins, ends, _), n in places]
        nodes = [
            begins + width * (np.arange(n)[:, None] + np.array(NODES)).ravel()
            for ((_, begins, _, _), n), width in zip(places, widths, strict=True)
        ]
        assert motion.again is not None
        run = motion.again.at(np.concatenate([motion.t[:1], *nodes, motion.t[-1:]]))
        wanted = np.concatenate([motion.t[:1], *nodes])
        if len(run) < len(wanted) or not np.array_equal(run.t[: len(wanted)], wanted):
            raise GradientError(f"the motion cannot be repeated: {run.outcome.message}")
        place, found = 1, []
        for ((number, _, _, sample), n), width in zip(places, widths, strict=True):
            found.append(Stretch(number, sample, width, n, run, slice(place, place + 3 * n)))
            place += 3 * n
        return found

    def _run(self, along: Sequence[Stretch]) -> FloatArray:
        """y at all samples."""
        if not along:
            return self._entered(0, self._first)[None]
        y, leg = self._first, -1
        found = np.zeros((len(self.swept), *y.shape))
        for one in along:
            if one.leg != leg:
                y = self._entered(one.leg, y)
                if not one.leg:
                    found[0] = y
                leg = one.leg
                mine = [s for s in along if s.leg == leg]
                nodes = range(mine[0].nodes.start, mine[-1].nodes.stop)
                at, used = self._coefficients(leg, one.run, nodes), 0
            if one.steps:
                y = _advanced(at, slice(used, used + 3 * one.steps), one.width, y)
                used += 3 * one.steps
            if one.sample >= 0:
                found[one.sample] = y
        return found

    def _entered(self, number: int, y: FloatArray) -> FloatArray:
        """The slopes with which a leg begins, from those at the end of the last."""
        y = self.course.entered(number, y)
        change = self._change(number)
        return y if change is None else change.after(y)

    def _change(self, number: int) -> Change | None:
        """How slopes jump where laws change over with which a leg begins."""
        if not self.course.legs[number].changes:
            return None
        return self._equations(number).change(self._changed[number])

    @cached_property
    def _changed(self) -> dict[int, State]:
        """The states at which legs begin because laws change over, by the leg's number."""
        motion = self.swept
        numbers = [k for k, leg in enumerate(self.course.legs) if leg.changes]
        times = [float(motion.t[0]), *(self.course.legs[k].begins for k in numbers)]
        assert motion.again is not None
        run = motion.again.at(np.array(times))
        if len(run) != len(times):
            raise GradientError(f"the motion cannot be repeated: {run.outcome.message}")
        found = {}
        for sample, number in enumerate(numbers, start=1):
            leg = self.course.legs[number]
            found[number] = states_along(leg.prepared, leg.places, run)[sample]
        return found

    def _equations(self, number: int) -> TracedLeg | DifferencedLeg:
        """The equations of a leg; what a mode's numbers are may follow from slopes before it."""
        leg = self.course.legs[number]
        key = number if self.course.follows_slopes else leg.passage
        if number and self.course.follows_slopes:
            self._legs.pop(key, None)
        variant = partial(self.course.variant, number)
        prepared = leg.prepared
        is_small = self.layout.n_v <= MOST_TRACED and prepared.equations.program.plan == "small"
        if key not in self._legs:
            self._legs[key] = DifferencedLeg(leg, variant, self.by)
            if is_small:
                try:
                    self._legs[key] = TracedLeg(leg, variant, self.by, self._known)
                except OtherParts as why:
                    self._legs[key] = DifferencedLeg(leg, variant, self.by, why)
        found = self._legs[key]
        found.leg = leg
        return found

    def path_slopes(self, error: PathError) -> FloatArray | None:
        """How a path's error follows from parameters, (parameters,), by the adjoint.

        None where an event ends the motion, where modes hold numbers of their own, or where no
        point of a body is meant: only the forward equations know of these.
        """
        if self.course.ends_itself or self.course.follows_slopes:
            return None
        home = self.course.legs[0].prepared.equations.layout
        inner, motion = home.layout, centred(home.model, self.swept)
        marker = points_by_name(inner.model).get(error.point)
        if marker is None or marker.body not in inner.body_index or len(motion) < 2:
            return None
        k, at = inner.body_index[marker.body], inner.coordinates
        size, first = inner.chart.n_linear, at.v_of(k).start
        weights = np.zeros((len(motion), self._first.shape[0]))
        direct = np.zeros(len(self.by.names))
        arms = self._arms(error.point)
        c = np.array(marker.position)
        for j, q in enumerate(motion.q):
            X = inner.chart.placed(q[at.q_of(k)])
            R = np.array([[*axis] for axis in (X.rotation.x, X.rotation.y, X.rotation.z)]).T
            place = np.array([*X.position]) + R @ c
            pull = np.zeros(3)
            pull[:size] = 2.0 * error.shares[j] * (place[:size] - error.points[j])
            turning = np.cross(c, R.T @ pull)  # of the body's turn, in its axes
            weights[j, first : first + size] = pull[:size]
            weights[j, first + size : at.v_of(k).stop] = turning[2:] if size == 2 else turning
            direct += (R.T @ pull) @ arms

        def run(finer: int) -> FloatArray:
            return self._back(self._along(finer), weights) + direct

        def off(now: FloatArray, before: FloatArray) -> float:
            largest = float(np.abs(now).max(initial=0.0))
            change = float(np.abs(now - before).max(initial=0.0))
            return change / largest if largest else 0.0

        return self._refined(run, off)

    def _arms(self, point: str) -> FloatArray:
        """How a point follows from parameters in the axes of its body's centre, (3, parameters)."""
        columns = []
        for k in range(len(self.by.names)):

            def arm(s: float, k: int = k) -> FloatArray:
                model = centred_model(self.by.layout(self.by.home, k, s).model)
                return np.array(points_by_name(model)[point].position, dtype=np.float64)

            columns.append(slope_of(arm, self.by, k, f"the place of {point!r} on its body"))
        return np.stack(columns, axis=1)

    def _back(self, along: Sequence[Stretch], weights: FloatArray) -> FloatArray:
        """d/dp of  sum_k weights_k . y_k  over samples, weights (n, m)."""
        n, by = self.layout.n_v, np.zeros(len(self.by.names))
        mu, legs = np.zeros(weights.shape[1]), range(len(self.course.legs))
        passages = [self.course.passed(number, len(mu)) for number in legs]
        for number in reversed(legs):
            mine = [one for one in along if one.leg == number]
            at = self._solved(number, mine[0].run, range(mine[0].nodes.start, mine[-1].nodes.stop))
            shares, used = np.zeros((len(at.A), at.m)), len(at.A)
            for one in reversed(mine):
                if one.sample >= 0:
                    mu = mu + weights[one.sample]
                if one.steps:
                    nodes = slice(used - 3 * one.steps, used)
                    mu, shares[nodes] = _retreated(at.A[nodes], one.width, mu)
                    used = nodes.start
            if not number:
                mu = mu + weights[0]
            shape = self.course.legs[number].prepared.equations.program.shape
            full = np.zeros((len(shares), n + len(shape.rows) + len(shape.states)))
            right = np.zeros((len(shares), at.S.shape[1], 1))
            right[:, :n, 0] = shares[:, n : 2 * n]
            full[:, at.rows] = -np.linalg.solve(at.S, right)[:, :, 0]  # S is symmetric
            full[:, n + len(shape.rows) :] = shares[:, at.moving]
            by = by + at.equations.pulled(at.inputs, at.a, full)
            change = self._change(number)
            if change is not None:
                push = float(mu @ change.jump)
                by, mu = by + push * change.late, mu + push * change.along
            passed = passages[number]
            if passed is not None:
                by, mu = by + mu @ passed.late, mu if passed.by is None else passed.by.T @ mu
        return np.asarray(by + mu @ self._first)

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
        here = self._solved(number, motion, some)
        leg, n, p = self.course.legs[number], self.layout.n_v, len(self.by.names)
        shape = leg.prepared.equations.program.shape
        count, rows, m = len(here.S), here.rows, here.m
        pushed = here.equations.pushed(here.inputs, here.a)
        A, B = here.A, np.zeros((count, m, p))
        L, l = here.L, np.zeros((count, n + len(shape.rows), p))
        T = np.zeros((count, n + len(shape.rows)))
        both = np.concatenate([pushed[:, rows], here.linear.T[:, rows, None]], axis=2)
        both = -np.linalg.solve(here.S, both)
        l[:, rows], T[:, rows] = both[:, :, :p], both[:, :, p]
        B[:, n : 2 * n] = l[:, :n]
        B[:, here.moving] = pushed[:, n + len(shape.rows) :]
        return Coefficients(A, B, L, l, T)

    def _solved(self, number: int, motion: Motion, some: Sequence[int]) -> Solved:
        """The linear equation of a leg but for what parameters do."""
        leg, n, some = self.course.legs[number], self.layout.n_v, list(some)
        prepared, acting = leg.prepared, list(leg.places.states)
        equations, shape = self._equations(number), prepared.equations.program.shape
        z = self.swept.states.shape[1] if self.swept.states.ndim == 2 else 0
        m, solved, rows = 2 * n + z, shape.n_rows, slice(0, n + shape.n_rows)
        own = [*range(2 * n), *(2 * n + k for k in acting)]
        whole = states_along(prepared, leg.places, motion)
        states = [whole[k] for k in some]
        a = centred(prepared.equations.layout.model, motion).a[some]
        lam = self._multipliers(leg, motion)[some]
        inputs = equations.rows(states, a, lam)
        found = equations.linear(inputs, a, lam)
        for j, at in enumerate(states):
            self._refuse_other(leg, found.residual[j, rows], found.M, a[j], at.t)
        count = len(states)
        S = np.zeros((count, n + solved, n + solved))
        S[:, :n, :n], S[:, n:, :n] = found.M, found.J[:, :solved]
        S[:, :n, n:] = found.J[:, :solved].transpose(0, 2, 1)
        state = np.concatenate([found.K[:, rows], found.C[:, rows], found.Z[:, rows]], axis=2)
        A, L = np.zeros((count, m, m)), np.zeros((count, n + len(shape.rows), m))
        L[:, rows, own] = 0.0
        L[np.ix_(range(count), range(n + solved), own)] = -np.linalg.solve(S, state)
        A[:, :n, n : 2 * n] = np.eye(n)
        for j, at in enumerate(states):
            A[j, :n, :n] = self._spinning(at.v)
        A[:, n : 2 * n] = L[:, :n]
        moving = [2 * n + x for x in acting]
        rates = np.concatenate([found.r_K, found.r_C, found.r_Z], axis=2)
        A[np.ix_(range(count), moving, own)] = rates
        return Solved(equations, inputs, a, found, S, A, L, rows, own, moving, m)

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


def _retreated(A: FloatArray, h: float, mu: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The multipliers before steps whose stages have A, and those of every stage, (nodes, m)."""
    m = A.shape[-1]
    A = A.reshape(-1, 3, m, m)
    n = len(A)
    whole = h * np.einsum("ij,nipq->nipjq", STAGES, A)
    system = np.eye(3 * m) - whole.reshape(n, 3 * m, 3 * m)
    right = np.tile(h * np.kron(WEIGHTS[:, None], np.eye(m)), (n, 1, 1))
    z = np.linalg.solve(system.transpose(0, 2, 1), right).reshape(n, 3, m, m)
    shares = np.zeros((n, 3, m))
    for k in reversed(range(n)):
        shares[k] = z[k] @ mu
        mu = mu + np.einsum("ipq,ip->q", A[k], shares[k])
    return mu, shares.reshape(3 * n, m)


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
    why = ""
    if prepared.loads is not None:
        why = "joints rub"
    elif prepared.callbacks or prepared.clocked:
        why = "a callback or a controller with a clock acts"
    elif prepared.equations.layout.flows:
        why = "bodies gain or lose mass"
    elif prepared.equations.spare_drives:
        why = "drives repeat what joints say"
    if why:
        raise GradientError(UNKNOWN.format(why))
