"""What a sweep is asked for: how far, in how many steps, driven by what."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import measure_named
from kempe.drives import Drive, Ramp
from kempe.equations import equations_of
from kempe.errors import AssemblyError, BadNumber, DriveError, UnknownName, nearest_name
from kempe.front.requests.start import Started
from kempe.geometry import Pose
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing.placement import Given, Guesses, body_pose
from kempe.kinematics.observe.turn_counting import finer_times
from kempe.kinematics.stepping.newton import Newton
from kempe.kinematics.sweep.quasi_kinematics import quasi_sweep
from kempe.kinematics.sweep.sweep import sweep
from kempe.model import Model
from kempe.readings.part_readings import measured_in_si
from kempe.readings.registry import refuse_unknown_outputs
from kempe.results import Motion
from kempe.results.memory import memory_left
from kempe.results.reports.counts import Spinner, idle_spins
from kempe.units import in_si

FloatArray = NDArray[np.float64]
Over = tuple[str, float | str, float | str]
MOST_STEPS = 50_000_000
MOST_SAID = 10**15  # what is beyond is not written out
FREE = ("refuse", "nearest")


def end_time(until: float | str) -> float:
    """The time (s) at which a run ends; a BadNumber unless it is later than 0."""
    end = in_si(until, "s")
    if not end > 0.0:
        raise BadNumber(f"`until` must be later than 0 s, it is {end:g} s.")
    return end


def sample_times(end: float, steps: int) -> FloatArray:
    """Steps + 1 times (s) from 0 to the end."""
    if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)):
        raise BadNumber(f"`steps` is a whole number, not {steps!r}.")
    if not 1 <= steps <= MOST_STEPS:
        said = steps if abs(steps) < MOST_SAID else "far beyond that"
        raise BadNumber(f"`steps` must be between 1 and {MOST_STEPS}, it is {said}.")
    if not math.isfinite(end):
        raise BadNumber(f"the end time must be finite, it is {end}.")
    times = np.arange(int(steps) + 1, dtype=np.float64)
    times *= end / steps
    times[-1] = end
    return times


# Bytes that any machine has left: to ask how many it has takes longer than a short run.
ALWAYS_FITS = 2**20
# The samples are kept, those of a simulation moved to the bodies' origins meanwhile, and what is
# read of them is kept beside them: up to 3.4 times the samples was measured, of small machines.
COPIES = 4
ENERGIES = 7  # of a simulation: six sums, and by how much the joints gape


def refuse_more_than_fits(layout: Layout, steps: int, *, is_simulated: bool = False) -> None:
    """A BadNumber where samples, and a summary of them, would fill more memory than is left."""
    if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)):
        return
    if steps > MOST_SAID:
        return  # and is refused as it stands
    numbers = 1 + layout.n_q + 2 * layout.n_v + ENERGIES * is_simulated
    numbers += sum(len(e.markers) + len(e.units) for e in layout.elements)
    each = 8 * numbers * COPIES
    needed = each * (int(steps) + 1)
    room = memory_left() if needed > ALWAYS_FITS else None
    if room is not None and needed > room:
        most = min(MOST_STEPS, max(1, room // each - 1))
        raise BadNumber(
            f"`steps` = {steps} of {layout.model.name!r} take {needed / 2**30:.3g} GiB, and this"
            f" machine has {room / 2**30:.3g} GiB left: ask for {most} steps or fewer, or for one"
            " part after the other.",
            steps=int(steps),
            most=most,
        )


def simulation_times(layout: Layout, until: float | str, steps: int) -> FloatArray:
    """The times of a simulation; errors where an output of the model means nothing."""
    model = layout.model
    refuse_unknown_outputs(model, model.outputs, is_simulated=True)
    refuse_more_than_fits(layout, steps, is_simulated=True)
    return sample_times(end_time(until), steps)


def time_so_far(end: float) -> "Callable[[float], tuple[float | None, str]]":
    """What a notebook's bar says of a run until `end` (s) that has come to a time."""
    return lambda t: (t / end if end > 0.0 else None, f"t = {t:.4g} s of {end:.4g} s")


def driven_over(model: Model, over: Over) -> Model:
    """The model with one measure driven evenly between two values in one second."""
    given: Any = over
    if not isinstance(given, (tuple, list)) or len(given) != 3:
        raise BadNumber(
            f"a sweep is given as over=(measure, from, to), not as over={given!r}: write for"
            ' example over=("crank.angle", 0, "360 deg").'
        )
    name, start, stop = given
    gauge = measure_named(model, name, "sweep")
    values = [measured_in_si(model, gauge, x) for x in (start, stop)]
    if values[0] == values[1]:
        raise BadNumber(f"a sweep over {name!r} needs two different ends, both are {start}.")
    law = Ramp(values[0], values[1] - values[0])
    drives = [d for d in model.drives if d.gauge.name != name]
    if len(drives) == len(model.drives) and drives:
        if len(drives) > 1:
            names = (d.gauge.name for d in drives)
            raise UnknownName(f"no drive acts on {name!r}.{nearest_name(name, names)}")
        drives = []  # the one drive gives way to the one that is asked for
    return still_measured(replace(model, drives=(*drives, Drive(gauge, law))), model)


def asked_for(model: Model, until: float | str | None, over: Over | None) -> tuple[Model, float]:
    """The model as it is to be driven, and when the sweep ends (s)."""
    refuse_unknown_outputs(model, model.outputs, is_simulated=False)
    if over is not None:
        if until is not None:
            raise BadNumber("give either `until` or `over`, not both.")
        return driven_over(model, over), 1.0
    if until is None:
        raise BadNumber("how far? Give `until` (seconds) or `over` (measure, from, to).")
    return model, end_time(until)


@final
@dataclass(frozen=True, slots=True)
class SweepSettings:
    """How a sweep is made, as `Mechanism.kinematics` is asked for it."""

    executor: str
    plan: str
    through: str | Sequence[str]  # ways to go on from dead points
    free: str  # "nearest": what no drive holds moves as little as it can; "refuse"
    newton: Newton


def swept_from(
    begun: Started | None, layout: Layout, times: FloatArray, how: SweepSettings
) -> Motion:
    """The motion at the times (s) from a start, that of the model if None; it can be made again."""
    given = None if begun is None else begun.given(layout)
    run = partial(_sweep_as_asked, layout, how=how, given=given)
    motion = replace(run(times), again=Again(run, times))
    if begun is None or not begun.angles:
        return motion
    return replace(motion, angles=begun.undriven(layout, times[0]))


def _sweep_as_asked(
    layout: Layout, times: FloatArray, how: SweepSettings, given: Given | None
) -> Motion:
    """The sweep; with free="nearest" what no drive holds moves as little as it can."""
    free, through, newton = how.free, how.through, how.newton
    if free not in FREE:
        near = nearest_name(free, FREE)
        raise UnknownName(f"free={free!r} is neither 'refuse' nor 'nearest'.{near}", name=free)
    ways: Any = (through,) if isinstance(through, str) else through
    if not isinstance(ways, Sequence) or not all(isinstance(way, str) for way in ways):
        raise BadNumber(f"`through` is 'momentum', 'branch 2' or a list of these, not {through!r}.")
    motion = quasi_sweep(layout, times, given, newton) if free == "nearest" else None
    if motion is not None:
        return motion
    try:
        return sweep(layout, times, how.executor, how.plan, through, given=given, newton=newton)
    except DriveError as error:
        facts: dict[str, Any] = dict(error.facts)
        passive: tuple[Spinner, ...] = facts.get("passive", ())
        if not passive or facts["mobility"] - facts["drives"] != len(passive):
            raise
    motion = quasi_sweep(layout, times, given, newton)
    assert motion is not None, "the spins are not driven"
    said = idle_spins(
        passive, "moves nothing else: it is kept small", "move nothing else: they are kept small"
    )
    note = said[0].lower() + said[1:].rstrip(".")
    return replace(motion, notes=(*motion.notes, note))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Again:
    """A run that can be made once more, at n times as many samples or at any times."""

    run: Callable[..., Motion]  # of times, and of what `simulate` takes beside
    times: FloatArray

    def __call__(self, n: int) -> Motion:
        """The motion with n - 1 samples between any two."""
        return self.run(finer_times(self.times, n))

    def at(self, times: FloatArray) -> Motion:
        """The motion at rising times (m,) in s, the first of which is its start."""
        return self.run(times)


def set_by_hand(layout: Layout, names: tuple[str, ...]) -> tuple[Model, Guesses]:
    """The model with these measures driven and no others, from where they are at the start.

    The poses there come with it, so that it stands on the same branch.
    """
    model = layout.model
    gauges = [measure_named(model, name, "sweep") for name in names]
    q = _start(layout)
    poses = {body.name: body_pose(layout, q, body.name) for body in model.moving}
    laws = {drive.gauge.name: drive.law for drive in model.drives}
    drives = []
    for gauge in gauges:
        X = [poses.get(m.body, Pose.identity()) @ m.pose for m in (gauge.I, gauge.J)]
        law = laws.get(gauge.name) or Ramp(gauge.measure.number(*X))
        drives.append(Drive(gauge, law))
    return still_measured(replace(model, drives=tuple(drives)), model), Guesses(poses)


def still_measured(model: Model, before: Model) -> Model:
    """The model with the measures that drives of it had `before`, so that they can be read."""
    known = {gauge.name for gauge in model.gauges} | {d.gauge.name for d in model.drives}
    lost = tuple(d.gauge for d in before.drives if d.gauge.name not in known)
    return replace(model, gauges=(*model.gauges, *lost)) if lost else model


def _start(layout: Layout) -> FloatArray:
    """Where the mechanism starts; as its joints alone allow, where its drives fight each other."""
    try:
        return assemble(equations_of(layout), 0.0).q
    except AssemblyError:
        bare = Layout(replace(layout.model, drives=()))
        return assemble(equations_of(bare), 0.0).q
