"""A simulation that goes on as it is told: one stretch after the other, its inputs set between."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Adjustable
from kempe.algebra.native import core
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.elements import all_numbers
from kempe.compile.layout.layout import Layout
from kempe.compile.layout.numbers import is_literal
from kempe.drives import AbstractLaw, Drive
from kempe.dynamics.ending import RunEnd, ending
from kempe.dynamics.fixed_step import FixedStep
from kempe.dynamics.integration import (
    Method,
    implicit_steps,
    limits_of,
    named_method,
    room_for,
    run_end,
)
from kempe.dynamics.law_corners import interruptions
from kempe.dynamics.preparation.callback_numbers import Outside
from kempe.dynamics.preparation.preparation import NO_TURNS, Angles, prepare
from kempe.dynamics.sampled_motion import motion_of_samples
from kempe.errors import BadNumber, ModelError, UnknownName, nearest_name
from kempe.forces import AbstractForce, Actuator
from kempe.geometry.vector import Scalar
from kempe.interruption import put_off
from kempe.kinematics.closing.placement import Given
from kempe.kinematics.laws.drive_laws import law_rate, law_value, refuse_rough_start
from kempe.model import Model
from kempe.outcome import DONE, Outcome
from kempe.results import Motion
from kempe.units import Reading, ReadingRate, effort_unit

FloatArray = NDArray[np.float64]
Value = tuple[float, float]  # of an input, and its rate where it is a drive's

LIVE_METHODS = ("rodas5p", "dop853", "tsit5")
NUMBERS = 6  # of a followed law


@final
@dataclass(frozen=True, slots=True)
class Followed(AbstractLaw):
    """The way of an input through one stretch: value and rate at both ends, a cubic between them.

    f = before + d r0 s + (3 D - d (2 r0 + r1)) s^2 + (d (r0 + r1) - 2 D) s^3,
    s = (t - since) / d,  D = after - before

    All six stay inputs of the compiled program, whatever they are.

    Own: the polynomial of Hermite through both ends.
    """

    before: Reading
    after: Reading
    rate_before: ReadingRate = 0.0
    rate_after: ReadingRate = 0.0
    since: float = 0.0  # s
    lasting: float = 1.0  # s

    def __post_init__(self) -> None:
        for one in fields(self):
            object.__setattr__(self, one.name, Adjustable(getattr(self, one.name)))

    @property
    def numbers(self) -> tuple[float, ...]:
        """All six, in the order of the fields."""
        both = (self.before, self.after, self.rate_before, self.rate_after)
        return (*both, self.since, self.lasting)

    def value(self, t: Scalar) -> Scalar:
        s, D = (t - self.since) / self.lasting, self.after - self.before
        r0, r1 = self.lasting * self.rate_before, self.lasting * self.rate_after
        return self.before + s * (r0 + s * ((3.0 * D - 2.0 * r0 - r1) + s * (r0 + r1 - 2.0 * D)))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Where a live simulation stands: all that its next stretch depends on, and nothing else."""

    t: float  # s
    q: FloatArray  # (n_q,) of the centres of mass
    v: FloatArray  # (n_v,)
    turns: FloatArray  # (n_turns,) rad, that rows and forces count
    values: tuple[Value, ...]  # of the inputs, in their order
    work: tuple[float, float]  # J, dissipated and driven since the start
    states: FloatArray  # of forces


@final
@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Samples of the centres of mass along one stretch, and how it ended."""

    times: FloatArray  # s
    out: dict[str, FloatArray]
    end: RunEnd
    outcome: Outcome


@final
@dataclass(frozen=True, slots=True)
class _Input:
    """A drive, or a force with a law of time, whose law gives way to values from outside."""

    name: str
    unit: str  # of its value; empty where any number will do
    is_drive: bool


@final
class LiveDynamics:
    """The equations of motion of one model, moved on stretch by stretch with inputs held or led.

    A stretch depends on where the mechanism stands and on the inputs alone, so that one that is
    made again from the same place leads to the same end.
    """

    def __init__(
        self,
        layout: Layout,
        names: Sequence[str],
        *,
        method: Method,
        tolerance: float,
        executor: str = "auto",
        given: Given | None = None,
        angles: Angles = NO_TURNS,
    ) -> None:
        _refuse_events(layout)
        if not isinstance(method, FixedStep) and method not in LIVE_METHODS:
            known = ", ".join(repr(name) for name in LIVE_METHODS)
            raise BadNumber(
                f"a live simulation has no method {method!r}: use FixedStep(step), or one of"
                f" {known}, which need nothing but the place they start from."
            )
        model, self.inputs, first = _with_inputs(layout.model, names)
        self.layout = Layout(model, layout.complete_search)
        self.method, self.tolerance = method, tolerance
        self.prepared = prepare(self.layout, 0.0, executor, "auto", given, angles)
        self._others = tuple(d for d in model.drives if not isinstance(d.law, Followed))
        self._outside = Outside(self.prepared.callbacks)
        self._places = _places(self.prepared.equations.layout)
        self._parameters = self.prepared.equations.layout.parameters.copy()
        self._native = self._integrator()
        start = self.prepared.start
        self.first = Standing(0.0, start.q, start.v, start.turns, first, (0.0, 0.0), start.states)

    def _integrator(self) -> "core.LiveIntegrator":
        prepared = self.prepared
        layout = prepared.equations.layout
        limits = limits_of(
            prepared, self.tolerance, stops=np.zeros(0), watches=None, pace=core.Pace()
        )
        return core.LiveIntegrator(
            prepared.system(self._outside).clone(),
            layout.parameters,
            layout.mass_blocks.reshape(-1),
            layout.model.plane,
            named_method(self.method),
            limits,
            implicit_steps(prepared, self.method),
        )

    @property
    def begun(self) -> list[Followed]:
        """The laws of the inputs where it begins, at their rates there."""
        return [Followed(x, x + rate, rate, rate) for x, rate in self.first.values]

    def followed(
        self, at: Standing, dt: float, wanted: Mapping[str, Value | float]
    ) -> list[Followed]:
        """The laws of the inputs through the next `dt` s; what is not wanted keeps its value."""
        laws = []
        for one, (before, rate) in zip(self.inputs, at.values, strict=True):
            asked = wanted.get(one.name, before)
            if not one.is_drive:
                value = asked[0] if isinstance(asked, tuple) else asked
                laws.append(Followed(value, value, 0.0, 0.0, at.t, dt))
                continue
            value, rate_after = (
                asked if isinstance(asked, tuple) else (asked, (asked - before) / dt)
            )
            laws.append(Followed(before, value, rate, rate_after, at.t, dt))
        return laws

    def stretch(
        self, at: Standing, times: FloatArray, laws: Sequence[Followed]
    ) -> tuple[Standing, Stretch]:
        """Where it stands after the last of the times, and the samples at all of them.

        Where it cannot go so far it stays where it was, and the outcome says why.
        """
        corner = interruptions(self._others, float(times[0]), float(times[-1])).corner
        prepared = self.prepared
        for place, law in zip(self._places, laws, strict=True):
            self._parameters[place] = law.numbers
        out = room_for(prepared, len(times))
        end = self._native.run(
            self._parameters,
            at.q,
            at.v,
            at.turns,
            times,
            *(out["q"], out["v"], out["a"], out["lam"], out["energy"], out["violation"]),
            at.states,
            out["states"],
            put_off,
        )
        if self._outside.interrupt is not None:
            put_off(self._outside.interrupt)
        told = run_end(prepared, self._outside, end, ((at.t, named_method(self.method)),))
        outcome = DONE if corner is None else corner.outcome
        outcome = ending(told, len(times), self.tolerance) if outcome.is_done else outcome
        out["energy"][: end.samples, 2:4] += at.work
        made = Stretch(times, out, told, outcome)
        if not outcome.is_done:
            return at, made
        values = tuple((float(law.after), float(law.rate_after)) for law in laws)
        work = (float(out["energy"][-1, 2]), float(out["energy"][-1, 3]))
        q, v, states = (out[name][-1].copy() for name in ("q", "v", "states"))
        return Standing(float(times[-1]), q, v, end.turns, values, work, states), made

    def motion(self, made: Stretch) -> Motion:
        """The motion of the bodies' own origins along a stretch."""
        return motion_of_samples(
            self.prepared,
            made.out,
            made.end,
            made.times,
            self.tolerance,
            made.outcome,
            is_watched=False,
        )

    def copy(self) -> "LiveDynamics":
        """Another one of the same mechanism, with an integrator of its own."""
        other = object.__new__(LiveDynamics)
        other.__dict__.update(self.__dict__)
        other._outside = Outside(self.prepared.callbacks)
        other._parameters = self._parameters.copy()
        other._native = other._integrator()
        return other

    def led_by(self, laws: Sequence[Followed]) -> Layout:
        """The layout of the mechanism with these laws, to read what depends on them."""
        left = iter(laws)
        model = self.layout.model
        drives = tuple(
            replace(d, law=next(left)) if isinstance(d.law, Followed) else d for d in model.drives
        )
        forces = tuple(_led(force, lambda: next(left)) for force in model.forces)
        return Layout(replace(model, drives=drives, forces=forces), self.layout.complete_search)


def _refuse_events(layout: Layout) -> None:
    """A ModelError for what a live simulation does not follow."""
    if layout.model.events:
        raise ModelError(
            f"{layout.model.name!r} has events, which a live simulation does not follow: use"
            " `simulate`, or a Bumper in the place of a stop."
        )
    clocked = [force.name for force in layout.model.forces if force.clock is not None]
    if clocked:
        raise ModelError(
            f"force {clocked[0]!r} of {layout.model.name!r} is asked by a clock, which a live"
            " simulation does not follow: use `simulate`, or ask the controller between steps and"
            " give its answer as an input."
        )
    if layout.n_own:
        raise ModelError(
            f"{layout.model.name!r} has joints on curves, which a live simulation does not follow:"
            " use `simulate`."
        )


def law_fields(force: AbstractForce) -> list[str]:
    """The fields of a force that are laws of time."""
    return [f.name for f in fields(force) if isinstance(getattr(force, f.name), AbstractLaw)]


def _led(force: AbstractForce, law: Callable[[], Followed]) -> AbstractForce:
    names = [n for n in law_fields(force) if isinstance(getattr(force, n), Followed)]
    led: dict[str, Any] = {name: law() for name in names}
    return replace(force, **led) if led else force


def possible_inputs(model: Model) -> list[str]:
    """Names of what values from outside can lead: driven measures, and forces with one law."""
    return [d.gauge.name for d in model.drives] + [
        force.name for force in model.forces if len(law_fields(force)) == 1
    ]


def _with_inputs(
    model: Model, names: Sequence[str]
) -> tuple[Model, tuple[_Input, ...], tuple[Value, ...]]:
    """The model led from outside, its inputs in the order of its drives and forces; values at 0."""
    known = possible_inputs(model)
    for name in names:
        if name not in known:
            raise UnknownName(
                f"{name!r} is no input: drives are, by their measure, and forces with a law of"
                f" time.{nearest_name(name, known)}",
                name=name,
            )
    refuse_rough_start([d for d in model.drives if d.gauge.name in names], 0.0)
    inputs, values = list[_Input](), list[Value]()
    drives, forces = list[Drive](), list[AbstractForce]()
    for drive in model.drives:
        if drive.gauge.name in names:
            value, rate = law_value(drive, 0.0)[0], law_rate(drive.law, 0.0)
            inputs.append(_Input(drive.gauge.name, drive.gauge.unit, is_drive=True))
            values.append((value, rate))
            drive = replace(drive, law=Followed(value, value + rate, rate, rate))
        drives.append(drive)
    for force in model.forces:
        if force.name in names:
            (where,) = law_fields(force)
            value = float(getattr(force, where).value(0.0))
            unit = effort_unit(force.gauge.unit) if isinstance(force, Actuator) else ""
            inputs.append(_Input(force.name, unit, is_drive=False))
            values.append((value, 0.0))
            led: dict[str, Any] = {where: Followed(value, value)}
            force = replace(force, **led)
        forces.append(force)
    led_model = replace(model, drives=tuple(drives), forces=tuple(forces))
    return led_model, tuple(inputs), tuple(values)


def _places(layout: DynamicLayout) -> list[NDArray[np.intp]]:
    """Where the numbers of every followed law lie among the parameters, in the inputs' order.

    A force may bring the numbers of its law more than once: (copies, 6).
    """
    first, found = 0, []
    for part in (*layout.layout.elements, *layout.forces):
        lifted = [x for x in all_numbers(part) if not is_literal(x)]
        mine = first + np.flatnonzero([isinstance(x, Adjustable) for x in lifted])
        if len(mine):
            found.append(mine.reshape(-1, NUMBERS))
        first += len(lifted)
    return found
