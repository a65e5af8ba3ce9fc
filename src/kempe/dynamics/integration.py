"""Runs of the integrator over the samples of a motion, and how each of them ended."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.dynamics.curve_riders import Followed, followed_riders, last_ways, strays_of
from kempe.dynamics.ending import EXPLICIT, Halt, RunEnd
from kempe.dynamics.events.touches import told_switches, touches
from kempe.dynamics.fixed_step import FixedStep
from kempe.dynamics.gear import Gear
from kempe.dynamics.not_finite import force_without_value
from kempe.dynamics.preparation.callback_numbers import Outside
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.dynamics.preparation.sampled_states import Sampling
from kempe.interruption import put_off
from kempe.kinematics.reactions.loads import frictions_of

FloatArray = NDArray[np.float64]
Progress = Callable[[float], None]
Leg = tuple[dict[str, FloatArray], "core.IntegratorEnd", RunEnd]

Method = str | Gear | FixedStep

# From this tolerance on the method of order 5 needs fewer evaluations than the one of order 8.
LOOSE = 1e-2
NEAR = 1e-6  # s, or of the time: joints that jam as soon after the end of a run have ended it
LEFT = 1e-6  # of a body's first mass: with less of it a run has ended because it was used up
RAISED = 1e4  # times what joints carry without friction: it grows beyond all bounds
NO_STOPS = np.zeros(0)
COUNTS = ("evaluations", "steps", "rejected", "switched", "damped", "projections", "jacobians")


def is_fixed(method: Method) -> bool:
    """Whether steps have one length, whatever they err by."""
    return isinstance(method, FixedStep) or (isinstance(method, Gear) and bool(method.step))


def named_method(method: Method) -> str:
    """The name by which the core knows a method, "auto" for the usual one."""
    if isinstance(method, FixedStep):
        return method.method
    return method if isinstance(method, str) else "gear"


def implicit_steps(prepared: PreparedDynamics, method: Method) -> "core.ImplicitSteps | None":
    """How implicit steps are made; None where none shall be.

    Balls and feet that stick slip at first as slowly as one likes, and friction then turns with the
    least error of their slip: that is stiff, and no explicit method would notice in its errors.
    """
    model = prepared.equations.layout.model
    if method in EXPLICIT and not any(f.surface and f.sticks for f in frictions_of(model)):
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
        mass=layout.mass,
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
    explicit = named if named in EXPLICIT else explicit
    first = explicit if named == "auto" else named
    implicit = first if named in ("gear", "rodas3") else "rodas5p"
    out = room_for(prepared, len(times))
    followed = followed_riders(layout.layout)
    limits = limits_of(
        prepared,
        tolerance,
        **({"followed": [one.native for one in followed]} if followed else {}),
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
    return out, end, run_end(prepared, outside, end, methods, followed)


def run_end(
    prepared: PreparedDynamics,
    outside: Outside,
    end: "core.IntegratorEnd",
    methods: tuple[tuple[float, str], ...],
    followed: Sequence[Followed] = (),
) -> RunEnd:
    """How a run ended, with the names of those who have to do with it."""
    shape, layout = prepared.equations.program.shape, prepared.equations.layout
    counts = end.counts
    slides = end.halt is Halt.sliding
    return RunEnd(
        end.samples,
        outside.reason(end.halt),
        end.t,
        {name: getattr(counts, name) for name in COUNTS},
        end.stiff,
        end.steps_left,
        end.bytes,
        forces=bool(layout.model.forces),  # a weight is never stiff
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
        law_changes=tuple(end.law_changes),
        strays=strays_of(followed, end.strays) if followed else (),
        ways=last_ways(followed, end.last_looks) if followed else {},
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
