"""Equilibria that friction and stops hold: joints that stick where they are, limits rested on.

Friction holds a joint at rest as long as its effort f is within what it can hold, and a stop pushes
and never pulls:

    |f| <= mu_s N r  of a JointFriction,  |f| <= F_s  of a DryFriction,  lam >= 0  of a stop

f is a vector of a ball and of a foot on a plane, which several rows hold, and which let go as one.

To begin with every joint with friction is held where it stands, and every limit that is touched is
rested on: rows of their own, whose multipliers are those efforts. A limit that is met on the way is
added; one that would have to pull is left again, and so is a friction that would have to hold more
than it can, the one that is asked the most beyond its limit first. A joint that has slipped stays
free: where it comes to rest without friction it also rests with it.

Where several joints hold one motion, rows alone do not tell who holds how much. Shares are then
those for which the largest |f| / limit is the least: it rests if there are any that hold it.

Own. Source: [PfeifferGlocker] for friction and unilateral rows as complementarity.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.drives import Drive, Ramp
from kempe.dynamics.events.event_ending import starts_beyond
from kempe.dynamics.events.grips import ball_gauges, foot_gauges, grip_columns, orientation
from kempe.dynamics.events.modes import Mode, Side, held_measures, sides_of
from kempe.equations import equations_of
from kempe.forces import DryFriction, JointFriction
from kempe.kinematics.closing.placement import Given, Guesses, body_pose, given_of
from kempe.kinematics.observe.observation import whole_turns
from kempe.measures import Gauge
from kempe.model import Model
from kempe.outcome import Ending, Outcome
from kempe.results.motion import Motion
from kempe.results.reports.equilibrium import Hold
from kempe.results.state import State
from kempe.statics.grip_limits import Friction, Grip, Limits, along
from kempe.statics.rest import Rest, rest
from kempe.statics.system import StaticSystem, null_space, static_start
from kempe.units import effort_unit

FloatArray = NDArray[np.float64]


Holder = Side | Grip

TURN = 2.0 * np.pi
TOUCHED = 1e-9  # of the machine's size, or of a radian: a limit that is reached
PAST = 1e-11  # of the same: a limit that has been passed
SLIPS = 1e-9  # of what a friction can hold: more than it does not
PULLS = 1e-9  # of the largest push: a stop that would have to pull
MOST_CHANGES = 200
ASIDE = 1e-5  # sizes of the machine, or rad: a displacement to see what moves a measure
MOVES = 1e-6  # of a displacement: a measure that answers less is held by others
UNIQUE = 1e-8  # of a unit combination of rows that does nothing


def frictions_that_hold(model: Model) -> tuple[Friction, ...]:
    """The frictions of a model that can hold something at rest."""
    return tuple(f for f in model.forces if isinstance(f, JointFriction | DryFriction))


def sides_that_hold(model: Model) -> tuple[Side, ...]:
    """The limits of stops that act from the start on."""
    first = Mode.first(model)
    return tuple(side for side in sides_of(model) if not first.is_off(side.stop.name))


def left_out(model: Model) -> tuple[str, ...]:
    """What is said where a balance is found without friction and stops."""
    frictions = [friction.name for friction in frictions_that_hold(model)]
    stops = dict.fromkeys(side.stop.name for side in sides_that_hold(model))
    if not frictions and not stops:
        return ()
    named = [*frictions, *stops]
    more = ", ..." * (len(named) > 3)
    return (f"friction and stops hold nothing here: {', '.join(map(repr, named[:3]))}{more}",)


@final
@dataclass(frozen=True, eq=False)
class HeldRest:
    """Where a search with friction and stops has ended, in the model with what holds as rows."""

    system: StaticSystem
    end: Rest
    notes: tuple[str, ...]
    holding: tuple[Holder, ...]  # in the order of the drives added
    holds: tuple[Hold, ...]
    efforts: tuple[tuple[str, int, float], ...] = ()  # of frictions, row by row


@final
@dataclass(eq=False)
class Holding:
    """A search for where a mechanism rests with its friction and its stops."""

    layout: Layout
    t: float
    seek: str
    angles: Mapping[str, float]
    steps: int = 0
    pushes: int = 0
    last: dict[Gauge, float] = field(default_factory=dict)  # readings, whole turns counted
    sharing: tuple[Grip, ...] = ()  # of frictions that hold together with others
    grips: tuple[Grip, ...] = ()  # of all frictions

    def found(self, given: Given | None) -> HeldRest:
        """The equilibrium from the assembly nearest to the given poses."""
        start = static_start(self.layout, self.t, given, dict(self.angles))
        system, state, notes = start.system, start.state, start.notes
        self.grips = self._all_grips(system.origins_of(state))
        self._read(system, state)
        holding = self._first(system, state)
        for _ in range(MOST_CHANGES):
            system, end = self._rested(self._with(holding), system, state)
            self.steps, self.pushes = self.steps + end.steps, self.pushes + end.pushes
            end = replace(end, steps=self.steps, pushes=self.pushes)
            state = end.here.state
            self._read(system, state)
            if end.met:
                open_sides = self._open(holding)
                holding = (*holding, *(open_sides[k] for k in end.met))
                continue
            lam, holds, efforts = self._holds(system, end, holding)
            gone = _too_much(holding, holds, end.here.scale / self.layout.size)
            if gone is None or not end.outcome.is_done:
                end = replace(end, here=replace(end.here, lam=lam / system.row_weights))
                return HeldRest(system, end, notes, holding, holds, efforts)
            holding = self._without(gone, holding, system, state)
        return HeldRest(system, replace(end, outcome=_restless()), notes, holding, ())

    def _without(
        self, gone: Holder, holding: Sequence[Holder], system: StaticSystem, state: State
    ) -> tuple[Holder, ...]:
        """What holds without one that cannot: others that it held with may do so alone."""
        left = [one for one in holding if not _is_of(one, gone)]
        shared = [one for one in self.sharing if not _is_of(one, gone)]
        if isinstance(gone, Side) or not self.sharing:
            return tuple(left)
        # the freedoms of the model itself, seen from where it now stands
        poses = self._given(self.layout, system, state)
        start = static_start(self.layout, self.t, poses, system.turned(state))
        return self._independent(start.system, start.state, [*left, *shared])

    def _with(self, holding: Sequence[Holder]) -> Layout:
        """The model with a row for everything that holds."""
        rows = []
        for one in holding:
            if isinstance(one, Side):
                rows.append(Drive(one.stop.gauge, Ramp(one.limit)))
            else:
                value = self.last[one.gauge] if one.value is None else one.value
                rows.append(Drive(one.gauge, Ramp(value)))
        model = self.layout.model
        drives = (*model.drives, *rows)
        return Layout(replace(model, drives=drives, events=(), outputs=()))

    def _rested(
        self, layout: Layout, before: StaticSystem, state: State
    ) -> tuple[StaticSystem, Rest]:
        """Where the model of a layout rests, from a state of the one before."""
        near = self._given(layout, before, state)
        start = static_start(layout, self.t, near, before.turned(state))
        held = {d.gauge for d in layout.model.drives[len(self.layout.model.drives) :]}
        sides = [s for s in sides_that_hold(self.layout.model) if s.stop.gauge not in held]

        def gaps(at: State) -> FloatArray:
            where = start.system.origins_of(at)
            return np.array(
                [s.sign * (self._reading(where, s.stop.gauge) - s.limit) for s in sides]
            ) + PAST * np.array([self._scale(s.stop.gauge) for s in sides])

        return start.system, rest(start.system, start.state, self.seek, gaps if sides else None)

    def _given(self, layout: Layout, system: StaticSystem, state: State) -> Given:
        q = system.origins_of(state)
        poses = {body.name: body_pose(self.layout, q, body.name) for body in layout.model.moving}
        return given_of(layout, Guesses(poses))

    def _open(self, holding: Sequence[Holder]) -> list[Side]:
        held = {one.stop.gauge if isinstance(one, Side) else one.gauge for one in holding}
        return [s for s in sides_that_hold(self.layout.model) if s.stop.gauge not in held]

    def _first(self, system: StaticSystem, state: State) -> tuple[Holder, ...]:
        """What can hold at the start: limits that are touched, and friction that is determined."""
        model, q = self.layout.model, system.origins_of(state)
        touched: list[Holder] = []
        for side in sides_that_hold(model):
            gap = side.sign * (self._reading(q, side.stop.gauge) - side.limit)
            if gap < -TOUCHED * self._scale(side.stop.gauge):
                raise starts_beyond(side, -gap, model.name)
            if gap <= TOUCHED * self._scale(side.stop.gauge):
                touched.append(side)
        here = system.balance(state)
        idle = null_space(here.J.T)[0]
        rows, elements = system.equations.program.shape.rows, system.layout.layout.elements
        unknown = {
            elements[row.element].name
            for row, parts in zip(rows, idle, strict=True)
            if np.abs(parts).max(initial=0.0) > UNIQUE
        }
        rubbing = [g for g in self.grips if _joint_name(model, g.friction) not in unknown]
        return self._independent(system, state, [*touched, *rubbing])

    def _independent(
        self, system: StaticSystem, state: State, wanted: Sequence[Holder]
    ) -> tuple[Holder, ...]:
        """Of what could hold, the first ones that each hold something of their own."""
        here = system.balance(state)
        ways: list[FloatArray] = []
        chosen: list[Holder] = []
        sharing: list[Grip] = []
        for one in wanted:
            gauge = one.stop.gauge if isinstance(one, Side) else one.gauge
            row = np.zeros(here.N.shape[1])
            for k in range(len(row)):
                ends = (system.moved(here, s * ASIDE * here.N[:, k]) for s in (1.0, -1.0))
                read = [self._reading(system.origins_of(e), gauge) for e in ends if e is not None]
                if len(read) == 2:
                    row[k] = (read[0] - read[1]) / (2.0 * ASIDE * self._scale(gauge))
            own = row - sum(((row @ w) * w for w in ways), np.zeros(len(row)))
            if np.linalg.norm(own) > MOVES * max(float(np.linalg.norm(row)), 1.0e-3):
                ways.append(own / np.linalg.norm(own))
                chosen.append(one)
            elif np.linalg.norm(row) > MOVES and not isinstance(one, Side):
                sharing.append(one)
        self.sharing = tuple(sharing)
        return tuple(chosen)

    def _holds(
        self, system: StaticSystem, end: Rest, holding: Sequence[Holder]
    ) -> tuple[FloatArray, tuple[Hold, ...], tuple[tuple[str, int, float], ...]]:
        """All multipliers, what everything that holds exerts and could exert, and row by row."""
        rows = system.equations.program.shape.rows
        first = len(self.layout.elements) - _rolling(self.layout.model)
        places = {row.element: k for k, row in enumerate(rows)}
        mine = [places[first + k] for k in range(len(holding))]
        grips = [one for one in holding if not isinstance(one, Side)]
        rubbed = [k for k, one in zip(mine, holding, strict=True) if not isinstance(one, Side)]
        limits = Limits(system, end.here, (*grips, *self.sharing))
        lam, f = limits.shared(np.array(rubbed, dtype=int), self.sharing)
        found = []
        for k, one in zip(mine, holding, strict=True):
            if isinstance(one, Side):
                unit = effort_unit(one.stop.gauge.unit)
                found.append(Hold(one.stop.name, "stop", -float(lam[k]), None, unit))
        exerted = np.concatenate([-lam[rubbed], f])
        sizes, most = limits.sizes(exerted), limits.at(lam)
        for k, friction in enumerate(limits.frictions):
            unit, effort = effort_unit(friction.gauge.unit), float(sizes[k])
            if not _is_wide(friction):
                effort = float(exerted[limits.owners == k][0])
            found.append(Hold(friction.name, "friction", effort, most[k], unit))
        each = zip((*grips, *self.sharing), exerted.tolist(), strict=True)
        return lam, tuple(found), tuple((g.friction.name, g.place, e) for g, e in each)

    def _all_grips(self, q: FloatArray) -> tuple[Grip, ...]:
        """The rows by which frictions hold their joints where bodies' origins are at q."""
        found: list[Grip] = []
        for f in frictions_that_hold(self.layout.model):
            if isinstance(f, JointFriction) and f.surface == "ball":
                gauges = ball_gauges(f, orientation(f, self.layout, q))
                found += [Grip(f, k, gauge, 0.0) for k, gauge in enumerate(gauges)]
            elif isinstance(f, JointFriction) and f.surface == "plane":
                found += [Grip(f, k, gauge) for k, gauge in enumerate(foot_gauges(f))]
            else:
                found.append(Grip(f, 0, along(f)))
        return tuple(found)

    # -- readings ------------------------------------------------------------------------------

    def _gauges(self) -> list[Gauge]:
        model = self.layout.model
        mine = [s.stop.gauge for s in sides_that_hold(model)]
        return list(dict.fromkeys([*mine, *(g.gauge for g in self.grips)]))

    def _read(self, system: StaticSystem, state: State) -> None:
        """Remembers all readings, to count whole turns from."""
        q = system.origins_of(state)
        for gauge in self._gauges():
            if gauge in self.last:
                self.last[gauge] = self._reading(q, gauge)
            else:
                shown = self._shown(q, gauge)
                at = replace(state, q=q)
                self.last[gauge] = shown + whole_turns(self.layout, at, gauge, shown)

    def _reading(self, q: FloatArray, gauge: Gauge) -> float:
        shown = self._shown(q, gauge)
        if gauge.unit != "rad":
            return shown
        return shown + TURN * float(np.rint((self.last[gauge] - shown) / TURN))

    def _shown(self, q: FloatArray, gauge: Gauge) -> float:
        X = [body_pose(self.layout, q, m.body) @ m.pose for m in (gauge.I, gauge.J)]
        return float(gauge.measure.number(*X))

    def _scale(self, gauge: Gauge) -> float:
        return self.layout.size if gauge.unit == "m" else 1.0


def motion_at_base(layout: Layout, found: HeldRest, motion: Motion) -> Motion:
    """One sample at rest by the rows of the model itself, with what stops and friction exert."""
    model, system = layout.model, found.system
    first, added = len(layout.elements) - _rolling(model), len(found.holding)
    keys = {}
    for k, row in enumerate(system.equations.program.shape.rows):
        if not first <= row.element < first + added:
            base = row.element if row.element < first else row.element - added
            keys[base, row.place] = k
    rows = equations_of(layout.moving).program.shape.rows
    own = [(row.element, row.place) for row in rows]
    multipliers = motion.multipliers[:, [keys[key] for key in own]]
    stops = [name for name, _ in held_measures(model)]
    columns = grip_columns(model)
    held = np.zeros((1, len(stops)))
    gripped = np.zeros((1, sum(c.stop - c.start for c in columns.values())))
    for hold in found.holds:
        if hold.kind == "stop":
            held[0, stops.index(hold.name)] += hold.effort
    for name, place, effort in found.efforts:
        if name in columns:
            gripped[0, columns[name].start + place] = effort
    return replace(
        motion,
        multipliers=multipliers,
        held=held,
        gripped=gripped,
        rubbed=np.zeros((1, len(columns))),
    )


def _rolling(model: Model) -> int:
    """Elements after those of drives."""
    return sum(1 for joint in model.joints if joint.velocity_units)


def _joint_name(model: Model, friction: Friction) -> str:
    gauge = friction.gauge
    for joint in model.joints:
        if isinstance(friction, JointFriction) and (joint.I, joint.J) == (gauge.I, gauge.J):
            return joint.name
    return ""


def _is_wide(friction: Friction) -> bool:
    """Whether a friction holds in several directions at once."""
    return isinstance(friction, JointFriction) and friction.surface is not None


def _is_of(one: Holder, gone: Holder) -> bool:
    """Whether what holds is what lets go, or another row of the same friction."""
    if isinstance(one, Side) or isinstance(gone, Side):
        return one is gone
    return one.friction is gone.friction


def _too_much(holding: Sequence[Holder], holds: Sequence[Hold], scale: float) -> Holder | None:
    """What has to hold more than it can, most of all; a stop that would have to pull first."""
    sides = [one for one in holding if isinstance(one, Side)]
    for side, hold in zip(sides, holds, strict=False):
        if side.sign * hold.effort < -PULLS * scale:
            return side
    worst, most = None, 1.0 + SLIPS
    used = {hold.name: hold for hold in holds if hold.kind == "friction"}
    for one in holding:
        if not isinstance(one, Side):
            hold = used[one.friction.name]
            if hold.used > most and abs(hold.effort) > PULLS * PULLS * scale:
                worst, most = one, hold.used
    return worst


def _restless() -> Outcome:
    return Outcome(
        Ending.DIVERGED,
        f"after {MOST_CHANGES} changes it is still not plain which stops and joints with friction"
        " hold.",
        "Start nearer to where it should rest, or take away some of the stops.",
        {},
    )
