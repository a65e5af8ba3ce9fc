"""The simulation: motion under forces, with the reactions and energies at every sample."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.dynamic_layout import (
    accelerations_at_origins,
    to_origins,
    velocities_at_origins,
)
from kempe.compile.layout.layout import Layout
from kempe.dynamics.curve_riders import Riding, dismounted, riding
from kempe.dynamics.ending import Halt, RunEnd, ending, locked
from kempe.dynamics.energy_check import broken_promise, imbalance, promise_broken, unbalanced
from kempe.dynamics.events.event_run import EventRun, first_mode
from kempe.dynamics.events.modes import Mode, Modes
from kempe.dynamics.events.touches import told_switches, touches
from kempe.dynamics.events.watches import Expressions
from kempe.dynamics.fixed_step import FixedStep
from kempe.dynamics.gear import Gear
from kempe.dynamics.law_corners import interruptions
from kempe.dynamics.not_finite import force_without_value
from kempe.dynamics.preparation.callback_numbers import Outside
from kempe.dynamics.preparation.preparation import NO_TURNS, Angles, PreparedDynamics, prepare
from kempe.dynamics.preparation.sampled_states import Sampling
from kempe.errors import BadNumber
from kempe.geometry.number import finite
from kempe.interruption import put_off
from kempe.kinematics.closing.placement import Given
from kempe.kinematics.laws.drive_laws import refuse_rough_start
from kempe.kinematics.reactions.loads import frictions_of
from kempe.model import Model
from kempe.outcome import Outcome
from kempe.results import Event, Motion, Recipe

FloatArray = NDArray[np.float64]
Progress = Callable[[float], None]
Leg = tuple[dict[str, FloatArray], "core.IntegratorEnd", RunEnd]

Method = str | Gear | FixedStep

METHODS = ("auto", "dop853", "tsit5", "rodas5p", "gear", "fixed")
# From this tolerance on the method of order 5 needs fewer evaluations than the one of order 8.
LOOSE = 1e-2
NEAR = 1e-6  # s, or of the time: joints that jam as soon after the end of a run have ended it
LEFT = 1e-6  # of a body's first mass: with less of it a run has ended because it was used up
RAISED = 1e4  # times what joints carry without friction: it grows beyond all bounds
NO_STOPS = np.zeros(0)
NO_EXPRESSIONS = Expressions()
COUNTS = ("evaluations", "steps", "rejected", "switched", "damped", "projections", "jacobians")


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
) -> Motion:
    """Samples at the given times (s, rising) of the motion that the forces make.

    It starts at the assembly nearest to the `given` poses, the model's first guesses if omitted;
    joints in space may have turned, to the angles of `angles`, which poses do not show. `states`
    (states,) are those of the model's forces; omitted, those that the forces start with.

    `expressions` are those of the model's events, in their order; `acted` are the names of latches,
    releases and switches that have acted before the start, the last one last.

    Index-1 equations of motion, explicit Runge-Kutta steps on the manifold of the coordinates,
    positions and velocities projected by mass after every step.

    Source: [HairerNorsettWanner] for the methods, [MuntheKaas] for the manifold; projection: Own.
    """
    method, tolerance = _checked_method(method, times), _checked_tolerance(tolerance)
    if layout.n_own:
        carried = riding(layout, float(times[0]), given)
        moved = simulate(
            carried.layout,
            times,
            method=method,
            tolerance=tolerance,
            executor=executor,
            plan=plan,
            progress=progress,
            angles=angles,
            states=states,
            expressions=seen_without_riders(expressions, layout, carried),
            acted=acted,
        )
        return dismounted(layout, carried, moved)
    if layout.model.events or any(f.sticks for f in frictions_of(layout.model)):
        begun = first_mode(layout, float(times[0]), executor, plan, given, angles, acted)
        forces = layout.model.forces
        first = np.array([z for f in forces for z in f.first_states], dtype=np.float64)
        first = first if states is None else states
        return _with_events(
            layout, times, begun, expressions, method, tolerance, progress, first, acted
        )
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


def _without_events(
    prepared: PreparedDynamics,
    model: Model,
    times: FloatArray,
    method: Method,
    tolerance: float,
    progress: Progress | None,
) -> Motion:
    """The motion of a model without events, up to where a drive jumps."""
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
    is_watched = not _is_fixed(method)  # else nobody promised a tolerance
    if outcome.is_done and prepared.is_locked:
        outcome = locked(model.name)
    elif outcome.is_done and corner is not None:
        outcome = corner.outcome
    return motion_of_samples(prepared, out, end, asked, tolerance, outcome, is_watched=is_watched)


def seen_without_riders(expressions: Expressions, layout: Layout, carried: Riding) -> Expressions:
    """Expressions that read the motion of a layout as it is without its riders."""
    read = expressions.read
    if read is None:
        return expressions
    return replace(expressions, read=lambda motion: read(dismounted(layout, carried, motion)))


def _with_events(
    layout: Layout,
    times: FloatArray,
    begun: tuple[Modes, Mode, PreparedDynamics],
    expressions: Expressions,
    method: Method,
    tolerance: float,
    progress: Progress | None,
    states: FloatArray,
    acted: tuple[str, ...],
) -> Motion:
    """The motion of a model with events, from its first mode on."""
    prepared = begun[2]

    sampling = Sampling(float(times[0]))

    def leg(prepared: PreparedDynamics, times: FloatArray, **given: Any) -> Leg:
        return watched(prepared, times, method, tolerance, progress, sampling=sampling, **given)

    called = method if isinstance(method, str) else named_method(method)
    run = EventRun(layout, times, expressions, begun, leg, called, states, acted)
    rows, end, outcome = run.motion()
    if outcome is None:
        asked = len(times) if run.joined.n == len(times) else -1
        outcome = ending(replace(end, samples=run.joined.n), asked, tolerance)
        corner = run.corner_outcome()
        if end.halt is Halt.none and asked < 0 and corner is not None:
            outcome = corner
    told = replace(end, samples=run.joined.n, counts=run.joined.counts)
    is_watched = not _is_fixed(method)
    times = rows["t"]
    return motion_of_samples(
        prepared, rows, told, times, tolerance, outcome, run, is_watched=is_watched
    )


def _is_fixed(method: Method) -> bool:
    """Whether steps have one length, whatever they err by."""
    return isinstance(method, FixedStep) or (isinstance(method, Gear) and bool(method.step))


def named_method(method: Method) -> str:
    """The name by which the core knows a method, "auto" for the usual one."""
    if isinstance(method, FixedStep):
        return method.method
    return method if isinstance(method, str) else "gear"


def implicit_steps(prepared: PreparedDynamics, method: Method) -> "core.ImplicitSteps | None":
    """How implicit steps are made; None where none shall be."""
    if method in ("dop853", "tsit5"):
        return None
    program = prepared.equations.program
    free = core.FixedSteps(step=0.0, most_error=0.0)
    return core.ImplicitSteps(
        lambda: program.derivatives,
        program.shape.jacobian_rows,
        program.shape.jacobian_columns,
        (method if isinstance(method, Gear) else Gear()).settings,
        method.settings if isinstance(method, FixedStep) else free,
    )


def limits_of(prepared: PreparedDynamics, tolerance: float, **more: Any) -> "core.IntegratorLimits":
    """What a run of a model holds its steps to."""
    layout, shape = prepared.equations.layout, prepared.equations.program.shape
    return core.IntegratorLimits(
        tolerance=tolerance,
        length=layout.layout.size,
        mass=float(layout.mass_blocks[:, 0, 0].sum()),
        rows=prepared.equations.row_weights,
        guards=shape.guards,
        guard_sides=shape.guard_sides,
        clocks=shape.clocks,
        told=told_switches(shape.told),
        **more,
    )


def room_for(prepared: PreparedDynamics, count: int) -> dict[str, FloatArray]:
    """Arrays for samples of the centres of mass."""
    shape = prepared.equations.program.shape
    widths = {"q": shape.n_q, "v": shape.n_v, "a": shape.n_v, "lam": prepared.n_rows, "energy": 6}
    widths |= {"violation": 1, "states": len(shape.states)}
    return {name: np.empty((count, width)) for name, width in widths.items()}


def integrated(
    prepared: PreparedDynamics,
    times: FloatArray,
    method: Method,
    tolerance: float,
    progress: Progress | None,
    stops: FloatArray = NO_STOPS,
) -> tuple[dict[str, FloatArray], RunEnd]:
    """Samples of the centres of mass from the start, and how the run ended.

    Steps end at the `stops` of drives, pairs of neighbouring times.
    """
    out, _, run = watched(prepared, times, method, tolerance, progress, stops)
    return out, run


def watched(
    prepared: PreparedDynamics,
    times: FloatArray,
    method: Method,
    tolerance: float,
    progress: Progress | None = None,
    stops: FloatArray = NO_STOPS,
    watches: "core.WatchList | None" = None,
    pace: "core.Pace | None" = None,
    sampling: Sampling | None = None,
) -> tuple[dict[str, FloatArray], "core.IntegratorEnd", RunEnd]:
    """Samples until a watch is met: where that was, and what another run begins with there.

    `sampling` has the clocks of controllers, which go on from one run to the next.
    """
    sampling = sampling or Sampling(float(times[0]))
    states = prepared.start.states
    is_sampled = bool(prepared.clocked) and len(times) > 1
    if is_sampled:
        stops = sampling.begin(prepared.clocked, times, stops)
        start = prepared.start
        states = sampling.states(start.q, start.v, float(times[0]), start.turns, states)
    layout, explicit = prepared.equations.layout, "tsit5" if tolerance >= LOOSE else "dop853"
    named = named_method(method)
    first = explicit if named == "auto" else named
    implicit = first if named in ("gear", "rodas3") else "rodas5p"
    out = room_for(prepared, len(times))
    limits = limits_of(
        prepared,
        tolerance,
        stops=stops,
        watches=watches,
        pace=pace or core.Pace(),
        sampled=sampling if is_sampled else None,
    )
    outside = Outside(prepared.callbacks)
    outside.answers(prepared.start.q, prepared.start.v, float(times[0]), prepared.start.turns)
    end = prepared.system(outside).integrate(
        layout.parameters,
        layout.mass_blocks.reshape(-1),
        prepared.start.q,
        prepared.start.v,
        prepared.start.turns,
        times,
        layout.model.plane,
        first,
        limits,
        *(out["q"], out["v"], out["a"], out["lam"], out["energy"], out["violation"]),
        states,
        out["states"],
        progress,
        put_off,
        implicit_steps(prepared, method),
    )
    outside.heed(sampling.trouble, sampling.interrupt)
    if outside.interrupt is not None:
        put_off(outside.interrupt)
    changes = [(t, implicit if is_implicit else explicit) for t, is_implicit in end.methods]
    methods = tuple(changes) or ((float(times[0]), first),)
    return out, end, run_end(prepared, outside, end, methods)


def run_end(
    prepared: PreparedDynamics,
    outside: Outside,
    end: "core.IntegratorEnd",
    methods: tuple[tuple[float, str], ...],
) -> RunEnd:
    """How a run ended, with the names of those who have to do with it."""
    shape, layout = prepared.equations.program.shape, prepared.equations.layout
    slides = end.halt is Halt.sliding
    return RunEnd(
        end.samples,
        outside.reason(end.halt),
        end.t,
        {name: getattr(end.counts, name) for name in COUNTS},
        end.stiff,
        end.steps_left,
        end.bytes,
        forces=bool(layout.forces),
        redundant=shape.n_spare > 0,
        spare_drives=prepared.equations.spare_drives,
        drives=tuple(drive.gauge.name for drive in layout.model.drives),
        sliding=layout.forces[shape.switch_forces[end.sliding_switch]].name if slides else "",
        trouble=outside.trouble,
        doubt=outside.doubt,
        valueless=_valueless(prepared, end),
        jammed=_jammed(prepared, outside, end.t),
        spent=_spent(prepared, end),
        methods=methods,
        touches=touches(layout, shape.told, end.changes),
        largest_error=end.largest_error,
    )


def _valueless(prepared: PreparedDynamics, end: "core.IntegratorEnd") -> str:
    """Which force has no finite value where a run ended before its first sample, in words."""
    if end.halt is not Halt.diverged or end.samples:
        return ""
    start = prepared.start
    return force_without_value(prepared.equations, start.q, start.v, end.t, start.turns)


def _spent(prepared: PreparedDynamics, end: "core.IntegratorEnd") -> tuple[str, ...]:
    """The bodies that have no mass left where a run did not go on."""
    layout = prepared.equations.layout
    if end.halt is Halt.none or not layout.flows:
        return ()
    left = layout.mass_blocks_at(np.asarray(end.states))[:, 0, 0]
    moving = zip(layout.layout.model.moving, left, layout.mass_blocks[:, 0, 0], strict=True)
    return tuple(body.name for body, now, first in moving if now < LEFT * first)


def _jammed(prepared: PreparedDynamics, outside: Outside, t: float) -> tuple[str, ...]:
    """The frictions of joints that slide, where no loads were found for them near the end t."""
    loads, rubbing = prepared.loads, outside.rubbing
    if loads is None or rubbing is None:
        return ()
    if not abs(rubbing.jammed_at - t) < NEAR * max(1.0, abs(t)) and not rubbing.raised > RAISED:
        return ()
    return tuple(f.name for f, way in zip(loads.frictions, loads.ways, strict=True) if way)


def motion_of_samples(
    prepared: PreparedDynamics,
    out: dict[str, FloatArray],
    end: RunEnd,
    times: FloatArray,
    tolerance: float,
    outcome: Outcome,
    events: EventRun | None = None,
    *,
    is_watched: bool = True,
) -> Motion:
    """The motion of samples of the centres of mass, as far as the run came."""
    done, model = end.samples, prepared.equations.layout.model
    program = prepared.equations.program
    audit = _audited(prepared, out, end, times, tolerance, is_watched=is_watched)
    if audit is not None:
        done, outcome = audit
    q, v, a = (out[name][:done] for name in ("q", "v", "a"))
    if prepared.uneven.any() and events is None:
        a = _closed_accelerations(prepared, q, v, a, times[:done])
    rubbed = gripped = np.zeros((0, 0))
    if events is None:
        multipliers = np.zeros((done, prepared.n_rows))
        multipliers[:, prepared.row_order] = -out["lam"][:done]
        if prepared.loads is not None:
            rubbed = prepared.loads.rubbed(model, q, out["lam"][:done])
            gripped = np.zeros_like(rubbed)
    else:
        multipliers = out["multipliers"][:done]
        rubbed, gripped = out["rubbed"][:done], out["gripped"][:done]
    kinetic, potential, dissipated, driven = out["energy"][:done, :4].T.copy()
    return Motion(
        t=times[:done].copy(),
        q=to_origins(model, q),
        v=velocities_at_origins(model, q, v),
        a=accelerations_at_origins(model, q, v, a),
        outcome=outcome,
        counts=end.counts,
        recipe=Recipe(
            program.executor,
            program.plan,
            {"tolerance": tolerance},
            end.methods[0][1],
            end.methods,
        ),
        redundant=program.shape.redundant(prepared.equations.layout.layout.elements),
        notes=(*prepared.moved, *prepared.changes, *_told_errors(end)),
        angles=dict(prepared.start.angles),
        multipliers=multipliers,
        kinetic=kinetic,
        potential=potential,
        dissipated=dissipated,
        violation=out["violation"][:done, 0] * prepared.equations.layout.layout.size,
        driven=driven,
        held=np.zeros((0, 0)) if events is None else out["held"][:done],
        rubbed=rubbed,
        gripped=gripped,
        acted=() if events is None else events.acted,
        events=_in_order((*end.touches, *(() if events is None else events.events))),
        states=out["states"][:done].copy(),
    )


def _audited(
    prepared: PreparedDynamics,
    out: dict[str, FloatArray],
    end: RunEnd,
    times: FloatArray,
    tolerance: float,
    *,
    is_watched: bool,
) -> tuple[int, Outcome] | None:
    """How many samples come before energies go wrong, and the outcome; None where they do not."""
    model = prepared.equations.layout.model
    energy, largest, pushed = np.split(out["energy"][: end.samples], [4, 5], axis=1)
    told = (energy, end.counts["steps"], tolerance, largest[:, 0], pushed[:, 0])
    wrong = imbalance(*told) if is_watched else None
    if wrong is not None:
        wrong = imbalance(*told, _held_energy(prepared, float(times[0])))
    until = end.samples if wrong is None else wrong.sample + 1
    broken = broken_promise(prepared.equations.layout, out["q"][:until], times[:until])
    if broken is not None:
        return broken.sample, promise_broken(broken, float(times[broken.sample]))
    if wrong is None:
        return None
    suspects = [*(f.name for f in model.forces), *(d.gauge.name for d in model.drives)]
    t = float(times[wrong.sample])
    return wrong.sample, unbalanced(wrong, t, tolerance, end.counts["damped"], suspects)


def _in_order(events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(sorted(events, key=lambda e: e.t))


def _told_errors(end: RunEnd) -> tuple[str, ...]:
    """What steps of one length erred by at most, in words; nothing where errors were followed."""
    if not end.largest_error:
        return ()
    return (
        f"the largest error of a step of one length is estimated to be {end.largest_error:.1e}:"
        " lengths beside the machine's, angles in rad, velocities beside the largest",
    )


def _closed_accelerations(
    prepared: PreparedDynamics, q: FloatArray, v: FloatArray, a: FloatArray, t: FloatArray
) -> FloatArray:
    """Accelerations a (n, n_v) of the centres of mass that fit the rows, where those are uneven.

    A screw of a small lead, say, all but holds what pushes along it: of the difference, which the
    nut's acceleration is, digits are lost that the acceleration of its turning has.
    """
    equations = prepared.equations
    states = [
        replace(prepared.start, t=float(at), q=place, v=rate)
        for at, place, rate in zip(t, q, v, strict=True)
    ]
    looks = [states[len(states) // 2], states[-1]] if states else []
    always = [prepared.uneven, *(equations.uneven_rows(state) for state in looks)]
    if not np.all(always, axis=0).any():  # only in passing
        return a
    return equations.closed_accelerations(states, a)


def _held_energy(prepared: PreparedDynamics, t: float) -> float:
    """What the loads at the start would make over the length of the machine (J)."""
    if prepared.callbacks:  # whoever gives numbers is asked along the run alone
        return 0.0
    load = prepared.terms(prepared.start.q, prepared.start.v, t).load
    return float(np.abs(load / prepared.equations.layout.layout.step_weights).sum())
