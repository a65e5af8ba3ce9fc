"""A live simulation: set inputs, step on, read by name, come back."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.dynamics.fixed_step import FixedStep
from kempe.dynamics.live import Followed, LiveDynamics, Standing, Stretch
from kempe.errors import BadNumber, UnknownName, nearest_name
from kempe.front.parts import in_words
from kempe.front.position import Position
from kempe.front.trajectory import Trajectory
from kempe.interruption import keeps_what_is_done
from kempe.kinematics.closing.placement import Given
from kempe.outcome import DONE, Outcome
from kempe.results import Motion
from kempe.units import in_si

FloatArray = NDArray[np.float64]
InputValue = float | str | tuple[float | str, float | str]

MOST_PASSED = 200  # stretches whose turns are not counted yet


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Passed:
    """Stretches that have been passed since turns were counted, and the laws of the last one.

    In space poses look the same after a whole turn, so that turns are counted from sample to
    sample: when something is read, or after many stretches.
    """

    stretches: tuple[Stretch, ...]
    laws: tuple[Followed, ...]
    angles: Mapping[str, float]  # rad, readings that have turned at the first sample

    def trajectory(self, live: LiveDynamics) -> Trajectory:
        """The ends of all of them, to be read by name."""
        motions = [live.motion(made) for made in self.stretches]
        last = motions[-1].cut(slice(-1, None))
        if len(motions) > 1:
            joined: dict[str, Any] = {
                f.name: np.concatenate([getattr(m, f.name)[-1:] for m in motions])
                for f in fields(last)
                if _is_by_sample(last, f.name)
            }
            last = replace(last, **joined)
        return Trajectory(live.led_by(self.laws), replace(last, angles=self.angles))

    def then(self, live: LiveDynamics, made: Stretch, laws: Sequence[Followed]) -> "_Passed":
        """With one more stretch."""
        if live.layout.model.plane:
            return _Passed((made,), tuple(laws), self.angles)
        before, angles = self.stretches, self.angles
        if len(before) >= MOST_PASSED:
            angles = dict(self.trajectory(live).state().angles)
            before = before[-1:]
        return _Passed((*before, made), tuple(laws), angles)


def _is_by_sample(motion: Motion, name: str) -> bool:
    value = getattr(motion, name)
    return isinstance(value, np.ndarray) and len(value) == len(motion.t)


@final
@dataclass(frozen=True, slots=True, eq=False)
class SolverSnapshot:
    """Where a dynamic solver stood: `restore` puts it, or a copy of it, back there."""

    subject: str  # the mechanism
    standing: Standing
    passed: _Passed = field(repr=False)
    outcome: Outcome

    @property
    def t(self) -> float:
        """When it was taken, s."""
        return self.standing.t


@final
class DynamicSolver:
    """A mechanism under forces that moves on as it is told: `step`, read, set, come back.

    Inputs are driven measures ("crank.angle") and forces with a law of time ("motor"), whose laws
    give way to values from outside. A force holds its value through a step. A drive goes from where
    it is to the value it is given, smoothly, with the mean speed of the step at its end; or to a
    pair (value, rate). What is not given keeps its value. Anything that a simulation can be asked
    for is read by its name at the end of the step.

    A step depends on where the mechanism stands and on its inputs alone: made again from a
    snapshot it leads to the same place. One that cannot be made leaves everything as it was, and
    `outcome` says why. Events of the model are refused, since what they leave behind is no place.

    Own: see [steps of one length](../theory/integrators.md) for the usual method.

    Examples:
        >>> import kempe
        >>> from kempe.drives import Ramp
        >>> from kempe.forces import Actuator
        >>> m = kempe.Builder("pendulum", plane=True, gravity=(0, -9.81))
        >>> bob = kempe.Inertia(1.0, (0.5, 0, 0), [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
        >>> rod = m.bar("rod", 1.0, inertia=bob, angle="-90 deg")
        >>> hinge = m.revolute(m.ground.at(0, 0), rod.start)
        >>> motor = m.force(Actuator(rod.angle, Ramp(0.0)), "motor")
        >>> solver = m.build().dynamic_solver("motor", step=1e-3)
        >>> solver.step(0.01, {"motor": "2 N m"}).name, bool(solver.rate("rod.angle") > 0.0)
        ('Done', True)
    """

    def __init__(self, live: LiveDynamics, step: float) -> None:
        self._live, self._step = live, step
        self._at: Standing
        self._passed: _Passed
        self._state: Position | None
        self._outcome: Outcome
        self.reset()

    @classmethod
    def of(
        cls,
        layout: Layout,
        inputs: Sequence[str],
        step: float | str,
        method: str | FixedStep | None,
        tolerance: float,
        executor: str,
        given: Given | None,
        angles: Mapping[str, float],
    ) -> "DynamicSolver":
        """The solver of the mechanism with this `layout`, led by `inputs` (names).

        Steps are `step` (s) long, unless `method` follows `tolerance`; `executor` runs them. It
        starts near the `given` poses, with readings that have turned by `angles` (rad).
        """
        length = in_si(step, "s")
        if not (math.isfinite(length) and length > 0.0):
            raise BadNumber(f"`step` must be longer than nothing, it is {length:g} s.")
        fixed = FixedStep(length) if method is None or method == "fixed" else method
        if isinstance(fixed, FixedStep) and fixed.step is None:
            fixed = replace(fixed, step=length)
        live = LiveDynamics(
            layout,
            inputs,
            method=fixed,
            tolerance=tolerance,
            executor=executor,
            given=given,
            angles=angles,
        )
        return cls(live, length)

    @property
    def t(self) -> float:
        """The time that has been reached, s."""
        return self._at.t

    @property
    def inputs(self) -> dict[str, float]:
        """The values (m, rad, N, N m) of the inputs, by name."""
        names = (one.name for one in self._live.inputs)
        return dict(zip(names, (value for value, _ in self._at.values), strict=True))

    @property
    def outcome(self) -> Outcome:
        """How the last step ended."""
        return self._outcome

    @property
    def state(self) -> Position:
        """Where everything is now, as any analysis can start from it."""
        if self._state is None:
            self._state = self._passed.trajectory(self._live).state()
        return self._state

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that can be read."""
        return self.state.names

    def __getitem__(self, name: str) -> float | FloatArray:
        """What a name means now: a number, or an array of a point or a force; SI and rad."""
        return self.state[name]

    def rate(self, name: str) -> float | FloatArray:
        """The velocity of the point `name`, or how fast that measure changes (m/s, rad/s)."""
        return self.state.rate(name)

    @keeps_what_is_done
    def step(
        self, dt: float | str | None = None, inputs: Mapping[str, InputValue] | None = None
    ) -> Outcome:
        """Go on by `dt` (s, or text with a unit; one step if omitted) with these `inputs`."""
        length = self._step if dt is None else in_si(dt, "s")
        if not (math.isfinite(length) and length > 0.0 and self.t + length > self.t):
            raise BadNumber(f"a step must be longer than nothing, it is {length:g} s.")
        wanted = self._in_si(inputs or {})
        laws = self._live.followed(self._at, length, wanted)
        times = np.array([self._at.t, self._at.t + length])
        self._at, made = self._live.stretch(self._at, times, laws)
        self._outcome = made.outcome
        if made.outcome.is_done:
            self._passed, self._state = self._passed.then(self._live, made, laws), None
        return self._outcome

    def snapshot(self) -> SolverSnapshot:
        """Where it stands, to come back to."""
        name = self._live.layout.model.name
        return SolverSnapshot(name, self._at, self._passed, self._outcome)

    def restore(self, snapshot: SolverSnapshot) -> None:
        """Stand where `snapshot` was taken, of this solver or of a copy."""
        there: Any = snapshot
        if not isinstance(there, SolverSnapshot):
            raise BadNumber(f"a solver is restored from its snapshot, not from {in_words(there)}.")
        fits = len(there.standing.q) == len(self._live.first.q)
        if there.subject != self._live.layout.model.name or not fits:
            name = self._live.layout.model.name
            raise BadNumber(f"this snapshot is of {there.subject!r}, and the solver of {name!r}.")
        self._at, self._passed = snapshot.standing, snapshot.passed
        self._state, self._outcome = None, snapshot.outcome

    def reset(self) -> None:
        """Stand where it began, at t = 0."""
        self._at, self._outcome = self._live.first, DONE
        laws = self._live.begun
        _, made = self._live.stretch(self._at, np.zeros(1), laws)
        self._passed = _Passed((made,), tuple(laws), self._live.prepared.start.angles)
        self._state = None

    def copy(self) -> "DynamicSolver":
        """Another solver that stands at the same place and goes its own way."""
        other = DynamicSolver(self._live.copy(), self._step)
        other.restore(self.snapshot())
        return other

    def __copy__(self) -> "DynamicSolver":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> "DynamicSolver":
        return self.copy()

    def __repr__(self) -> str:
        name = self._live.layout.model.name
        return f"DynamicSolver of {name!r} at t = {self.t:.6g} s: {self._outcome.name}"

    def _in_si(self, inputs: Mapping[str, InputValue]) -> dict[str, tuple[float, float] | float]:
        if not isinstance(inputs, Mapping):
            raise BadNumber(
                f'inputs are set by name, such as {{"motor": 2.0}}, not by {in_words(inputs)}.'
            )
        units = {one.name: one.unit for one in self._live.inputs}
        wanted: dict[str, tuple[float, float] | float] = {}
        for name, given in inputs.items():
            if name not in units:
                raise UnknownName(f"{name!r} is no input.{nearest_name(name, units)}", name=name)
            if isinstance(given, tuple):
                value, rate = given
                found = (in_si(value, units[name]), in_si(rate, f"{units[name]}/s"))
                wanted[name] = found
            else:
                wanted[name] = in_si(given, units[name])
        return wanted
