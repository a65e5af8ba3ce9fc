"""The simulation: motion under forces, with the reactions and energies at every sample."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.dynamics.curve_riders import (
    Riding,
    dismounted,
    riding,
    stopped_at_an_end,
    unridden,
)
from kempe.dynamics.ending import Halt, RunEnd, ending, locked
from kempe.dynamics.events.event_run import EventRun, first_mode
from kempe.dynamics.events.modes import Mode, Modes
from kempe.dynamics.events.passages import Passage
from kempe.dynamics.events.watches import Expressions
from kempe.dynamics.fixed_step import FixedStep
from kempe.dynamics.gear import Gear
from kempe.dynamics.integration import (
    NO_STOPS,
    FloatArray,
    Leg,
    Method,
    Progress,
    integrated,
    is_fixed,
    named_method,
    watched,
)
from kempe.dynamics.law_corners import interruptions
from kempe.dynamics.preparation.preparation import NO_TURNS, Angles, PreparedDynamics, prepare
from kempe.dynamics.preparation.sampled_states import Sampling
from kempe.dynamics.sampled_motion import motion_of_samples
from kempe.errors import BadNumber
from kempe.geometry.number import finite
from kempe.kinematics.closing.placement import Given
from kempe.kinematics.laws.drive_laws import refuse_rough_start
from kempe.kinematics.reactions.loads import frictions_of
from kempe.model import Model
from kempe.results import Motion

METHODS = ("auto", "dop853", "tsit5", "rodas5p", "gear", "fixed")
NO_EXPRESSIONS = Expressions()


def simulate(
    layout: Layout,
    times: FloatArray,
    *,
    method: Method = "auto",
    tolerance: float = 1e-8,
    executor: str = "auto",
    plan: str = "auto",
    progress: Progress | None = None,
    given: Given | None = None,
    angles: Angles = NO_TURNS,
    states: FloatArray | None = None,
    expressions: Expressions = NO_EXPRESSIONS,
    acted: tuple[str, ...] = (),
    passages: list[Passage] | None = None,
) -> Motion:
    """Samples at the given times (s, rising) of the motion that the forces make.

    It starts at the assembly nearest to the `given` poses, the model's first guesses if omitted;
    joints in space may have turned, to the angles of `angles`, which poses do not show. `states`
    (states,) are those of the model's forces; omitted, those that the forces start with.

    `expressions` are those of the model's events, in their order; `acted` are the names of latches,
    releases and switches that have acted before the start, the last one last. Into `passages` goes
    how a run with events went from leg to leg.

    Index-1 equations of motion, explicit Runge-Kutta steps on the manifold of the coordinates,
    positions and velocities projected by mass after every step.

    Source: [HairerNorsettWanner] for the methods, [MuntheKaas] for the manifold; projection: Own.
    """
    method, tolerance = _checked_method(method, times), _checked_tolerance(tolerance)
    prepared = partial(
        _moved,
        method=method,
        tolerance=tolerance,
        executor=executor,
        plan=plan,
        progress=progress,
        angles=angles,
        states=states,
        acted=acted,
        passages=passages,
    )
    if not layout.n_own:
        return prepared(layout, times, given=given, expressions=expressions)[0]
    carried = riding(layout, float(times[0]), given)
    read = seen_without_riders(expressions, layout, carried)
    moved, end = prepared(carried.layout, times, given=None, expressions=read)
    moved = stopped_at_an_end(layout, carried, moved, end)
    return dismounted(layout, carried, moved, end.strays)


def _moved(
    layout: Layout,
    times: FloatArray,
    *,
    method: Method,
    tolerance: float,
    executor: str,
    plan: str,
    progress: Progress | None,
    given: Given | None,
    angles: Angles,
    states: FloatArray | None,
    expressions: Expressions,
    acted: tuple[str, ...],
    passages: list[Passage] | None,
) -> tuple[Motion, RunEnd]:
    """The motion of a layout without unknowns of its own, and how its run ended.

    Arguments are those of `simulate`.
    """
    sticking = [f for f in frictions_of(layout.model) if f.sticks]
    if layout.model.events or sticking:
        begun = first_mode(layout, float(times[0]), executor, plan, given, angles, acted)
        run = event_run(
            layout, times, begun, expressions, method, tolerance, progress, states, acted
        )
        if passages is not None:
            passages.clear()
            run.passages = passages
        return _with_events(run, times, method, tolerance)
    prepared = prepare(layout, float(times[0]), executor, plan, given, angles)
    if states is not None:
        prepared = replace(prepared, start=replace(prepared.start, states=states))
    return _without_events(prepared, layout.model, times, method, tolerance, progress)


def _checked_method(method: Method, times: FloatArray) -> Method:
    """The method, steps of one length fitted between the times (s); a BadNumber for no method."""
    if not isinstance(method, (Gear, FixedStep)) and method not in METHODS:
        raise BadNumber(f"there is no method {method!r}: use one of {', '.join(METHODS)}.")
    if method == "fixed":
        method = FixedStep()
    return method.between(times) if isinstance(method, FixedStep) else method


def _checked_tolerance(tolerance: float) -> float:
    """The tolerance as a float; a BadNumber where no method keeps to it."""
    tolerance = finite(tolerance, "the tolerance")
    if not 1e-13 <= tolerance <= 0.1:
        raise BadNumber(f"the tolerance must lie between 1e-13 and 0.1, it is {tolerance:g}.")
    return tolerance


def checked(method: Method, tolerance: float, times: FloatArray) -> tuple[Method, float]:
    """A method and a tolerance that simulations take; a BadNumber where there are none such."""
    return _checked_method(method, times), _checked_tolerance(tolerance)


def simulate_prepared(
    prepared: PreparedDynamics,
    model: Model,
    times: FloatArray,
    method: Method,
    tolerance: float,
    progress: Progress | None = None,
) -> Motion:
    """The motion of a model without events from where it stands, up to where a drive jumps."""
    return _without_events(prepared, model, times, method, tolerance, progress)[0]


def _without_events(
    prepared: PreparedDynamics,
    model: Model,
    times: FloatArray,
    method: Method,
    tolerance: float,
    progress: Progress | None,
) -> tuple[Motion, RunEnd]:
    """The motion of a model without events, and how its run ended."""
    asked, corner, stops = times, None, NO_STOPS
    if prepared.is_locked:
        asked = times[:1]
    else:
        met = interruptions(model.drives, float(times[0]), float(times[-1]))
        corner, stops = met.corner, met.stops
        asked = times if corner is None else times[times <= corner.t]
    out, end = integrated(prepared, asked, method, tolerance, progress, stops)
    if not end.samples:
        refuse_rough_start(model.drives, float(times[0]))
    outcome = ending(end, len(asked), tolerance)
    is_watched = not is_fixed(method)  # else nobody promised a tolerance
    if outcome.is_done and prepared.is_locked:
        outcome = locked(model.name)
    elif outcome.is_done and corner is not None:
        outcome = corner.outcome
    motion = motion_of_samples(prepared, out, end, asked, tolerance, outcome, is_watched=is_watched)
    return motion, end


def seen_without_riders(expressions: Expressions, layout: Layout, carried: Riding) -> Expressions:
    """Expressions that read the motion of a layout as it is without its riders."""
    read = expressions.read
    if read is None:
        return expressions
    return replace(expressions, read=lambda motion: read(unridden(layout, carried, motion)))


def event_run(
    layout: Layout,
    times: FloatArray,
    begun: tuple[Modes, Mode, PreparedDynamics],
    expressions: Expressions,
    method: Method,
    tolerance: float,
    progress: Progress | None = None,
    states: FloatArray | None = None,
    acted: tuple[str, ...] = (),
) -> EventRun:
    """The run of a model with events from its first mode on, ready to be run.

    Arguments are those of `simulate`; `begun` is its first mode.
    """
    sampling = Sampling(float(times[0]))

    def leg(prepared: PreparedDynamics, times: FloatArray, **given: Any) -> Leg:
        return watched(prepared, times, method, tolerance, progress, sampling=sampling, **given)

    called = method if isinstance(method, str) else named_method(method)
    if states is None:
        first = [z for force in layout.model.forces for z in force.first_states]
        states = np.array(first, dtype=np.float64)
    return EventRun(layout, times, expressions, begun, leg, called, states, acted)


def _with_events(
    run: EventRun, times: FloatArray, method: Method, tolerance: float
) -> tuple[Motion, RunEnd]:
    """The motion of a run with events, and how that ended."""
    prepared = run.first
    rows, end, outcome = run.motion()
    if outcome is None:
        asked = len(times) if run.joined.n == len(times) else -1
        outcome = ending(replace(end, samples=run.joined.n), asked, tolerance)
        corner = run.corner_outcome()
        if end.halt is Halt.none and asked < 0 and corner is not None:
            outcome = corner
    told = replace(end, samples=run.joined.n, counts=run.joined.counts or end.counts)
    is_watched = not is_fixed(method)
    times = rows["t"]
    motion = motion_of_samples(
        prepared, rows, told, times, tolerance, outcome, run, is_watched=is_watched
    )
    return motion, told
