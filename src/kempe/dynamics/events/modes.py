"""Modes: which parts of a model act between two events, and the model that is integrated there.

Between events the motion is that of a plain model: without what was let go, with a row for every
measure that is latched or rests on a limit. Its program is made when it is first needed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Adjustable
from kempe.compile.layout.dynamic_layout import to_centres
from kempe.compile.layout.layout import Layout
from kempe.drives import AbstractLaw, Drive, Ramp
from kempe.dynamics.events.grips import gripping
from kempe.dynamics.preparation.preparation import PreparedDynamics, prepare_at
from kempe.equations import equations_of
from kempe.events import Latch, Release, Stop, Switch
from kempe.forces import AbstractForce
from kempe.geometry.vector import Scalar
from kempe.joints import AbstractJoint
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.reactions.loads import frictions_of
from kempe.measures import Gauge
from kempe.model import Model
from kempe.results import Motion
from kempe.results.state import State
from kempe.units import Reading

FloatArray = NDArray[np.float64]
RowKey = tuple[str, str, int]  # kind of part, its name, the number of its row
MOST_KNOWN = 64  # modes that are kept: a joint may stick anywhere
MOST_READINGS = 1000  # of one element: their numbers follow those of the elements


@final
@dataclass(frozen=True, slots=True)
class Resumed(AbstractLaw):
    """The law of a drive that was switched on: it goes on from where its measure was then."""

    law: AbstractLaw
    shift: Reading = 0.0

    def value(self, t: Scalar) -> Scalar:
        return self.law.value(t) + self.shift


@final
@dataclass(frozen=True, slots=True)
class Side:
    """One limit of a stop: g = m - low, or high - m."""

    stop: Stop
    is_low: bool

    @property
    def sign(self) -> float:
        """dg/dm."""
        return 1.0 if self.is_low else -1.0

    @property
    def limit(self) -> float:
        """What the measure is there."""
        limit = self.stop.low if self.is_low else self.stop.high
        assert limit is not None
        return limit

    @property
    def word(self) -> str:
        """Which one it is."""
        return "low" if self.is_low else "high"


def sides_of(model: Model) -> tuple[Side, ...]:
    """The limits of all stops of a model."""
    stops = [event for event in model.events if isinstance(event, Stop)]
    limits = [(s, True) for s in stops if s.low is not None]
    limits += [(s, False) for s in stops if s.high is not None]
    return tuple(Side(*limit) for limit in sorted(limits, key=lambda x: stops.index(x[0])))


def held_measures(model: Model) -> list[tuple[str, Gauge]]:
    """What stops and latches may hold, by the name of the event: columns of `Motion.held`."""
    found: list[tuple[str, Gauge]] = []
    for event in model.events:
        if isinstance(event, Stop):
            found.append((event.name, event.gauge))
        elif isinstance(event, Latch):
            found += [(event.name, gauge) for gauge in event.held]
    return found


def acting(model: Model, motion: Motion, part: str) -> FloatArray:
    """1 at samples (n,) of a run at which a part acts, 0 at those at which an event has it off.

    Events that had acted before the run count too. At the very time of an event it is as it was
    before.
    """
    words = {e.name: e for e in model.events if part in e.mentioned}
    is_on = not Mode.first(model).is_off(part)
    found = np.full(len(motion), float(is_on))
    before = [(name, -np.inf) for name in motion.acted]
    for name, t in [*before, *((event.name, event.t) for event in motion.events)]:
        word = words.get(name)
        if isinstance(word, (Switch, Release)):
            found[motion.t > t] = float(isinstance(word, Switch) and part in word.on)
    return found


@final
@dataclass(frozen=True, slots=True)
class Mode:
    """Which parts do not act, which measures are held, and which limits are rested on.

    `shifts` are those of the laws of drives that were switched on, `latched` the values that
    latches hold their measures at, by the name of the latch. `stuck` are joints that friction
    holds: the rows that do so, and the place, as `grips` has it. `ways` are in which sense, +1 or
    -1, other joints with friction slide, +1 of balls and feet, and `aims` their directions: numbers
    of the same program.
    """

    off: frozenset[str] = frozenset()
    shifts: tuple[tuple[str, float], ...] = ()
    latched: tuple[tuple[str, tuple[float, ...]], ...] = ()
    resting: frozenset[Side] = frozenset()
    stuck: tuple[tuple[str, tuple[int, ...], tuple[float, ...]], ...] = ()
    ways: tuple[tuple[str, float], ...] = field(default=(), compare=False)
    aims: tuple[tuple[str, tuple[float, ...]], ...] = field(default=(), compare=False)
    is_shared: bool = field(default=False, compare=False)  # several joints hold one motion

    @classmethod
    def first(cls, model: Model) -> "Mode":
        """At the start: what some event switches on does not act yet."""
        switches = [event for event in model.events if isinstance(event, Switch)]
        return cls(frozenset(name for switch in switches for name in switch.on))

    @property
    def free(self) -> "Mode":
        """This mode without any limit that is rested on."""
        return replace(self, resting=frozenset())

    @property
    def unstuck(self) -> "Mode":
        """This mode without any joint that sticks."""
        return replace(self, stuck=())

    def is_off(self, name: str, other: str = "") -> bool:
        """Whether the part of a name, or of either of two, does not act."""
        return name in self.off or (bool(other) and other in self.off)


def drive_is_off(mode: Mode, drive: Drive) -> bool:
    """Whether a drive does not act: by its own name or by that of its measure."""
    return mode.is_off(drive.gauge.name, drive.name)


@final
@dataclass(frozen=True, eq=False)
class ModeModel:
    """The model of a mode, and where its elements come from."""

    base: Model
    mode: Mode

    @cached_property
    def model(self) -> Model:
        """What is integrated."""
        base, mode = self.base, self.mode
        return replace(
            base,
            joints=tuple(self._joints),
            couplers=tuple(c for c in base.couplers if not mode.is_off(c.name)),
            forces=tuple(self._forces),
            drives=tuple(drive for _, drive in self._drives),
            events=(),
            outputs=(),
        )

    @property
    def _joints(self) -> Iterator[AbstractJoint]:
        """The joints that hold, and what is left of those that are off."""
        for joint in self.base.joints:
            left = joint.off if self.mode.is_off(joint.name) else joint
            if left is not None:
                yield left

    @property
    def _forces(self) -> Iterator[AbstractForce]:
        """The forces that act, and what is left of those that are off."""
        for force in self.base.forces:
            left = force.off if self.mode.is_off(force.name) else force
            if left is not None:
                yield left

    @cached_property
    def _drives(self) -> list[tuple[RowKey, Drive]]:
        """The drives that act, those of latches, and those of limits, with their keys."""
        shifts = dict(self.mode.shifts)
        found: list[tuple[RowKey, Drive]] = []
        for drive in self.base.drives:
            if not drive_is_off(self.mode, drive):
                name = drive.gauge.name
                law = Resumed(drive.law, shifts[name]) if name in shifts else drive.law
                found.append((("drive", name, 0), replace(drive, law=law)))
        latches = {e.name: e for e in self.base.events if isinstance(e, Latch)}
        held: set[Gauge] = set()  # what one latch holds another need not
        for name, values in self.mode.latched:
            for k, (gauge, value) in enumerate(zip(latches[name].held, values, strict=True)):
                if gauge not in held:
                    found.append((("latch", name, k), Drive(gauge, Ramp(value))))
                held.add(gauge)
        rubbed = {friction.name: friction for friction in frictions_of(self.base)}
        for name, rows, at in self.mode.stuck:
            for k, (gauge, value) in enumerate(gripping(rubbed[name], at)):
                if k in rows:
                    found.append((("friction", name, k), Drive(gauge, Ramp(Adjustable(value)))))
        for side in sides_of(self.base):
            if side in self.mode.resting:
                key = ("stop", side.stop.name, int(side.is_low))
                found.append((key, Drive(side.stop.gauge, Ramp(side.limit))))
        return found

    @cached_property
    def states(self) -> list[int]:
        """Which of the states of all forces those are of forces that act."""
        all_of = [force for force in self.base.forces for _ in force.states]
        return [
            k
            for k, force in enumerate(all_of)
            if force.off is not None or not self.mode.is_off(force.name)
        ]

    @cached_property
    def layout(self) -> Layout:
        """Where its coordinates and numbers lie."""
        return Layout(self.model)

    @cached_property
    def elements(self) -> list[RowKey]:
        """Where every element of the layout comes from."""
        joints = [("joint", joint.name, 0) for joint in self.model.joints]
        couplers = [("coupler", coupler.name, 0) for coupler in self.model.couplers]
        rolling = [("rolling", j.name, 0) for j in self.model.joints if j.velocity_units]
        return [*joints, *couplers, *(key for key, _ in self._drives), *rolling]

    @cached_property
    def rows(self) -> list[RowKey]:
        """Where every row comes from, in the order of all rows."""
        rows = equations_of(self.layout.moving).program.shape.rows
        found = []
        for row in rows:
            kind, name, number = self.elements[row.element]
            found.append((kind, name, number + row.place))
        return found


@final
@dataclass(frozen=True, eq=False)
class Running:
    """A mode that is ready to run."""

    of: ModeModel
    prepared: PreparedDynamics

    @property
    def counted(self) -> list[RowKey]:
        """The keys of the angles that rows and forces count, in the order of a state's turns."""
        shape, layout = self.prepared.equations.program.shape, self.prepared.equations.layout
        rows = []
        for element, reading in shape.counted:
            kind, name, number = self.of.elements[element]
            rows.append((kind, name, MOST_READINGS * number + reading))
        forces = [("force", layout.forces[n].name, k) for n, k in shape.force_counted]
        return [*rows, *forces]

    def row_places(self) -> dict[RowKey, int]:
        """The place of every row among those of the program: solved ones first."""
        order = self.prepared.row_order
        return {self.of.rows[row]: place for place, row in enumerate(order)}


@final
@dataclass(eq=False)
class Modes:
    """The modes of one model that have been met, each with its program."""

    base: Model
    executor: str
    plan: str
    known: dict[Mode, Running] = field(default_factory=dict)

    def running(self, mode: Mode, at: State, turns: Mapping[RowKey, float]) -> Running:
        """A mode that starts at a state of the bodies' origins, its angles counted on."""
        if mode in self.known:
            running = self.known[mode]
        else:
            of = ModeModel(self.base, mode)
            equations = equations_of(of.layout)
            start = replace(at, turns=initial_turns(equations, at.t, at.q))
            running = Running(of, prepare_at(of.layout, start, self.executor, self.plan))
            if len(self.known) >= MOST_KNOWN:
                del self.known[next(iter(self.known))]
            self.known[mode] = running
        prepared = running.prepared.sliding(dict(mode.ways))
        wound = np.array(prepared.start.turns)
        for k, key in enumerate(running.counted):
            wound[k] = turns.get(key, wound[k])
        start = replace(
            prepared.start,
            t=at.t,
            q=to_centres(self.base, at.q[None, :])[0],
            v=at.v,
            turns=wound,
            states=at.states[running.of.states],
        )
        return Running(running.of, replace(prepared, start=start))
