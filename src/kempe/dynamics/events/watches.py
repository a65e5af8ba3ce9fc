"""What is watched along a leg: limits, forces of limits that are rested on, and moments."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.algebra.text.grammar import WrittenFormula
from kempe.dynamics.events.grips import foot_gauges
from kempe.dynamics.events.legs import LegStart
from kempe.dynamics.events.modes import Mode, Running, Side, sides_of
from kempe.dynamics.events.moments import may_enable, would_act
from kempe.dynamics.events.watched_gauges import (
    Measured,
    Written,
    seen_by_name,
    watched_gauges,
)
from kempe.dynamics.events.word_formulas import TIME, reading_word, word_formula
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.events import AbstractMoment, Latch, Switch
from kempe.kinematics.reactions.loads import frictions_of
from kempe.measures import Gauge
from kempe.model import Model
from kempe.results import Motion

FloatArray = NDArray[np.float64]
Read = Callable[..., FloatArray]  # of (t, q, v, a, lam, energy, states): (moments, readings)

# Of the machine's size, of a radian, or of the largest number so far: a limit is touched, and left.
TOUCHED, SLACK = 2e-13, 1e-13
# Of what is slow for any machine: a ball or a foot that slips no faster stands. Steps need not go
# through a slip of none, where its direction is none either.
LANDS = 2e-7
# Of what friction can hold: what is asked for beyond that is rounding.
HOLDS = 1e-9
TAPE, READING, MULTIPLIER = 0, 1, 2  # what a native watch looks at


@final
@dataclass(frozen=True, slots=True)
class Text:
    """The expression of an event: a formula, and the readable names that its words stand for."""

    formula: WrittenFormula
    names: Mapping[str, str]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Expressions:
    """The expressions of the model's moments, in their order, and who reads any of them.

    `read` gives at the samples of a motion the values (n, moments), and after them those of all
    names in the texts, one text after the other.
    """

    texts: tuple[Text, ...] = ()
    read: Callable[[Motion], FloatArray] | None = None


@final
@dataclass(frozen=True, slots=True)
class Watch:
    """One native watch, and what it stands for."""

    kind: int  # TAPE, READING or MULTIPLIER
    index: int
    sign: float
    offset: float = 0.0
    slack: float = 0.0
    side: Side | None = None
    moment: AbstractMoment | None = None
    is_idle: bool = False  # nothing would happen: it counts only together with another one
    friction: str = ""  # whose joint comes to rest, or is about to slip; "*": any of those at rest


@final
class Watches:
    """What the events of a model look at, in any mode."""

    def __init__(
        self, model: Model, size: float, first: PreparedDynamics, texts: Sequence[Text]
    ) -> None:
        self.model, self.size = model, size
        self.farthest: dict[str, float] = {}  # by unit: the largest number so far
        self.sides = sides_of(model)
        self.moments = [e for e in model.events if isinstance(e, AbstractMoment)]
        self.reading: dict[int, int] = {}  # moment -> its place among what is read
        self.formula: dict[int, int] = {}  # moment -> its place among what is traced
        written: list[Written] = []
        for k, text in enumerate(texts):
            seen = {
                word: None if name == "t" else seen_by_name(model, name)
                for word, name in text.names.items()
            }
            if all(seen[word] is not None or name == "t" for word, name in text.names.items()):
                self.formula[k] = len(written)
                written.append(Written(text.formula, seen))
            else:
                self.reading[k] = len(self.reading)
        gauges = [side.stop.gauge for side in self.sides]
        gauges += [gauge for e in model.events if isinstance(e, Latch) for gauge in e.held]
        self.frictions = tuple(f for f in frictions_of(model) if f.sticks)
        self.rubbed = frictions_of(model) if self.frictions else ()
        surfaces = [f for f in self.rubbed if f.surface is not None]
        gauges += [friction.rubs for friction in self.rubbed if friction.surface is None]
        gauges += [g for f in surfaces if f.surface == "plane" for g in foot_gauges(f)]
        gauges += [d.gauge for d in model.drives if self._is_switched(d.gauge.name, d.name)]
        self.gauges = watched_gauges(first.equations.layout, gauges, written, surfaces)
        self.read_columns = [*self.reading]  # of what `Expressions.read` gives, those that are used
        self.fast = dict(self._fast_formulas(texts))  # by moment

    def _fast_formulas(self, texts: Sequence[Text]) -> Iterator[tuple[int, "core.WordFormula"]]:
        """The formulas that may outrun the motion, with the numbers of their moments."""
        column = len(texts)
        for k, text in enumerate(texts):
            kept, places = len(self.read_columns), {}
            for word, name in text.names.items():
                places[word] = self._place(k, name, column)
                column += 1
            found = word_formula(text.formula, places)
            if found is None:
                del self.read_columns[kept:]
            else:
                yield k, found

    def _place(self, moment: int, name: str, column: int) -> int:
        """What a name in the text of a moment is to the core: a measure, the time or a reading."""
        if name == "t":
            return TIME
        seen = seen_by_name(self.model, name) if moment in self.formula else None
        if seen is not None:
            gauges = self.gauges
            return gauges.rate_place(seen.gauge) if seen.is_rate else gauges.place(seen.gauge)
        self.read_columns.append(column)
        return reading_word(len(self.read_columns) - 1)

    def _is_switched(self, *names: str) -> bool:
        switches = [e for e in self.model.events if isinstance(e, Switch)]
        return any(name in switch.on for switch in switches for name in names if name)

    def in_mode(self, mode: Mode, running: Running) -> list[Watch]:
        """The watches of a leg in a mode."""
        found: list[Watch] = []
        places = running.row_places()
        for side in self.sides:
            if mode.is_off(side.stop.name):
                continue
            if side in mode.resting:
                row = places["stop", side.stop.name, int(side.is_low)]
                found.append(Watch(MULTIPLIER, row, -side.sign, side=side))
            else:
                at, near = self.gauges.place(side.stop.gauge), SLACK * self.scale(side)
                found.append(Watch(TAPE, at, side.sign, side.limit, near, side=side))
        slack = min(1.0, self.size)
        for k, moment in enumerate(self.moments):
            is_idle = not would_act(mode, moment, self.model)
            if is_idle and not any(may_enable(one, moment) for one in self.moments[:k]):
                continue
            kind = TAPE if k in self.formula else READING
            at = self.reading[k] if kind else self.gauges.formula_place(self.formula[k])
            for sign in (-1.0, 1.0):
                if moment.direction.sign != sign:  # rising is -f falling
                    watch = Watch(kind, at, sign, slack=SLACK * slack, moment=moment)
                    found.append(replace(watch, is_idle=is_idle))
        ways, read = dict(mode.ways), len(self.read_columns)
        for friction in self.frictions:
            if ways.get(friction.name) and friction.surface is not None:
                at, near = self.gauges.aim_place(friction.name), SLACK * self._of(friction.gauge)
                lands = LANDS * self.slowest(friction.gauge)
                found.append(Watch(TAPE, at, 1.0, lands, near, friction=friction.name))
            elif ways.get(friction.name):
                at, near = self.gauges.rate_place(friction.rubs), SLACK * self._of(friction.rubs)
                found.append(
                    Watch(TAPE, at, ways[friction.name], slack=near, friction=friction.name)
                )
        for k, name in enumerate(self.about_to_slip(mode)):
            found.append(Watch(READING, read + k, 1.0, slack=HOLDS, friction=name))
        return found

    def about_to_slip(self, mode: Mode) -> list[str]:
        """Joints that stick and are watched one by one; "*" where they hold each other."""
        if mode.is_shared:
            return ["*"]
        return [name for name, _, _ in mode.stuck]

    def native(
        self,
        watches: Sequence[Watch],
        place: LegStart,
        fired: frozenset[int],
        touched: frozenset[Side],
        setting_out: frozenset[str],
        aims: Mapping[str, tuple[float, ...]],
        read: Read,
    ) -> "core.WatchList":
        """The list for a leg; limits that are `touched` are about to be left.

        The joints of the frictions in `setting_out` were at rest, and begin to slide. Of balls and
        feet, slips along `aims` are watched.
        """
        measured = self.measured(place)
        begun = []
        for k, watch in enumerate(watches):
            touches = (watch.kind == TAPE and watch.friction in setting_out) or (
                watch.side is not None
                and watch.kind == TAPE
                and (watch.side in touched or self.is_touched(watch.side, measured, place))
            )
            is_stuck = watch.kind == READING and watch.friction not in ("", "*")
            # what sticks may do so with all that friction can hold, and slip without having less
            begun.append(2 if touches or is_stuck else int(k in fired))
        held = sum(1 for w in watches if w.friction and w.kind == READING)
        is_read = any(w.kind == READING for w in watches)
        watched = {w.moment for w in watches}
        fast = {self.moments[k]: one for k, one in self.fast.items() if self.moments[k] in watched}
        formulas = [*fast]
        return core.WatchList(
            **self.gauges.parts(place.last, self._aims(aims)),
            kinds=np.array([w.kind for w in watches], dtype=np.int32),
            indices=np.array([w.index for w in watches], dtype=np.int32),
            signs=np.array([w.sign for w in watches], dtype=np.float64),
            offsets=np.array([w.offset for w in watches], dtype=np.float64),
            slacks=np.array([self._slack(w, place) for w in watches], dtype=np.float64),
            begun=np.array(begun, dtype=np.int32),
            formula_of=np.array(
                [formulas.index(w.moment) if w.moment in fast else -1 for w in watches],
                dtype=np.int32,
            ),
            formulas=list(fast.values()),
            idle=np.array([w.is_idle for w in watches], dtype=np.int32),
            readings=len(self.read_columns) + held if is_read else 0,
            read=read if is_read else None,
        )

    def _aims(self, aims: Mapping[str, tuple[float, ...]]) -> FloatArray:
        """The directions along which slips are looked at, one after the other."""
        found = [aims.get(f.name, (0.0,) * len(f.arms)) for f in self.gauges.rubbing]
        return np.array([x for aim in found for x in aim], dtype=np.float64)

    def measured(self, place: LegStart) -> Measured:
        """The measures at a place."""
        return self.gauges.measured(place.q, place.v, place.t, place.last)

    def scale(self, side: Side) -> float:
        """What a limit is compared with: the machine's size (m), or a radian."""
        return self._of(side.stop.gauge)

    def slowest(self, gauge: Gauge) -> float:
        """A rate (m/s or rad/s) that is slow for any machine: a size, or a radian, in a minute."""
        return self._of(gauge) / 60.0

    def _of(self, gauge: Gauge) -> float:
        return self.size if gauge.unit == "m" else 1.0

    def gap(self, side: Side, measured: Measured) -> float:
        """The way (m or rad) left to a limit."""
        value = measured.values[self.gauges.place(side.stop.gauge)]
        return side.sign * float(value - side.limit)

    def reach(self, side: Side, place: LegStart) -> float:
        """The largest number (m or rad) that was met so far: rounding is a share of it."""
        bodies, n = place.q.reshape(len(self.model.moving), -1), 2 if self.model.plane else 3
        unit = side.stop.gauge.unit
        numbers = bodies[:, :n] if unit == "m" else bodies[:, 2:3] if n == 2 else bodies[:, :0]
        seen = float(np.abs(numbers).max(initial=0.0))
        self.farthest[unit] = max(abs(side.limit), seen, self.farthest.get(unit, 0.0))
        return self.farthest[unit]

    def _slack(self, watch: Watch, place: LegStart) -> float:
        """How far beyond its zero a watch is still at it: of places, none of what a limit bears."""
        if watch.side is None or watch.kind == MULTIPLIER:
            return watch.slack
        return max(watch.slack, SLACK * self.reach(watch.side, place))

    def is_touched(
        self, side: Side, measured: Measured, place: LegStart, within: float = TOUCHED
    ) -> bool:
        """Whether a limit is reached, to `within` of its scale, or to rounding."""
        near = max(within * self.scale(side), TOUCHED * self.reach(side, place))
        return self.gap(side, measured) <= near
