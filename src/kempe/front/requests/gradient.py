"""What a gradient is asked for: of which motion, by which parameters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber
from kempe.front.requests.batch import is_smooth
from kempe.front.requests.events import expressions_of, with_events
from kempe.front.requests.every_assembly import searchable
from kempe.front.requests.start import Start, Started, started
from kempe.front.requests.sweep import (
    Again,
    Over,
    asked_for,
    driven_over,
    sample_times,
    simulation_times,
)
from kempe.gradients.asking import Gradient, gradient_of
from kempe.gradients.build_map import BuildMap, numeric, value_of
from kempe.gradients.functions import Function
from kempe.gradients.objective import Objective
from kempe.gradients.path_error import PathError
from kempe.gradients.reading_slopes import Moved
from kempe.kinematics.closing.placement import Guesses, body_pose, given_of
from kempe.kinematics.stepping.preparation import prepare
from kempe.kinematics.sweep.sweep import sweep
from kempe.model import Model
from kempe.readings.source import ComputedSource
from kempe.results import Motion

if TYPE_CHECKING:
    from kempe.dynamics.events.event_run import EventRun
    from kempe.dynamics.events.passages import Passage
    from kempe.dynamics.preparation.preparation import PreparedDynamics
    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]


def _itself(layout: Layout) -> Layout:
    return layout


@final
@dataclass(frozen=True, slots=True, eq=False)
class MadeBy:
    """The mechanism that a motion is of, and how its model was changed before it ran."""

    mechanism: "Mechanism"
    over: Over | None = None
    # Of a simulation: the layout that ran, and how it began, of the mechanism's layout.
    ran: Callable[[Layout], Layout] = _itself
    prepare: "Callable[[Layout], PreparedDynamics] | None" = None
    events: "Happening | None" = None  # of a simulation with events
    known: dict[tuple[str, ...], Moved] = field(default_factory=dict)  # by parameters

    def model(self, values: Mapping[str, Any]) -> Model:
        """The model that ran, for other values of some parameters."""
        model = self.mechanism.with_parameters(values).model
        return model if self.over is None else driven_over(model, self.over)

    def layout(self, values: Mapping[str, float]) -> Layout:
        """The layout of that model."""
        return self.ran(Layout(self.model(values)))

    def gradient(
        self, source: ComputedSource, of: str | Function, by: str | Sequence[str] | None
    ) -> Gradient:
        """The gradient that `Trajectory.gradient` is asked for."""
        parameters = self.mechanism.parameters
        build = BuildMap(self.layout, parameters, named(by, parameters))
        return gradient_of(source, of, build, self.followed)

    def followed(self, layout: Layout, motion: Motion, build: BuildMap) -> Moved:
        """How the simulated motion follows from parameters, once for all readings."""
        from kempe.gradients.event_jumps import EventCourse
        from kempe.gradients.legs import Course, SmoothCourse
        from kempe.gradients.simulated import Simulated, refuse_unknown

        assert self.prepare is not None
        if build.names not in self.known:
            refuse_unknown(layout, motion)
            course: Course
            if self.events is None:
                home = self.prepare(layout)
                course = SmoothCourse(layout, motion, build, home, self.prepare)
            else:
                course = EventCourse(motion, build, self.events.begin, self.events.passages)
            self.known[build.names] = Simulated(layout, motion, build, course)
        return self.known[build.names]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Happening:
    """What happened in a simulation, and how a variant's begins."""

    begin: "Callable[[Layout], EventRun]"
    passages: "list[Passage]"


def made_by_simulation(
    mechanism: "Mechanism",
    begun: Started | None,
    events: Sequence[Any],
    t: float,
    passages: "list[Passage] | None" = None,
) -> MadeBy:
    """How a simulation that began at time t (s) was made, with events of its own."""

    def ran(layout: Layout) -> Layout:
        return with_events(layout, events)

    def start(layout: Layout) -> "PreparedDynamics":
        from kempe.dynamics.preparation.preparation import prepare

        if begun is None:
            return prepare(layout, t)
        told = begun.told(layout, t)
        found = prepare(begun.moving(layout), t, given=told["given"], angles=told["angles"])
        states = told["states"]
        if states is None:
            return found
        return replace(found, start=replace(found.start, states=states))

    def begin(layout: Layout) -> "EventRun":
        from kempe.dynamics.events.event_run import first_mode
        from kempe.dynamics.simulation import event_run

        told: dict[str, Any] = {"given": None, "angles": {}, "states": None, "acted": ()}
        moving = layout
        if begun is not None:
            told, moving = begun.told(layout, t), begun.moving(layout)
        first = first_mode(moving, t, "auto", "auto", told["given"], told["angles"], told["acted"])
        expressions, times = expressions_of(layout), np.array([t])
        return event_run(
            moving, times, first, expressions, "auto", 1e-8, None, told["states"], told["acted"]
        )

    happening = Happening(begin, passages) if passages else None
    return MadeBy(mechanism, None, ran, start, happening)


def named(by: str | Sequence[str] | None, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """The parameters by which is differentiated: all numbers if none are said."""
    if by is None:
        by = numeric(parameters)
    names = (by,) if isinstance(by, str) else tuple(by)
    for name in names:
        if not isinstance(name, str):
            raise BadNumber(f"a parameter is named by a text, not by {name!r}.")
        value_of(name, parameters)
    if not names:
        value_of("", parameters)
    return tuple(dict.fromkeys(names))


def objective_asked(
    mechanism: "Mechanism",
    of: Function | PathError,
    by: str | Sequence[str] | None,
    until: float | str | None,
    steps: int,
    over: Over | None,
) -> Objective:
    """The objective that `Mechanism.objective` is asked for."""
    _, end = asked_for(mechanism.model, until, over)
    return objective_along(mechanism, of, by, sample_times(end, steps), over)


def objective_along(
    mechanism: "Mechanism",
    of: Function | PathError,
    by: str | Sequence[str] | None,
    times: FloatArray,
    over: Over | None,
) -> Objective:
    """An objective of a sweep with samples at these times (s)."""
    parameters = mechanism.parameters
    made = MadeBy(mechanism, over)
    model = asked_for(mechanism.model, None if over is not None else float(times[-1]), over)[0]
    home = searchable(model)
    build = BuildMap(made.layout, parameters, named(by, parameters))
    start = prepare(home, float(times[0])).start
    poses = {body.name: body_pose(home, start.q, body.name) for body in model.moving}

    def run(layout: Layout) -> Motion:
        given = given_of(layout, Guesses(poses))
        return sweep(layout, times, ways_on=False, given=given)

    return Objective(of, build, home, times, run, is_smooth=is_smooth(mechanism))


@final
@dataclass(frozen=True, slots=True)
class Analysis:
    """By which analysis an objective is read; a BadNumber where what is given does not fit it."""

    word: str
    until: float | str | None
    over: Over | None
    start: Start | None

    def __post_init__(self) -> None:
        if self.word not in ("kinematics", "simulation"):
            raise BadNumber(
                f"an objective is of analysis='kinematics' or 'simulation', not {self.word!r}."
            )
        if self.is_simulation and (self.until is None or self.over is not None):
            raise BadNumber("a simulation goes on until a time: give `until`, and no `over`.")
        if not self.is_simulation and self.start is not None:
            raise BadNumber("`start` is what a simulation begins with: the drives say it here.")

    @property
    def is_simulation(self) -> bool:
        """Whether forces make the motion, not drives alone."""
        return self.word == "simulation"


def simulated_objective(
    mechanism: "Mechanism",
    of: Function | PathError,
    by: str | Sequence[str] | None,
    until: float | str,
    steps: int,
    start: Start | None,
    tolerance: float,
) -> Objective:
    """The objective of a simulation that `Mechanism.objective` is asked for."""
    parameters, home = mechanism.parameters, mechanism.layout
    times = simulation_times(home, until, steps)
    runs = Runs(mechanism, times, start, tolerance)
    made = MadeBy(mechanism)
    build = BuildMap(made.layout, parameters, named(by, parameters))
    return Objective(of, build, home, times, runs, follow=runs.followed)


@final
class Runs:
    """Simulations of variants, and how the last of them follows from parameters."""

    def __init__(
        self, mechanism: "Mechanism", times: FloatArray, start: Start | None, tolerance: float
    ) -> None:
        self.mechanism, self.times = mechanism, times
        self.start, self.tolerance = start, tolerance
        self.made = MadeBy(mechanism)

    def __call__(self, layout: Layout) -> Motion:
        """The motion of a variant."""
        from kempe.dynamics import simulate
        from kempe.dynamics.events.passages import Passage

        begun, passages = started(layout, self.start), list[Passage]()
        run: Callable[..., Motion] = partial(
            simulate,
            layout if begun is None else begun.moving(layout),
            **({} if begun is None else begun.told(layout, float(self.times[0]))),
            expressions=expressions_of(layout),
            tolerance=self.tolerance,
        )
        moved = run(self.times, passages=passages)
        t = float(self.times[0])
        self.made = made_by_simulation(self.mechanism, begun, (), t, passages)
        return replace(moved, again=Again(run, self.times))

    def followed(self, layout: Layout, motion: Motion, build: BuildMap) -> Moved:
        """How the motion that was made last follows from parameters."""
        return self.made.followed(layout, motion, build)
