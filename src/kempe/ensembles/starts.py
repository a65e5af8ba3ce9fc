"""Where simulations start: at values and rates that measures are given, by columns.

A mechanism whose freedoms are all given a value and a rate at t = 0 stands where it would if drives
held them so: each is led there from the mechanism's own assembly, as variants of a batch are, and
its velocities are those of its drives. What drives it afterwards has nothing to do with that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Adjustable
from kempe.algebra.native import native_tape
from kempe.batch.asking import Ask
from kempe.batch.lanes import Lanes
from kempe.batch.numbers import Reading
from kempe.batch.starts import started
from kempe.batch.variants import Group, variants
from kempe.compile.layout.layout import Layout
from kempe.compile.llvm.machine_code import llvm_available
from kempe.compile.small.kinematic_tape import KinematicTape
from kempe.compile.trace.part_names import measure_named
from kempe.drives import Drive
from kempe.drives.law import AbstractLaw
from kempe.errors import BadNumber, KempeError
from kempe.geometry.pose import Pose
from kempe.geometry.vector import Scalar
from kempe.kinematics.closing.placement import (
    Given,
    Guesses,
    body_pose,
    coordinates,
    gauge_reading,
    given_of,
)
from kempe.kinematics.sweep.sweep import sweep
from kempe.measures import Gauge
from kempe.results import Motion
from kempe.results.state import State

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

RATE: Final = ".rate"
TURN: Final = 2.0 * np.pi
NEAR: Final = 0.1  # rad and sizes of the machine: no other way to put it together
FEW: Final = 8  # turns: more of them are not gone through one by one
CYCLES: Final = (1, 2, 3)  # turns, after which a mechanism stands as before
SAME: Final = 1e-6  # rad and sizes of the machine: as before


@final
@dataclass(frozen=True, slots=True)
class SettingOff(AbstractLaw):
    """A value and a rate at t = 0, which stay inputs of a program where they are 0.

    f = place + rate t
    """

    place: float = 0.0
    rate: float = 0.0

    def __post_init__(self) -> None:
        for name in ("place", "rate"):
            object.__setattr__(self, name, Adjustable(getattr(self, name)))

    def value(self, t: Scalar) -> Scalar:
        return self.place + t * self.rate


@final
@dataclass(frozen=True, slots=True)
class StartColumns:
    """Values and rates (m, rad, s) that measures start with, one of each for every run.

    A measure of which only the rate is given starts where the mechanism itself stands, one of which
    only the value is given starts at rest.
    """

    gauges: tuple[Gauge, ...]
    values: tuple[FloatArray | None, ...]
    rates: tuple[FloatArray | None, ...]

    @classmethod
    def of(cls, layout: Layout, columns: Mapping[str, FloatArray]) -> "StartColumns":
        """The columns of a mapping by name; UnknownName where a measure is not known."""
        bases = [name.removesuffix(RATE) for name in columns]
        names = list(dict.fromkeys(bases))
        gauges = tuple(measure_named(layout.model, name, "start at") for name in names)
        values = tuple(columns.get(name) for name in names)
        return cls(gauges, values, tuple(columns.get(name + RATE) for name in names))

    @property
    def angles(self) -> dict[str, FloatArray]:
        """The values (rad) that angles start at, whole turns counted, by name."""
        pairs = zip(self.gauges, self.values, strict=True)
        return {g.name: x for g, x in pairs if x is not None and g.unit == "rad"}

    def of_runs(self, some: NDArray[np.intp]) -> "StartColumns":
        """Those of some runs."""
        parts = (
            tuple(None if x is None else x[some] for x in y) for y in (self.values, self.rates)
        )
        return StartColumns(self.gauges, *parts)

    def turned(self, turns: FloatArray) -> "StartColumns":
        """With so many whole turns (measures, n) more."""
        pairs = zip(self.values, turns, strict=True)
        values = tuple(None if x is None else x + TURN * more for x, more in pairs)
        return StartColumns(self.gauges, values, self.rates)

    def refuse_other_freedoms(self, layout: Layout, freedoms: int) -> None:
        """A BadNumber where not all freedoms that drives leave are given, or more than those."""
        if len(self.gauges) == freedoms:
            return
        told = ", ".join(gauge.name for gauge in self.gauges)
        raise BadNumber(
            f"{layout.model.name!r} has {freedoms} freedom(s) that no drive holds, and `start`"
            f" gives {len(self.gauges)} measure(s) ({told}): give the value or the rate of as many"
            " as there are freedoms.",
            freedoms=freedoms,
        )


@final
@dataclass(frozen=True, slots=True, eq=False)
class Starts:
    """Coordinates (n, n_q), velocities (n, n_v) and turns (n, turns) of origins at t = 0.

    `counted` says of the turns which element's which reading they are; `is_reached` which runs
    start there, `reasons` why others do not.
    """

    q: FloatArray
    v: FloatArray
    turns: FloatArray
    counted: tuple[tuple[int, int], ...]
    is_reached: BoolArray
    reasons: dict[int, str]

    def of(self, some: NDArray[np.intp]) -> "Starts":
        """Those of some runs."""
        parts = (self.q[some], self.v[some], self.turns[some])
        return Starts(*parts, self.counted, self.is_reached[some], {})


def starts_at(layout: Layout, home: State, given: StartColumns, threads: int) -> Starts:
    """Where all runs of a mechanism start, which by itself stands at `home`.

    Angles many turns on are led to what is left of them, and from there on through one turn: what
    that adds to the coordinates, every other turn adds too, where it ends as it began.
    """
    search = _Search(layout, home, given, threads)
    turns = search.turns_left_out()
    if not turns.any():
        return search.run()
    found = _Search(layout, home, given.turned(-turns), threads).run()
    is_far = turns.any(axis=0)
    q, v, counts = found.q.copy(), found.v.copy(), found.turns.copy()
    is_reached = found.is_reached & ~is_far
    for cycle in CYCLES:
        left = np.flatnonzero(is_far & ~is_reached)
        if not len(left):
            break
        whole, rest = np.divmod(turns[:, left], cycle)
        some = given.of_runs(left).turned(-turns[:, left] + rest)
        start = _Search(layout, home, some, threads).run()
        at = replace(start, q=start.q.copy(), v=start.v.copy(), turns=start.turns.copy())
        for k in np.flatnonzero(whole.any(axis=1)):
            once = np.zeros_like(whole)
            once[k] = cycle
            ahead = _Search(layout, home, some.turned(once), threads).run()
            at = _shifted(layout, at, start, ahead, whole[k])
        fine = search.closed(left, at)
        went = left[fine]
        q[went], v[went], is_reached[went] = at.q[fine], at.v[fine], True
        if at.turns.shape[1] == counts.shape[1]:
            counts[went] = at.turns[fine]
    reasons = {k: why for k, why in found.reasons.items() if not is_reached[k]}
    return Starts(q, v, counts, found.counted, is_reached, reasons)


def _is_turn(layout: Layout) -> BoolArray:
    """Which coordinates say how a body is turned, (n_q,): own unknowns of curves do not."""
    return np.append(layout.coordinates.is_turn, np.zeros(layout.n_own, dtype=bool))


def _shifted(layout: Layout, at: Starts, start: Starts, ahead: Starts, times: FloatArray) -> Starts:
    """Starts moved so many times (n,) by what leads from `start` to those a cycle ahead.

    Without couplers that is whole turns, or else a cycle more. With couplers every body goes on as
    it went, X_ahead X_start^-1 again and again: so a wheel turns that is not there again.
    """
    counted = ahead.turns - start.turns
    if not layout.model.couplers:
        moved, is_turn = ahead.q - start.q, _is_turn(layout)
        whole = TURN * np.rint(moved / TURN) * is_turn
        off = np.abs((moved - whole) / np.where(is_turn, 1.0, layout.size)).max(axis=1)
        return replace(
            at,
            q=at.q + times[:, None] * whole,
            turns=at.turns + times[:, None] * TURN * np.rint(counted / TURN),
            is_reached=at.is_reached & ahead.is_reached & (off <= SAME),
        )
    is_reached, q = at.is_reached & ahead.is_reached, at.q.copy()
    for j in np.flatnonzero(is_reached).tolist():
        poses = {}
        for body in layout.model.moving:
            X, X_start, X_ahead = (body_pose(layout, x.q[j], body.name) for x in (at, start, ahead))
            poses[body.name] = _power(X_ahead @ X_start.inverse(), int(times[j])) @ X
        q[j] = coordinates(layout, poses)
    return replace(at, q=q, turns=at.turns + times[:, None] * counted, is_reached=is_reached)


def _power(X: Pose, n: int) -> Pose:
    """X taken n times, n of any sign."""
    made, X = Pose.identity(), X if n >= 0 else X.inverse()
    for digit in f"{abs(n):b}":
        made = made @ made
        made = X @ made if digit == "1" else made
    return made


@final
class _Search:
    """Starts while they are looked for."""

    def __init__(self, layout: Layout, home: State, given: StartColumns, threads: int) -> None:
        self.layout, self.home, self.given, self.threads = layout, home, given, threads
        poses = {b.name: body_pose(layout, home.q, b.name) for b in layout.model.moving}
        self.at_home = given_of(layout, Guesses(poses))
        self.own = [float(gauge_reading(layout, home.q, gauge)) for gauge in given.gauges]
        bodies = tuple(
            replace(body, guess=poses[body.name]) if body.name in poses else body
            for body in layout.model.bodies
        )
        self.model = replace(layout.model, bodies=bodies, rates=(), events=(), forces=())
        values = {
            f"value {k}": self._near(k, c) for k, c in enumerate(given.values) if c is not None
        }
        rates = {f"rate {k}": c for k, c in enumerate(given.rates) if c is not None}
        self.columns, self.reasons = values | rates, dict[int, str]()
        self.count = len(next(iter(self.columns.values())))

    def _near(self, k: int, column: FloatArray) -> FloatArray:
        """Values of measure k; of angles in space those with the same pose nearest to home.

        In the plane coordinates are angles that tell how often they turned. And where couplers
        count, a wheel's whole turn is none of the wheel that it drives.
        """
        model = self.layout.model
        if self.given.gauges[k].unit != "rad" or model.plane or model.couplers:
            return column
        return column - TURN * np.rint((column - self.own[k]) / TURN)

    def turns_left_out(self) -> FloatArray:
        """Whole turns (measures, n) of angles that are many turns away from home; 0 of others."""
        found = np.zeros((len(self.given.gauges), self.count))
        for k, (gauge, column) in enumerate(zip(self.given.gauges, self.given.values, strict=True)):
            if column is not None and gauge.unit == "rad" and self._near(k, column) is column:
                away = np.rint((column - self.own[k]) / TURN)
                found[k] = np.where(np.isfinite(away) & (np.abs(away) > FEW), away, 0.0)
        return found

    def closed(self, which: NDArray[np.intp], at: Starts) -> BoolArray:
        """Which of these runs close where they are guessed to, many turns on; they do then.

        Whole turns of what has no couplers fit as they are.
        """
        if not self.layout.model.couplers:
            return at.is_reached
        fine = at.is_reached.copy()
        for j in np.flatnonzero(fine).tolist():
            fine[j] = False
            self._closed_alone(int(which[j]), at.q, at.v, fine, row=j)
        return fine

    def built(self, values: Mapping[str, float]) -> Layout:
        """The mechanism with drives that hold its start."""
        drives = []
        for k, gauge in enumerate(self.given.gauges):
            value, rate = values.get(f"value {k}", self.own[k]), values.get(f"rate {k}", 0.0)
            drives.append(Drive(gauge, SettingOff(value, rate)))
        return Layout(replace(self.model, drives=(*self.model.drives, *drives)))

    def run(self) -> Starts:
        """All of them: in lanes where one program serves them, else one by one."""
        n, layout = self.count, self.layout
        q, v = np.full((n, layout.n_q), np.nan), np.full((n, layout.n_v), np.nan)
        is_reached = np.zeros(n, dtype=bool)
        home = self.built({f"value {k}": x for k, x in enumerate(self.own)})
        read = Reading((layout.model.moving[0].name,), 0.0)  # of places alone nothing is undefined
        found = variants(self.built, self.columns, read, is_smooth=True)
        self.reasons |= found.refused
        turned: list[tuple[Group, Turned]] = []
        for group in found.groups:
            placed = self._in_lanes(home, group, read) or self._one_by_one(group)
            q[group.which], v[group.which], is_reached[group.which] = placed[:3]
            turned.append((group, placed[3]))
        for k in np.flatnonzero(~is_reached & np.isfinite(q).all(axis=1)).tolist():
            self._closed_alone(k, q, v, is_reached)
        counted = turned[0][1].counted if len({one.counted for _, one in turned}) == 1 else ()
        turns = np.zeros((n, len(counted)))
        for group, one in turned if counted else ():
            turns[group.which] = one.turns
        return Starts(q, v, turns, counted, is_reached, self.reasons)

    def _in_lanes(self, home: Layout, group: Group, read: Reading) -> "Placed | None":
        prepared = started(home, group, read) if llvm_available() else None
        if prepared is None or not isinstance(prepared.equations.program.shape, KinematicTape):
            return None
        if prepared.equations.program.untraced is not None:
            return None
        lanes = Lanes(prepared, group, Ask(np.zeros(1), read, 1, self.threads))
        q, turns, is_reached = lanes.starts()
        tape = prepared.equations.program.shape
        rows = tape.inputs(q, 0.0, lanes.parameters)
        v = native_tape(tape.tape).evaluate_lanes(rows, tape.qd)
        is_reached = is_reached & np.isfinite(v).all(axis=1)
        return q, v, is_reached, Turned(tuple(tape.counted), turns)

    def _one_by_one(self, group: Group) -> "Placed":
        n = len(group.which)
        q, v = np.full((n, self.layout.n_q), np.nan), np.full((n, self.layout.n_v), np.nan)
        for j, k in enumerate(group.which.tolist()):
            motion = self._placed(k, self.at_home)
            if motion is not None:
                q[j], v[j] = motion.q[0], motion.v[0]
        return q, v, np.isfinite(v).all(axis=1), Turned((), np.zeros((n, 0)))

    def _closed_alone(
        self, k: int, q: FloatArray, v: FloatArray, is_reached: BoolArray, row: int | None = None
    ) -> None:
        """Start k from the last place on its way, where it is near: with pivots of its own.

        It stands in a row of the arrays, the k-th if omitted.
        """
        j = k if row is None else row
        guesses = Guesses({b.name: body_pose(self.layout, q[j], b.name) for b in self.model.moving})
        motion = self._placed(k, given_of(self.layout, guesses))
        if motion is None:
            return
        if self._apart(motion.q[0], q[j]) <= NEAR:
            q[j], v[j], is_reached[j] = motion.q[0], motion.v[0], True
            self.reasons.pop(k, None)

    def _apart(self, one: FloatArray, other: FloatArray) -> float:
        """How far two positions are apart: rad, or sizes of the machine."""
        layout, other = self.layout, other.copy()
        if not layout.model.plane:  # a quaternion and its negative are one turn
            for k in range(layout.n_bodies):
                turn = layout.coordinates.turn_of(k)
                other[turn] *= 1.0 if one[turn] @ other[turn] >= 0.0 else -1.0
        size = np.where(_is_turn(layout), 1.0, layout.size)
        return float(np.abs((one - other) / size).max())

    def _placed(self, k: int, near: Given) -> Motion | None:
        """The mechanism at start k, from near poses; None, with a reason, where none is."""
        values = {name: float(column[k]) for name, column in self.columns.items()}
        try:
            motion = sweep(self.built(values), np.zeros(1), ways_on=False, given=near)
        except KempeError as mistake:
            self.reasons[k] = str(mistake)
            return None
        if not len(motion):
            self.reasons[k] = str(motion.outcome)
            return None
        return motion


@final
@dataclass(frozen=True, slots=True, eq=False)
class Turned:
    """Turns (n, turns) of rows at starts; `counted` says of which element which reading each is."""

    counted: tuple[tuple[int, int], ...]
    turns: FloatArray


Placed = tuple[FloatArray, FloatArray, BoolArray, Turned]
